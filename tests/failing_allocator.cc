#include "relcache/tests/failing_allocator.h"

#include <cstdlib>

namespace relcache {
namespace {

struct ThreadState {
  bool armed = false;
  int paused = 0;
  bool failed = false;
  std::uint64_t requests = 0;
  std::uint64_t fail_at = 0;
  std::int64_t live = 0;
};
constinit thread_local ThreadState state;

void Count() {
  if (!state.armed || state.paused != 0) return;
  if (++state.requests != state.fail_at) return;
  state.failed = true;
  throw std::bad_alloc();
}

/// One for all threads and for ever: contexts that it watches may outlive the test that made them.
class Observer final : public AllocationObserver {
 public:
  void OnAllocate(MemoryContext&, std::size_t) override { Count(); }
  void OnFree(MemoryContext&, std::size_t) noexcept override {}
};
constinit Observer observer;

}  // namespace

FailingAllocator::FailingAllocator(std::uint64_t fail_at) {
  RELCACHE_CHECK(!state.armed);
  state.armed = true;
  state.failed = false;
  state.requests = 0;
  state.fail_at = fail_at;
  WatchNewContexts(&observer);
}

FailingAllocator::~FailingAllocator() {
  WatchNewContexts(nullptr);
  state.armed = false;
}

void FailingAllocator::Cover(MemoryContext& context) {
  FailurePause pause;
  context.Watch(observer);
}

bool FailingAllocator::failed() const {
  return state.failed;
}
std::uint64_t FailingAllocator::requests() const {
  return state.requests;
}

FailurePause::FailurePause() {
  ++state.paused;
}
FailurePause::~FailurePause() {
  --state.paused;
}

std::int64_t LiveAllocations() {
  return state.live;
}

namespace {

void* Take(std::size_t size, std::size_t alignment) {
  Count();
  void* memory = alignment <= alignof(std::max_align_t)
                     ? std::malloc(size != 0 ? size : 1)
                     : std::aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
  if (memory == nullptr) throw std::bad_alloc();
  ++state.live;
  return memory;
}
void* TryTake(std::size_t size, std::size_t alignment) noexcept {
  try {
    return Take(size, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void Give(void* memory) noexcept {
  if (memory == nullptr) return;
  --state.live;
  std::free(memory);
}

}  // namespace
}  // namespace relcache

using relcache::Give;
using relcache::Take;
using relcache::TryTake;

void* operator new(std::size_t size) {
  return Take(size, 1);
}
void* operator new[](std::size_t size) {
  return Take(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Take(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return Take(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return TryTake(size, 1);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return TryTake(size, 1);
}
void operator delete(void* memory) noexcept {
  Give(memory);
}
void operator delete[](void* memory) noexcept {
  Give(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  Give(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  Give(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  Give(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  Give(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  Give(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  Give(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  Give(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  Give(memory);
}
