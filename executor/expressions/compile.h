// From a node tree to a program (PostgreSQL's expression_planner and ExecInitExpr).
#pragma once

#include <cstdint>
#include <span>

#include "relcache/base/oid.h"
#include "relcache/base/result.h"
#include "relcache/catalog/rows.h"
#include "relcache/executor/expressions/objects.h"
#include "relcache/executor/expressions/program.h"
#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"

namespace relcache {

/// A column of the rows that a program will read.
struct InputColumn {
  Oid type = kInvalidOid;
  std::int16_t typlen = 0;
  bool typbyval = false;
  bool dropped = false;
  /// A virtual generated column: rows have a place for it but never its value. Its expression, over
  /// the same row, is evaluated where the column is named; without it, naming the column is
  /// refused.
  bool is_virtual = false;
  const Node* generated = nullptr;
};

/// The columns of a relation, in cx; of virtual generated ones without the expression.
std::span<const InputColumn> InputColumnsOf(std::span<const AttributeRow> attributes,
                                            MemoryContext& cx);

struct CompileOptions {
  /// What rows look like: column n is attnum n + 1 of what a Var of varno 1 names.
  std::span<const InputColumn> columns;
  /// What a Var of varno 2 names, where an expression is over two rows: NEW in a trigger's WHEN,
  /// whose OLD is varno 1. A program still reads one row: the values of `columns`, and behind them
  /// those of `second_columns`. A Var of any other varno is refused.
  std::span<const InputColumn> second_columns;
  /// Who answers for types, functions and collations that are not built in; nullptr: nobody, and an
  /// expression that needs an answer is refused. Text is then taken for UTF-8.
  ObjectLookup* objects = nullptr;
  /// The tree lives at least as long as the program: its constants are used where they are.
  bool borrow = false;
  /// What tableoid is; kInvalidOid: an expression that asks is refused.
  Oid tableoid = kInvalidOid;
};

/// Compiles an expression. Constant parts are computed now, where PostgreSQL does it before the
/// first row: immutable functions of constants, and what AND, OR, CASE and COALESCE make of them,
/// in the order that decides which errors are raised. Lifetime: the program lives in cx. Thread
/// safety: any threads; the tree is only read. Cost: one pass over the tree, two allocations and
/// the constants. Errors: kNotSupported "not supported: FUNCTION substring(text,text)" and the like
/// for what the executor has not; kInvalidInput for a tree that no server can have made; what
/// computing a constant part raises.
Result<const Program*> Compile(const Node& expression, const CompileOptions& options,
                               MemoryContext& cx);

/// What a domain demands of a value.
struct DomainProgram {
  /// Over a row of one value of type `base`; the value comes out again.
  const Program* program = nullptr;
  /// What the domain, and those that it is over, are over in the end, with the typmod to apply
  /// first.
  Oid base = kInvalidOid;
  std::int32_t typmod = -1;
};

/// Compiles a domain's constraints: NOT NULL of any level first, then CHECKs, those of the domain
/// that it is over before its own, by name each (PostgreSQL's domain_in and domain_check). Errors:
/// as Compile; running it gives 23502 `domain d does not allow null values` and 23514 `value for
/// domain d violates check constraint "c"`.
Result<DomainProgram> CompileDomain(Oid domain, ObjectLookup& objects, MemoryContext& cx);

}  // namespace relcache
