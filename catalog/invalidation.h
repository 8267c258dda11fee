// What a catalog source says when something changed, and who gets told.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "relcache/base/oid.h"

namespace relcache {

enum class InvalidationKind : std::uint8_t {
  kRelation,    ///< rows of a relation, created and dropped included
  kType,        ///< a type, its constraints or labels
  kFunction,    ///< a function
  kOperator,    ///< an operator
  kCollation,   ///< a collation
  kNamespace,   ///< a schema was created, renamed or dropped
  kEverything,  ///< anything may have changed
  kLinkLost,    ///< changes go unnoticed from here on
  kLinkBack,    ///< they are noticed again; what changed meanwhile is not known
};

/// Something changed. oid is 0 for the kinds that concern no single object.
struct Invalidation {
  InvalidationKind kind = InvalidationKind::kEverything;
  Oid oid = kInvalidOid;
  friend bool operator==(const Invalidation&, const Invalidation&) = default;
};

/// Called with a batch of changes. It may run on any thread, under no lock of the source, and may
/// call the source. It must not throw.
using InvalidationListener = std::function<void(std::span<const Invalidation>)>;

class InvalidationHub;

/// Ends a subscription when it goes.
/// Thread safety: a value; it may go on any thread. After Reset() the listener is not running, nor
/// will it run again, unless Reset was called from the listener itself, which then merely is not
/// called again. Lifetime: may outlive the source.
class [[nodiscard]] Subscription {
 public:
  Subscription() = default;
  Subscription(Subscription&&) noexcept = default;
  Subscription& operator=(Subscription&& other) noexcept;
  ~Subscription() { Reset(); }
  void Reset() noexcept;
  /// Whether there is a listener to end.
  explicit operator bool() const noexcept { return listener_ != nullptr; }

 private:
  friend class InvalidationHub;
  struct Listener;
  std::shared_ptr<Listener> listener_;
};

/// The list of those who listen to a source; every source owns one.
/// Thread safety: all calls from any thread. Batches reach one listener one after the other.
class InvalidationHub {
 public:
  InvalidationHub();
  InvalidationHub(const InvalidationHub&) = delete;
  InvalidationHub& operator=(const InvalidationHub&) = delete;
  ~InvalidationHub();

  Subscription Subscribe(InvalidationListener listener);
  /// Tells everyone. The change must be visible to Load already, and no lock that Load takes may be
  /// held. Cost: one call a listener.
  void Publish(std::span<const Invalidation> changes) noexcept;
  void Publish(Invalidation change) noexcept { Publish({&change, 1}); }

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace relcache
