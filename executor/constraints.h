// NOT NULL and CHECK: what a relation demands of a row, verified in PostgreSQL's order and refused
// in its words (ExecConstraints).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/cache/relation_descriptor.h"
#include "relcache/executor/cached_program.h"
#include "relcache/executor/column_batch.h"
#include "relcache/executor/evaluate.h"

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

/// Everything that a relation demands of a row.
/// Lifetime: that of the context it was made in and of the relation's entry. Thread safety: const.
struct RowChecks {
  const RelationDescriptor* relation = nullptr;
  /// Columns that must not be NULL, in order.
  std::span<const AttrNumber> not_null;
  /// Of virtual generated columns, which a row has no values of; verified after the others.
  std::span<const PreparedNotNull> virtual_not_null;
  /// By name, as PostgreSQL evaluates them; those that are not enforced left out.
  std::span<const PreparedCheck> checks;
};

/// The checks of a cached relation, their programs kept with the entry.
/// Lifetime: the entry's; hold the pin. Cost: a look at a list when they are there.
/// A foreign table's are empty: its server verifies rows, PostgreSQL does not. A partitioned
/// table's are its own; whether a row fits into a partition is not among them, nor is a partition's
/// bound. Errors: those of ProgramOf for the first constraint that cannot be prepared: PostgreSQL
/// too prepares all of them before it evaluates one. XX000 when pg_class.relchecks says more than
/// there are, as the server refuses every row then. What stores no rows (a view, a sequence ...) is
/// refused.
Result<const RowChecks*> ChecksOf(const RelationDescriptor& relation, CatalogSource& source);

/// How a statement that keeps nothing comes to its expressions.
enum class Expressions : std::uint8_t {
  kNone,      ///< constraints are not verified
  kReparse,   ///< the text is parsed and compiled, as PostgreSQL does for each statement
  kCopy,      ///< the cached tree is copied, for callers that change it, and compiled
  kCached,    ///< the cached tree is compiled as it stands
  kCompiled,  ///< the program that is kept with the entry
};

/// Where the time of statements goes, in ticks of a clock of the caller's.
struct StageTimes {
  /// The clock: a cheap one, as it is read several times a statement.
  std::uint64_t (*now)() = nullptr;
  std::uint64_t parse = 0;
  std::uint64_t copy = 0;
  std::uint64_t compile = 0;
  std::uint64_t evaluate = 0;
  /// How often the clock was read.
  std::uint64_t readings = 0;

  std::uint64_t Read() {
    ++readings;
    return now();
  }
};

/// The checks of a relation in cx, made in the given way; nullptr for kNone. `times`, if any, is
/// added to. Errors: as ChecksOf.
Result<const RowChecks*> PrepareChecks(const RelationDescriptor& relation, Expressions expressions,
                                       CatalogSource& source, MemoryContext& cx,
                                       StageTimes* times = nullptr);

/// What a message about a row needs beside the row.
struct RowText {
  /// The input that each value was read from, for types that cannot be printed; may be empty.
  std::span<const std::string_view> input;
  /// Who knows enums and domains; may be nullptr.
  ObjectLookup* objects = nullptr;
};

/// Whether a row satisfies everything. Cost: nothing is allocated but by functions whose result is
/// by reference, in scratch.cx().
bool RowPasses(const RowChecks& checks, RowView row, Scratch& scratch);
/// The error of a row that does not pass: see CheckRow.
[[gnu::cold]] Error WhyRowFails(const RowChecks& checks, RowView row, Scratch& scratch,
                                const RowText& text);

/// Verifies a row: NOT NULL first, column by column, then each CHECK by name. A CHECK that is NULL
/// passes. The value of a stored generated column is taken as given: who makes the row computes it.
/// Errors: 23502 `null value in column "c" of relation "t" violates not-null constraint`; 23514
/// `new row for relation "t" violates check constraint "x"`; both with the detail "Failing row
/// contains
/// (...)."; what evaluating raises.
inline Status CheckRow(const RowChecks& checks, RowView row, Scratch& scratch,
                       const RowText& text = {}) {
  if (RowPasses(checks, row, scratch)) [[likely]]
    return {};
  return Fail(WhyRowFails(checks, row, scratch, text));
}

/// "Failing row contains (1, null, abc)." with each value cut to 64 bytes
/// (ExecBuildSlotValueDescription). Values that cannot be printed are printed as they were put in,
/// or as ???.
std::string DescribeRow(const RelationDescriptor& relation, RowView row,
                        const SessionSettings& settings, const RowText& text, MemoryContext& cx);

}  // namespace relcache
