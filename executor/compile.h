// From a node tree to a program (PostgreSQL's expression_planner and ExecInitExpr).
#pragma once

#include <cstdint>
#include <span>

#include "relcache/base/oid.h"
#include "relcache/base/result.h"
#include "relcache/catalog/rows.h"
#include "relcache/executor/objects.h"
#include "relcache/executor/program.h"
#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"

namespace relcache {

/// A column of the rows that a program will read.
struct ColumnType {
  Oid type = kInvalidOid;
  std::int16_t typlen = 0;
  bool typbyval = false;
  bool dropped = false;
};

/// The columns of a relation, in cx.
std::span<const ColumnType> ColumnTypesOf(std::span<const AttributeRow> attributes,
                                          MemoryContext& cx);

struct CompileOptions {
  /// What rows look like: column n is attnum n + 1.
  std::span<const ColumnType> columns;
  /// Who answers for types, functions and collations that are not built in; nullptr: nobody, and an
  /// expression that needs an answer is refused.
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

}  // namespace relcache
