// A store-load fence in two halves: free on the side that runs often, a system call on the rare
// one.
#pragma once

#include <atomic>

namespace relcache::internal {

/// Two sides each store something and then load what the other side stores; at least one of them
/// must see the other's store (Dekker). StoreThenLoad() is the frequent side's store, Heavy()
/// stands between store and load of the rare side. With membarrier(2) Heavy() makes every running
/// thread of the process execute a full fence, so that StoreThenLoad() costs no more than a store;
/// without it (an old kernel, a sandbox, another system) StoreThenLoad() is an exchange and Heavy()
/// nothing, and the argument is plain C++20: all of these accesses are sequentially consistent.
class AsymmetricFence {
 public:
  /// `use_membarrier` false forces the portable way.
  explicit AsymmetricFence(bool use_membarrier);

  /// Whether membarrier is in use.
  bool asymmetric() const noexcept { return asymmetric_; }

  /// Stores; the caller's next seq_cst load is ordered after it.
  template <class T>
  void StoreThenLoad(std::atomic<T>& to, T value) const noexcept {
    if (asymmetric_) [[likely]] {
      to.store(value, std::memory_order_release);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      to.exchange(value, std::memory_order_seq_cst);
    }
  }

  /// Cost: a system call, about a microsecond. Call it under no lock.
  void Heavy() const noexcept;

 private:
  bool asymmetric_;
};

}  // namespace relcache::internal
