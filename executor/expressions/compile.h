// Compiles node trees into programs. It corresponds to PostgreSQL's expression_planner, which
// simplifies a tree, and ExecInitExpr, which makes a list of steps from it.
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

/// A column of the rows that a program reads.
struct InputColumn {
  Oid type = kInvalidOid;
  std::int16_t typlen = 0;
  bool typbyval = false;
  bool dropped = false;
  /// Whether this is a virtual generated column. Rows have a place for it but not its value.
  /// Instead, its expression, `generated`, is evaluated for the same row; without an expression,
  /// programs that refer to the column are refused.
  bool is_virtual = false;
  const Node* generated = nullptr;
};

/// The columns of a relation, allocated in cx. Virtual generated columns have no expression there.
std::span<const InputColumn> InputColumnsOf(std::span<const AttributeRow> attributes,
                                            MemoryContext& cx);

/// What the compiler needs to know about the rows and the objects that an expression refers to.
struct CompileOptions {
  /// The columns of a row. A Var node refers to a column by the number of the row (varno) and of
  /// the column (attnum); columns[n] is the column with attnum n + 1 of row 1.
  std::span<const InputColumn> columns;
  /// The columns of row 2, for expressions over two rows, such as the WHEN condition of a trigger,
  /// in which OLD is row 1 and NEW is row 2. The program still reads one DatumRow, with the values
  /// of `columns` followed by those of `second_columns`. Any other varno is refused.
  std::span<const InputColumn> second_columns;
  /// Where to look up types, functions and collations that are not built in. If it is nullptr,
  /// expressions that need such objects are refused, and text is assumed to be UTF-8.
  ObjectLookup* objects = nullptr;
  /// Whether the tree lives at least as long as the program. Then its constants need not be copied.
  bool borrow = false;
  /// The value of the system column tableoid. If it is kInvalidOid, expressions that refer to
  /// tableoid are refused.
  Oid tableoid = kInvalidOid;
};

/// Compiles an expression. Constant parts are computed now, as PostgreSQL does before the first
/// row: calls of immutable functions (their result depends on the arguments only) with constant
/// arguments, and what follows from these for AND, OR, CASE and COALESCE. The order is
/// PostgreSQL's, because it decides which errors are raised.
/// Lifetime: the program lies in cx.
/// Thread safety: any thread may call it; the tree is only read.
/// Cost: one pass over the tree, rarely two, and the allocation of the program and its constants.
/// Errors: kNotSupported for what is not supported, such as "not supported: FUNCTION
/// md5(text)"; kInvalidInput for a tree that no server can have made; errors of
/// computing constant parts. If a constant part is a text whose form depends on extra_float_digits,
/// bytea_output or IntervalStyle, and this text decides before the first row which error is raised,
/// the program is made for the default values of these settings and refuses to run under others
/// (kNotSupported).
Result<const Program*> Compile(const Node& expression, const CompileOptions& options,
                               MemoryContext& cx);

/// The compiled constraints of a domain, a type that is made from another type and has constraints
/// of its own.
struct DomainProgram {
  /// Checks a row that consists of one value of type `base`, and returns this value.
  const Program* program = nullptr;
  /// The type that the domain is finally based on, and the type modifier to which a value has to be
  /// converted first (ApplyTypmod).
  Oid base = kInvalidOid;
  std::int32_t typmod = -1;
};

/// Compiles the constraints of a domain: first NOT NULL, whichever of the domains it is based on
/// has it; then the CHECK constraints, those of base domains before its own, and ordered by name
/// within each domain (PostgreSQL's domain_in and domain_check).
/// Errors: those of Compile. Running the program yields SQLSTATE 23502 `domain d does not allow
/// null values` and 23514 `value for domain d violates check constraint "c"`.
Result<DomainProgram> CompileDomain(Oid domain, ObjectLookup& objects, MemoryContext& cx);

}  // namespace relcache
