#include "relcache/executor/aggregate/internal/group_table.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace relcache {
namespace {

constexpr std::size_t kFewestSlots = 256;

}  // namespace

GroupTable::GroupTable(std::span<const KeyType> keys, RowLayout& layout,
                       std::size_t max_chunk_bytes, MemoryContext& cx)
    : keys_(keys),
      layout_(layout),
      slots_cx_(AllocSet::Create("group slots", cx, kSmallBlocks)),
      rows_(layout, {max_chunk_bytes, true}, cx) {
  Grow(kFewestSlots);
}

// At most three quarters of the slots are used, because linear probing gets slow beyond.
std::size_t GroupTable::SlotsFor(std::size_t groups) const {
  if (groups <= slots_.size() - slots_.size() / 4) return slots_.size();
  return std::bit_ceil(groups + groups / 2);
}

std::size_t GroupTable::BytesToGrow(std::span<const std::uint32_t> sizes) const {
  const std::size_t slots = SlotsFor(groups() + sizes.size());
  // While the slots grow, the old and the new array both exist.
  return rows_.BytesToGrow(sizes) + (slots > slots_.size() ? slots * sizeof(std::uint64_t) : 0);
}

void GroupTable::Grow(std::size_t slots) {
  std::uint64_t* old = slots_.data();
  auto* fresh = static_cast<std::uint64_t*>(slots_cx_.AllocateHuge(slots * sizeof(std::uint64_t)));
  std::fill_n(fresh, slots, 0);
  slots_ = {fresh, slots};
  if (old == nullptr) return;
  slots_cx_.Free(old);
  const std::size_t mask = slots - 1;
  rows_.ForEach([&](StoredRow* row) {
    std::size_t at = row->hash & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = TagRow(row, TagOf(row->hash));
  });
}

Status GroupTable::Find(const ColumnBatch& batch, std::span<const std::uint32_t> selection,
                        const std::uint64_t* hashes, bool make, StoredRow** groups,
                        std::vector<std::uint32_t>* made) {
  const std::size_t n = selection.size();
  // Grown in advance, as if every row made a group, so that slots do not move below.
  if (make && SlotsFor(rows_.rows() + n) > slots_.size()) Grow(SlotsFor(rows_.rows() + n));
  const std::size_t mask = slots_.size() - 1;
  looking_.resize(n);
  std::iota(looking_.begin(), looking_.end(), 0U);
  places_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    places_[i] = hashes[selection[i]] & mask;
    __builtin_prefetch(&slots_[places_[i]]);
  }
  if (make) {
    sizes_.resize(n);
    RELCACHE_TRY(layout_.Measure(batch, selection, sizes_.data()));
  }
  // In rounds: each row searches for a slot that is free or has its tag, then the keys of all of
  // them are compared column by column. Rows whose keys differ go one slot on in the next round.
  while (!looking_.empty()) {
    new_rows_.clear();
    new_sizes_.clear();
    new_groups_.clear();
    compare_at_.resize(looking_.size());
    compare_rows_.resize(looking_.size());
    compare_groups_.resize(looking_.size());
    std::size_t compares = 0;
    for (const std::uint32_t i : looking_) {
      const std::uint32_t row = selection[i];
      const std::uint64_t tag = TagOf(hashes[row]);
      std::uint64_t place = places_[i];
      while (slots_[place] != 0 && TagOf(slots_[place]) != tag) place = (place + 1) & mask;
      places_[i] = place;
      if (slots_[place] != 0) {
        groups[i] = TaggedRow(slots_[place]);
        compare_at_[compares] = i;
        compare_rows_[compares] = row;
        compare_groups_[compares++] = groups[i];
        continue;
      }
      groups[i] = nullptr;
      if (!make) continue;
      rows_.Allocate({&sizes_[i], 1}, &groups[i]);
      slots_[place] = TagRow(groups[i], tag);
      new_rows_.push_back(row);
      new_sizes_.push_back(sizes_[i]);
      new_groups_.push_back(groups[i]);
    }
    if (!new_rows_.empty()) {
      layout_.Write(batch, new_rows_, hashes, new_sizes_.data(), new_groups_.data());
      if (made != nullptr) made->insert(made->end(), new_rows_.begin(), new_rows_.end());
    }
    // The new groups have been written, so later rows of the same batch can be compared with them.
    equal_.assign(compares, 1);
    for (std::size_t k = 0; k < keys_.size(); ++k)
      CompareKey(keys_[k], layout_, k, {compare_groups_.data(), compares}, keys_[k],
                 batch.columns[k], {compare_rows_.data(), compares}, true, equal_.data());
    looking_.clear();
    for (std::size_t c = 0; c < compares; ++c) {
      if (equal_[c] != 0) continue;
      places_[compare_at_[c]] = (places_[compare_at_[c]] + 1) & mask;
      looking_.push_back(compare_at_[c]);
    }
  }
  return {};
}

}  // namespace relcache
