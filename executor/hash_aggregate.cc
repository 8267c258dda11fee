#include "relcache/executor/hash_aggregate.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "relcache/executor/batch_slices.h"
#include "relcache/executor/group_table.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

constexpr std::size_t kSmallestWorkMem = std::size_t{64} << 10;
constexpr std::size_t kContextHeads = std::size_t{4} << 10;

std::size_t ChunkBytesFor(std::size_t limit) {
  return std::clamp(std::bit_floor(limit / 16), std::size_t{4} << 10, std::size_t{8} << 20);
}

// A call with what it needs besides: DISTINCT collects each group's different values first.
struct Call {
  Aggregate aggregate;
  std::size_t column = AggregateCall::kNoColumn;  ///< among the columns that are kept
  std::size_t state_at = 0;                       ///< offset in a group's row
  // DISTINCT only.
  bool distinct = false;
  std::optional<Aggregate> values;
  std::size_t values_at = 0;
  const TypeOps* order = nullptr;
  std::vector<KeyType> set_keys;
  std::optional<RowLayout> set_layout;
  std::optional<GroupTable> set;
};

}  // namespace

class HashAggregate::Impl {
 public:
  Impl(HashAggregateOptions options, OperatorPtr input)
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

  Result<const ColumnBatch*> Next() {
    if (failed_) return nullptr;
    failed_ = true;  // also if an exception flies
    Result<const ColumnBatch*> batch = Step();
    failed_ = !batch;
    if (batch && *batch != nullptr) counters_.rows_out += (*batch)->rows;
    return batch;
  }

 private:
  enum class State : std::uint8_t { kConsume, kEmit, kNextPass, kDone };
  struct Pass {
    SpillRun run;
    std::uint32_t level = 0;
  };

  Result<std::size_t> Keep(std::size_t input_column);
  Status PrepareCall(const AggregateCall& wanted, std::size_t& state_bytes);
  Result<const ColumnBatch*> Step();
  void StartPass();
  Status Consume();
  Status ConsumeInput();
  Status ConsumeRun();
  Status Take(const ColumnBatch& kept, const std::uint64_t* hashes);
  Status TakePart(const ColumnBatch& kept, std::span<const std::uint32_t> selection,
                  const std::uint64_t* hashes, bool make);
  Result<std::size_t> HowManyFit(const ColumnBatch& kept, std::span<const std::uint32_t> selection);
  Status Spill(const ColumnBatch& kept, const std::uint64_t* hashes);
  Status Advance(const ColumnBatch& kept, std::span<const std::uint32_t> selection,
                 StoredRow* const* groups);
  Status CollectDistinct(Call& call, const ColumnBatch& kept,
                         std::span<const std::uint32_t> selection, StoredRow* const* groups);
  Status AggregateDistinct(Call& call, std::span<StoredRow* const> groups);
  Result<const ColumnBatch*> Emit();
  void NotePeak() {
    const std::uint64_t now = cx_->total_bytes_reserved();
    counters_.peak_bytes = std::max(counters_.peak_bytes, now);
    if (now > options_.work_mem)
      counters_.overrun_bytes = std::max(counters_.overrun_bytes, now - options_.work_mem);
  }

  HashAggregateOptions options_;
  OperatorPtr input_;
  ContextPtr cx_;
  MemoryContext& pass_cx_;
  ContextPtr batch_cx_;
  SpillFile file_;
  HashAggregateCounters counters_;
  State state_ = State::kConsume;
  bool failed_ = false;

  // Columns of the input that matter: the keys first, then arguments.
  std::vector<std::size_t> kept_columns_;
  std::vector<ColumnType> kept_types_;
  std::vector<KeyType> keys_;
  std::vector<Call> calls_;
  std::vector<ColumnType> types_;
  bool grows_ = false;
  std::optional<RowLayout> group_layout_;
  std::optional<RowLayout> spill_layout_;

  // This pass.
  std::optional<GroupTable> table_;
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
  std::vector<Column> kept_;
  std::array<std::uint64_t, kBatchRows> hashes_{};
  std::array<std::uint32_t, kBatchRows> all_rows_{};
  std::array<StoredRow*, kBatchRows> groups_{};
  std::array<StoredRow*, kBatchRows> rows_{};
  std::array<std::uint32_t, kBatchRows> sizes_{};
  std::vector<std::uint32_t> found_;
  std::vector<StoredRow*> found_groups_;
  std::vector<std::uint32_t> spilled_;
  std::array<std::int64_t, kBatchRows> group_ids_{};
  std::array<std::uint64_t, kBatchRows> set_hashes_{};
  std::vector<std::uint32_t> new_values_;
  std::vector<StoredRow*> new_value_groups_;
  std::vector<Column> output_;
  ColumnBatch output_batch_;
};

// The place of a column of the input among those that are kept.
Result<std::size_t> HashAggregate::Impl::Keep(std::size_t input_column) {
  const auto types = input_->columns();
  if (input_column >= types.size())
    return Fail(ErrorCode::kInvalidInput, "42703",
                "column number " + std::to_string(input_column) + " does not exist");
  const auto at = std::find(kept_columns_.begin(), kept_columns_.end(), input_column);
  if (at != kept_columns_.end()) return static_cast<std::size_t>(at - kept_columns_.begin());
  kept_columns_.push_back(input_column);
  kept_types_.push_back(types[input_column]);
  return kept_columns_.size() - 1;
}

Status HashAggregate::Impl::PrepareCall(const AggregateCall& wanted, std::size_t& state_bytes) {
  Call call;
  const auto reserve = [&](const Aggregate& aggregate) {
    const std::size_t at = group_layout_->extra_offset() + state_bytes;
    state_bytes += (aggregate.state_bytes() + 7) & ~std::size_t{7};
    return at;
  };
  if (wanted.column == AggregateCall::kNoColumn) {
    if (wanted.function != AggregateFunction::kCount || wanted.distinct)
      return Fail(NotSupported("an aggregate without argument"));
    call.aggregate = Aggregate::CountRows();
  } else {
    RELCACHE_ASSIGN(call.column, Keep(wanted.column));
    const ColumnType& type = kept_types_[call.column];
    RELCACHE_ASSIGN(call.aggregate, Aggregate::Make(wanted.function, type));
    if (wanted.distinct) {
      call.distinct = true;
      RELCACHE_ASSIGN(call.values, Aggregate::Make(AggregateFunction::kArrayAgg, type));
      RELCACHE_ASSIGN(const ColumnType id_type, ColumnTypeOf(kInt8Oid));
      RELCACHE_ASSIGN(const KeyType id_key, KeyTypeOf(id_type));
      RELCACHE_ASSIGN(const KeyType value_key, KeyTypeOf(type));
      call.set_keys = {id_key, value_key};
      call.set_layout.emplace(std::vector<ColumnType>{id_type, type});
      call.order = FindTypeOps(type.type);
      if (call.order == nullptr ||
          (wanted.function == AggregateFunction::kArrayAgg && type.collation != kInvalidOid &&
           type.collation != 950 && type.collation != 951))
        return Fail(NotSupported("the order of DISTINCT values of type " + FormatType(type.type)));
      call.values_at = reserve(*call.values);
    }
  }
  call.state_at = reserve(call.aggregate);
  grows_ |= call.distinct || call.aggregate.grows();
  types_.push_back(call.aggregate.result_type());
  calls_.push_back(std::move(call));
  return {};
}

Status HashAggregate::Impl::Prepare() {
  for (const std::size_t column : options_.group_by) {
    RELCACHE_ASSIGN(const std::size_t kept, Keep(column));
    if (kept + 1 == kept_types_.size() && kept == keys_.size()) {
      RELCACHE_ASSIGN(const KeyType key, KeyTypeOf(kept_types_[kept]));
      keys_.push_back(key);
    }
    types_.push_back(kept_types_[kept]);
  }
  const std::vector<ColumnType> key_types(kept_types_.begin(),
                                          kept_types_.begin() + static_cast<long>(keys_.size()));
  // Twice: the states' offsets do not depend on their size, but the layout does.
  group_layout_.emplace(key_types);
  std::size_t state_bytes = 0;
  for (const AggregateCall& call : options_.calls) RELCACHE_TRY(PrepareCall(call, state_bytes));
  group_layout_.emplace(key_types, state_bytes);
  spill_layout_.emplace(kept_types_);
  kept_.resize(kept_types_.size());
  output_.resize(types_.size());
  std::iota(all_rows_.begin(), all_rows_.end(), 0U);
  return {};
}

void HashAggregate::Impl::StartPass() {
  for (Call& call : calls_) call.set.reset();
  table_.reset();
  writer_.reset();
  pass_cx_.Reset();
  const std::size_t chunk = ChunkBytesFor(options_.work_mem);
  states_cx_ = &AllocSet::Create("aggregate states", pass_cx_, kSmallBlocks);
  table_.emplace(keys_, *group_layout_, chunk, pass_cx_);
  for (Call& call : calls_)
    if (call.distinct) call.set.emplace(call.set_keys, *call.set_layout, chunk, pass_cx_);
  full_ = false;
  runs_.clear();
  cursor_ = {};
}

Status HashAggregate::Impl::Consume() {
  StartPass();
  RELCACHE_TRY(pass_ ? ConsumeRun() : ConsumeInput());
  if (writer_) {
    RELCACHE_TRY(writer_->FlushAll());
    counters_.spilled_bytes = file_.bytes_written();
    const std::uint32_t level = pass_ ? pass_->level + 1 : 1;
    for (const SpillRun& run : runs_)
      if (!run.empty()) waiting_.push_back({run, level});
  }
  counters_.groups += table_->groups();
  return {};
}

Status HashAggregate::Impl::ConsumeInput() {
  bool any = false;
  for (;;) {
    RELCACHE_ASSIGN(const ColumnBatch* batch, input_->Next());
    if (batch == nullptr) break;
    counters_.rows_in += batch->rows;
    slices_.Start(batch);
    while (const ColumnBatch* slice = slices_.Next()) {
      any = true;
      for (std::size_t c = 0; c < kept_.size(); ++c) kept_[c] = slice->columns[kept_columns_[c]];
      if (keys_.empty()) hashes_.fill(0);
      for (std::size_t k = 0; k < keys_.size(); ++k)
        HashKey(keys_[k], kept_[k], slice->rows, k > 0, hashes_.data());
      RELCACHE_TRY(Take({kept_, slice->rows}, hashes_.data()));
    }
  }
  if (!any && keys_.empty()) {
    // One row for no input: a group that took nothing.
    hashes_[0] = 0;
    RELCACHE_TRY(
        table_->Find({kept_, 1}, {all_rows_.data(), 1}, hashes_.data(), true, groups_.data()));
  }
  return {};
}

Status HashAggregate::Impl::ConsumeRun() {
  MemoryContext& reader_cx = AllocSet::Create("spill reader", pass_cx_, kSmallBlocks);
  SpillReader reader(file_, pass_->run, *spill_layout_, reader_cx);
  ColumnArrays arrays;
  const ContextPtr arrays_cx = AllocSet::CreateRoot("spilled columns");
  arrays.Make(kept_types_, kBatchRows, *arrays_cx);
  for (;;) {
    RELCACHE_ASSIGN(const std::size_t n, reader.Next(rows_));
    if (n == 0) return {};
    for (std::size_t c = 0; c < kept_types_.size(); ++c) {
      const bool nulls =
          spill_layout_->Read(c, {rows_.data(), n}, arrays.values[c], arrays.nulls[c]);
      arrays.columns[c].nulls = nulls ? arrays.nulls[c] : nullptr;
    }
    for (std::size_t i = 0; i < n; ++i) hashes_[i] = rows_[i]->hash;
    RELCACHE_TRY(Take({arrays.columns, n}, hashes_.data()));
  }
}

// How many of the rows could each make a group without passing the limit.
Result<std::size_t> HashAggregate::Impl::HowManyFit(const ColumnBatch& kept,
                                                    std::span<const std::uint32_t> selection) {
  // Buffers may still be needed, and the contexts' own heads.
  const std::size_t limit =
      grows_ ? options_.work_mem / 2 : options_.work_mem - options_.work_mem / 8 - kContextHeads;
  RELCACHE_TRY(group_layout_->Measure(kept, selection, sizes_.data()));
  for (std::size_t n = selection.size(); n > 0; n /= 2) {
    if (cx_->total_bytes_reserved() + table_->BytesToGrow({sizes_.data(), n}) <= limit) return n;
  }
  return 0;
}

Status HashAggregate::Impl::Take(const ColumnBatch& kept, const std::uint64_t* hashes) {
  std::span<const std::uint32_t> left(all_rows_.data(), kept.rows);
  while (!left.empty()) {
    std::size_t n = left.size();
    if (!full_ && !keys_.empty()) {
      RELCACHE_ASSIGN(n, HowManyFit(kept, left));
      if (n == 0 && table_->groups() == 0) n = 1;  // a group that long is made in spite of all
      full_ = n == 0;
      if (full_) n = left.size();
    }
    RELCACHE_TRY(TakePart(kept, left.first(n), hashes, !full_));
    NotePeak();
    left = left.subspan(n);
  }
  return {};
}

Status HashAggregate::Impl::TakePart(const ColumnBatch& kept,
                                     std::span<const std::uint32_t> selection,
                                     const std::uint64_t* hashes, bool make) {
  RELCACHE_TRY(table_->Find(kept, selection, hashes, make, groups_.data()));
  if (make) return Advance(kept, selection, groups_.data());
  found_.clear();
  found_groups_.clear();
  spilled_.clear();
  for (std::size_t i = 0; i < selection.size(); ++i) {
    if (groups_[i] != nullptr) {
      found_.push_back(selection[i]);
      found_groups_.push_back(groups_[i]);
    } else {
      spilled_.push_back(selection[i]);
    }
  }
  RELCACHE_TRY(Spill(kept, hashes));
  return Advance(kept, found_, found_groups_.data());
}

Status HashAggregate::Impl::Spill(const ColumnBatch& kept, const std::uint64_t* hashes) {
  if (spilled_.empty()) return {};
  if (!writer_) {
    const std::size_t partitions =
        std::min<std::size_t>(HashPartition::Most(options_.work_mem), 32);
    partition_ = HashPartition(pass_ ? pass_->level : 0, partitions);
    runs_.assign(partitions, SpillRun());
    MemoryContext& buffers = AllocSet::Create("spill buffers", pass_cx_, kSmallBlocks);
    writer_.emplace(file_, runs_, HashPartition::BufferBytes(options_.work_mem, partitions),
                    buffers);
  }
  return writer_->AddRows(*spill_layout_, kept, spilled_, hashes, partition_, nullptr);
}

Status HashAggregate::Impl::Advance(const ColumnBatch& kept,
                                    std::span<const std::uint32_t> selection,
                                    StoredRow* const* groups) {
  for (Call& call : calls_) {
    const Column column = call.aggregate.counts_rows() ? Column() : kept.columns[call.column];
    if (call.distinct) {
      RELCACHE_TRY(CollectDistinct(call, kept, selection, groups));
    } else {
      RELCACHE_TRY(call.aggregate.Update(column, selection, groups, call.state_at, *states_cx_));
    }
  }
  return {};
}

// A value is new in its group when the pair of both is new in the set.
Status HashAggregate::Impl::CollectDistinct(Call& call, const ColumnBatch& kept,
                                            std::span<const std::uint32_t> selection,
                                            StoredRow* const* groups) {
  for (std::size_t i = 0; i < selection.size(); ++i)
    group_ids_[selection[i]] =
        static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(groups[i]));
  const Column pair[] = {{kInt8Oid, ColumnForm::kInt8, group_ids_.data(), nullptr},
                         kept.columns[call.column]};
  HashKey(call.set_keys[0], pair[0], kept.rows, false, set_hashes_.data());
  HashKey(call.set_keys[1], pair[1], kept.rows, true, set_hashes_.data());
  new_values_.clear();
  std::array<StoredRow*, kBatchRows> pairs;
  RELCACHE_TRY(call.set->Find({pair, kept.rows}, selection, set_hashes_.data(), true, pairs.data(),
                              &new_values_));
  new_value_groups_.clear();
  for (const std::uint32_t r : new_values_)
    new_value_groups_.push_back(
        reinterpret_cast<StoredRow*>(static_cast<std::uintptr_t>(group_ids_[r])));
  return call.values->Update(pair[1], new_values_, new_value_groups_.data(), call.values_at,
                             *states_cx_);
}

Status HashAggregate::Impl::AggregateDistinct(Call& call, std::span<StoredRow* const> groups) {
  const ColumnType& type = kept_types_[call.column];
  for (StoredRow* group : groups) {
    const std::span<NullableDatum> elements = Aggregate::Elements(group, call.values_at);
    const std::size_t n = elements.size();
    if (n == 0) continue;
    std::sort(elements.begin(), elements.end(),
              [&](const NullableDatum& a, const NullableDatum& b) {
                if (a.isnull || b.isnull) return !a.isnull && b.isnull;
                return call.order->compare(a.value, b.value) < 0;
              });
    void* values = batch_cx_->AllocateHuge(n * WidthOf(type.form));
    const std::span<std::uint8_t> nulls(static_cast<std::uint8_t*>(batch_cx_->AllocateHuge(n)), n);
    const std::span<std::uint32_t> selection(
        static_cast<std::uint32_t*>(batch_cx_->AllocateHuge(n * sizeof(std::uint32_t))), n);
    const std::span<StoredRow*> same_group(
        static_cast<StoredRow**>(batch_cx_->AllocateHuge(n * sizeof(StoredRow*))), n);
    for (std::size_t i = 0; i < n; ++i) {
      nulls[i] = elements[i].isnull ? 1 : 0;
      StoreDatum(type.form, values, i, elements[i].isnull ? Datum{} : elements[i].value);
      selection[i] = static_cast<std::uint32_t>(i);
      same_group[i] = group;
    }
    RELCACHE_TRY(call.aggregate.Update({type.type, type.form, values, nulls.data()}, selection,
                                       same_group.data(), call.state_at, *states_cx_));
  }
  return {};
}

Result<const ColumnBatch*> HashAggregate::Impl::Emit() {
  batch_cx_->Reset();
  const std::size_t n = table_->rows().Next(cursor_, rows_);
  if (n == 0) return nullptr;
  const std::span<StoredRow* const> groups(rows_.data(), n);
  std::size_t out = 0;
  for (const std::size_t column : options_.group_by) {
    const auto key = static_cast<std::size_t>(
        std::find(kept_columns_.begin(), kept_columns_.end(), column) - kept_columns_.begin());
    const ColumnType& type = kept_types_[key];
    void* values = batch_cx_->AllocateZeroed(n * WidthOf(type.form));
    const auto nulls = batch_cx_->NewArray<std::uint8_t>(n);
    const bool any = group_layout_->Read(key, groups, values, nulls.data());
    output_[out++] = {type.type, type.form, values, any ? nulls.data() : nullptr};
  }
  for (Call& call : calls_) {
    if (call.distinct) RELCACHE_TRY(AggregateDistinct(call, groups));
    RELCACHE_ASSIGN(output_[out++], call.aggregate.Finish(groups, call.state_at, *batch_cx_));
  }
  NotePeak();
  output_batch_ = {output_, n};
  return &output_batch_;
}

Result<const ColumnBatch*> HashAggregate::Impl::Step() {
  for (;;) {
    switch (state_) {
      case State::kConsume:
        RELCACHE_TRY(Consume());
        state_ = State::kEmit;
        break;
      case State::kEmit: {
        RELCACHE_ASSIGN(const ColumnBatch* batch, Emit());
        if (batch != nullptr) return batch;
        state_ = State::kNextPass;
        break;
      }
      case State::kNextPass:
        state_ = waiting_.empty() ? State::kDone : State::kConsume;
        if (waiting_.empty()) break;
        pass_ = waiting_.back();
        waiting_.pop_back();
        ++counters_.batches;
        break;
      case State::kDone:
        return nullptr;
    }
  }
}

HashAggregate::HashAggregate(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HashAggregate::~HashAggregate() = default;

Result<std::unique_ptr<HashAggregate>> HashAggregate::Create(HashAggregateOptions options,
                                                             OperatorPtr input) {
  auto impl = std::make_unique<Impl>(std::move(options), std::move(input));
  RELCACHE_TRY(impl->Prepare());
  return std::unique_ptr<HashAggregate>(new HashAggregate(std::move(impl)));
}

std::span<const ColumnType> HashAggregate::columns() const {
  return impl_->columns();
}
Result<const ColumnBatch*> HashAggregate::Next() {
  return impl_->Next();
}
const HashAggregateCounters& HashAggregate::counters() const {
  return impl_->counters();
}

}  // namespace relcache
