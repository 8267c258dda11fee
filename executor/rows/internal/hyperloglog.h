// How many different values a stream of hashes has, in 4 kB (PostgreSQL's lib/hyperloglog.c).
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace relcache {

/// Counts distinct 64-bit hashes to about 1.6 %. Thread safety: one thread at a time.
class HyperLogLog {
 public:
  void Add(std::uint64_t hash) {
    const std::size_t index = hash >> (64 - kBits);
    // A one behind the last bit bounds the rank.
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
    // Few values: counting the registers that are still empty is more exact.
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
