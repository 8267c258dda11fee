// Which hashes a set surely does not hold (PostgreSQL's lib/bloomfilter.c, one cache line a value).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace relcache {

/// A filter of 64-bit words, three bits of one word for every hash. The words are the caller's: a
/// power of two of them, zeroed. Thread safety: one thread at a time while adding.
class BloomFilter {
 public:
  BloomFilter() = default;
  explicit BloomFilter(std::span<std::uint64_t> words) : words_(words) {}

  bool empty() const { return words_.empty(); }
  std::span<std::uint64_t> words() const { return words_; }

  void Add(std::uint64_t hash) { words_[Index(hash)] |= Pattern(hash); }
  /// False only for what was never added.
  bool MayContain(std::uint64_t hash) const {
    const std::uint64_t pattern = Pattern(hash);
    return (words_[Index(hash)] & pattern) == pattern;
  }

  /// Makes the filter half as long; what it holds stays in it. The word's number comes from the
  /// hash's low end, so that both halves lie upon each other.
  void Fold() {
    const std::size_t half = words_.size() / 2;
    for (std::size_t i = 0; i < half; ++i) words_[i] |= words_[half + i];
    words_ = words_.first(half);
  }

 private:
  std::size_t Index(std::uint64_t hash) const { return (hash >> 20) & (words_.size() - 1); }
  static std::uint64_t Pattern(std::uint64_t hash) {
    return (1ULL << (hash & 63)) | (1ULL << ((hash >> 6) & 63)) | (1ULL << ((hash >> 12) & 63));
  }

  std::span<std::uint64_t> words_;
};

}  // namespace relcache
