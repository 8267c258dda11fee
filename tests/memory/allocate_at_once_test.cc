// AllocateAtOnce: the first step of an allocation, or nothing.
#include "relcache/memory/internal/allocate_at_once.h"

#include <gtest/gtest.h>

namespace relcache {
namespace {

TEST(AllocateAtOnceTest, ABumpGivesWhatItsBlockHolds) {
  const ContextPtr cx = Bump::CreateRoot("bump", Bump::SizedFor(64));
  if (RELCACHE_CHECKED_CONTEXTS) {
    EXPECT_EQ(AllocateAtOnce(8, *cx), nullptr) << "checked contexts see every request";
    return;
  }
  auto* first = static_cast<char*>(AllocateAtOnce(24, *cx));
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(cx->Allocate(8), first + 24);
  EXPECT_EQ(AllocateAtOnce(32, *cx), first + 32);
  EXPECT_EQ(AllocateAtOnce(8, *cx), nullptr);
  EXPECT_EQ(cx->bytes_used(), Bump::kHeadBytes + 64);
  cx->Reset();
  EXPECT_EQ(AllocateAtOnce(24, *cx), first);
}

TEST(AllocateAtOnceTest, AnAllocSetAndAWatchedContextAreToBeAsked) {
  struct Observer : AllocationObserver {
    void OnAllocate(MemoryContext&, std::size_t) override {}
    void OnFree(MemoryContext&, std::size_t) noexcept override {}
  } observer;
  const ContextPtr set = AllocSet::CreateRoot("set");
  EXPECT_EQ(AllocateAtOnce(8, *set), nullptr);
  const ContextPtr bump = Bump::CreateRoot("bump");
  bump->Watch(observer);
  EXPECT_EQ(AllocateAtOnce(8, *bump), nullptr);
  bump->Unwatch();
}

}  // namespace
}  // namespace relcache
