// Huge pages under large arrays: fewer page faults, fewer misses of the TLB.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#include "relcache/memory/align.h"

namespace relcache {

/// Asks for huge pages under those whole ones that lie in the memory, if it is long enough to gain
/// by them. Only advice: whether it is taken changes speed alone.
inline void AdviseHugePages(void* memory, std::size_t bytes) {
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  if (bytes < 2 * kHugePage) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = AlignUp(begin, kHugePage);
  const std::uintptr_t last = (begin + bytes) & ~(kHugePage - 1);
  if (last > first) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

}  // namespace relcache
