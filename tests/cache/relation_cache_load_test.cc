#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <new>
#include <stdexcept>
#include <thread>

#include "relcache/cache/relation_cache.h"
#include "sample_relations.h"

namespace relcache {
namespace {

using test::kPositive;
using test::kT;
using test::kU;
using test::Put;
using test::Table;
using testing::HasSubstr;

using RelationCacheLoadTest = test::TwoTables;

// --- Load ---------------------------------------------------------------------------------------

TEST_F(RelationCacheLoadTest, ALoadOvertakenByAnInvalidationIsUsedOnceAndNotKept) {
  RelationCache cache(catalog);
  bool again = true;
  catalog.SetLoadHook([&](std::size_t, Oid) -> Status {
    if (std::exchange(again, false)) cache.Invalidate(kT);
    return {};
  });
  {
    RelationPin pin = Take(cache.Open(kT));
    EXPECT_TRUE(pin.stale());
    EXPECT_EQ(pin->name(), "t");
    EXPECT_EQ(cache.stats().entries, 0u);
  }
  EXPECT_EQ(cache.stats().bytes, 0u);
  EXPECT_EQ(cache.stats().unpublished, 1u);
  RelationPin pin = Take(cache.Open(kT));
  EXPECT_FALSE(pin.stale());
  EXPECT_EQ(catalog.loads(), 2u);
}

struct ChangeCase {
  const char* name;
  Invalidation change;
};
class ChangeDuringLoadTest : public RelationCacheLoadTest,
                             public testing::WithParamInterface<ChangeCase> {};

TEST_P(ChangeDuringLoadTest, IsNotLost) {
  RelationCache cache(catalog);
  bool again = true;
  catalog.SetLoadHook([&](std::size_t, Oid) -> Status {
    if (std::exchange(again, false)) catalog.Publish(GetParam().change);
    return {};
  });
  EXPECT_TRUE(Take(cache.Open(kT)).stale());
  EXPECT_EQ(cache.stats().entries, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ChangeDuringLoadTest,
    testing::Values(ChangeCase{"relation", {InvalidationKind::kRelation, kT}},
                    ChangeCase{"type", {InvalidationKind::kType, 23}},
                    ChangeCase{"function", {InvalidationKind::kFunction, 147}},
                    ChangeCase{"operator", {InvalidationKind::kOperator, 521}},
                    ChangeCase{"collation", {InvalidationKind::kCollation, 100}},
                    ChangeCase{"namespace", {InvalidationKind::kNamespace, 2200}},
                    ChangeCase{"everything", {InvalidationKind::kEverything, 0}},
                    ChangeCase{"link_lost", {InvalidationKind::kLinkLost, 0}},
                    ChangeCase{"link_back", {InvalidationKind::kLinkBack, 0}}),
    [](const auto& test) { return test.param.name; });

TEST_F(RelationCacheLoadTest, ASourceThatFailsInTheMiddleLeavesTheOldStateWhole) {
  RelationCache cache(catalog);
  RelationPin old = Take(cache.Open(kT));
  RelationPin other = Take(cache.Open(kU));
  cache.Invalidate(kT);
  const CacheStats before = cache.stats();
  catalog.FailLoads(0, Error(ErrorCode::kSource, "08006", "connection lost"));
  for (int i = 0; i < 3; ++i) {
    auto pin = cache.Open(kT);
    ASSERT_FALSE(pin);
    EXPECT_EQ(pin.error().code, ErrorCode::kSource);
    EXPECT_STREQ(pin.error().sqlstate, "08006");
    EXPECT_THAT(pin.error().ToString(), HasSubstr("relation with OID 16400"));
  }
  EXPECT_EQ(cache.stats().bytes, before.bytes);
  EXPECT_EQ(cache.stats().load_failures, 3u);
  EXPECT_EQ(old->checks().front().text(), kPositive);
  EXPECT_FALSE(other.stale());
  EXPECT_TRUE(cache.Open(kU));  // what is there needs no source
  catalog.SetLoadHook(nullptr);
  EXPECT_TRUE(cache.Open(kT));
}

TEST_F(RelationCacheLoadTest, WhatTheSourceThrowsIsAnError) {
  RelationCache cache(catalog);
  catalog.SetLoadHook([](std::size_t, Oid) -> Status { throw std::runtime_error("socket"); });
  auto pin = cache.Open(kT);
  ASSERT_FALSE(pin);
  EXPECT_EQ(pin.error().code, ErrorCode::kSource);
  EXPECT_THAT(pin.error().message, HasSubstr("the catalog source threw: socket"));
  catalog.SetLoadHook([](std::size_t, Oid) -> Status { throw 7; });
  EXPECT_FALSE(cache.Open(kT));
  catalog.SetLoadHook([](std::size_t, Oid) -> Status { throw std::bad_alloc(); });
  EXPECT_THROW((void)cache.Open(kT), std::bad_alloc);
  catalog.SetLoadHook(nullptr);
  EXPECT_TRUE(cache.Open(kT));  // no load was left hanging
}

TEST_F(RelationCacheLoadTest, ASourceThatOpensWhatItLoadsGetsAnErrorInsteadOfADeadlock) {
  RelationCache cache(catalog);
  catalog.SetLoadHook([&](std::size_t, Oid oid) -> Status {
    if (oid != kT) return {};
    auto inner = cache.Open(kT);
    EXPECT_FALSE(inner);
    EXPECT_THAT(inner.error().message, HasSubstr("same thread"));
    EXPECT_TRUE(cache.Open(kU));  // another relation is fine
    return {};
  });
  EXPECT_TRUE(cache.Open(kT));
}

TEST_F(RelationCacheLoadTest, ASourceMayUseAnotherCacheWhileItLoads) {
  RelationCache cache(catalog), other(catalog);
  bool inner = false;
  catalog.SetLoadHook([&](std::size_t, Oid) -> Status {
    if (std::exchange(inner, true)) return {};
    EXPECT_TRUE(other.Open(kU));
    return {};
  });
  RelationPin pin = Take(cache.Open(kT));
  EXPECT_EQ(cache.stats().pins, 1u);
  EXPECT_EQ(other.stats().pins, 0u);
  other.InvalidateAll();
  EXPECT_EQ(pin->name(), "t");
}

TEST_F(RelationCacheLoadTest, ThreadsThatWantOneRelationShareOneLoad) {
  RelationCache cache(catalog);
  std::latch all(4);
  catalog.SetLoadHook([&](std::size_t, Oid) -> Status {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return {};
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      all.arrive_and_wait();
      EXPECT_TRUE(cache.Open(kT));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(catalog.loads(), 1u);
}

TEST_F(RelationCacheLoadTest, WhoWaitedForALoadThatFailedTriesItself) {
  RelationCache cache(catalog);
  std::latch loading(1);
  std::atomic<int> calls{0};
  catalog.SetLoadHook([&](std::size_t, Oid) -> Status {
    if (calls++ != 0) return {};
    loading.count_down();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return Fail(ErrorCode::kSource, "08006", "once");
  });
  std::thread first([&] { EXPECT_FALSE(cache.Open(kT)); });
  loading.wait();
  EXPECT_TRUE(cache.Open(kT));
  first.join();
}

// --- Rows that cannot be ------------------------------------------------------------------------

struct BadRows {
  const char* name;
  void (*spoil)(Table& table);
  const char* message;
};
class BadRowsTest : public testing::TestWithParam<BadRows> {};

TEST_P(BadRowsTest, AreAnErrorThatSaysWhatAndWhere) {
  test::RawSource source(Table(kT, "t").Check("c").Check("d"));
  GetParam().spoil(source.table);
  RelationCache cache(source);
  auto pin = cache.Open(kT);
  ASSERT_FALSE(pin);
  EXPECT_THAT(pin.error().ToString(), HasSubstr(GetParam().message));
  EXPECT_EQ(cache.stats().bytes, 0u);
  EXPECT_EQ(cache.stats().entries, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BadRowsTest,
    testing::Values(
        BadRows{"another_oid", [](Table& bad) { bad.rows.pg_class.oid = 1; },
                "relation public.t: the source delivered relation 1 for OID 16400"},
        BadRows{"column_missing", [](Table& bad) { bad.columns.pop_back(); },
                "pg_attribute catalog is missing 1 attribute(s) for relation OID 16400"},
        BadRows{"column_too_many", [](Table& bad) { bad.rows.pg_class.relnatts = 1; },
                "1 attribute(s) too many"},
        BadRows{"natts_negative", [](Table& bad) { bad.rows.pg_class.relnatts = -1; },
                "2 attribute(s) too many"},
        BadRows{"column_number", [](Table& bad) { bad.columns[1].attnum = 7; },
                "invalid attribute number 7 for t"},
        BadRows{"order", [](Table& bad) { std::swap(bad.constraints[0], bad.constraints[1]); },
                "out of order"}),
    [](const auto& test) { return test.param.name; });

TEST(BadSourceTest, OneThatDeliversTooFewRowsIsAnError) {
  test::RawSource source((Table(kT, "t")));
  source.deliver_nothing = true;
  RelationCache cache(source);
  auto pin = cache.Open(kT);
  ASSERT_FALSE(pin);
  EXPECT_THAT(pin.error().ToString(), HasSubstr("asked for 1 relations, the source delivered 0"));
}

TEST(BadSourceTest, AnOidThatBearsAnotherNameThanAskedForEndsInAnError) {
  test::RawSource source((Table(kT, "t")));
  RelationCache cache(source);
  auto pin = cache.Open("public", "x");
  ASSERT_FALSE(pin);
  EXPECT_THAT(pin.error().message, HasSubstr("public.x meant another relation"));
  EXPECT_TRUE(cache.Open("public", "t"));
}

TEST(BadSourceTest, ACheckWithoutTextIsAnErrorOfThatCheck) {
  test::RawSource source(Table(kT, "t").Check("c", "").Check("d"));
  RelationCache cache(source);
  RelationPin pin = cache.Open(kT).value();
  Result<const TreeImage*> tree = pin->checks()[0].expression().Get();
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().ToString(), "relation public.t, constraint c: conbin: null conbin");
  EXPECT_TRUE(pin->checks()[1].expression().Get());
}

}  // namespace
}  // namespace relcache
