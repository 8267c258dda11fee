// How deep recursion over somebody else's input may go.
#pragma once

#include <cstdint>

namespace relcache {

/// Knows where the current thread's stack ends. Recursion over input asks ok() on every level and
/// reports an error when there is no room left (PostgreSQL's stack_is_too_deep). On a stack that is
/// not the thread's own (a fiber's) it allows 64 kB from where it was made.
/// Thread safety: for the thread that made it, and not longer than the frame that made it.
class StackGuard {
 public:
  StackGuard() : limit_(Limit()) {}

  /// Is there room for another level?
  [[gnu::always_inline]] bool ok() const {
    return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) > limit_;
  }

 private:
  static std::uintptr_t Limit();

  std::uintptr_t limit_;
};

}  // namespace relcache
