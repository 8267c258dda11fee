// What resets of memory contexts cost in an aggregate over a join, row by row and by batches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "relcache/base/result.h"
#include "relcache/executor/batch/column_type.h"

namespace relcache {

/// Where PostgreSQL resets a context while it runs the query; and, last, where the batches do.
enum ResetPlace : std::size_t {
  kTuplesMatch,
  kScan,
  kFillHashTable,
  kRetrieveHashTable,
  kGetHashValue,
  kScanHashBucket,
  kOuterTuple,
  kPerMatch,
  kBatch,
  kResetPlaces
};
/// The functions of PostgreSQL that these resets stand in, and the label of one more loop each.
inline constexpr const char* kResetPlaceNames[kResetPlaces] = {"execTuplesMatch",
                                                               "ExecScan",
                                                               "agg_fill_hash_table",
                                                               "agg_retrieve_hash_table",
                                                               "ExecHashGetHashValue",
                                                               "ExecScanHashBucket",
                                                               "ExecHashJoin_outer",
                                                               "ExecHashJoin_match",
                                                               "batch"};

struct AggregateJoinOptions {
  /// Rows of the larger table.
  std::uint64_t rows = 500'000;
  /// Rows from one reset to the next in the form by batches.
  std::size_t batch = kBatchRows;
  /// Rounds, of which the fastest run of each form counts.
  unsigned rounds = 5;
};

struct AggregateJoinFigures {
  const char* form = "";
  double milliseconds = 0;
  /// Of the processor, whatever else ran on it.
  double cpu_milliseconds = 0;
  /// The part of `milliseconds` that the resets take.
  double reset_milliseconds = 0;
  std::array<std::uint64_t, kResetPlaces> resets{};
  /// What the query returned, a line for each group.
  std::string answer;

  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t n : resets) sum += n;
    return sum;
  }
};

/// The forms "per-tuple", "per-tuple-no-fast-path" and "per-batch" of one query; they take turns,
/// so that what disturbs the machine disturbs all alike.
Result<std::array<AggregateJoinFigures, 3>> MeasureAggregateJoin(
    const AggregateJoinOptions& options);

}  // namespace relcache
