// NOT NULL and CHECK: what a relation demands of a row, verified in PostgreSQL's order and refused
// in its words (ExecConstraints).
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

/// A CHECK constraint ready to run.
struct PreparedCheck {
  std::string_view name;
  const Program* program = nullptr;
};

/// A virtual generated column that must not be NULL.
struct PreparedNotNull {
  AttrNumber attnum = 0;
  /// Whether the column has a value.
  const Program* program = nullptr;
};

/// An Error that lives in a context.
struct KeptError {
  ErrorCode code = ErrorCode::kNotSupported;
  std::string_view sqlstate, message, detail, place;
  std::optional<std::size_t> offset;

  Error Get() const;
};

/// A constraint that this library cannot verify.
struct RefusedConstraint {
  /// Of a CHECK its name, of NOT NULL the column's.
  std::string_view name;
  /// Of NOT NULL (of a virtual generated column) the column, of a CHECK 0.
  AttrNumber attnum = 0;
  /// What is not supported, and where it stands.
  KeptError reason;
};

/// What becomes of constraints that this library cannot verify.
enum class UnsupportedConstraints : std::uint8_t {
  kFail,  ///< one of them, and there are no checks at all
  kSkip,  ///< they are listed; rows are verified against the others
};

/// Everything that a relation demands of a row.
/// Lifetime: that of the context it was made in and of the relation's entry. Thread safety: const.
struct RelationConstraints {
  const RelationDescriptor* relation = nullptr;
  /// Columns that must not be NULL, in order.
  std::span<const AttrNumber> not_null;
  /// Of virtual generated columns, which a row has no values of; verified after the others.
  std::span<const PreparedNotNull> virtual_not_null;
  /// By name, as PostgreSQL evaluates them; those that are not enforced left out.
  std::span<const PreparedCheck> checks;
  /// With UnsupportedConstraints::kSkip: what no row is verified against.
  std::span<const RefusedConstraint> refused;
  /// What PostgreSQL raises for every row when it prepares virtual_not_null or the checks, which it
  /// does for the first row whose other columns are not NULL where they must not; or nullptr.
  const KeptError* virtual_not_null_error = nullptr;
  const KeptError* checks_error = nullptr;
};

/// The checks of a cached relation, their programs kept with the entry.
///
/// They are what PostgreSQL's ExecConstraints verifies: NOT NULL and CHECK, as many as relchecks
/// says. A foreign table's are empty, for PostgreSQL leaves them to the foreign server. Not among
/// them: what a value must be to be one of its column's type (length, a domain's constraints; see
/// CompileDomain), PRIMARY KEY, UNIQUE, EXCLUDE and foreign keys, a partition's bound, WITH CHECK
/// of policies and of views, what triggers and rules do.
///
/// Lifetime: the entry's; hold the pin. Cost: a look at a list when they are there.
/// Errors: what is not supported about the first constraint that cannot be prepared, unless it is
/// to be skipped; what the source raises. What stores no rows of its own (a view, a sequence, an
/// index ...) is refused. Errors that PostgreSQL raises for each row (a constant part that divides
/// by zero, XX000 `1 pg_constraint record(s) missing for relation "t"`) are CheckRow's; those of
/// opening the relation, as PostgreSQL 13 and earlier raise the latter, are given here.
Result<const RelationConstraints*> ChecksOf(
    const RelationDescriptor& relation, CatalogSource& source,
    UnsupportedConstraints unsupported = UnsupportedConstraints::kFail);

/// What a message about a row needs beside the row.
struct RowMessageInput {
  /// The input that each value was read from, for types that cannot be printed; may be empty.
  std::span<const std::string_view> input;
  /// Who knows enums and domains; may be nullptr.
  ObjectLookup* objects = nullptr;
};

/// Whether a row satisfies everything; false if something was not verified. Cost: nothing is
/// allocated but by functions whose result is by reference, in scratch.cx().
bool RowPasses(const RelationConstraints& checks, DatumRow row, Scratch& scratch);
/// The error of a row that does not pass: see CheckRow.
[[gnu::cold]] Error WhyRowFails(const RelationConstraints& checks, DatumRow row, Scratch& scratch,
                                const RowMessageInput& text);

/// Verifies a row: NOT NULL first, column by column, then each CHECK by name. A CHECK that is NULL
/// passes. The value of a stored generated column is taken as given: who makes the row computes it.
/// That of a virtual one is not looked at, its expression is evaluated.
/// Errors: 23502 `null value in column "c" of relation "t" violates not-null constraint`; 23514
/// `new row for relation "t" violates check constraint "x"`; both with the detail "Failing row
/// contains (...)."; what preparing and evaluating raises, with the place "relation s.t, constraint
/// x". A row that passes what was verified, where something was not, is refused for the first such
/// reason: kNotSupported.
inline Status CheckRow(const RelationConstraints& checks, DatumRow row, Scratch& scratch,
                       const RowMessageInput& text = {}) {
  if (RowPasses(checks, row, scratch)) [[likely]]
    return {};
  return Fail(WhyRowFails(checks, row, scratch, text));
}

/// What is known of a row.
enum class RowVerdict : std::uint8_t {
  kPasses,       ///< it satisfies everything
  kFails,        ///< PostgreSQL refuses it
  kNotVerified,  ///< it satisfies what could be verified
};

/// As CheckRow, but goes on where something is not supported, of the relation or of this row (the
/// lower case of a letter outside ASCII): another constraint may say that the row fails. `why`, if
/// any, is set to the error of a row that fails (PostgreSQL's may name another constraint, one that
/// was not verified), or to the first reason why it was not verified.
RowVerdict VerifyRow(const RelationConstraints& checks, DatumRow row, Scratch& scratch,
                     Error* why = nullptr, const RowMessageInput& text = {});

/// "Failing row contains (1, null, abc)." with each value cut to 64 bytes
/// (ExecBuildSlotValueDescription). Values that cannot be printed are printed as they were put in,
/// or as ???; those of virtual generated columns as "virtual".
std::string DescribeRow(const RelationDescriptor& relation, DatumRow row,
                        const SessionSettings& settings, const RowMessageInput& text,
                        MemoryContext& cx);

}  // namespace relcache
