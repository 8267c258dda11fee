// Hash join: the build side in a table in memory, or in as many parts on disk as the limit asks
// for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "relcache/executor/plan/operator.h"
#include "relcache/executor/rows/spill_options.h"
#include "relcache/nodes/node_enums.h"

namespace relcache {

/// When the buckets are made, and when the work is split into batches. All give the same rows.
enum class HashJoinStrategy : std::uint8_t {
  kEager,            ///< buckets first, from the estimate; batches from the estimate
  kDeferred,         ///< buckets last, from the true count; batches from the estimate
  kDeferredNoBatch,  ///< buckets last; one batch until the limit is reached, whatever the estimate
};

enum class HashJoinSide : std::uint8_t { kProbe, kBuild };

struct HashJoinKey {
  std::size_t probe_column;
  std::size_t build_column;
};

struct HashJoinOutput {
  HashJoinSide side;
  std::size_t column;
};

struct HashJoinOptions {
  /// Left and right as the rows stand in FROM: the probe side is left, the build side right. kSemi
  /// gives probe rows with a match, once (EXISTS), kAnti those without (NOT EXISTS).
  JoinType type = JoinType::kInner;
  HashJoinStrategy strategy = HashJoinStrategy::kDeferredNoBatch;
  /// At least one; a NULL in any of them matches nothing.
  std::vector<HashJoinKey> keys;
  /// The columns of the result; empty: all of the probe side, then (not for semi and anti) all of
  /// the build side.
  std::vector<HashJoinOutput> output;
  /// What pairs must fulfil besides: over all columns of the probe side, then all of the build
  /// side. Must outlive the join.
  BatchPredicate* condition = nullptr;
  /// Bytes for rows, buckets and buffers together. At least 64 kB are taken.
  std::size_t work_mem = std::size_t{4} << 20;
  /// How many rows the build side is expected to have, and how many bytes each (0: unknown).
  std::uint64_t estimated_rows = 1000;
  std::size_t estimated_row_bytes = 0;
  bool huge_pages = true;
  SpillOptions spill;
};

struct HashJoinCounters : PlanOperatorCounters {
  /// Of the first batch.
  std::uint64_t buckets = 0;
  /// What HyperLogLog says of the build side's keys.
  double distinct_keys = 0;
  std::uint64_t probe_rows = 0;
  /// Probe rows that were spared the way to disk since no build row has their hash.
  std::uint64_t filtered_rows = 0;
  // Nanoseconds: reading the build side's input, copying it, making buckets, all the rest.
  std::uint64_t read_ns = 0;
  std::uint64_t copy_ns = 0;
  std::uint64_t buckets_ns = 0;
  std::uint64_t probe_ns = 0;
};

/// PostgreSQL's nodeHashjoin.c and nodeHash.c.
///
/// The build side is read whole, then the probe side streams by. When the build side passes
/// `work_mem`, its rows are distributed over partitions by hash: as many as the estimate asks for
/// and the buffers allow; the upper half of the partitions that are still in memory goes to disk,
/// again and again as memory asks for it. Probe rows of partitions on disk follow them there,
/// unless a bloom filter knows that they match nothing. Each pair of files is then joined the same
/// way; one that is still too large is split again with other bits of the hash. A partition of
/// which nearly all rows have one and the same key cannot be split: it is kept, beyond the limit,
/// and that is reported (overrun_bytes).
///
/// Thread safety: one thread at a time. Errors: those of its inputs and of SpillFile;
/// std::bad_alloc.
class HashJoin : public PlanOperator {
 public:
  /// Errors: kNotSupported for keys that cannot be compared and for a type of join that PostgreSQL
  /// 15 has not; 42703 for a column that is not there.
  static Result<std::unique_ptr<HashJoin>> Create(HashJoinOptions options, PlanOperatorPtr probe,
                                                  PlanOperatorPtr build);
  ~HashJoin() override;

  std::span<const ColumnType> columns() const override;
  Result<const ColumnBatch*> Next() override;
  const HashJoinCounters& counters() const;

 private:
  class Impl;
  explicit HashJoin(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace relcache
