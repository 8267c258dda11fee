// Compiled programs of the expressions of cached relations. Each is compiled once, shared by all
// threads, and freed with the cache entry. PostgreSQL compiles them anew for each statement
// (ExecPrepareExpr).
#pragma once

#include "relcache/base/result.h"
#include "relcache/cache/expression_slot.h"
#include "relcache/cache/relation_descriptor.h"
#include "relcache/executor/expressions/compile.h"
#include "relcache/executor/expressions/program.h"

namespace relcache {

/// Which rows the WHEN condition of a trigger refers to: OLD, the row before the change, and NEW,
/// the row after it.
struct WhenRows {
  bool old_row = false;
  bool new_row = false;
};

/// The rows that the WHEN condition can refer to. A trigger for UPDATE only has both. A trigger for
/// INSERT (among others) has no OLD, and one for DELETE no NEW. A statement-level trigger has
/// neither.
WhenRows WhenRowsOf(const TriggerRow& trigger);

/// The program of a stored expression of the relation. CHECK constraints, defaults, index
/// predicates and policies are evaluated for a row of the relation. The WHEN condition of a trigger
/// is evaluated for the rows that WhenRowsOf says; if there are two, the input is one row with the
/// values of OLD followed by those of NEW.
/// Lifetime: that of the cache entry; hold a pin.
/// Thread safety: any thread may call it.
/// Cost: a walk along a short list if the program exists; otherwise the expression is read and
/// compiled once. The source is asked for types, functions and collations that are not built in,
/// and the entry is dropped when one of them changes.
/// Errors: those of reading and compiling, with the place of the expression; they are kept with the
/// slot. Expressions over other rows are refused: rules, lists of expressions, partition bounds,
/// and expressions in the entry of an index, which refer to the rows of its table.
Result<const Program*> ProgramOf(const RelationDescriptor& relation, const ExpressionSlot& slot);

/// A program that computes whether a virtual generated column has a value (is not NULL), for a row
/// of the relation. `attnum` must be the number of a column. Lifetime, cost, errors: as ProgramOf
/// for the expression of the column.
Result<const Program*> HasValueProgram(const RelationDescriptor& relation, AttrNumber attnum);

/// Compiles an expression over rows of the relation into cx, without keeping the program, as a
/// single statement would. With `borrow`, the program uses constants in the tree, which must live
/// as long as cx (CompileOptions::borrow).
/// Lifetime: the program lies in cx.
/// Errors: as Compile.
Result<const Program*> CompileFor(const RelationDescriptor& relation, const Node* tree,
                                  ObjectLookup& objects, bool borrow, MemoryContext& cx);

}  // namespace relcache
