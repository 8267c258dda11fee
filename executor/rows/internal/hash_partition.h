// Assigns hashes to partitions, and says how much memory the buffers of partitions may take.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace relcache {

/// Divides rows by hash into a power of two of partitions. Each level multiplies the hash by
/// another number, so that the rows of one partition are divided again on the next level.
class HashPartition {
 public:
  HashPartition() = default;
  HashPartition(std::uint32_t level, std::size_t partitions) : partitions_(partitions) {
    for (std::uint32_t i = 0; i < level; ++i)
      multiplier_ = (multiplier_ * 0xbf58476d1ce4e5b9 + 0x94d049bb133111eb) | 1;
  }

  std::size_t partitions() const { return partitions_; }
  std::size_t Of(std::uint64_t hash) const {
    return (hash * multiplier_ >> 32) & (partitions_ - 1);
  }

  /// Buffers may take an eighth of a memory limit, and a buffer holds at least a kilobyte.
  static std::size_t Most(std::size_t limit) {
    return std::bit_floor(std::clamp<std::size_t>(limit / 8 / 1024, 2, 1024));
  }
  static std::size_t BufferBytes(std::size_t limit, std::size_t partitions) {
    return std::clamp(limit / 8 / partitions & ~std::size_t{63}, std::size_t{1024},
                      std::size_t{64} << 10);
  }

 private:
  std::size_t partitions_ = 1;
  std::uint64_t multiplier_ = 0x9e3779b97f4a7c15;
};

}  // namespace relcache
