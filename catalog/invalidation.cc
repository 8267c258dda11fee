#include "relcache/catalog/invalidation.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace relcache {

// The function is set as long as the subscription lasts. The mutex is held while it runs, so that
// ending the subscription waits for it; it is recursive so that the listener may end itself.
struct Subscription::Listener {
  std::recursive_mutex mutex;
  InvalidationListener function;
  bool ended = false;
};

struct InvalidationHub::State {
  std::mutex mutex;
  std::vector<std::weak_ptr<Subscription::Listener>> listeners;
};

Subscription& Subscription::operator=(Subscription&& other) noexcept {
  if (this != &other) {
    Reset();
    listener_ = std::move(other.listener_);
  }
  return *this;
}

void Subscription::Reset() noexcept {
  if (listener_ == nullptr) return;
  {
    // The function itself goes with the last pointer to the listener: it may be what runs here.
    const std::lock_guard lock(listener_->mutex);
    listener_->ended = true;
  }
  listener_.reset();
}

InvalidationHub::InvalidationHub() : state_(std::make_shared<State>()) {}
InvalidationHub::~InvalidationHub() = default;

Subscription InvalidationHub::Subscribe(InvalidationListener listener) {
  Subscription subscription;
  subscription.listener_ = std::make_shared<Subscription::Listener>();
  subscription.listener_->function = std::move(listener);
  const std::lock_guard lock(state_->mutex);
  std::erase_if(state_->listeners, [](const auto& one) { return one.expired(); });
  state_->listeners.push_back(subscription.listener_);
  return subscription;
}

void InvalidationHub::Publish(std::span<const Invalidation> changes) {
  if (changes.empty()) return;
  std::vector<std::weak_ptr<Subscription::Listener>> listeners;
  {
    const std::lock_guard lock(state_->mutex);
    listeners = state_->listeners;
  }
  for (const auto& one : listeners) {
    const std::shared_ptr<Subscription::Listener> listener = one.lock();
    if (listener == nullptr) continue;
    const std::lock_guard lock(listener->mutex);
    if (!listener->ended) listener->function(changes);
  }
}

}  // namespace relcache
