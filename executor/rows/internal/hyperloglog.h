// Estimates the number of different values in a stream of hashes, in 4 kB (PostgreSQL's
// lib/hyperloglog.c).
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace relcache {

/// Estimates the number of different 64-bit hashes with a standard error of about 1.6 %.
/// Thread safety: one thread at a time.
class HyperLogLog {
 public:
  void Add(std::uint64_t hash) {
    const std::size_t index = hash >> (64 - kBits);
    // A one after the last bit limits the rank.
    const auto rank =
        static_cast<std::uint8_t>(1 + std::countl_zero((hash << kBits) | (1ULL << (kBits - 1))));
    if (rank > registers_[index]) registers_[index] = rank;
  }

  double Estimate() const {
    double sum = 0;
    int zeros = 0;
    for (const std::uint8_t r : registers_) {
      sum += std::ldexp(1.0, -int{r});
      zeros += r == 0 ? 1 : 0;
    }
    constexpr double kM = kRegisters;
    const double raw = 0.7213 / (1 + 1.079 / kM) * kM * kM / sum;
    // For few values, the number of registers that are still zero gives a better estimate.
    if (raw <= 2.5 * kM && zeros > 0) return kM * std::log(kM / zeros);
    return raw;
  }

  void Clear() { registers_.fill(0); }

 private:
  static constexpr int kBits = 12;
  static constexpr std::size_t kRegisters = 1U << kBits;
  std::array<std::uint8_t, kRegisters> registers_{};
};

}  // namespace relcache
