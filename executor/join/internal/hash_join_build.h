// The build side of a hash join: rows in memory and in runs on disk, and the table over the former.
// Internal to hash_join.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "relcache/executor/join/hash_join.h"
#include "relcache/executor/rows/internal/bloom_filter.h"
#include "relcache/executor/rows/internal/hash_partition.h"
#include "relcache/executor/rows/internal/hash_table.h"
#include "relcache/executor/rows/internal/hyperloglog.h"
#include "relcache/executor/rows/internal/row_store.h"
#include "relcache/executor/rows/internal/spill_file.h"

namespace relcache {

/// One pass over a build input: the whole of it, or what one partition of an earlier pass has.
///
/// Invariant: what the context holds, and besides it the buckets that the rows will need, or the
/// buffers and the filter that a first split will need, stay within the limit, unless a partition
/// cannot be split or a single row is that long.
class JoinBuild {
 public:
  struct Options {
    HashJoinStrategy strategy = HashJoinStrategy::kDeferredNoBatch;
    std::size_t limit = 0;
    /// Of this pass.
    std::uint64_t expected_rows = 0;
    std::size_t expected_row_bytes = 0;
    /// How often the rows have been split before; chooses the bits of the hash.
    std::uint32_t level = 0;
    bool huge_pages = true;
    /// Whether to keep a filter of the keys for probe rows of partitions on disk.
    bool filter = true;
  };

  /// Everything comes from children of `cx`, which is the join's and counts against the limit.
  JoinBuild(const Options& options, RowLayout& layout, SpillFile& file, MemoryContext& cx);

  /// Rows of a batch. `matchable[row]` = 0: a key is NULL, the row is only kept to be put out;
  /// nullptr: all can match.
  Status Add(const ColumnBatch& batch, std::span<const std::uint32_t> selection,
             std::uint64_t* hashes, const std::uint8_t* matchable);
  /// Rows as a run gives them.
  Status AddStored(std::span<StoredRow* const> rows);
  /// No more rows: flushes the runs, makes the buckets.
  Status Finish();

  const HashTable& table() const { return table_; }
  RowStore& rows() { return rows_; }
  double distinct() const { return distinct_.Estimate(); }

  bool partitioned() const { return partition_.partitions() > 1; }
  std::size_t partitions() const { return partition_.partitions(); }
  const HashPartition& partition() const { return partition_; }
  std::size_t PartitionOf(std::uint64_t hash) const { return partition_.Of(hash); }
  bool in_memory(std::size_t partition) const { return resident_[partition] != 0; }
  std::span<SpillRun> build_runs() { return build_runs_; }
  std::span<SpillRun> probe_runs() { return probe_runs_; }
  /// Writes probe rows into probe_runs(); after Finish, and if partitioned.
  SpillWriter& probe_writer() { return *probe_writer_; }
  std::size_t buffer_bytes() const { return buffer_bytes_; }
  void StartProbe();
  /// False when no build row of the whole pass has the hash.
  bool MayMatch(std::uint64_t hash) const { return filter_.empty() || filter_.MayContain(hash); }
  bool has_filter() const { return !filter_.empty(); }
  void DropFilter() {
    filter_ = {};
    filter_cx_.Reset();
  }
  /// The most that the context has held while a call was going on.
  std::uint64_t peak_bytes() const { return peak_bytes_; }

 private:
  std::size_t BucketBytesFor(std::uint64_t rows) const;
  /// What StartPartitions(partitions_when_full_) will take.
  std::size_t BytesToSplit() const;
  std::size_t FilterWords() const;
  void MakeBuckets(std::size_t buckets);
  bool WouldExceed(std::span<const std::uint32_t> sizes) const;
  /// Takes memory back by sending partitions to disk. False when no more can be had.
  Result<bool> MakeRoom();
  void StartPartitions(std::size_t partitions, bool all_resident);
  std::size_t ChoosePartitions() const;
  /// The partition that one key fills, if there is one; kNone else.
  std::size_t FindHeavy(std::span<const std::uint64_t> bytes, std::uint64_t total) const;
  Status Evict();
  template <class HashOf, class Spill, class Measure>
  Status FitKept(const HashOf& hash_of, const Spill& spill, const Measure& measure);
  template <class HashOf>
  void SplitOff(const HashOf& hash_of);
  void InsertNew(std::span<StoredRow* const> rows);
  void FitFilter();

  static constexpr std::size_t kNone = SIZE_MAX;

  Options options_;
  RowLayout& layout_;
  SpillFile& file_;
  MemoryContext& cx_;
  MemoryContext& bucket_cx_;
  MemoryContext& writer_cx_;
  MemoryContext& filter_cx_;
  RowStore rows_;
  HashTable table_;
  HyperLogLog distinct_;
  BloomFilter filter_;
  HashPartition partition_;
  std::size_t buffer_bytes_ = 0;
  /// How many partitions there will be when the limit is reached without any.
  std::size_t partitions_when_full_ = 0;
  std::uint64_t peak_bytes_ = 0;
  std::uint64_t unmatchable_rows_ = 0;
  /// After an attempt that freed too little: the size at which the next one is worth its cost.
  std::size_t retry_above_ = 0;
  std::vector<std::uint8_t> resident_;
  std::vector<SpillRun> build_runs_;
  std::vector<SpillRun> probe_runs_;
  std::optional<SpillWriter> build_writer_;
  std::optional<SpillWriter> probe_writer_;
  // Scratch of one batch.
  std::vector<std::uint32_t> kept_;
  std::vector<std::uint32_t> spilled_;
  std::vector<std::uint32_t> sizes_;
  std::vector<StoredRow*> new_rows_;
};

}  // namespace relcache
