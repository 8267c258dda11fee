// Invalidations are the messages by which a catalog source reports that an object has changed
// (PostgreSQL's inval.c and SharedInvalidationMessage). A hub passes them on to the listeners, of
// which the relation cache is one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "relcache/base/oid.h"

namespace relcache {

/// The kind of object that changed, or the state of the connection over which changes are learnt.
enum class InvalidationKind : std::uint8_t {
  kRelation,    ///< a relation was created, changed or dropped
  kType,        ///< a type, its constraints or its enum labels changed
  kFunction,    ///< a function changed
  kOperator,    ///< an operator changed
  kCollation,   ///< a collation changed
  kNamespace,   ///< a schema was created, renamed or dropped
  kEverything,  ///< anything may have changed
  kLinkLost,    ///< from now on changes are missed
  kLinkBack,    ///< changes are noticed again; those in between are not known
};

/// One change. `oid` identifies the object; it is 0 for the kinds that do not concern a single
/// object.
struct Invalidation {
  InvalidationKind kind = InvalidationKind::kEverything;
  Oid oid = kInvalidOid;
  friend bool operator==(const Invalidation&, const Invalidation&) = default;
};

/// A function that is called with one or more changes. It may run on any thread and may call the
/// source, which holds no lock meanwhile. It must not throw; if it does, the process stops.
using InvalidationListener = std::function<void(std::span<const Invalidation>)>;

class InvalidationHub;

/// The handle of a listener; the subscription ends when the handle is destroyed or reset. When
/// Reset() returns, the listener is not running and will not be called again; Reset waits for a run
/// on another thread. If the listener itself calls Reset, Reset returns at once, and the current
/// run is the last one.
/// Lifetime: may outlive the source.
/// Thread safety: one thread at a time; it may be moved to and destroyed on any thread.
class [[nodiscard]] InvalidationSubscription {
 public:
  InvalidationSubscription() = default;
  InvalidationSubscription(InvalidationSubscription&&) noexcept = default;
  InvalidationSubscription& operator=(InvalidationSubscription&& other) noexcept;
  ~InvalidationSubscription() { Reset(); }
  /// Ends the subscription. Does nothing if there is none.
  void Reset() noexcept;
  /// Whether this is the handle of a listener.
  explicit operator bool() const noexcept { return listener_ != nullptr; }

 private:
  friend class InvalidationHub;
  struct Listener;
  std::shared_ptr<Listener> listener_;
};

/// The listeners of a source; each source owns one hub.
/// Thread safety: any thread may make any call. A listener is never called by two threads at once.
class InvalidationHub {
 public:
  InvalidationHub();
  InvalidationHub(const InvalidationHub&) = delete;
  InvalidationHub& operator=(const InvalidationHub&) = delete;
  ~InvalidationHub();

  /// Adds a listener.
  InvalidationSubscription Subscribe(InvalidationListener listener);
  /// Calls all listeners. The changes must already be visible to Load, and the caller must not hold
  /// a lock that Load takes.
  /// Cost: one call per listener.
  void Publish(std::span<const Invalidation> changes) noexcept;
  void Publish(Invalidation change) noexcept { Publish({&change, 1}); }

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace relcache
