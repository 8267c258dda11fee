// HashAggregate is the plan operator for GROUP BY and aggregate functions: it returns one row for
// each different key. Groups are kept in a hash table and, beyond a memory limit, on disk. It
// corresponds to PostgreSQL's nodeAgg.c with the strategy AGG_HASHED.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "relcache/executor/plan/operator.h"
#include "relcache/executor/rows/spill_options.h"

namespace relcache {

/// The supported aggregate functions: count, sum, min, max, avg and array_agg.
enum class AggregateFunction : std::uint8_t { kCount, kSum, kMin, kMax, kAvg, kArrayAgg };

/// The name of an aggregate function as in pg_proc.proname.
const char* NameOf(AggregateFunction function);

/// One aggregate call, which makes one column of the result.
struct AggregateCall {
  AggregateFunction function = AggregateFunction::kCount;
  /// The index of the input column that is aggregated. kNoColumn together with kCount means
  /// count(*).
  std::size_t column = 0;
  /// DISTINCT: only different values are aggregated. They are taken in ascending order with NULL
  /// last, as PostgreSQL does.
  bool distinct = false;

  static constexpr std::size_t kNoColumn = SIZE_MAX;
};

/// What a HashAggregate computes, and how much memory it may use.
struct HashAggregateOptions {
  /// The indexes of the input columns to group by. If there are none, the result is one row, even
  /// for an empty input.
  std::vector<std::size_t> group_by;
  /// The aggregate calls, one for each further column of the result.
  std::vector<AggregateCall> calls;
  /// The memory limit in bytes for groups, their states and buffers together (PostgreSQL's setting
  /// work_mem). At least 64 kB are used.
  std::size_t work_mem = std::size_t{4} << 20;
  /// Where rows are written that do not fit into memory.
  SpillOptions spill;
};

/// The counters of a HashAggregate.
struct HashAggregateCounters : PlanOperatorCounters {
  /// The groups that were completed so far.
  std::uint64_t groups = 0;
};

/// Groups its input. The result has the columns of group_by, followed by one column for each call.
///
/// When `work_mem` is reached, rows whose group is not in memory are written to disk ("spilled"),
/// divided into partitions by hash. The groups in memory are completed, and then each partition is
/// processed in the same way. The *state* of a group, the values from which its result is computed,
/// can grow (array_agg, DISTINCT, sums of numeric, texts under min and max). If such states exceed
/// the limit, the groups are written to disk too and continued later. A single group cannot be
/// divided: it stays in memory beyond the limit, which overrun_bytes reports. The batch that is
/// being returned does not count against the limit.
///
/// Thread safety: one thread at a time.
/// Errors: those of the input and of the aggregate functions; kIo for temporary files;
/// std::bad_alloc.
class HashAggregate : public PlanOperator {
 public:
  /// Errors: kNotSupported for a call or type that is not supported; SQLSTATE 42703
  /// (undefined_column) for a column that does not exist.
  static Result<std::unique_ptr<HashAggregate>> Create(HashAggregateOptions options,
                                                       PlanOperatorPtr input);
  ~HashAggregate() override;

  std::span<const ColumnType> columns() const override;
  Result<const ColumnBatch*> Next() override;
  PlanOperatorDescription Describe() const override;
  const HashAggregateCounters& counters() const;

 private:
  // Behind a pointer, as HashJoin's.
  class Impl;
  explicit HashAggregate(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace relcache
