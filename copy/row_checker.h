// Verifies rows as COPY FROM would: the input of each column, defaults, the partition that a row
// goes to, generated columns, NOT NULL, CHECK, and the constraint that a partition's bound implies,
// in PostgreSQL's order and with its messages (NextCopyFrom and CopyFrom in copyfrom.c).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/cache/relation_cache.h"
#include "relcache/copy/copy_options.h"
#include "relcache/copy/copy_reader.h"
#include "relcache/executor/constraints.h"
#include "relcache/executor/partition_routing.h"
#include "relcache/types/session_settings.h"

namespace relcache {

struct RowCheckOptions {
  /// On what the meaning of values depends.
  SessionSettings settings;
  /// Whether to go on without what cannot be verified: it is listed in skipped().
  UnsupportedConstraints unsupported = UnsupportedConstraints::kFail;
  /// Whether to evaluate each CHECK constraint of the table on its own, for every row.
  bool every_check = false;
};

/// What is wrong with a row.
struct RowViolation {
  enum class Kind : std::uint8_t {
    kNotNull,    ///< a column must not be NULL
    kCheck,      ///< a CHECK constraint of the table or of its partition
    kPartition,  ///< there is no partition for the row, or it does not belong into the one given
    kDomain,     ///< a constraint of the domain of a column
    kGenerated,  ///< the value of a generated column cannot be computed
    kInput,      ///< a field is no value of its column, or the line cannot be taken apart
    kError,      ///< the evaluation failed, or relcache cannot tell
  };
  std::uint16_t row = 0;
  Kind kind = Kind::kError;
  /// The name of the CHECK constraint, or empty.
  std::string constraint;
  /// The column, or empty.
  std::string column;
  /// The field that is no value.
  std::string value;
  Error error;
};

/// The name of a kind: "not_null", "check", "partition", "domain", "generated", "input", "error".
std::string_view RowViolationKindName(RowViolation::Kind kind);

/// A CHECK constraint whose evaluation failed for a row.
struct CheckError {
  std::size_t check = 0;
  std::uint16_t row = 0;
  Error error;
};

/// What became of the rows of a batch.
/// Lifetime: until the next batch.
struct RowCheckResult {
  /// One for each row that PostgreSQL would refuse, in the order of the rows.
  std::span<const RowViolation> violations;
  /// For a partitioned table the leaf of each row, as an index into the router's leaves, or
  /// PartitionRouter::kNotRouted.
  std::span<const std::int32_t> leaves;
  /// With every_check, for each CHECK constraint of the table, ordered by name, the verdicts on all
  /// rows of the batch. They mean nothing for rows that were refused before any CHECK.
  std::span<const std::vector<TruthValue>> checks;
  /// With every_check, why verdicts are TruthValue::kError.
  std::span<const CheckError> check_errors;
  /// With every_check, for each row whether it was refused before any CHECK; `violations` has the
  /// reason.
  std::span<const std::uint8_t> refused;
};

/// What does not change from batch to batch.
/// Lifetime: holds pins; the cache must outlive it.
/// Thread safety: const; each thread has a RowCheckRun of its own.
class RowChecker {
 public:
  /// Prepares the verification of rows that a file has for some columns of a relation.
  ///
  /// Columns that the file leaves out get their defaults. Of a default that relcache cannot compute
  /// nothing is known, but that nextval is not NULL: what depends on the value is refused.
  ///
  /// Errors: those of opening; kNotSupported for types without input, for constraints, defaults and
  /// keys that are not supported, and for BEFORE INSERT triggers, unless they are to be skipped.
  static Result<std::unique_ptr<RowChecker>> Make(RelationCache& cache, Oid relation,
                                                  const CopyColumns& columns,
                                                  const RowCheckOptions& options);
  RowChecker(const RowChecker&) = delete;
  RowChecker& operator=(const RowChecker&) = delete;
  ~RowChecker();

  const RelationDescriptor& relation() const;
  /// nullptr unless the relation is a partitioned table.
  const PartitionRouter* router() const;
  /// The names of the CHECK constraints that are verified, in the order of evaluation.
  std::span<const PreparedCheck> checks() const;
  /// What is not verified, in words.
  std::span<const std::string> skipped() const;

 private:
  friend class RowCheckRun;
  struct Impl;
  explicit RowChecker(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Verifies batches, one after the other.
/// Lifetime: the checker must outlive it.
/// Thread safety: one thread at a time.
class RowCheckRun {
 public:
  explicit RowCheckRun(const RowChecker& checker);
  RowCheckRun(const RowCheckRun&) = delete;
  RowCheckRun& operator=(const RowCheckRun&) = delete;
  ~RowCheckRun();

  /// Verifies the rows of a batch, whose reader was made for the columns of the checker.
  /// Cost: no allocation for a row, but for values by reference, which lie in a context that is
  /// reset per batch, and for violations.
  RowCheckResult Check(const CopyBatch& batch);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relcache
