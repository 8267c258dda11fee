// Which sizes are asked for, and how much of it is freed singly.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "relcache/memory/memory_context.h"

namespace relcache {

/// Counts the requests to the contexts that it watches:
///   RequestProfile profile;
///   cx.Watch(profile);  ...  cx.Unwatch();
/// Cost: allocation in a watched context is several times slower; others do not notice.
/// Thread safety: that of the contexts it watches, all together.
class RequestProfile final : public AllocationObserver {
 public:
  /// Sizes up to 8, 16, 32 ... 8192, and larger ones.
  static constexpr std::size_t kClasses = 12;
  struct Class {
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;  ///< as requested
    std::uint64_t freed = 0;  ///< requests whose chunk was freed by itself
  };

  void OnAllocate(MemoryContext& context, std::size_t size) override;
  void OnFree(MemoryContext& context, std::size_t size) noexcept override;

  const std::array<Class, kClasses>& classes() const noexcept { return classes_; }
  /// The largest size of a class; SIZE_MAX of the last.
  static std::size_t LargestOf(std::size_t index) noexcept;
  Class Total() const noexcept;
  /// The share of requests of at most `size` bytes, a class's largest size; 0 if there were none.
  double ShareUpTo(std::size_t size) const noexcept;
  double ShareFreedSingly() const noexcept;
  /// A table with a line for each class that has requests, and the total.
  std::string ToText() const;

 private:
  std::array<Class, kClasses> classes_{};
};

}  // namespace relcache
