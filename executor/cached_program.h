// Programs that live in the relation cache: compiled once per expression, shared by all threads,
// gone with the entry.
#pragma once

#include "relcache/base/result.h"
#include "relcache/cache/expression_slot.h"
#include "relcache/cache/relation_descriptor.h"
#include "relcache/catalog/catalog_source.h"
#include "relcache/executor/compile.h"
#include "relcache/executor/program.h"

namespace relcache {

/// The program of one of a relation's stored expressions over the relation's rows: a CHECK, a
/// default, a trigger's WHEN.
/// Lifetime: the entry's; hold the pin while using it. Thread safety: any threads.
/// Cost: a look at a list when it is there; else reading and compiling the expression once. The
/// source is asked for types, functions and collations that are not built in, and the entry goes
/// when one of those changes.
/// Errors: of reading and compiling, with the expression's place; remembered with the slot.
Result<const Program*> ProgramOf(const RelationDescriptor& relation, const ExpressionSlot& slot,
                                 CatalogSource& source);

/// Compiles a tree over a relation's rows into cx: what a statement does that keeps no program.
/// `borrow`: the tree lives as long as cx (CompileOptions::borrow).
Result<const Program*> CompileFor(const RelationDescriptor& relation, const Node* tree,
                                  ObjectLookup& objects, bool borrow, MemoryContext& cx);

}  // namespace relcache
