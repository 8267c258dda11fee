// Every request for memory of opening a relation, reading its expressions, invalidating and opening
// again fails once: what was there before stays whole, nothing leaks, and the next try works.
#include <gtest/gtest.h>

#include "relcache/cache/relation_cache.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/tests/failing_allocator.h"
#include "sample_relations.h"

namespace relcache {
namespace {

using test::Put;
using test::Table;

constexpr Oid kT = 16400;

class FailingMemory : public ::testing::Test {
 protected:
  FailingMemory() { Put(catalog, Table(kT, "t").Check("c").Check("d")); }

  /// Opens and reads everything; whatever fails must not be what this finds.
  static void ExpectWhole(RelationCache& cache) {
    const Result<RelationPin> pin = cache.Open(kT);
    ASSERT_TRUE(pin) << pin.error().ToString();
    ASSERT_EQ((*pin)->checks().size(), 2u);
    for (const auto& check : (*pin)->checks()) {
      const auto image = check.expression().Get();
      ASSERT_TRUE(image) << image.error().ToString();
    }
  }

  MemoryCatalog catalog;
};

TEST_F(FailingMemory, ACacheThatIsMadeUsedAndEnded) {
  const std::uint64_t failures = ForEachFailure([&](FailingAllocator&) {
    RelationCache cache(catalog);
    const Result<RelationPin> pin = cache.Open(kT);
    if (!pin) throw std::bad_alloc();
    for (const auto& check : (*pin)->checks()) {
      if (!check.expression().Get()) throw std::bad_alloc();
    }
    cache.Invalidate(std::vector<Oid>{kT});
  });
  EXPECT_GE(failures, 10u);
}

TEST_F(FailingMemory, ACacheThatGoesOn) {
  RelationCache cache(catalog);
  // What a failed call leaves in the cache is the cache's, and no leak: it goes before the count.
  struct EmptyAtEnd {
    RelationCache& cache;
    ~EmptyAtEnd() { cache.InvalidateAll(); }
  };
  ForEachFailure(
      [&](FailingAllocator&) {
        const EmptyAtEnd empty{cache};
        const Result<RelationPin> pin = cache.Open(kT);
        if (!pin) throw std::bad_alloc();
        for (const auto& check : (*pin)->checks()) {
          if (!check.expression().Get()) throw std::bad_alloc();
        }
      },
      [&] {
        ExpectWhole(cache);
        cache.InvalidateAll();
      });
}

TEST_F(FailingMemory, APinHeldThroughAFailedRebuildIsWhole) {
  RelationCache cache(catalog);
  const Result<RelationPin> held = cache.Open(kT);
  ASSERT_TRUE(held);
  cache.InvalidateAll();
  ForEachFailure(
      [&](FailingAllocator&) {
        if (!cache.Open(kT)) throw std::bad_alloc();
        cache.InvalidateAll();
      },
      [&] {
        EXPECT_EQ((*held)->checks().size(), 2u);
        EXPECT_TRUE((*held)->checks().front().expression().Get());
        cache.InvalidateAll();
      });
}

}  // namespace
}  // namespace relcache
