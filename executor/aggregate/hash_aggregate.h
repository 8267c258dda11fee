// Hash aggregate: one row of results for every different key, all in memory or part after part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "relcache/executor/plan/operator.h"
#include "relcache/executor/rows/spill_options.h"

namespace relcache {

enum class AggregateFunction : std::uint8_t { kCount, kSum, kMin, kMax, kAvg, kArrayAgg };

/// One of the results of a group.
struct AggregateCall {
  AggregateFunction function = AggregateFunction::kCount;
  /// The column of the input; kNoColumn with kCount: count(*).
  std::size_t column = 0;
  /// Each different value once. They are taken in ascending order, NULL last, as PostgreSQL does.
  bool distinct = false;

  static constexpr std::size_t kNoColumn = SIZE_MAX;
};

struct HashAggregateOptions {
  /// Columns of the input; none: one row for everything, also when there is no input.
  std::vector<std::size_t> group_by;
  std::vector<AggregateCall> calls;
  /// Bytes for groups, their states and buffers together. At least 64 kB are taken.
  std::size_t work_mem = std::size_t{4} << 20;
  SpillOptions spill;
};

struct HashAggregateCounters : PlanOperatorCounters {
  std::uint64_t groups = 0;
};

/// PostgreSQL's nodeAgg.c with AGG_HASHED. The result has the keys, then the calls' results.
///
/// When `work_mem` is reached, rows of groups that are not in memory yet go to disk, distributed by
/// hash, and the groups in memory are completed; then each part is worked on in the same way.
/// States that grow meanwhile (array_agg, DISTINCT, sums of numeric, texts under min and max) are
/// counted; when they reach the limit the groups follow, state by state and value by value, and go
/// on in the part's turn where they stood. One group alone cannot be divided: it is kept, beyond
/// the limit, and that is reported (overrun_bytes). The limit does not count the batch that is
/// being given out, whose arrays are made beside the states.
///
/// Thread safety: one thread at a time. Errors: those of its input, of SpillFile and of the
/// functions; std::bad_alloc.
class HashAggregate : public PlanOperator {
 public:
  /// Errors: kNotSupported; 42703 for a column that is not there.
  static Result<std::unique_ptr<HashAggregate>> Create(HashAggregateOptions options,
                                                       PlanOperatorPtr input);
  ~HashAggregate() override;

  std::span<const ColumnType> columns() const override;
  Result<const ColumnBatch*> Next() override;
  const HashAggregateCounters& counters() const;

 private:
  class Impl;
  explicit HashAggregate(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace relcache
