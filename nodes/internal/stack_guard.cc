#include "relcache/nodes/internal/stack_guard.h"

#include <pthread.h>

#include <cstddef>

namespace relcache {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uintptr_t kReserve = 96 << 10;  // frames are several times their size
#else
constexpr std::uintptr_t kReserve = 32 << 10;  // for functions that are called on the deepest level
#endif
constexpr std::uintptr_t kForeignStack = 64 << 10;

struct Bounds {
  std::uintptr_t low = 0, high = 0;
};

Bounds FindBounds() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {1, 1};
  void* address = nullptr;
  std::size_t size = 0;
  const bool known = pthread_attr_getstack(&attributes, &address, &size) == 0;
  pthread_attr_destroy(&attributes);
  if (!known) return {1, 1};  // nothing is within
  const auto low = reinterpret_cast<std::uintptr_t>(address);
  return {low, low + size};
}

constinit thread_local Bounds bounds [[gnu::tls_model("initial-exec")]];

}  // namespace

std::uintptr_t StackGuard::Limit() {
  if (bounds.high == 0) [[unlikely]]
    bounds = FindBounds();
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (here > bounds.low && here <= bounds.high) return bounds.low + kReserve;
  return here - kForeignStack;
}

}  // namespace relcache
