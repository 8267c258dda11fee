// A store-load fence in two halves: the half that is used often costs nothing, and the other one is
// a system call.
#pragma once

#include <atomic>

namespace relcache::internal {

/// Two sides each store something and then load what the other side stores, and at least one of
/// them must see the other's store (Dekker's algorithm). StoreThenLoad() is the store of the
/// frequent side; Heavy() comes between the store and the load of the rare side. With
/// membarrier(2), Heavy() makes all running threads of the process execute a full fence, so that
/// StoreThenLoad() costs no more than a store. Without it (an old kernel, a sandbox, another
/// system), StoreThenLoad() is an exchange and Heavy() does nothing; then the argument is that of
/// C++20, since all of these accesses are sequentially consistent.
class AsymmetricFence {
 public:
  /// If `use_membarrier` is false, the portable way is used.
  explicit AsymmetricFence(bool use_membarrier);

  /// Whether membarrier is in use.
  bool asymmetric() const noexcept { return asymmetric_; }

  /// Stores a value. The caller's next seq_cst load is ordered after the store.
  template <class T>
  void StoreThenLoad(std::atomic<T>& to, T value) const noexcept {
    if (asymmetric_) [[likely]] {
      to.store(value, std::memory_order_release);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      to.exchange(value, std::memory_order_seq_cst);
    }
  }

  /// The fence of the rare side. Must not be called with a lock held.
  /// Cost: a system call, about a microsecond.
  void Heavy() const noexcept;

 private:
  bool asymmetric_;
};

}  // namespace relcache::internal
