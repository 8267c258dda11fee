// AllocateAtOnce is the part of MemoryContext::Allocate that needs no call, for loops that allocate
// many small pieces.
#pragma once

#include <cstddef>

#include "relcache/memory/memory_context.h"

namespace relcache {

namespace internal {
struct BumpAccess : MemoryContext {
  static std::byte*& free(MemoryContext& cx) noexcept { return cx.*(&BumpAccess::bump_free_); }
  static std::byte* end(const MemoryContext& cx) noexcept { return cx.*(&BumpAccess::bump_end_); }
};
}  // namespace internal

/// Returns `size` bytes if moving a pointer is enough, which is so in a Bump whose current block
/// has room. Otherwise returns null, and the caller must use Allocate. If the caller does that in a
/// separate function, its loop contains no call and keeps its values in registers. `size` is a
/// multiple of 8 and not 0.
[[nodiscard]] inline void* AllocateAtOnce(std::size_t size, MemoryContext& cx) noexcept {
#if !RELCACHE_CHECKED_CONTEXTS
  std::byte*& free = internal::BumpAccess::free(cx);
  // In an AllocSet, and while a context is watched, both are null.
  if (size <= static_cast<std::size_t>(internal::BumpAccess::end(cx) - free)) [[likely]] {
    void* start = free;
    if (start == nullptr) __builtin_unreachable();
    free += size;
    return start;
  }
#else
  static_cast<void>(size);
  static_cast<void>(cx);
#endif
  return nullptr;
}

}  // namespace relcache
