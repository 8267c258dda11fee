// Lets the Nth request for memory fail, for N = 1, 2, 3 ...: what follows must be std::bad_alloc or
// an Error, and nothing may leak or be left half done. Requests are those to contexts and to
// operator new (which this replaces in every test program) made by the calling thread.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <utility>

#include "relcache/memory/memory_context.h"

namespace relcache {

/// While it lives, the `fail_at`th request of this thread throws std::bad_alloc, once. Contexts
/// that the thread makes meanwhile are covered by themselves; those that exist already, by Cover.
class FailingAllocator {
 public:
  /// `fail_at` counts from 1; 0 only counts.
  explicit FailingAllocator(std::uint64_t fail_at);
  ~FailingAllocator();
  FailingAllocator(const FailingAllocator&) = delete;
  FailingAllocator& operator=(const FailingAllocator&) = delete;

  /// The context and all below it. It may outlive this object.
  void Cover(MemoryContext& context);
  /// Whether the request came that was to fail.
  bool failed() const;
  std::uint64_t requests() const;
};

/// Requests are neither counted nor failed: around what a library does that takes no allocator.
class FailurePause {
 public:
  FailurePause();
  ~FailurePause();
  FailurePause(const FailurePause&) = delete;
  FailurePause& operator=(const FailurePause&) = delete;
};

/// What this thread took from operator new and did not give back.
std::int64_t LiveAllocations();

/// Calls operation(allocator) with the first, second, third ... request failing until it gets
/// through without; the operation may throw std::bad_alloc or handle it. Whatever it allocated it
/// must have freed when it ends. After each call, after(). Returns how many requests failed.
template <class Operation, class After>
std::uint64_t ForEachFailure(Operation&& operation, After&& after) {
  constexpr std::uint64_t kEnough = 1'000'000;
  {
    // What is made once for all is made now.
    FailingAllocator counting(0);
    operation(counting);
  }
  for (std::uint64_t n = 1; n < kEnough; ++n) {
    const std::int64_t live = LiveAllocations();
    bool failed;
    {
      FailingAllocator allocator(n);
      try {
        operation(allocator);
      } catch (const std::bad_alloc&) {
        EXPECT_TRUE(allocator.failed()) << "an exception that nobody asked for, at request " << n;
      }
      failed = allocator.failed();
    }
    EXPECT_EQ(LiveAllocations(), live) << "leaked when request " << n << " failed";
    after();
    if (!failed || ::testing::Test::HasFailure()) return n - 1;
  }
  ADD_FAILURE() << "the operation never ends";
  return kEnough;
}
template <class Operation>
std::uint64_t ForEachFailure(Operation&& operation) {
  return ForEachFailure(std::forward<Operation>(operation), [] {});
}

}  // namespace relcache
