#include "relcache/catalog/invalidation.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "relcache/base/mutex.h"

namespace relcache {

// The function is set as long as the subscription exists. The mutex is held while the function
// runs, so that ending the subscription waits for it. The mutex is recursive, so that the listener
// may end its own subscription.
struct InvalidationSubscription::Listener {
  explicit Listener(InvalidationListener f) : function(std::move(f)) {}

  sync::RecursiveMutex mutex;
  const InvalidationListener function;
  bool ended RELCACHE_GUARDED_BY(mutex) = false;
};

// The list is replaced as a whole and not changed. Publishing therefore needs no memory and cannot
// fail: a change that has happened is always reported.
struct InvalidationHub::State {
  using List = std::vector<std::weak_ptr<InvalidationSubscription::Listener>>;
  sync::Mutex mutex;
  std::shared_ptr<const List> listeners RELCACHE_GUARDED_BY(mutex) = std::make_shared<const List>();
};

InvalidationSubscription& InvalidationSubscription::operator=(
    InvalidationSubscription&& other) noexcept {
  if (this != &other) {
    Reset();
    listener_ = std::move(other.listener_);
  }
  return *this;
}

void InvalidationSubscription::Reset() noexcept {
  if (listener_ == nullptr) return;
  {
    // The function object itself is destroyed with the last pointer to the listener, because it may
    // be running at this moment.
    const sync::MutexLock lock(listener_->mutex);
    listener_->ended = true;
  }
  listener_.reset();
}

InvalidationHub::InvalidationHub() : state_(std::make_shared<State>()) {}
InvalidationHub::~InvalidationHub() = default;

InvalidationSubscription InvalidationHub::Subscribe(InvalidationListener listener) {
  InvalidationSubscription subscription;
  subscription.listener_ =
      std::make_shared<InvalidationSubscription::Listener>(std::move(listener));
  const sync::MutexLock lock(state_->mutex);
  State::List listeners;
  std::ranges::remove_copy_if(*state_->listeners, std::back_inserter(listeners),
                              [](const auto& one) { return one.expired(); });
  listeners.push_back(subscription.listener_);
  state_->listeners = std::make_shared<const State::List>(std::move(listeners));
  return subscription;
}

void InvalidationHub::Publish(std::span<const Invalidation> changes) noexcept {
  if (changes.empty()) return;
  const std::shared_ptr<const State::List> listeners = [&] {
    const sync::MutexLock lock(state_->mutex);
    return state_->listeners;
  }();
  for (const auto& one : *listeners) {
    const std::shared_ptr<InvalidationSubscription::Listener> listener = one.lock();
    if (listener == nullptr) continue;
    const sync::MutexLock lock(listener->mutex);
    if (!listener->ended) listener->function(changes);
  }
}

}  // namespace relcache
