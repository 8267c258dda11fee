// HashJoin is the plan operator that joins two inputs by equal keys. It puts the rows of one input,
// the *build side*, into a hash table and looks up each row of the other input, the *probe side*.
// Rows that exceed a memory limit go to disk. It corresponds to PostgreSQL's nodeHashjoin.c and
// nodeHash.c.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "relcache/executor/plan/operator.h"
#include "relcache/executor/rows/spill_options.h"
#include "relcache/nodes/node_enums.h"

namespace relcache {

/// When the buckets of the hash table are made, and when the rows are divided into partitions,
/// which PostgreSQL calls batches. The result is the same in all cases.
enum class HashJoinStrategy : std::uint8_t {
  kEager,                  ///< both from the estimate, before the first row
  kDeferred,               ///< partitions from the estimate, buckets at the end from the true count
  kDeferredUnpartitioned,  ///< buckets at the end; partitions only when the limit is reached
};

/// The two inputs of a join.
enum class HashJoinSide : std::uint8_t { kProbe, kBuild };

/// A pair of columns that must be equal. Columns are given by their index in the input, from 0.
struct HashJoinKey {
  std::size_t probe_column;
  std::size_t build_column;
};

/// A column of the result: a column of one of the inputs, by its index from 0.
struct HashJoinOutput {
  HashJoinSide side;
  std::size_t column;
};

/// What a HashJoin computes, and how much memory it may use.
struct HashJoinOptions {
  /// The type of join. "Left" and "right" mean the order in FROM: the probe side is left and the
  /// build side right. kSemi returns each probe row with a match once (EXISTS), and kAnti the probe
  /// rows without a match (NOT EXISTS).
  JoinType type = JoinType::kInner;
  HashJoinStrategy strategy = HashJoinStrategy::kDeferredUnpartitioned;
  /// The pairs of columns that must be equal, at least one. NULL is not equal to anything, not even
  /// to another NULL.
  std::vector<HashJoinKey> keys;
  /// The columns of the result. If it is empty, these are all columns of the probe side, followed
  /// (except for kSemi and kAnti) by those of the build side.
  std::vector<HashJoinOutput> output;
  /// A further condition for pairs of rows, or nullptr. Its input has all columns of the probe side
  /// followed by those of the build side. It must outlive the join.
  BatchPredicate* condition = nullptr;
  /// The memory limit in bytes for rows, buckets and buffers together (PostgreSQL's setting
  /// work_mem). At least 64 kB are used.
  std::size_t work_mem = std::size_t{4} << 20;
  /// The expected number of rows of the build side and of bytes per row (0: unknown).
  std::uint64_t estimated_rows = 1000;
  std::size_t estimated_row_bytes = 0;
  /// Whether to ask the operating system for huge pages (of 2 MB) under large arrays. This affects
  /// only the speed.
  bool huge_pages = true;
  /// Where rows are written that do not fit into memory.
  SpillOptions spill;
};

/// The counters of a HashJoin; rows_in counts the rows of the build side.
struct HashJoinCounters : PlanOperatorCounters {
  /// The number of buckets in the first pass.
  std::uint64_t buckets = 0;
  /// The number of different keys on the build side, estimated by the HyperLogLog algorithm.
  double distinct_keys = 0;
  /// The rows that were read from the probe side.
  std::uint64_t probe_rows = 0;
  /// The number of probe rows that were not written to disk because a Bloom filter showed that they
  /// have no match.
  std::uint64_t filtered_rows = 0;
  /// The number of pairs with equal keys for which the condition was not true.
  std::uint64_t removed_pairs = 0;
  // Times in nanoseconds: reading the input of the build side, copying it, making buckets, and all
  // the rest.
  std::uint64_t read_ns = 0;
  std::uint64_t copy_ns = 0;
  std::uint64_t buckets_ns = 0;
  std::uint64_t probe_ns = 0;
};

/// Joins two inputs. The build side is read completely, then the probe side is read batch by batch.
///
/// When the build side exceeds `work_mem`, its rows are divided into partitions by hash, as many as
/// the estimate suggests and the buffers allow. Half of the partitions that are in memory are
/// written to disk ("spilled") each time that memory is needed. Probe rows that belong to
/// partitions on disk are written to disk too, unless a Bloom filter shows that they have no match.
/// Each pair of files is then joined in the same way, and a partition that is still too large is
/// divided again. A partition whose rows have nearly all the same key cannot be divided: it stays
/// in memory beyond the limit, which overrun_bytes reports.
///
/// Thread safety: one thread at a time.
/// Errors: those of the inputs and the condition; kIo for temporary files; std::bad_alloc.
class HashJoin : public PlanOperator {
 public:
  /// Errors: kNotSupported for keys that cannot be compared, if there are no keys, for types of
  /// join that PostgreSQL 15 does not have, and for columns of the build side in the result of a
  /// kSemi or kAnti join; SQLSTATE 42703 (undefined_column) for a column that does not exist.
  static Result<std::unique_ptr<HashJoin>> Create(HashJoinOptions options, PlanOperatorPtr probe,
                                                  PlanOperatorPtr build);
  ~HashJoin() override;

  std::span<const ColumnType> columns() const override;
  Result<const ColumnBatch*> Next() override;
  PlanOperatorDescription Describe() const override;
  const HashJoinCounters& counters() const;

 private:
  // Behind a pointer, so that hash tables and spill files are no part of a public header.
  class Impl;
  explicit HashJoin(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace relcache
