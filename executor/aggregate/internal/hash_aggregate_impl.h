// The state of a hash aggregate, shared by its two sources: hash_aggregate.cc (the passes) and
// hash_aggregate_spill.cc (groups that go to disk and come back).
//
// The aggregate works in passes, as PostgreSQL's does (hash_agg_enter_spill_mode in nodeAgg.c). A
// pass makes groups until the limit is reached; from then on the table is *full*: rows of existing
// groups still update them, and all other rows are written to disk, divided by hash. At the end of
// the pass its groups are complete and are returned, and each part on disk becomes the input of a
// later pass.
//
// This does not suffice if states grow (array_agg, DISTINCT ...), since a full table can still
// exceed the limit. Then all groups are written to disk themselves, as rows that contain their
// states, and the pass continues with an empty table that stays full. All later rows of these
// groups follow them to the same part, in order, so a group continues where it stopped.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "relcache/executor/aggregate/hash_aggregate.h"
#include "relcache/executor/aggregate/internal/aggregate_function.h"
#include "relcache/executor/aggregate/internal/group_table.h"
#include "relcache/executor/batch/internal/batch_slices.h"
#include "relcache/executor/plan/explain.h"
#include "relcache/executor/rows/internal/spill_file.h"

namespace relcache {

class HashAggregate::Impl {
 public:
  Impl(HashAggregateOptions options, PlanOperatorPtr input)
      : options_(std::move(options)),
        input_(std::move(input)),
        cx_(AllocSet::CreateRoot("hash aggregate", kSmallBlocks)),
        pass_cx_(AllocSet::Create("hash aggregate pass", *cx_, kSmallBlocks)),
        batch_cx_(AllocSet::CreateRoot("hash aggregate batch")),
        file_(options_.spill) {
    options_.work_mem = std::max(options_.work_mem, kSmallestWorkMem);
  }

  Status Prepare();
  std::span<const ColumnType> columns() const { return types_; }
  const HashAggregateCounters& counters() const { return counters_; }
  PlanOperatorDescription Describe() const;

  Result<const ColumnBatch*> Next() {
    if (failed_) return nullptr;
    failed_ = true;  // so that it is also set after an exception
    Result<const ColumnBatch*> batch = Step();
    failed_ = !batch;
    if (batch && *batch != nullptr) counters_.rows_out += (*batch)->rows;
    return batch;
  }

 private:
  static constexpr std::size_t kSmallestWorkMem = std::size_t{64} << 10;

  // An aggregate call and what it needs. DISTINCT first collects the different values of each group
  // in an array_agg of its own, and uses a set of pairs of group and value to recognize them.
  struct Call {
    Aggregate aggregate;
    std::size_t column = AggregateCall::kNoColumn;  ///< index among the kept columns
    std::size_t state_at = 0;                       ///< offset in a group's row
    // DISTINCT only.
    bool distinct = false;
    std::optional<Aggregate> values;
    std::size_t values_at = 0;
    const TypeOps* order = nullptr;
    std::vector<KeyType> set_keys;
    std::optional<RowLayout> set_layout;
    std::optional<GroupTable> set;
    std::vector<std::uint32_t> set_sizes;

    /// The array_agg that collects the values of the call, if there is one, and the offset of its
    /// state.
    const Aggregate* collector() const {
      return distinct ? &*values : aggregate.grows() ? &aggregate : nullptr;
    }
    std::size_t collector_at() const { return distinct ? values_at : state_at; }
  };

  enum class State : std::uint8_t { kConsume, kEmit, kNextPass, kDone };
  struct Pass {
    SpillRun run;
    std::uint32_t level = 0;
  };

  // What a row that enters the table is: a row of the input (kRow); the state of a group that was
  // written to disk (kState); or one value that call number `what - kElement` had collected. A
  // spilled row has this in an additional last column, which is NULL for kRow. The column exists
  // only if states may lie outside of the groups' rows, because otherwise no group is written to
  // disk.
  static constexpr std::uint32_t kRow = 0;
  static constexpr std::uint32_t kState = 1;
  static constexpr std::uint32_t kElement = 2;

  Result<std::size_t> Keep(std::size_t input_column);
  Status PrepareCall(const AggregateCall& wanted, std::size_t& state_bytes);
  Result<const ColumnBatch*> Step();
  void StartPass();
  void StartGroups();
  Status Consume();
  Status ConsumeInput();
  Status ConsumeRun();
  Status Take(const ColumnBatch& kept, std::span<const std::uint32_t> rows,
              const std::uint64_t* hashes, std::uint32_t what);
  Status TakePart(const ColumnBatch& kept, std::span<const std::uint32_t> selection,
                  const std::uint64_t* hashes, std::uint32_t what);
  Result<std::size_t> HowManyFit(const ColumnBatch& kept, std::span<const std::uint32_t> selection,
                                 std::uint32_t what);
  void MeasureStates(const ColumnBatch& kept, std::span<const std::uint32_t> selection,
                     std::uint32_t what);
  Status Advance(const ColumnBatch& kept, std::span<const std::uint32_t> selection,
                 StoredRow* const* groups, std::uint32_t what);
  Status AdvanceCall(Call& call, const ColumnBatch& kept, std::span<const std::uint32_t> selection,
                     StoredRow* const* groups);
  Status CollectDistinct(Call& call, const ColumnBatch& kept,
                         std::span<const std::uint32_t> selection, StoredRow* const* groups);
  Status AggregateDistinct(Call& call, std::span<StoredRow* const> groups);
  std::size_t NextGroups(RowStore::Cursor& cursor);
  Result<const ColumnBatch*> Emit();

  // Groups and rows on disk.
  std::size_t SpillPartitions() const {
    return std::min<std::size_t>(HashPartition::Most(options_.work_mem), 32);
  }
  void OpenWriter();
  Status SpillRows(const ColumnBatch& kept, const std::uint64_t* hashes);
  bool CanSpillGroups() const;
  Status SpillGroups();
  Status SpillElements(const Call& call, std::uint32_t what, std::span<StoredRow* const> groups,
                       std::span<const BatchColumn> keys, const std::uint64_t* hashes,
                       MemoryContext& cx);
  std::string_view SaveState(const StoredRow* group);
  void RestoreState(StoredRow* group, Datum tag);
  static std::uint32_t WhatOf(const BatchColumn& tags, std::size_t row);

  void NotePeak() {
    const std::uint64_t now = cx_->total_bytes_reserved();
    counters_.peak_bytes = std::max(counters_.peak_bytes, now);
    if (now > options_.work_mem)
      counters_.overrun_bytes = std::max(counters_.overrun_bytes, now - options_.work_mem);
  }

  HashAggregateOptions options_;
  PlanOperatorPtr input_;
  ContextPtr cx_;
  MemoryContext& pass_cx_;
  ContextPtr batch_cx_;
  SpillFile file_;
  HashAggregateCounters counters_;
  State state_ = State::kConsume;
  bool failed_ = false;

  // The columns of the input that are needed: the keys first, then the arguments.
  std::vector<std::size_t> kept_columns_;
  std::vector<ColumnType> kept_types_;
  std::vector<KeyType> keys_;
  std::vector<Call> calls_;
  std::vector<ColumnType> types_;
  bool outside_ = false;  ///< whether states may lie outside of the groups' rows
  std::size_t state_bytes_ = 0;
  std::optional<RowLayout> group_layout_;
  std::optional<RowLayout> spill_layout_;

  // This pass.
  std::optional<GroupTable> table_;
  MemoryContext* groups_cx_ = nullptr;  ///< the table, the sets and the states
  MemoryContext* states_cx_ = nullptr;
  std::optional<Pass> pass_;
  std::vector<Pass> waiting_;
  bool full_ = false;
  HashPartition partition_;
  std::vector<SpillRun> runs_;
  std::optional<SpillWriter> writer_;
  RowStore::Cursor cursor_;

  // Scratch of one batch.
  Slices slices_;
  std::vector<BatchColumn> kept_;
  BatchColumn no_tags_;
  std::array<std::uint64_t, kBatchRows> hashes_{};
  std::array<std::uint32_t, kBatchRows> all_rows_{};
  std::array<Datum, kBatchRows> no_values_{};
  std::array<std::uint8_t, kBatchRows> ones_{};
  std::array<StoredRow*, kBatchRows> groups_{};
  std::array<StoredRow*, kBatchRows> rows_{};
  std::array<std::uint32_t, kBatchRows> sizes_{};
  std::vector<std::uint32_t> found_;
  std::vector<StoredRow*> found_groups_;
  std::vector<std::uint32_t> spilled_;
  std::vector<std::size_t>
      growth_;  ///< bytes that the states grow by, summed up over the rows of a selection
  std::string saved_;
  std::array<std::int64_t, kBatchRows> group_ids_{};
  std::array<std::uint64_t, kBatchRows> set_hashes_{};
  std::vector<std::uint32_t> new_values_;
  std::vector<StoredRow*> new_value_groups_;
  std::vector<BatchColumn> output_;
  ColumnBatch output_batch_;
};

}  // namespace relcache
