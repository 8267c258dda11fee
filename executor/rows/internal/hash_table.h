// Buckets over stored rows: chains whose links carry a small filter of what follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "relcache/executor/rows/internal/row_store.h"

namespace relcache {

/// An array of chains of stored rows, by hash. A link is the address of a row in its low 48 bits
/// and above it 16 bits in which every row that the link leads to, near or far, has set two: most
/// chains that do not hold a hash are known by the link alone, and a chain is followed only where
/// something may still come.
/// Thread safety: one thread at a time while building; then any number that read.
class HashTable {
 public:
  static constexpr std::uint64_t kAddress = (std::uint64_t{1} << 48) - 1;

  /// How many buckets `keys` different hashes get: a power of two. 64 bits all through: no bound
  /// but memory.
  static std::size_t BucketsFor(std::uint64_t keys);
  /// Which of `buckets` a hash belongs to.
  static std::uint64_t BucketOf(std::uint64_t hash, std::uint64_t buckets) {
    return hash & (buckets - 1);
  }

  /// Empty chains, `buckets` of them, a power of two; in `cx`.
  void Allocate(std::size_t buckets, bool huge_pages, MemoryContext& cx);
  /// Forgets the chains; the memory is the context's.
  void Clear() { buckets_ = nullptr; }
  bool allocated() const { return buckets_ != nullptr; }
  std::size_t buckets() const { return mask_ + 1; }

  void Insert(StoredRow* row) {
    std::uint64_t& bucket = buckets_[BucketOf(row->hash, mask_ + 1)];
    row->next = bucket;
    bucket = reinterpret_cast<std::uintptr_t>(row) | (bucket & ~kAddress) | Tags(row->hash);
  }
  /// The same for many, with their cache lines asked for ahead.
  void Insert(std::span<StoredRow* const> rows);
  /// All rows of a store but those that match nothing.
  void InsertAll(const RowStore& rows, const RowLayout& layout);

  /// The link at the head of a hash's chain.
  std::uint64_t Head(std::uint64_t hash) const { return buckets_[BucketOf(hash, mask_ + 1)]; }
  void Prefetch(std::uint64_t hash) const {
    __builtin_prefetch(&buckets_[BucketOf(hash, mask_ + 1)]);
  }
  /// Whether the hash may be among what the link leads to.
  static bool MayLeadTo(std::uint64_t link, std::uint64_t tags) { return (link & tags) == tags; }
  static StoredRow* RowAt(std::uint64_t link) {
    return reinterpret_cast<StoredRow*>(static_cast<std::uintptr_t>(link & kAddress));
  }
  static std::uint64_t Tags(std::uint64_t hash) {
    return (std::uint64_t{1} << (48 + (hash >> 60))) |
           (std::uint64_t{1} << (48 + ((hash >> 56) & 15)));
  }

 private:
  std::uint64_t* buckets_ = nullptr;
  std::uint64_t mask_ = 0;
};

}  // namespace relcache
