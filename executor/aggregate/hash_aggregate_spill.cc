// Writes to disk what exceeds the limit: rows whose group is not in memory and, if states grow, the
// groups themselves, which a later pass restores and continues.
#include <cstring>

#include "relcache/executor/aggregate/internal/hash_aggregate_impl.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

// Groups that are still together after so many divisions have equal hashes, and stay in memory.
constexpr std::uint32_t kMaxLevel = 10;

template <class T>
void AppendBytes(std::string& to, const T& value) {
  const auto at = to.size();
  to.resize(at + sizeof value);
  std::memcpy(to.data() + at, &value, sizeof value);
}

template <class T>
T TakeBytes(std::string_view& from) {
  T value;
  std::memcpy(&value, from.data(), sizeof value);
  from.remove_prefix(sizeof value);
  return value;
}

}  // namespace

void HashAggregate::Impl::OpenWriter() {
  if (writer_) return;
  const std::size_t partitions = SpillPartitions();
  partition_ = HashPartition(pass_ ? pass_->level : 0, partitions);
  runs_.assign(partitions, SpillRun());
  MemoryContext& buffers = AllocSet::Create("spill buffers", pass_cx_, kSmallBlocks);
  writer_.emplace(file_, runs_, HashPartition::BufferBytes(options_.work_mem, partitions), buffers);
}

Status HashAggregate::Impl::SpillRows(const ColumnBatch& kept, const std::uint64_t* hashes) {
  if (spilled_.empty()) return {};
  OpenWriter();
  return writer_->AddRows(*spill_layout_, kept, spilled_, hashes, partition_, nullptr);
}

std::uint32_t HashAggregate::Impl::WhatOf(const BatchColumn& tags, std::size_t row) {
  if (tags.isnull(row)) return kRow;
  std::string_view tag = VarData(tags.data<Datum>()[row]);
  return TakeBytes<std::uint32_t>(tag);
}

// A single group would take as much memory in a later pass, so it is not written to disk.
bool HashAggregate::Impl::CanSpillGroups() const {
  return outside_ && table_->groups() > 1 && (!pass_ || pass_->level < kMaxLevel);
}

// Saves the state bytes of the group's row, followed by what each call has outside of the row.
std::string_view HashAggregate::Impl::SaveState(const StoredRow* group) {
  saved_.clear();
  AppendBytes(saved_, kState);
  saved_.append(reinterpret_cast<const char*>(group) + group_layout_->extra_offset(), state_bytes_);
  for (const Call& call : calls_) {
    if (call.distinct || !call.aggregate.has_outside()) continue;
    const std::string_view outside = call.aggregate.SaveOutside(group, call.state_at);
    AppendBytes(saved_, static_cast<std::uint32_t>(outside.size()));
    saved_.append(outside);
  }
  return saved_;
}

void HashAggregate::Impl::RestoreState(StoredRow* group, Datum tag) {
  std::string_view saved = VarData(tag);
  TakeBytes<std::uint32_t>(saved);
  std::memcpy(reinterpret_cast<char*>(group) + group_layout_->extra_offset(), saved.data(),
              state_bytes_);
  saved.remove_prefix(state_bytes_);
  for (const Call& call : calls_) {
    if (call.distinct) {
      // The collected values follow as rows of their own (kElement). Saved in one piece, a state
      // could exceed the size that a row may have.
      call.values->RestoreOutside(group, call.values_at, {}, *states_cx_);
    } else if (call.aggregate.has_outside()) {
      const auto bytes = TakeBytes<std::uint32_t>(saved);
      call.aggregate.RestoreOutside(group, call.state_at, saved.substr(0, bytes), *states_cx_);
      saved.remove_prefix(bytes);
    }
  }
}

// Writes all groups to disk: the state of each, followed by the values that its calls have
// collected. No group is made any more in this pass, so that all later rows of these groups follow
// them, in order.
Status HashAggregate::Impl::SpillGroups() {
  OpenWriter();
  const ContextPtr cx = AllocSet::CreateRoot("groups to spill");
  RowStore::Cursor cursor;
  std::array<std::uint64_t, kBatchRows> hashes;
  while (const std::size_t n = NextGroups(cursor)) {
    cx->Reset();
    const std::span<StoredRow* const> groups(rows_.data(), n);
    std::vector<BatchColumn> columns;
    for (std::size_t c = 0; c < kept_types_.size(); ++c) {
      const ColumnType& type = kept_types_[c];
      columns.push_back({type.type, type.form, no_values_.data(), ones_.data()});
      if (c >= keys_.size()) continue;
      void* values = cx->AllocateZeroed(n * WidthOf(type.form));
      const auto nulls = cx->NewArray<std::uint8_t>(n);
      const bool any = group_layout_->Read(c, groups, values, nulls.data());
      columns.back() = {type.type, type.form, values, any ? nulls.data() : nullptr};
    }
    const auto tags = cx->NewArray<Datum>(n);
    for (std::size_t i = 0; i < n; ++i) {
      hashes[i] = groups[i]->hash;
      tags[i] = MakeVarlena(SaveState(groups[i]), *cx);
    }
    columns.push_back({kByteaOid, ColumnForm::kDatum, tags.data(), nullptr});
    RELCACHE_TRY(writer_->AddRows(*spill_layout_, {columns, n}, {all_rows_.data(), n},
                                  hashes.data(), partition_, nullptr));
    for (std::uint32_t k = 0; k < calls_.size(); ++k)
      if (calls_[k].collector() != nullptr)
        RELCACHE_TRY(SpillElements(calls_[k], kElement + k, groups, columns, hashes.data(), *cx));
  }
  NotePeak();
  StartGroups();
  return {};
}

// Writes the values that a call has collected, as rows with the call's column and the keys.
Status HashAggregate::Impl::SpillElements(const Call& call, std::uint32_t what,
                                          std::span<StoredRow* const> groups,
                                          std::span<const BatchColumn> keys,
                                          const std::uint64_t* hashes, MemoryContext& cx) {
  ColumnArrays arrays;
  arrays.Make(kept_types_, kBatchRows, cx);
  std::array<std::uint32_t, kBatchRows> group_of;
  std::array<std::uint64_t, kBatchRows> element_hashes;
  saved_.clear();
  AppendBytes(saved_, what);
  const auto tags = cx.NewArray<Datum>(kBatchRows);
  std::fill(tags.begin(), tags.end(), MakeVarlena(saved_, cx));
  std::size_t n = 0;
  const auto write = [&]() -> Status {
    std::vector<BatchColumn> columns = arrays.columns;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c == call.column) {
        columns[c].nulls = arrays.nulls[c];
      } else if (c < keys_.size()) {
        Gather(keys[c], {group_of.data(), n}, arrays.values[c], arrays.nulls[c], columns[c]);
      } else {
        columns[c].nulls = ones_.data();
      }
    }
    columns.push_back({kByteaOid, ColumnForm::kDatum, tags.data(), nullptr});
    const std::size_t rows = std::exchange(n, 0);
    return writer_->AddRows(*spill_layout_, {columns, rows}, {all_rows_.data(), rows},
                            element_hashes.data(), partition_, nullptr);
  };
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    for (ArrayChunk* piece = Aggregate::Elements(groups[g], call.collector_at()); piece != nullptr;
         piece = piece->next) {
      for (std::uint32_t i = 0; i < piece->count; ++i) {
        const NullableDatum& element = piece->elements()[i];
        arrays.nulls[call.column][n] = element.isnull ? 1 : 0;
        StoreDatum(kept_types_[call.column].form, arrays.values[call.column], n,
                   element.isnull ? Datum{} : element.value);
        group_of[n] = g;
        element_hashes[n++] = hashes[g];
        if (n == kBatchRows) RELCACHE_TRY(write());
      }
    }
  }
  return n == 0 ? Status() : write();
}

}  // namespace relcache
