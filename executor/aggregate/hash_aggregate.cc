// The passes of a hash aggregate; internal/hash_aggregate_impl.h describes them.
#include "relcache/executor/aggregate/hash_aggregate.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/executor/aggregate/internal/hash_aggregate_impl.h"
#include "relcache/memory/align.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

// Reserves for what is not counted exactly: the heads of the contexts ...
constexpr std::size_t kContextHeads = std::size_t{4} << 10;
// ... and the unused ends of the blocks in the context of the states.
constexpr std::size_t kBlockEnds = std::size_t{8} << 10;

constexpr std::size_t kLargestChunk = std::size_t{8} << 20;

}  // namespace

// The index of an input column among the kept columns.
Result<std::size_t> HashAggregate::Impl::Keep(std::size_t input_column) {
  const auto types = input_->columns();
  if (input_column >= types.size())
    return Fail(ErrorCode::kInvalidInput, "42703",
                Format("column number {} does not exist", input_column));
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
    state_bytes += AlignUp(aggregate.state_bytes(), 8);
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
      // PostgreSQL sorts the values of a DISTINCT aggregate, so the order of the values is visible
      // in the result of array_agg and, through rounding, in sums.
      call.order = FindTypeOps(type.type);
      if (call.order == nullptr ||
          (wanted.function == AggregateFunction::kArrayAgg && !IsBytewise(type.collation)))
        return Fail(NotSupported("the order of DISTINCT values of type " + FormatType(type.type)));
      call.values_at = reserve(*call.values);
    }
  }
  call.state_at = reserve(call.aggregate);
  outside_ |= call.distinct || call.aggregate.has_outside();
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
  // The layout is made twice: the states' offsets follow from the keys, and the final layout needs
  // the size of all states.
  group_layout_.emplace(key_types);
  std::size_t state_bytes = 0;
  for (const AggregateCall& call : options_.calls) RELCACHE_TRY(PrepareCall(call, state_bytes));
  group_layout_.emplace(key_types, state_bytes);
  state_bytes_ = state_bytes;
  std::vector<ColumnType> spilled_types = kept_types_;
  kept_.resize(kept_types_.size());
  if (outside_) {
    RELCACHE_ASSIGN(const ColumnType tag, ColumnTypeOf(kByteaOid));
    spilled_types.push_back(tag);
    no_tags_ = {kByteaOid, ColumnForm::kDatum, no_values_.data(), ones_.data()};
    kept_.push_back(no_tags_);
    ones_.fill(1);
  }
  spill_layout_.emplace(spilled_types);
  output_.resize(types_.size());
  std::iota(all_rows_.begin(), all_rows_.end(), 0U);
  return {};
}

void HashAggregate::Impl::StartPass() {
  writer_.reset();
  for (Call& call : calls_) call.set.reset();
  table_.reset();
  pass_cx_.Reset();
  groups_cx_ = &AllocSet::Create("groups", pass_cx_, kSmallBlocks);
  StartGroups();
  full_ = false;
  runs_.clear();
  cursor_ = {};
}

// Starts an empty table.
void HashAggregate::Impl::StartGroups() {
  for (Call& call : calls_) call.set.reset();
  table_.reset();
  groups_cx_->Reset();
  const std::size_t chunk = RowStore::LargestChunkFor(options_.work_mem, kLargestChunk);
  states_cx_ = &AllocSet::Create("aggregate states", *groups_cx_, kSmallBlocks);
  table_.emplace(keys_, *group_layout_, chunk, *groups_cx_);
  for (Call& call : calls_)
    if (call.distinct) call.set.emplace(call.set_keys, *call.set_layout, chunk, *groups_cx_);
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
      for (std::size_t c = 0; c < kept_types_.size(); ++c)
        kept_[c] = slice->columns[kept_columns_[c]];
      if (keys_.empty()) hashes_.fill(0);
      for (std::size_t k = 0; k < keys_.size(); ++k)
        HashKey(keys_[k], kept_[k], slice->rows, k > 0, hashes_.data());
      RELCACHE_TRY(
          Take({kept_, slice->rows}, {all_rows_.data(), slice->rows}, hashes_.data(), kRow));
    }
  }
  if (!any && keys_.empty()) {
    // Without GROUP BY, an empty input has one result row: a group that received no row.
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
  std::vector<ColumnType> types;
  for (std::size_t c = 0; c < spill_layout_->columns(); ++c)
    types.push_back(spill_layout_->type(c));
  arrays.Make(types, kBatchRows, *arrays_cx);
  std::array<StoredRow*, kBatchRows> rows;
  for (;;) {
    RELCACHE_ASSIGN(const std::size_t n, reader.Next(rows));
    if (n == 0) return {};
    for (std::size_t c = 0; c < types.size(); ++c) {
      const bool nulls =
          spill_layout_->Read(c, {rows.data(), n}, arrays.values[c], arrays.nulls[c]);
      arrays.columns[c].nulls = nulls ? arrays.nulls[c] : nullptr;
    }
    for (std::size_t i = 0; i < n; ++i) hashes_[i] = rows[i]->hash;
    // Takes the rows in runs of one kind and in their order, since a state must be restored before
    // its values and later rows are added.
    const auto what_of = [&](std::size_t i) {
      return outside_ ? WhatOf(arrays.columns.back(), i) : kRow;
    };
    for (std::size_t i = 0; i < n;) {
      const std::size_t first = i;
      const std::uint32_t what = what_of(first);
      while (i < n && what_of(i) == what) ++i;
      RELCACHE_TRY(
          Take({arrays.columns, n}, {all_rows_.data() + first, i - first}, hashes_.data(), what));
    }
  }
}

// Sets growth_[i] to the bytes that the first i + 1 rows may add to the states, and the sizes of
// the rows for the DISTINCT sets.
void HashAggregate::Impl::MeasureStates(const ColumnBatch& kept,
                                        std::span<const std::uint32_t> selection,
                                        std::uint32_t what) {
  growth_.assign(selection.size(), 0);
  for (std::size_t k = 0; k < calls_.size(); ++k) {
    Call& call = calls_[k];
    if (call.distinct) call.set_sizes.assign(selection.size(), 0);
    const Aggregate& aggregate = call.distinct ? *call.values : call.aggregate;
    if (!aggregate.has_outside() || (what >= kElement && what - kElement != k)) continue;
    const BatchColumn& column = kept.columns[call.column];
    const ColumnType& type = kept_types_[call.column];
    for (std::size_t i = 0; i < selection.size(); ++i) {
      const NullableDatum value = column.Get(selection[i]);
      growth_[i] += aggregate.Growth(value);
      if (!call.distinct || what == kState) continue;
      // The head of a row, the group's number, the null bits and the alignment.
      constexpr std::size_t kSetRow = sizeof(StoredRow) + 32;
      const std::size_t bytes =
          value.isnull || type.typbyval ? 8 : DatumSize(value.value, type.typlen);
      call.set_sizes[i] = static_cast<std::uint32_t>(kSetRow + bytes);
    }
  }
  if (what == kState) {
    // The tag contains what lay outside of the row. Chunks are rounded up to powers of two, hence
    // the factor.
    const Datum* tags = kept.columns.back().data<Datum>();
    for (std::size_t i = 0; i < selection.size(); ++i)
      growth_[i] += 2 * VarData(tags[selection[i]]).size();
  }
  std::partial_sum(growth_.begin(), growth_.end(), growth_.begin());
}

// How many of the rows can be taken without exceeding the limit, if each makes a group (unless the
// table is full).
Result<std::size_t> HashAggregate::Impl::HowManyFit(const ColumnBatch& kept,
                                                    std::span<const std::uint32_t> selection,
                                                    std::uint32_t what) {
  if (full_ && (!outside_ || table_->groups() == 0)) return selection.size();
  // The buffers of the writer may still be needed, and the contexts have heads.
  const std::size_t present = cx_->total_bytes_reserved() + kContextHeads +
                              (writer_ ? 0 : options_.work_mem / 8) + (outside_ ? kBlockEnds : 0);
  if (present >= options_.work_mem) return 0;
  const std::size_t room = options_.work_mem - present;
  if (!full_) RELCACHE_TRY(group_layout_->Measure(kept, selection, sizes_.data()));
  if (outside_) MeasureStates(kept, selection, what);
  // A full table writes its groups to disk rather than continue with very few rows at a time.
  const std::size_t fewest = full_ ? std::min<std::size_t>(selection.size(), 32) : 1;
  for (std::size_t n = selection.size(); n >= fewest; n /= 2) {
    std::size_t bytes = full_ ? 0 : table_->BytesToGrow({sizes_.data(), n});
    if (outside_) bytes += growth_[n - 1];
    for (const Call& call : calls_)
      if (call.distinct) bytes += call.set->BytesToGrow({call.set_sizes.data(), n});
    if (bytes <= room) return n;
  }
  return 0;
}

Status HashAggregate::Impl::Take(const ColumnBatch& kept, std::span<const std::uint32_t> rows,
                                 const std::uint64_t* hashes, std::uint32_t what) {
  while (!rows.empty()) {
    std::size_t n = rows.size();
    if (!keys_.empty()) {
      RELCACHE_ASSIGN(n, HowManyFit(kept, rows, what));
      if (n == 0 && !full_ && table_->groups() > 0) {
        full_ = true;
        continue;
      }
      if (n == 0 && full_ && CanSpillGroups()) {
        RELCACHE_TRY(SpillGroups());
        continue;
      }
      // A single group remains. It is made, and goes on beyond the limit, because it cannot be
      // divided.
      if (n == 0) n = full_ ? rows.size() : 1;
    }
    RELCACHE_TRY(TakePart(kept, rows.first(n), hashes, what));
    NotePeak();
    rows = rows.subspan(n);
  }
  return {};
}

Status HashAggregate::Impl::TakePart(const ColumnBatch& kept,
                                     std::span<const std::uint32_t> selection,
                                     const std::uint64_t* hashes, std::uint32_t what) {
  RELCACHE_TRY(table_->Find(kept, selection, hashes, !full_, groups_.data()));
  if (!full_) return Advance(kept, selection, groups_.data(), what);
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
  RELCACHE_TRY(SpillRows(kept, hashes));
  return Advance(kept, found_, found_groups_.data(), what);
}

Status HashAggregate::Impl::Advance(const ColumnBatch& kept,
                                    std::span<const std::uint32_t> selection,
                                    StoredRow* const* groups, std::uint32_t what) {
  if (what == kState) {
    const Datum* tags = kept.columns.back().data<Datum>();
    for (std::size_t i = 0; i < selection.size(); ++i) RestoreState(groups[i], tags[selection[i]]);
    return {};
  }
  if (what >= kElement) return AdvanceCall(calls_[what - kElement], kept, selection, groups);
  for (Call& call : calls_) RELCACHE_TRY(AdvanceCall(call, kept, selection, groups));
  return {};
}

Status HashAggregate::Impl::AdvanceCall(Call& call, const ColumnBatch& kept,
                                        std::span<const std::uint32_t> selection,
                                        StoredRow* const* groups) {
  if (call.distinct) return CollectDistinct(call, kept, selection, groups);
  const BatchColumn column =
      call.aggregate.counts_rows() ? BatchColumn() : kept.columns[call.column];
  return call.aggregate.Update(column, selection, groups, call.state_at, *states_cx_);
}

// A value is new in its group if the pair of group and value is new in the set. The group's address
// serves as its number.
Status HashAggregate::Impl::CollectDistinct(Call& call, const ColumnBatch& kept,
                                            std::span<const std::uint32_t> selection,
                                            StoredRow* const* groups) {
  for (std::size_t i = 0; i < selection.size(); ++i)
    group_ids_[selection[i]] =
        static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(groups[i]));
  const BatchColumn pair[] = {{kInt8Oid, ColumnForm::kInt8, group_ids_.data(), nullptr},
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

// The state is made in the batch's context, because it is needed only until the result is computed.
Status HashAggregate::Impl::AggregateDistinct(Call& call, std::span<StoredRow* const> groups) {
  const ColumnType& type = kept_types_[call.column];
  for (StoredRow* group : groups) {
    const std::span<NullableDatum> elements =
        Aggregate::CollectElements(group, call.values_at, *batch_cx_);
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
                                       same_group.data(), call.state_at, *batch_cx_));
  }
  return {};
}

// Fetches the next groups into rows_: at most a batch, and not more than have states of a sixteenth
// of the limit, because the result that is made from the states is as large again.
std::size_t HashAggregate::Impl::NextGroups(RowStore::Cursor& cursor) {
  if (!outside_) return table_->rows().Next(cursor, rows_);
  std::size_t n = 0;
  std::size_t bytes = 0;
  while (n < kBatchRows && bytes < options_.work_mem / 16) {
    if (table_->rows().Next(cursor, std::span(rows_).subspan(n, 1)) == 0) break;
    for (const Call& call : calls_)
      bytes += call.distinct ? call.values->OutsideBytes(rows_[n], call.values_at)
                             : call.aggregate.OutsideBytes(rows_[n], call.state_at);
    ++n;
  }
  return n;
}

Result<const ColumnBatch*> HashAggregate::Impl::Emit() {
  batch_cx_->Reset();
  const std::size_t n = NextGroups(cursor_);
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
        ++counters_.passes;
        break;
      case State::kDone:
        return nullptr;
    }
  }
}

PlanOperatorDescription HashAggregate::Impl::Describe() const {
  PlanOperatorDescription out{.name = options_.group_by.empty() ? "Aggregate" : "HashAggregate",
                              .rows = counters_.rows_out,
                              .details = {},
                              .inputs = {input_.get()}};
  const std::vector<std::string> names = ColumnNames(input_->columns().size());
  std::vector<std::string> keys;
  for (const std::size_t column : options_.group_by) keys.push_back(names[column]);
  std::vector<std::string> output = keys;
  for (const AggregateCall& call : options_.calls) {
    const std::string argument = call.column == AggregateCall::kNoColumn ? "*" : names[call.column];
    output.push_back(std::string(NameOf(call.function)) + (call.distinct ? "(DISTINCT " : "(") +
                     argument + ")");
  }
  out.Add("Output", JoinTexts(output));
  if (!keys.empty()) out.Add("Group Key", JoinTexts(keys));
  out.AddMemory(counters_);
  return out;
}

HashAggregate::HashAggregate(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HashAggregate::~HashAggregate() = default;

Result<std::unique_ptr<HashAggregate>> HashAggregate::Create(HashAggregateOptions options,
                                                             PlanOperatorPtr input) {
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
PlanOperatorDescription HashAggregate::Describe() const {
  return impl_->Describe();
}
const HashAggregateCounters& HashAggregate::counters() const {
  return impl_->counters();
}

}  // namespace relcache
