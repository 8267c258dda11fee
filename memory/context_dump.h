// What a tree of contexts holds, for people and for programs (PostgreSQL's MemoryContextStats and
// the view pg_backend_memory_contexts).
#pragma once

#include <string>

#include "relcache/memory/memory_context.h"

namespace relcache {

/// One line a context, children indented below their parent, newest first; then the sum:
///   cache: 8192 total in 1 blocks; 7856 free (0 chunks); 336 used
///     entry: public.orders: 2048 total in 1 blocks; 112 free (0 chunks); 1936 used; 640 foreign
/// Of a context's children only the first `max_children` are shown, the others are added up. The
/// identifier is cut at 100 bytes and control characters become blanks.
std::string ContextsAsText(const MemoryContext& top, int max_children = 100);

/// An array of one object a context, parents before children, with the names of the columns of
/// pg_backend_memory_contexts (name, ident, parent, level, total_bytes, total_nblocks, free_bytes,
/// free_chunks, used_bytes) and, beyond these, type ("AllocSet", "Bump") and foreign_bytes. ident
/// and parent may be null. Level 1 is `top`.
std::string ContextsAsJson(const MemoryContext& top);

}  // namespace relcache
