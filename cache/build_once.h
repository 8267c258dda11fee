// A value that is built once, by whoever needs it first, while others who need it wait.
#pragma once

#include <atomic>
#include <cstdint>

namespace relcache::internal {

/// The state of a lazy value and a pointer to it; 16 bytes. Owns nothing.
///
///     switch (once.Enter()) {
///       case Turn::kReady:  ... once.value() ...
///       case Turn::kFailed: ... once.value() ...
///       case Turn::kBuild:  ... then exactly one of Publish, Fail, Abandon
///       case Turn::kRecursive: the caller is the one who builds it
///     }
///
/// Thread safety: all calls from any thread. The pointer is not read before the state that says
/// what it is. Waiting is on this object alone.
class BuildOnce {
 public:
  enum class Turn : std::uint8_t { kReady, kFailed, kBuild, kRecursive };

  /// The value, or nullptr if it is not there. Cost: one load and a compare.
  const void* ready() const noexcept {
    return state_.load(std::memory_order_acquire) == kReady ? value_.load(std::memory_order_relaxed)
                                                            : nullptr;
  }
  bool failed() const noexcept { return state_.load(std::memory_order_acquire) == kFailed; }
  /// What Publish or Fail was given.
  const void* value() const noexcept { return value_.load(std::memory_order_relaxed); }

  /// Finds out whose turn it is; waits while another thread builds.
  Turn Enter() noexcept;
  /// The value is there for good.
  void Publish(const void* value) noexcept { Settle(kReady, value); }
  /// There will never be a value; `error` says why.
  void Fail(const void* error) noexcept { Settle(kFailed, error); }
  /// Nothing was built; the next one may try.
  void Abandon() noexcept { Settle(kUntouched, nullptr); }

 private:
  enum State : std::uint32_t { kUntouched, kBuilding, kFailed, kReady };
  void Settle(State state, const void* value) noexcept;

  std::atomic<std::uint32_t> state_{kUntouched};
  /// While building: an address that is the builder's thread's own.
  std::atomic<const void*> value_{nullptr};
};

}  // namespace relcache::internal
