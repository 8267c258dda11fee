#include "relcache/executor/rows/internal/hash_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "relcache/executor/rows/internal/huge_pages.h"
#include "relcache/memory/align.h"

namespace relcache {
namespace {

// An estimate may say anything; the bytes of so many can still be computed with.
constexpr std::uint64_t kMostBuckets = std::uint64_t{1} << 58;
// Rows whose buckets are asked for before the first of them is touched.
constexpr std::size_t kAhead = 64;

}  // namespace

std::size_t HashTable::BucketsFor(std::uint64_t keys) {
  return std::bit_ceil(std::clamp<std::uint64_t>(keys, 64, kMostBuckets));
}

void HashTable::Allocate(std::size_t buckets, bool huge_pages, MemoryContext& cx) {
  RELCACHE_CHECK(std::has_single_bit(buckets));
  if (buckets > SIZE_MAX / sizeof(std::uint64_t)) throw std::bad_array_new_length();
  const std::size_t bytes = buckets * sizeof(std::uint64_t);
  // AllocateHuge knows no alignment: a cache line more.
  constexpr std::size_t kLine = 64;
  const auto place = reinterpret_cast<std::uintptr_t>(cx.AllocateHuge(bytes + kLine));
  void* array = reinterpret_cast<void*>(AlignUp(place, kLine));
  if (huge_pages) AdviseHugePages(array, bytes);
  std::memset(array, 0, bytes);
  buckets_ = static_cast<std::uint64_t*>(array);
  mask_ = buckets - 1;
}

void HashTable::Insert(std::span<StoredRow* const> rows) {
  for (std::size_t i = 0; i < rows.size(); i += kAhead) {
    const auto part = rows.subspan(i, std::min(kAhead, rows.size() - i));
    for (const StoredRow* row : part) __builtin_prefetch(&buckets_[row->hash & mask_], 1);
    for (StoredRow* row : part) Insert(row);
  }
}

void HashTable::InsertAll(const RowStore& rows, const RowLayout& layout) {
  std::array<StoredRow*, kAhead> part;
  std::size_t n = 0;
  rows.ForEach([&](StoredRow* row) {
    if (layout.unmatchable(row)) return;
    __builtin_prefetch(&buckets_[row->hash & mask_], 1);
    part[n++] = row;
    if (n < kAhead) return;
    for (StoredRow* waiting : part) Insert(waiting);
    n = 0;
  });
  for (std::size_t i = 0; i < n; ++i) Insert(part[i]);
}

}  // namespace relcache
