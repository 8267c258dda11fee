#include "relcache/simulate/clock.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace relcache {

double NowMs() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double CpuMs() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

std::uint64_t MinorFaults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_minflt);
}

std::uint64_t Ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

double TicksOfReading() {
  constexpr int kReadings = 1000, kTries = 100;
  // The least of all tries, because an interruption can only add time.
  std::uint64_t least = UINT64_MAX;
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t begin = Ticks();
    std::uint64_t last = begin;
    for (int k = 0; k < kReadings; ++k) last = Ticks();
    least = std::min(least, last - begin);
  }
  return static_cast<double>(least) / kReadings;
}

}  // namespace relcache
