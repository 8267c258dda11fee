// BuildOnce holds a value that is built by the first thread that needs it, while other threads that
// need it wait. Unlike std::call_once, a build may fail for good or be tried again, and recursion
// is detected.
#pragma once

#include <atomic>
#include <cstdint>

namespace relcache::internal {

/// The state of a value that is built when it is first needed, and a pointer to it, in 16 bytes. It
/// does not own the value.
///
///     switch (once.Enter()) {
///       case Turn::kReady:  ... once.value() ...
///       case Turn::kFailed: ... once.value() ...
///       case Turn::kBuild:  ... then exactly one of Publish, Fail, Abandon
///       case Turn::kRecursive: the calling thread is building it already
///     }
///
/// Thread safety: any thread may make any call. Waiting threads wait for this object only.
class BuildOnce {
 public:
  /// What the caller of Enter has to do; see the example above.
  enum class Turn : std::uint8_t { kReady, kFailed, kBuild, kRecursive };

  /// The value, or nullptr if it has not been built.
  /// Cost: one load and a comparison.
  const void* ready() const noexcept {
    return state_.load(std::memory_order_acquire) == kReady ? value_.load(std::memory_order_relaxed)
                                                            : nullptr;
  }
  /// Whether Fail was called.
  bool failed() const noexcept { return state_.load(std::memory_order_acquire) == kFailed; }
  /// The argument of Publish or Fail.
  const void* value() const noexcept { return value_.load(std::memory_order_relaxed); }

  /// Says what the caller has to do. If another thread is building the value, waits until it has
  /// finished.
  Turn Enter() noexcept;
  /// Ends a build: the value is available from now on.
  void Publish(const void* value) noexcept { Settle(kReady, value); }
  /// Ends a build: the value cannot be built, and `error` says why.
  void Fail(const void* error) noexcept { Settle(kFailed, error); }
  /// Ends a build without a result; the next caller of Enter may try again.
  void Abandon() noexcept { Settle(kUntouched, nullptr); }

 private:
  enum State : std::uint32_t { kUntouched, kBuilding, kFailed, kReady };
  void Settle(State state, const void* value) noexcept;

  std::atomic<std::uint32_t> state_{kUntouched};
  /// While the value is being built, an address that identifies the building thread; that is how
  /// Enter detects recursion.
  std::atomic<const void*> value_{nullptr};
};

}  // namespace relcache::internal
