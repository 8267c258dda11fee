// RequestProfile counts which sizes are requested from memory contexts, and which chunks are freed
// one by one. It helps to choose the kind and the block sizes of a context. PostgreSQL has no such
// tool.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "relcache/memory/memory_context.h"

namespace relcache {

/// Counts the requests to the contexts that it watches:
///   RequestProfile profile;
///   cx.Watch(profile);  ...  cx.Unwatch();
/// Lifetime: must outlive the watching.
/// Thread safety: no more than the watched contexts; one thread at a time may use all of them
/// together.
/// Cost: allocation in a watched context is several times slower; other contexts are not affected.
class RequestProfile final : public AllocationObserver {
 public:
  /// The number of size classes: up to 8, 16, 32 ... 8192 bytes, and everything larger.
  static constexpr std::size_t kClasses = 12;
  struct Class {
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;  ///< the sum of the requested sizes
    std::uint64_t freed = 0;  ///< requests whose chunk was freed on its own
  };

  void OnAllocate(MemoryContext& context, std::size_t size) override;
  void OnFree(MemoryContext& context, std::size_t size) noexcept override;

  const std::array<Class, kClasses>& classes() const noexcept { return classes_; }
  /// The largest size that belongs to class `index`, in bytes; SIZE_MAX for the last class.
  static std::size_t LargestOf(std::size_t index) noexcept;
  /// The sum over all classes.
  Class Total() const noexcept;
  /// The share, from 0 to 1, of requests of at most `size` bytes, where `size` is the largest size
  /// of a class; 0 if there were no requests.
  double ShareUpTo(std::size_t size) const noexcept;
  /// The share, from 0 to 1, of requests whose chunk was freed on its own.
  double ShareFreedSingly() const noexcept;
  /// A table with one line for each class that has requests, and a line with the total.
  std::string ToText() const;

 private:
  std::array<Class, kClasses> classes_{};
};

}  // namespace relcache
