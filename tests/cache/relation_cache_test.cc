#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "relcache/cache/relation_cache.h"
#include "sample_relations.h"

namespace relcache {
namespace {

using test::kMissing;
using test::kPositive;
using test::kT;
using test::kU;
using test::Put;
using test::Table;

using RelationCacheTest = test::TwoTables;

// --- Open ---------------------------------------------------------------------------------------

TEST_F(RelationCacheTest, OpensByOidAndByNameAndAsksTheSourceOnce) {
  RelationCache cache(catalog);
  RelationPin by_oid = Take(cache.Open(kT));
  EXPECT_EQ(by_oid->name(), "t");
  EXPECT_EQ(by_oid->schema(), "public");
  EXPECT_EQ(by_oid->checks().front().text(), kPositive);
  EXPECT_EQ(Take(cache.Open("public", "t")).operator bool(), true);
  RelationPin by_name = Take(cache.Open("app", "u"));
  EXPECT_EQ(by_name->oid(), kU);
  EXPECT_EQ(Take(cache.Open("app", "u")).operator bool(), true);
  EXPECT_EQ(catalog.loads(), 2u);
  EXPECT_EQ(cache.stats().name_lookups, 1u);
  EXPECT_EQ(cache.stats().hits, 2u);
}

TEST_F(RelationCacheTest, TheNamesOfOneRelationInTwoSchemasAreTwoRelations) {
  Put(catalog, Table(16500, "t", "app"));
  RelationCache cache(catalog);
  for (int round = 0; round < 3; ++round) {
    RelationPin in_public = Take(cache.Open("public", "t")), in_app = Take(cache.Open("app", "t"));
    EXPECT_EQ(in_public->oid(), kT);
    EXPECT_EQ(in_app->oid(), 16500u);
  }
}

TEST_F(RelationCacheTest, RefusesOidZero) {
  RelationCache cache(catalog);
  auto pin = cache.Open(kInvalidOid);
  ASSERT_FALSE(pin);
  EXPECT_EQ(pin.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(pin.error().message, "could not open relation with OID 0");
  EXPECT_EQ(catalog.loads(), 0u);
}

TEST_F(RelationCacheTest, WhatDoesNotExistIsNotFoundAndAskedForOnce) {
  RelationCache cache(catalog);
  for (int i = 0; i < 3; ++i) {
    auto by_oid = cache.Open(kMissing);
    ASSERT_FALSE(by_oid);
    EXPECT_EQ(by_oid.error().code, ErrorCode::kNotFound);
    EXPECT_EQ(by_oid.error().message, "could not open relation with OID 99999");
    auto by_name = cache.Open("public", "nothing");
    ASSERT_FALSE(by_name);
    EXPECT_EQ(by_name.error().code, ErrorCode::kNotFound);
    EXPECT_STREQ(by_name.error().sqlstate, "42P01");
    EXPECT_EQ(by_name.error().message, "relation \"public.nothing\" does not exist");
  }
  EXPECT_EQ(catalog.loads(), 1u);
  EXPECT_EQ(cache.stats().name_lookups, 1u);
  EXPECT_EQ(cache.stats().negative_hits, 4u);
  EXPECT_EQ(cache.stats().negative_entries, 2u);
}

TEST_F(RelationCacheTest, ARelationThatComesIntoBeingIsFound) {
  RelationCache cache(catalog);
  EXPECT_FALSE(cache.Open("public", "late"));
  EXPECT_FALSE(cache.Open(16600));
  Put(catalog, Table(16600, "late"));
  EXPECT_TRUE(cache.Open("public", "late"));
  EXPECT_TRUE(cache.Open(16600));
}

TEST_F(RelationCacheTest, NamesFollowARenameAndADrop) {
  RelationCache cache(catalog);
  EXPECT_TRUE(cache.Open("public", "t"));
  Put(catalog, Table(kT, "t_old"));
  Put(catalog, Table(16601, "t"));
  EXPECT_EQ(Take(cache.Open("public", "t_old")).stale(), false);
  RelationPin renamed = Take(cache.Open("public", "t_old")),
              fresh = Take(cache.Open("public", "t"));
  EXPECT_EQ(renamed->oid(), kT);
  EXPECT_EQ(fresh->oid(), 16601u);
  ASSERT_TRUE(catalog.Drop(16601));
  EXPECT_FALSE(cache.Open("public", "t"));
  EXPECT_FALSE(cache.Open(16601));
  EXPECT_EQ(fresh->name(), "t");
}

TEST_F(RelationCacheTest, EvictedByOidItIsFoundByNameStill) {
  CacheOptions options;
  options.budget_bytes = 1;  // nothing is kept
  RelationCache cache(catalog, options);
  for (int i = 0; i < 3; ++i) {
    RelationPin pin = Take(cache.Open("app", "u"));
    EXPECT_EQ(pin->oid(), kU);
  }
  EXPECT_EQ(cache.stats().entries, 0u);
  EXPECT_EQ(cache.stats().bytes, 0u);
}

// --- Pins ---------------------------------------------------------------------------------------

TEST_F(RelationCacheTest, APinStaysReadableAcrossInvalidationAndBecomesStale) {
  RelationCache cache(catalog);
  RelationPin old = Take(cache.Open(kT));
  Put(catalog, Table(kT, "t").Check("c").Check("d"));
  EXPECT_TRUE(old.stale());
  EXPECT_EQ(old->checks().size(), 1u);
  RelationPin fresh = Take(cache.Open(kT));
  EXPECT_FALSE(fresh.stale());
  EXPECT_EQ(fresh->checks().size(), 2u);
  EXPECT_LT(old->version(), fresh->version());
  EXPECT_EQ(cache.stats().old_versions, 1u);
  const std::size_t both = cache.stats().bytes;
  old.Close();
  EXPECT_EQ(cache.stats().old_versions, 0u);
  EXPECT_LT(cache.stats().bytes, both);
}

TEST_F(RelationCacheTest, PinsMoveAndCloseOnce) {
  RelationCache cache(catalog);
  RelationPin a = Take(cache.Open(kT));
  RelationPin b = std::move(a);
  EXPECT_FALSE(a);  // NOLINT: what a move leaves is what is tested
  EXPECT_TRUE(b);
  EXPECT_EQ(cache.stats().pins, 1u);
  b = Take(cache.Open(kU));
  EXPECT_EQ(b->oid(), kU);
  EXPECT_EQ(cache.stats().pins, 1u);
  RelationPin& same = b;
  b = std::move(same);
  EXPECT_TRUE(b);
  b.Close();
  b.Close();
  EXPECT_FALSE(b);
  EXPECT_FALSE(b.stale());
  EXPECT_EQ(cache.stats().pins, 0u);
}

TEST_F(RelationCacheTest, AThreadMayHoldAnyNumberOfPins) {
  RelationCache cache(catalog);
  std::vector<RelationPin> pins;
  for (int i = 0; i < 1000; ++i) pins.push_back(Take(cache.Open(i % 2 ? kT : kU)));
  EXPECT_EQ(cache.stats().pins, 1000u);
  cache.InvalidateAll();
  EXPECT_EQ(cache.stats().old_versions, 2u);
  for (RelationPin& pin : pins) EXPECT_TRUE(pin.stale());
  pins.clear();
  EXPECT_EQ(cache.stats().old_versions, 0u);
  EXPECT_EQ(cache.stats().bytes, 0u);
  EXPECT_LE(cache.stats().pin_bytes, 512u * 40);
}

TEST_F(RelationCacheTest, APinClosesOnAThreadThatNeverOpened) {
  RelationCache cache(catalog);
  RelationPin pin = Take(cache.Open(kT));
  cache.Invalidate(kT);
  std::thread([moved = std::move(pin)]() mutable { moved.Close(); }).join();
  EXPECT_EQ(cache.stats().bytes, 0u);
  EXPECT_EQ(cache.stats().old_versions, 0u);
}

TEST_F(RelationCacheTest, APinOutlivesTheThreadThatOpenedIt) {
  RelationCache cache(catalog);
  std::vector<RelationPin> pins;
  for (int i = 0; i < 20; ++i) {
    std::thread([&] { pins.push_back(Take(cache.Open(kT))); }).join();
  }
  EXPECT_EQ(cache.stats().pin_bytes, 512u);  // one after the other they used one block
  cache.InvalidateAll();
  for (RelationPin& pin : pins) EXPECT_EQ(pin->name(), "t");
  pins.clear();
  EXPECT_EQ(cache.stats().bytes, 0u);
}

TEST_F(RelationCacheTest, TwoCachesInTurnOnOneThread) {
  RelationCache one(catalog), two(catalog);
  for (int i = 0; i < 10; ++i) {
    RelationPin a = Take(one.Open(kT)), b = Take(two.Open(kT));
    EXPECT_NE(&*a, &*b);
  }
  one.InvalidateAll();
  EXPECT_EQ(one.stats().entries, 0u);
  EXPECT_EQ(two.stats().entries, 1u);
  EXPECT_EQ(catalog.loads(), 2u);
}

TEST_F(RelationCacheTest, CachesComeAndGoOnOneThread) {
  for (int i = 0; i < 100; ++i) {
    RelationCache cache(catalog);
    EXPECT_TRUE(cache.Open(kT));
  }
}

/// Opens in its destructor, which runs after the cache's own hook if it was made first.
struct OpensAtThreadExit {
  RelationCache* cache = nullptr;
  bool* opened = nullptr;
  ~OpensAtThreadExit() {
    if (cache == nullptr) return;
    *opened = cache->Open(kT).has_value() && cache->Open("app", "u").has_value();
  }
};

TEST_F(RelationCacheTest, AnEndingThreadMayOpenAndLeavesNothingBehind) {
  RelationCache cache(catalog);
  bool opened = false;
  std::thread([&] {
    thread_local OpensAtThreadExit late;
    late.cache = &cache;
    late.opened = &opened;
    EXPECT_TRUE(cache.Open(kT));
  }).join();
  EXPECT_TRUE(opened);
  EXPECT_EQ(cache.stats().pins, 0u);
  // Its block went back: another thread uses it.
  std::thread([&] { EXPECT_TRUE(cache.Open(kT)); }).join();
  EXPECT_EQ(cache.stats().pin_bytes, 512u);
}

using RelationCacheDeathTest = RelationCacheTest;

TEST_F(RelationCacheDeathTest, APinThatOutlivesItsCacheStopsTheProcessWithItsName) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        auto cache = std::make_unique<RelationCache>(catalog);
        RelationPin pin = Take(cache->Open(kT));
        cache.reset();
      },
      "a pin outlives its cache.*relation 16400 t");
}

}  // namespace
}  // namespace relcache
