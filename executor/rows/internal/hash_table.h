// A hash table over stored rows. Its buckets are chains whose links contain a small filter of the
// rows that follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "relcache/executor/rows/internal/row_store.h"

namespace relcache {

/// An array of chains of stored rows. A link is a tagged row (row_store.h). In the tag, each row
/// that can be reached through the link has set two bits that depend on its hash. Most chains that
/// do not contain a hash can be recognized by the first link alone, and a chain is followed only as
/// long as a matching row may come. Thread safety: one thread at a time while building, then any
/// number of readers.
class HashTable {
 public:
  /// The number of buckets for `keys` different hashes, a power of two. It is computed in 64 bits,
  /// so only memory bounds it.
  static std::size_t BucketsFor(std::uint64_t keys);
  /// The bucket of a hash.
  static std::uint64_t BucketOf(std::uint64_t hash, std::uint64_t buckets) {
    return hash & (buckets - 1);
  }

  /// Allocates `buckets` empty chains, a power of two, in `cx`.
  void Allocate(std::size_t buckets, bool huge_pages, MemoryContext& cx);
  /// Forgets the chains. Their memory belongs to the context.
  void Clear() { buckets_ = nullptr; }
  bool allocated() const { return buckets_ != nullptr; }
  std::size_t buckets() const { return mask_ + 1; }

  void Insert(StoredRow* row) {
    std::uint64_t& bucket = buckets_[BucketOf(row->hash, mask_ + 1)];
    row->next = bucket;
    bucket = TagRow(row, (bucket & ~kRowAddressBits) | Tags(row->hash));
  }
  /// The same for many rows, with prefetching.
  void Insert(std::span<StoredRow* const> rows);
  /// Inserts all rows of a store except those that cannot match.
  void InsertAll(const RowStore& rows, const RowLayout& layout);

  /// The first link of a hash's chain.
  std::uint64_t Head(std::uint64_t hash) const { return buckets_[BucketOf(hash, mask_ + 1)]; }
  void Prefetch(std::uint64_t hash) const {
    __builtin_prefetch(&buckets_[BucketOf(hash, mask_ + 1)]);
  }
  /// Whether a row with these tags may be reachable through the link.
  static bool MayLeadTo(std::uint64_t link, std::uint64_t tags) { return (link & tags) == tags; }
  static StoredRow* RowAt(std::uint64_t link) { return TaggedRow(link); }
  static std::uint64_t Tags(std::uint64_t hash) {
    return (std::uint64_t{1} << (48 + (hash >> 60))) |
           (std::uint64_t{1} << (48 + ((hash >> 56) & 15)));
  }

 private:
  std::uint64_t* buckets_ = nullptr;
  std::uint64_t mask_ = 0;
};

}  // namespace relcache
