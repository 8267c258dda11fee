// A guard against recursion that would overrun the stack because of its input.
#pragma once

#include <cstdint>

namespace relcache {

/// Knows where the current thread's stack ends. A function that recurses over input calls ok() on
/// every level and reports an error if there is no room left (PostgreSQL's stack_is_too_deep). On a
/// stack that is not the thread's own, such as a fiber's, it allows 64 kB from the place where it
/// was made.
/// Lifetime: must not outlive the stack frame in which it was made.
/// Thread safety: for the thread that made it.
class StackGuard {
 public:
  StackGuard() : limit_(Limit()) {}

  /// Whether there is room for another level.
  [[gnu::always_inline]] bool ok() const {
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) > limit_;
  }

 private:
  static std::uintptr_t Limit();

  std::uintptr_t limit_;
};

}  // namespace relcache
