// Verifies rows against the NOT NULL and CHECK constraints of a relation, in PostgreSQL's order and
// with PostgreSQL's messages (ExecConstraints in execMain.c).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/cache/relation_descriptor.h"
#include "relcache/executor/batch/column_batch.h"
#include "relcache/executor/expressions/cached_program.h"
#include "relcache/executor/expressions/evaluate.h"

namespace relcache {

/// A CHECK constraint, compiled.
struct PreparedCheck {
  std::string_view name;
  const Program* program = nullptr;
};

/// A virtual generated column (its value is computed whenever it is read) that must not be NULL.
struct PreparedNotNull {
  AttrNumber attnum = 0;
  /// Computes whether the column has a value.
  const Program* program = nullptr;
};

/// A copy of an Error whose texts lie in a memory context: in RelationConstraints, that of the
/// cache entry.
struct KeptError {
  ErrorCode code = ErrorCode::kNotSupported;
  std::string_view sqlstate, message, detail, place;
  std::optional<std::size_t> offset;

  /// The error that was copied, with strings of its own.
  Error Get() const;
};

/// A constraint that relcache cannot verify.
struct RefusedConstraint {
  /// The name of the CHECK constraint or, for NOT NULL, of the column.
  std::string_view name;
  /// The column of a NOT NULL constraint (on a virtual generated column); 0 for a CHECK constraint.
  AttrNumber attnum = 0;
  /// What is not supported, and the place.
  KeptError reason;
};

/// What to do with constraints that relcache cannot verify (kNotSupported, kLimit).
enum class UnsupportedConstraints : std::uint8_t {
  kFail,  ///< a single one is an error
  kSkip,  ///< list them, and verify rows against the others
};

/// The constraints of a relation that a row must satisfy.
/// Lifetime: that of the memory context it lies in, and of the relation's cache entry.
/// Thread safety: const; any number of threads may use it.
struct RelationConstraints {
  const RelationDescriptor* relation = nullptr;
  /// The columns that must not be NULL, in ascending order.
  std::span<const AttrNumber> not_null;
  /// Virtual generated columns that must not be NULL. They are verified after the others, because
  /// their values have to be computed.
  std::span<const PreparedNotNull> virtual_not_null;
  /// The CHECK constraints, ordered by name as PostgreSQL evaluates them, without those that are
  /// not enforced.
  std::span<const PreparedCheck> checks;
  /// With UnsupportedConstraints::kSkip: the constraints that are not verified.
  std::span<const RefusedConstraint> refused;
  /// Errors that PostgreSQL raises for every row, because preparing virtual_not_null or the checks
  /// fails; nullptr if it does not. PostgreSQL prepares them for the first row that satisfies the
  /// other NOT NULL constraints.
  const KeptError* virtual_not_null_error = nullptr;
  const KeptError* checks_error = nullptr;
};

/// The constraints of a cached relation, compiled. The result is kept with the cache entry.
///
/// They are the constraints that PostgreSQL's ExecConstraints verifies: NOT NULL, and as many CHECK
/// constraints as ClassRow::relchecks says. A foreign table has none, because PostgreSQL leaves
/// them to the other server. Not included are: what the column's type demands (its length, the
/// constraints of a domain, see CompileDomain), PRIMARY KEY, UNIQUE, EXCLUDE and FOREIGN KEY, the
/// bound of a partition, WITH CHECK of policies and views, and the effects of triggers and rules.
///
/// Lifetime: that of the cache entry; hold a pin.
/// Cost: a walk along a short list if the result exists.
/// Errors: the reason why the first constraint cannot be prepared, unless such constraints are to
/// be skipped; the source's errors; kNotSupported for a relation that is not a table, a partitioned
/// table or a foreign table (a view, a sequence, an index ...). Errors that PostgreSQL raises for
/// each row, such as a division by zero in a constant part or `1 pg_constraint record(s) missing
/// for relation "t"`, are returned by CheckRow. Up to PostgreSQL 13, the latter is raised when the
/// relation is opened, and is returned here.
Result<const RelationConstraints*> ChecksOf(
    const RelationDescriptor& relation,
    UnsupportedConstraints unsupported = UnsupportedConstraints::kFail);

/// Additional input for messages about a row.
struct RowMessageInput {
  /// For each column the text that its value was read from, to be shown if the type cannot be
  /// printed. May be empty.
  std::span<const std::string_view> input;
  /// Where to look up enums and domains; may be nullptr.
  ObjectLookup* objects = nullptr;
};

/// Whether a row satisfies all constraints. False if one of them could not be verified. The row
/// must have an element for each column of the relation, which is not checked.
/// Thread safety: the scratch belongs to the calling thread.
/// Cost: no allocation, except by functions whose results are passed by reference; those allocate
/// in scratch.cx().
bool RowPasses(const RelationConstraints& checks, DatumRow row, Scratch& scratch);
/// The error of a row for which RowPasses returned false; see CheckRow. It verifies the row again,
/// so there is no error if a constraint that calls clock_timestamp() is satisfied by now.
[[gnu::cold]] Status WhyRowFails(const RelationConstraints& checks, DatumRow row, Scratch& scratch,
                                 const RowMessageInput& text);

/// Verifies a row: first NOT NULL, column by column, and then each CHECK constraint, ordered by
/// name. A CHECK whose expression is NULL is satisfied. The value of a stored generated column is
/// taken from the row, since it has to be computed when the row is made; a virtual one is computed
/// from its expression.
/// Errors: SQLSTATE 23502 `null value in column "c" of relation "t" violates not-null constraint`
/// and 23514 `new row for relation "t" violates check constraint "x"`, both with the detail
/// "Failing row contains (...)."; errors of preparing and evaluating, with the place "relation s.t,
/// constraint x". If the row satisfies everything that could be verified but something could not,
/// the first reason for that: kNotSupported or kLimit.
inline Status CheckRow(const RelationConstraints& checks, DatumRow row, Scratch& scratch,
                       const RowMessageInput& text = {}) {
  if (RowPasses(checks, row, scratch)) [[likely]]
    return {};
  return WhyRowFails(checks, row, scratch, text);
}

/// The result of verifying a row.
enum class RowVerdict : std::uint8_t {
  kPasses,       ///< the row satisfies all constraints
  kFails,        ///< PostgreSQL would refuse the row
  kNotVerified,  ///< it satisfies those that could be verified
};

/// Like CheckRow, but continues after something that is not supported, in the relation or for this
/// row (such as the lower case of a letter outside of ASCII), because another constraint may decide
/// that the row fails. If `why` is given, it is set to the error of a row that fails, or to the
/// first reason why the row could not be verified. PostgreSQL's error may name another constraint,
/// namely one that was not verified.
RowVerdict VerifyRow(const RelationConstraints& checks, DatumRow row, Scratch& scratch,
                     Error* why = nullptr, const RowMessageInput& text = {});

/// The errors of rows that violate a constraint of this relation; `detail` describes the row.
Error NotNullViolation(const RelationDescriptor& relation, AttrNumber attnum, std::string detail);
Error CheckViolation(const RelationDescriptor& relation, std::string_view check,
                     std::string detail);

/// The text "Failing row contains (1, null, abc).", with each value cut at 64 bytes and then
/// followed by "..." (ExecBuildSlotValueDescription). Values that cannot be printed are shown as
/// they were read or as ???, and virtual generated columns as "virtual". `cx` is for
/// intermediate texts; the result does not refer to it.
std::string DescribeRow(const RelationDescriptor& relation, DatumRow row,
                        const SessionSettings& settings, const RowMessageInput& text,
                        MemoryContext& cx);

}  // namespace relcache
