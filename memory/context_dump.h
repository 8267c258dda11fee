// Reports of what a tree of memory contexts holds, as text for people (PostgreSQL's
// MemoryContextStats) and as JSON for programs (the view pg_backend_memory_contexts).
// memory_context.h says what a context is.
#pragma once

#include <string>

#include "relcache/memory/memory_context.h"

namespace relcache {

/// One line for each context, with children indented below their parent and the newest child first;
/// the last line is the sum:
///   cache: 8192 total in 1 blocks; 7856 free (0 chunks); 336 used
///     entry: public.orders: 2048 total in 1 blocks; 112 free (0 chunks); 1936 used; 640 foreign
/// All figures are bytes, unless a word says otherwise. "Foreign" bytes lie outside of the context
/// and are accounted to it by a callback (ResetCallback). Only the first `max_children` children of
/// a context are shown; one line adds up the others. An identifier is cut at 100 bytes, and its
/// control characters become blanks. Below the 50th level lines are indented no further and begin
/// with their level.
/// Thread safety: no other thread may use the contexts meanwhile.
std::string ContextsAsText(const MemoryContext& top, int max_children = 100);

/// An array with one object for each context, parents before children. The members have the names
/// of the columns of pg_backend_memory_contexts (name, ident, parent, level, total_bytes,
/// total_nblocks, free_bytes, free_chunks, used_bytes), and there are two more, type ("AllocSet" or
/// "Bump") and foreign_bytes. ident and parent may be null. `top` has level 1.
std::string ContextsAsJson(const MemoryContext& top);

}  // namespace relcache
