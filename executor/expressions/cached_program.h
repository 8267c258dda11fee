// Programs that live in the relation cache: compiled once per expression, shared by all threads,
// gone with the entry.
#pragma once

#include "relcache/base/result.h"
#include "relcache/cache/expression_slot.h"
#include "relcache/cache/relation_descriptor.h"
#include "relcache/catalog/catalog_source.h"
#include "relcache/executor/expressions/compile.h"
#include "relcache/executor/expressions/program.h"

namespace relcache {

/// Whose values the WHEN of a trigger is over.
struct WhenRows {
  bool old_row = false;
  bool new_row = false;
};

/// WHEN of a trigger of UPDATE alone may name both rows; where INSERT is among the events there is
/// no OLD for it to name, where DELETE is, no NEW, and a statement's trigger has neither.
WhenRows WhenRowsOf(const TriggerRow& trigger);

/// The program of one of a relation's stored expressions: a CHECK, a default, an index's predicate,
/// a policy's expression are over the relation's rows. A trigger's WHEN is over the rows that
/// WhenRowsOf says: where there are both, one row has OLD's values and behind them NEW's.
/// Lifetime: the entry's; hold the pin while using it. Thread safety: any threads.
/// Cost: a look at a list when it is there; else reading and compiling the expression once. The
/// source is asked for types, functions and collations that are not built in, and the entry goes
/// when one of those changes.
/// Errors: of reading and compiling, with the expression's place; remembered with the slot. What is
/// over other rows than these is refused: rules, lists of expressions, and what an index's own
/// entry says of its table's rows.
Result<const Program*> ProgramOf(const RelationDescriptor& relation, const ExpressionSlot& slot,
                                 CatalogSource& source);

/// Whether a virtual generated column has a value, as a program over the relation's rows.
/// Lifetime, cost, errors: as ProgramOf of the column's expression.
Result<const Program*> HasValueProgram(const RelationDescriptor& relation, AttrNumber attnum,
                                       CatalogSource& source);

/// Compiles a tree over a relation's rows into cx: what a statement does that keeps no program.
/// `borrow`: the tree lives as long as cx (CompileOptions::borrow).
Result<const Program*> CompileFor(const RelationDescriptor& relation, const Node* tree,
                                  ObjectLookup& objects, bool borrow, MemoryContext& cx);

}  // namespace relcache
