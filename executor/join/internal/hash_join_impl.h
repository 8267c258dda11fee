// The state of a hash join, shared by its two sources: hash_join.cc (the passes) and
// hash_join_probe.cc (the matching of the probe side's rows).
//
// The join works in passes. The first pass reads the build input and then streams the probe input.
// If the build side exceeds the limit, its rows are divided into partitions by hash, some of which
// go to disk. Probe rows of partitions in memory are joined at once, and those of partitions on
// disk follow their build rows there. Each partition on disk, a run of build rows and a run of
// probe rows, then is the input of a later pass, which may divide it again with other bits of the
// hash. The passes wait on a stack, so that the partitions of a partition are finished before its
// siblings; their number is bounded by the number of partitions times the number of levels.
//
// Invariants: all rows with the same hash are in the same partition, so each pass finds all pairs
// of its rows. A probe row is either matched in this pass or written to disk, never both; outer
// joins rely on this when they decide that a row has no match.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "relcache/executor/batch/internal/batch_slices.h"
#include "relcache/executor/join/hash_join.h"
#include "relcache/executor/join/internal/hash_join_build.h"
#include "relcache/executor/plan/explain.h"
#include "relcache/executor/rows/internal/key_columns.h"

namespace relcache {

class HashJoin::Impl {
 public:
  Impl(HashJoinOptions options, PlanOperatorPtr probe, PlanOperatorPtr build)
      : options_(std::move(options)),
        probe_(std::move(probe)),
        build_input_(std::move(build)),
        cx_(AllocSet::CreateRoot("hash join", kSmallBlocks)),
        pass_cx_(AllocSet::Create("hash join pass", *cx_, kSmallBlocks)),
        batch_cx_(AllocSet::CreateRoot("hash join batch")),
        condition_cx_(AllocSet::Create("join condition", *batch_cx_)),
        build_layout_(build_input_->columns()),
        probe_layout_(probe_->columns()),
        file_(options_.spill) {
    options_.work_mem = std::max(options_.work_mem, kSmallestWorkMem);
  }

  Status Prepare();
  std::span<const ColumnType> columns() const { return types_; }
  const HashJoinCounters& counters() const { return counters_; }
  PlanOperatorDescription Describe() const;

  Result<const ColumnBatch*> Next() {
    if (failed_) return nullptr;
    const std::uint64_t start = NowNs();
    const std::uint64_t build_before = counters_.read_ns + counters_.copy_ns + counters_.buckets_ns;
    failed_ = true;  // so that it is also set after an exception
    Result<const ColumnBatch*> batch = Step();
    failed_ = !batch;
    const std::uint64_t build_after = counters_.read_ns + counters_.copy_ns + counters_.buckets_ns;
    counters_.probe_ns += NowNs() - start - (build_after - build_before);
    if (batch && *batch != nullptr) counters_.rows_out += (*batch)->rows;
    return batch;
  }

 private:
  /// The number of matches that are collected before they are returned as a batch. It exceeds the
  /// size of a slice, so that one step along all chains always fits.
  static constexpr std::size_t kMaxMatches = 2 * kBatchRows;
  // Less would not be enough for the buffers and the smallest chunks.
  static constexpr std::size_t kSmallestWorkMem = std::size_t{64} << 10;

  static std::uint64_t NowNs() {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now().time_since_epoch())
                                          .count());
  }
  // What Step does next. A pass goes through kSlice, kMatch and kSliceEnd for each slice of the
  // probe side, and kUnmatched returns the build rows without a match (right and full joins).
  enum class State : std::uint8_t {
    kBuild,
    kSlice,
    kMatch,
    kSliceEnd,
    kPassEnd,
    kUnmatched,
    kNextPass,
    kDone
  };
  struct Pass {
    SpillRun build;
    SpillRun probe;
    std::uint32_t level = 0;
  };

  bool keeps_probe() const {
    return options_.type == JoinType::kLeft || options_.type == JoinType::kFull;
  }
  bool keeps_build() const {
    return options_.type == JoinType::kRight || options_.type == JoinType::kFull;
  }
  bool probe_rows_only() const {
    return options_.type == JoinType::kSemi || options_.type == JoinType::kAnti;
  }
  // Whether probe rows are returned because they have, or do not have, a match.
  bool tracks_probe() const { return keeps_probe() || probe_rows_only(); }

  Result<const ColumnBatch*> Step();
  void StartBuild(std::uint32_t level, std::uint64_t rows, std::size_t row_bytes);
  Status BuildFromInput();
  Status BuildFromRun(const Pass& pass);
  Status FinishBuild();
  Result<bool> NextPass();
  void HashKeys(const ColumnBatch& batch, HashJoinSide side, std::uint64_t* hashes);
  const std::uint8_t* FindNullKeys(const ColumnBatch& batch, HashJoinSide side);
  Result<const ColumnBatch*> NextSlice();
  Status StartSlice(const ColumnBatch& slice);
  Status SpillProbe(const ColumnBatch& slice);
  void AddCandidate(std::uint32_t row);
  void FollowChains();
  Result<const ColumnBatch*> TakeMatches();
  Status ApplyCondition();
  const ColumnBatch* Output(std::span<const std::uint32_t> probe_rows,
                            std::span<const StoredRow* const> build_rows, bool null_build);
  const ColumnBatch* FinishSlice();
  const ColumnBatch* UnmatchedBuild();
  void NotePeak() {
    std::uint64_t now = cx_->total_bytes_reserved();
    if (build_) now = std::max(now, cx_->bytes_reserved() + build_->peak_bytes());
    counters_.peak_bytes = std::max(counters_.peak_bytes, now);
    if (now > options_.work_mem)
      counters_.overrun_bytes = std::max(counters_.overrun_bytes, now - options_.work_mem);
  }

  HashJoinOptions options_;
  PlanOperatorPtr probe_;
  PlanOperatorPtr build_input_;
  ContextPtr cx_;
  MemoryContext& pass_cx_;
  ContextPtr batch_cx_;
  MemoryContext& condition_cx_;
  RowLayout build_layout_;
  RowLayout probe_layout_;
  SpillFile file_;
  std::vector<KeyType> probe_keys_;
  std::vector<KeyType> build_keys_;
  std::vector<ColumnType> types_;
  HashJoinCounters counters_;
  State state_ = State::kBuild;
  bool failed_ = false;

  std::optional<JoinBuild> build_;
  std::vector<Pass> waiting_;
  std::optional<Pass> pass_;
  std::optional<SpillReader> probe_reader_;
  RowStore::Cursor unmatched_;
  std::uint64_t filter_tested_ = 0;
  std::uint64_t filter_passed_ = 0;

  // The slice of the probe side that is being matched. A slice is a part of a batch with at most
  // kBatchRows rows.
  Slices slices_;
  ColumnBatch slice_;
  ColumnArrays read_back_;
  ColumnBatch read_back_batch_;
  std::array<StoredRow*, kBatchRows> read_rows_{};
  std::array<std::uint64_t, kBatchRows> hashes_{};
  std::array<std::uint8_t, kBatchRows> matchable_{};
  std::array<std::uint8_t, kBatchRows> matched_{};
  std::array<std::uint8_t, kBatchRows> away_{};  ///< went to disk, and is decided in a later pass
  std::array<std::uint32_t, kBatchRows> all_rows_{};
  std::vector<std::uint32_t> spilled_;

  // Candidates are pairs of a probe row and the next build row of its chain whose keys must be
  // compared. Matches are pairs whose keys are equal.
  std::size_t candidates_ = 0;
  std::array<std::uint32_t, kBatchRows> candidate_row_{};
  std::array<StoredRow*, kBatchRows> candidate_{};
  std::array<std::uint8_t, kBatchRows> equal_{};
  std::size_t matches_ = 0;
  std::array<std::uint32_t, kMaxMatches> match_row_{};
  std::array<StoredRow*, kMaxMatches> match_{};

  ColumnArrays output_;
  ColumnBatch output_batch_;
  std::array<std::uint8_t, kMaxMatches> ones_{};
  ColumnArrays condition_arrays_;
  std::array<std::uint8_t, kMaxMatches> selected_{};
};

}  // namespace relcache
