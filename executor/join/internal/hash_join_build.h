// The build side of a hash join: its rows in memory and on disk, and the hash table over those in
// memory. Internal to executor/join.
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

/// The build side of one pass: the whole build input, or one partition of an earlier pass.
///
/// Invariant: the memory that the context holds, together with the buckets that the rows will need,
/// or with the buffers and the filter that the first division will need, stays within the limit.
/// The exceptions are a partition that cannot be divided and a single row that is too long.
class JoinBuild {
 public:
  struct Options {
    HashJoinStrategy strategy = HashJoinStrategy::kDeferredUnpartitioned;
    std::size_t limit = 0;
    /// The estimates for this pass.
    std::uint64_t expected_rows = 0;
    std::size_t expected_row_bytes = 0;
    /// How often the rows have been divided before; it selects the bits of the hash.
    std::uint32_t level = 0;
    bool huge_pages = true;
    /// Whether to keep a Bloom filter of the keys, which saves writing probe rows that match
    /// nothing to disk.
    bool filter = true;
  };

  /// Allocates everything in children of `cx`, which belongs to the join and counts against the
  /// limit.
  JoinBuild(const Options& options, RowLayout& layout, SpillFile& file, MemoryContext& cx);

  /// Adds rows of a batch. If `matchable[row]` is 0, a key is NULL, and the row is kept only to be
  /// returned by an outer join. nullptr means that all rows can match.
  Status Add(const ColumnBatch& batch, std::span<const std::uint32_t> selection,
             std::uint64_t* hashes, const std::uint8_t* matchable);
  /// Adds rows that were read from a run.
  Status AddStored(std::span<StoredRow* const> rows);
  /// Ends the input: flushes the runs and makes the buckets.
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
  /// Writes probe rows into probe_runs(). It exists after StartProbe if the pass is partitioned.
  SpillWriter& probe_writer() { return *probe_writer_; }
  std::size_t buffer_bytes() const { return buffer_bytes_; }
  void StartProbe();
  /// False if no build row of the pass, on disk or not, has the hash.
  bool MayMatch(std::uint64_t hash) const { return filter_.empty() || filter_.MayContain(hash); }
  bool has_filter() const { return !filter_.empty(); }
  void DropFilter() {
    filter_ = {};
    filter_cx_.Reset();
  }
  /// The most bytes that the context held, also during calls.
  std::uint64_t peak_bytes() const { return peak_bytes_; }

 private:
  std::size_t BucketBytesFor(std::uint64_t rows) const;
  /// The bytes that StartPartitions(partitions_when_full_) will need.
  std::size_t BytesToSplit() const;
  std::size_t FilterWords() const;
  void MakeBuckets(std::size_t buckets);
  bool WouldExceed(std::span<const std::uint32_t> sizes) const;
  /// Frees memory by writing partitions to disk. Returns false if nothing more can be freed.
  Result<bool> MakeRoom();
  void StartPartitions(std::size_t partitions, bool all_resident);
  std::size_t ChoosePartitions() const;
  /// The partition that consists almost entirely of one key, or kNone.
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
  /// The number of partitions to make if the limit is reached without any.
  std::size_t partitions_when_full_ = 0;
  std::uint64_t peak_bytes_ = 0;
  std::uint64_t unmatchable_rows_ = 0;
  /// After an attempt that freed nothing: the size above which the next attempt is worth its cost.
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
