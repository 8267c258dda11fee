#include "relcache/cache/build_once.h"

namespace relcache::internal {

namespace {
/// Its address identifies the thread.
thread_local constinit char t_thread = 0;
}  // namespace

BuildOnce::Turn BuildOnce::Enter() noexcept {
  for (;;) {
    std::uint32_t state = state_.load(std::memory_order_acquire);
    if (state == kReady) return Turn::kReady;
    if (state == kFailed) return Turn::kFailed;
    if (state == kUntouched) {
      if (!state_.compare_exchange_strong(state, kBuilding, std::memory_order_acquire)) continue;
      value_.store(&t_thread, std::memory_order_relaxed);
      return Turn::kBuild;
    }
    // Only this thread stores the address of its t_thread, so if it is here, this thread is the one
    // that builds.
    if (value_.load(std::memory_order_relaxed) == &t_thread) return Turn::kRecursive;
    state_.wait(kBuilding, std::memory_order_acquire);
  }
}

void BuildOnce::Settle(State state, const void* value) noexcept {
  value_.store(value, std::memory_order_relaxed);
  state_.store(state, std::memory_order_release);
  state_.notify_all();
}

}  // namespace relcache::internal
