// Measures what resets of memory contexts cost in an aggregate over a join, executed row by row as
// in PostgreSQL and by batches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "relcache/base/result.h"
#include "relcache/executor/batch/column_type.h"

namespace relcache {

/// The places where PostgreSQL resets a context while it runs the query and, as the last one, where
/// the batches do.
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
/// The functions of PostgreSQL that contain these resets, and the label of the additional loop.
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
  /// The number of rows of the larger table.
  std::uint64_t rows = 500'000;
  /// The number of rows between two resets when the query is executed by batches.
  std::size_t batch = kBatchRows;
  /// The number of rounds. The fastest run of each form counts.
  unsigned rounds = 5;
  /// The plan of the form by batches, with its counters, becomes a figure.
  bool explain = false;
};

struct AggregateJoinFigures {
  const char* form = "";
  double milliseconds = 0;
  /// Processor time, which other processes hardly affect.
  double cpu_milliseconds = 0;
  /// The part of `milliseconds` that is spent in the resets.
  double reset_milliseconds = 0;
  std::array<std::uint64_t, kResetPlaces> resets{};
  /// The result of the query, with one line for each group.
  std::string answer;
  /// As ExplainPlan gives it, if it was asked for and the form is one of operators.
  std::string plan;

  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t n : resets) sum += n;
    return sum;
  }
};

/// Measures the forms "per-tuple", "per-tuple-no-fast-path" and "per-batch" of one query. They take
/// turns, so that other load on the machine affects all of them alike.
Result<std::array<AggregateJoinFigures, 3>> MeasureAggregateJoin(
    const AggregateJoinOptions& options);

}  // namespace relcache
