// A Bloom filter: it tells which hashes a set surely does not contain (PostgreSQL's
// lib/bloomfilter.c, with all bits of a value in one word).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace relcache {

/// A filter of 64-bit words, with three bits of one word for each hash. The caller provides the
/// words, a power of two of them, zeroed.
/// Thread safety: one thread at a time while adding.
class BloomFilter {
 public:
  BloomFilter() = default;
  explicit BloomFilter(std::span<std::uint64_t> words) : words_(words) {}

  bool empty() const { return words_.empty(); }
  std::span<std::uint64_t> words() const { return words_; }

  void Add(std::uint64_t hash) { words_[Index(hash)] |= Pattern(hash); }
  /// False only for a hash that was not added.
  bool MayContain(std::uint64_t hash) const {
    const std::uint64_t pattern = Pattern(hash);
    return (words_[Index(hash)] & pattern) == pattern;
  }

  /// Halves the filter without losing what was added. The word's index is taken from the low bits
  /// of a part of the hash, so the two halves can be combined word by word.
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
