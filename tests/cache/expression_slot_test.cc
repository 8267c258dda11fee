#include "relcache/cache/expression_slot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "relcache/cache/relation_cache.h"
#include "relcache/nodes/nodes.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/nodes/write.h"
#include "sample_relations.h"

namespace relcache {
namespace {

using test::kPositive;
using test::Put;
using test::Table;
using testing::HasSubstr;

constexpr Oid kT = 16400;

class ExpressionSlotTest : public testing::Test {
 protected:
  explicit ExpressionSlotTest(std::string_view text = kPositive) {
    Put(catalog, Table(kT, "t").Check("c", text));
  }
  RelationPin OpenT() {
    Result<RelationPin> pin = cache.Open(kT);
    EXPECT_TRUE(pin) << (pin ? "" : pin.error().ToString());
    return pin ? std::move(*pin) : RelationPin();
  }
  static const ExpressionSlot& Check(const RelationPin& pin) {
    return pin->checks().front().expression();
  }
  static std::string Text(const TreeImage& image) {
    const ContextPtr cx = AllocSet::CreateRoot("test");
    return std::string(NodeToString(image.root(), {.pg_version = image.pg_version()}, *cx).value());
  }

  MemoryCatalog catalog;
  RelationCache cache{catalog};
};

TEST_F(ExpressionSlotTest, ReadsTheTreeOnceAndCountsItsBytes) {
  RelationPin pin = OpenT();
  const ExpressionSlot& slot = Check(pin);
  EXPECT_FALSE(slot.built());
  EXPECT_EQ(slot.bytes(), 0u);
  const std::size_t before = cache.stats().bytes, entry_before = pin->bytes();
  Result<const TreeImage*> tree = slot.Get();
  ASSERT_TRUE(tree) << tree.error().ToString();
  EXPECT_TRUE(slot.built());
  EXPECT_EQ(slot.Get().value(), *tree);
  EXPECT_EQ(Text(**tree), kPositive);
  EXPECT_EQ((*tree)->pg_version(), 15);
  EXPECT_GE(slot.bytes(), (*tree)->bytes());
  EXPECT_EQ(cache.stats().bytes, before + slot.bytes());
  EXPECT_EQ(pin->bytes(), entry_before + slot.bytes());
  RelationPin again = OpenT();
  EXPECT_EQ(&*again, &*pin);  // the same version has the tree
}

TEST_F(ExpressionSlotTest, APinnedVersionReadsAnExpressionThatNobodyUsedBeforeItWasInvalidated) {
  RelationPin pin = OpenT();
  Put(catalog, Table(kT, "t").Check("c", "{damaged"));
  catalog.FailLoads(0, Error(ErrorCode::kSource, "08006", "the source is gone"));
  ASSERT_TRUE(pin.stale());
  Result<const TreeImage*> tree = Check(pin).Get();
  ASSERT_TRUE(tree) << tree.error().ToString();
  EXPECT_EQ(Text(**tree), kPositive);
  pin.Close();
  EXPECT_EQ(cache.stats().bytes, 0u);
}

TEST_F(ExpressionSlotTest, ThreadsGetOneTree) {
  for (int round = 0; round < 20; ++round) {
    cache.InvalidateAll();
    RelationPin pin = OpenT();
    std::latch start(3);
    std::vector<const TreeImage*> trees(3);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < trees.size(); ++i) {
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        trees[i] = Check(pin).Get().value();
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(trees[0], trees[1]);
    EXPECT_EQ(trees[0], trees[2]);
  }
}

TEST_F(ExpressionSlotTest, ACopyOutlivesTheEntry) {
  const ContextPtr cx = AllocSet::CreateRoot("test");
  Node* copy = nullptr;
  {
    RelationPin pin = OpenT();
    copy = CopyTree(*Check(pin).Get().value(), *cx);
  }
  cache.InvalidateAll();
  EXPECT_EQ(cache.stats().bytes, 0u);
  ASSERT_TRUE(IsA<OpExpr>(copy));
  As<OpExpr>(copy)->opno = 525;
  EXPECT_THAT(std::string(NodeToString(copy, {}, *cx).value()), HasSubstr(":opno 525"));
}

// --- Damaged texts ------------------------------------------------------------------------------

TEST(DamagedExpressionTest, AnErrorSaysWhatAndWhereAndIsRemembered) {
  MemoryCatalog catalog;
  Put(catalog, Table(kT, "t", "app").Check("c", "{NOSUCHNODE :x 1}").Check("d"));
  RelationCache cache(catalog);
  Result<RelationPin> pin = cache.Open(kT);
  ASSERT_TRUE(pin);
  RelationPin held = std::move(*pin);
  for (int i = 0; i < 2; ++i) {
    Result<const TreeImage*> tree = held->checks()[0].expression().Get();
    ASSERT_FALSE(tree);
    EXPECT_THAT(tree.error().ToString(), HasSubstr("relation app.t, constraint c: conbin"));
    EXPECT_TRUE(tree.error().offset.has_value());
  }
  EXPECT_TRUE(held->checks()[1].expression().Get());  // the others are as they were
}

TEST(DamagedExpressionTest, CutAnywhereItIsAnErrorAndNothingLeaks) {
  MemoryCatalog catalog;
  RelationCache cache(catalog);
  for (std::size_t n = 1; n < kPositive.size(); ++n) {
    Put(catalog, Table(kT, "t").Check("c", std::string(kPositive.substr(0, n))));
    Result<RelationPin> pin = cache.Open(kT);
    ASSERT_TRUE(pin);
    RelationPin held = std::move(*pin);
    EXPECT_FALSE(held->checks()[0].expression().Get()) << n;
  }
  cache.InvalidateAll();
  EXPECT_EQ(cache.stats().bytes, 0u);
}

TEST(DamagedExpressionTest, TheReadersBoundsAreTheCaches) {
  MemoryCatalog catalog;
  Put(catalog, Table(kT, "t").Check("c"));
  CacheOptions options;
  options.trees.max_nodes = 2;
  RelationCache cache(catalog, options);
  Result<RelationPin> pin = cache.Open(kT);
  ASSERT_TRUE(pin);
  RelationPin held = std::move(*pin);
  Result<const TreeImage*> tree = held->checks()[0].expression().Get();
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().code, ErrorCode::kLimit);
}

// --- Derived values -----------------------------------------------------------------------------

struct Program {
  const Node* root;
  int variant;
};

TEST_F(ExpressionSlotTest, ADerivedValueIsBuiltOncePerTypeAndVariantAndDiesWithTheEntry) {
  int builds = 0, freed = 0;
  RelationPin pin = OpenT();
  const auto compile = [&](std::uint64_t variant) {
    return Check(pin).Derived<Program>(
        variant, [&](const TreeImage& tree, DerivedBuild& build) -> Result<const Program*> {
          ++builds;
          auto* callback = build.cx().New<ResetCallback>();
          callback->function = [](void* count) noexcept { ++*static_cast<int*>(count); };
          callback->argument = &freed;
          build.cx().OnReset(*callback);
          return build.cx().New<Program>(tree.root(), static_cast<int>(variant));
        });
  };
  const Program* one = compile(1).value();
  EXPECT_EQ(compile(1).value(), one);
  EXPECT_EQ(one->root, Check(pin).Get().value()->root());
  EXPECT_EQ(compile(2).value()->variant, 2);
  struct Other {
    int x;
  };
  const Other* other =
      Check(pin)
          .Derived<Other>(1,
                          [](const TreeImage&, DerivedBuild& build) -> Result<const Other*> {
                            return build.cx().New<Other>(5);
                          })
          .value();
  EXPECT_EQ(other->x, 5);
  EXPECT_EQ(builds, 2);
  cache.InvalidateAll();
  EXPECT_EQ(one->variant, 1);
  EXPECT_EQ(freed, 0);
  pin.Close();
  EXPECT_EQ(freed, 2);
  EXPECT_EQ(cache.stats().bytes, 0u);
}

TEST_F(ExpressionSlotTest, AnErrorOfABuilderIsRememberedUnlessItMayPass) {
  RelationPin pin = OpenT();
  int builds = 0;
  const auto build = [&](std::uint64_t variant, Error error) {
    return Check(pin).Derived<Program>(
        variant, [&](const TreeImage&, DerivedBuild&) -> Result<const Program*> {
          ++builds;
          return Fail(error);
        });
  };
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(build(1, NotSupported("function f(integer)")).error().message,
                HasSubstr("f(integer)"));
  }
  EXPECT_EQ(builds, 1);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(build(2, Error(ErrorCode::kSource, "08006", "link down")));
  }
  EXPECT_EQ(builds, 4);
  const auto throwing = [](const TreeImage&, DerivedBuild&) -> Result<const Program*> {
    throw std::bad_alloc();
  };
  EXPECT_THROW((void)Check(pin).Derived<Program>(3, throwing), std::bad_alloc);
  EXPECT_FALSE(build(3, NotSupported("x")));
  EXPECT_EQ(builds, 5);
}

TEST_F(ExpressionSlotTest, ABuilderThatAsksForItsOwnValueGetsAnError) {
  RelationPin pin = OpenT();
  bool refused = false;
  const auto inner = [](DerivedBuild& build) -> Result<const Program*> {
    return build.cx().New<Program>();
  };
  const Result<const Program*> outer =
      pin->derived().Get<Program>(0, [&](DerivedBuild& build) -> Result<const Program*> {
        refused = !pin->derived().Get<Program>(0, inner).has_value();
        return inner(build);
      });
  EXPECT_TRUE(outer);
  EXPECT_TRUE(refused);
}

TEST_F(ExpressionSlotTest, TheNumberOfDerivedValuesIsBounded) {
  RelationPin pin = OpenT();
  const auto build = [](DerivedBuild& place) -> Result<const Program*> {
    return place.cx().New<Program>();
  };
  for (int i = 0; i < DerivedValues::kMaxValues; ++i) {
    EXPECT_TRUE(pin->derived().Get<Program>(static_cast<std::uint64_t>(i), build));
  }
  const auto refused = pin->derived().Get<Program>(1000, build);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  EXPECT_TRUE(pin->derived().Get<Program>(7, build));
}

TEST_F(ExpressionSlotTest, WhatABuilderLookedUpDropsTheEntryWhenItChanges) {
  constexpr Oid kBaseType = 20000;
  const auto compile = [&](const RelationPin& pin, Invalidation meanwhile) {
    const Result<const Program*> program =
        pin->derived().Get<Program>(0, [&](DerivedBuild& build) -> Result<const Program*> {
          build.DependsOn(InvalidationKind::kType, kBaseType);
          build.DependsOn(InvalidationKind::kType, kBaseType);
          catalog.Publish(meanwhile);
          return build.cx().New<Program>();
        });
    EXPECT_TRUE(program);
  };
  const Invalidation nothing{InvalidationKind::kType, 20001},
      change{InvalidationKind::kType, kBaseType};
  {
    RelationPin pin = OpenT();
    compile(pin, nothing);
    EXPECT_EQ(cache.stats().indexed_dependencies, 1u);
    EXPECT_FALSE(pin.stale());
    catalog.Publish(change);
    EXPECT_TRUE(pin.stale());
  }
  {
    RelationPin pin = OpenT();
    compile(pin, change);  // between the look-up and the end of the build
    EXPECT_TRUE(pin.stale());
    compile(pin, change);
  }
  EXPECT_EQ(cache.stats().indexed_dependencies, 0u);
  EXPECT_EQ(cache.stats().bytes, 0u);
}

TEST_F(ExpressionSlotTest, GrowingBeyondTheBudgetEvictsOthers) {
  for (Oid oid = 17000; oid < 17010; ++oid) Put(catalog, Table(oid, "n" + std::to_string(oid)));
  const auto open_all = [](RelationCache& in) {
    for (Oid oid = 17000; oid < 17010; ++oid) EXPECT_TRUE(in.Open(oid));
    return in.Open(kT).value();
  };
  CacheOptions options;
  const RelationPin in_cache = open_all(cache);
  options.budget_bytes = cache.stats().bytes + in_cache->bytes();
  RelationCache small(catalog, options);
  RelationPin pin = open_all(small);
  EXPECT_EQ(small.stats().evicted, 0u);
  EXPECT_TRUE(pin->derived().Get<Program>(0, [this](DerivedBuild& build) -> Result<const Program*> {
    (void)build.cx().Allocate(cache.stats().bytes);
    return build.cx().New<Program>();
  }));
  EXPECT_GT(small.stats().evicted, 0u);
  EXPECT_FALSE(pin.stale());
}

#if defined(RELCACHE_PARANOID)
using ExpressionSlotDeathTest = ExpressionSlotTest;

TEST_F(ExpressionSlotDeathTest, ACachedTreeCannotBeWritten) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  RelationPin pin = OpenT();
  const TreeImage* tree = Check(pin).Get().value();
  // What no compiler lets through: the address as an integer.
  const auto address = reinterpret_cast<std::uintptr_t>(tree->root());
  EXPECT_DEATH(reinterpret_cast<Node*>(address)->tag = NodeTag{}, "");
  const auto row = reinterpret_cast<std::uintptr_t>(pin->attributes().data());
  EXPECT_DEATH(reinterpret_cast<AttributeRow*>(row)->attnum = 7, "");
}
#endif

}  // namespace
}  // namespace relcache
