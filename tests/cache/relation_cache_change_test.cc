#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "relcache/cache/relation_cache.h"
#include "sample_relations.h"

namespace relcache {
namespace {

using test::kMissing;
using test::kT;
using test::kU;
using test::Put;
using test::Table;
using testing::HasSubstr;

using RelationCacheChangeTest = test::TwoTables;

// --- Invalidation -------------------------------------------------------------------------------

struct KindCase {
  const char* name;
  InvalidationKind kind;
  Oid hit, miss;
};
class InvalidateObjectTest : public RelationCacheChangeTest,
                             public testing::WithParamInterface<KindCase> {};

TEST_P(InvalidateObjectTest, DropsWhoNamesItAndNobodyElse) {
  Put(catalog, Table(kU, "u", "app").ColumnType(1, 20).ColumnType(2, 20));
  RelationCache cache(catalog);
  RelationPin t = Take(cache.Open(kT)), u = Take(cache.Open(kU));
  cache.Apply({GetParam().kind, GetParam().miss});
  EXPECT_FALSE(t.stale());
  cache.Apply({GetParam().kind, GetParam().hit});
  EXPECT_TRUE(t.stale());
  EXPECT_FALSE(u.stale());
  EXPECT_FALSE(Take(cache.Open(kT)).stale());
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, InvalidateObjectTest,
    testing::Values(KindCase{"type", InvalidationKind::kType, 23, 25},
                    KindCase{"function", InvalidationKind::kFunction, 147, 148},
                    KindCase{"operator", InvalidationKind::kOperator, 521, 522}),
    [](const auto& test) { return test.param.name; });

TEST_F(RelationCacheChangeTest, ObjectsThatDdlCanChangeAreFoundByIndex) {
  constexpr Oid kDomain = 20000;
  for (Oid oid = 17000; oid < 17100; ++oid) {
    Put(catalog, Table(oid, "d" + std::to_string(oid)).ColumnType(1, oid % 10 == 0 ? kDomain : 23));
  }
  RelationCache cache(catalog);
  for (Oid oid = 17000; oid < 17100; ++oid) EXPECT_TRUE(cache.Open(oid));
  EXPECT_EQ(cache.stats().indexed_dependencies, 10u);
  cache.Apply({InvalidationKind::kType, kDomain + 1});
  EXPECT_EQ(cache.stats().entries, 100u);
  cache.Apply({InvalidationKind::kType, kDomain});
  EXPECT_EQ(cache.stats().entries, 90u);
  EXPECT_EQ(cache.stats().indexed_dependencies, 0u);
}

TEST_F(RelationCacheChangeTest, ANameSpaceTakesItsRelationsWithIt) {
  Table in_app(kU, "u", "app");
  in_app.rows.pg_class.relnamespace = 18000;
  Put(catalog, in_app);
  RelationCache cache(catalog);
  RelationPin t = Take(cache.Open(kT)), u = Take(cache.Open(kU));
  cache.Apply({InvalidationKind::kNamespace, 18000});
  EXPECT_FALSE(t.stale());
  EXPECT_TRUE(u.stale());
}

TEST_F(RelationCacheChangeTest, InvalidatesManyAtOnceAndWhatIsNotThere) {
  RelationCache cache(catalog);
  RelationPin t = Take(cache.Open(kT)), u = Take(cache.Open(kU));
  const Oid oids[] = {kMissing, kT, kInvalidOid, kU, kT};
  cache.Invalidate(oids);
  EXPECT_TRUE(t.stale());
  EXPECT_TRUE(u.stale());
  EXPECT_EQ(cache.stats().invalidated, 2u);
  cache.Invalidate(std::span<const Oid>());
  cache.InvalidateAll();
}

TEST_F(RelationCacheChangeTest, ABatchOfEveryKindIsApplied) {
  RelationCache cache(catalog);
  RelationPin t = Take(cache.Open(kT)), u = Take(cache.Open(kU));
  std::vector<Invalidation> changes(1000, {InvalidationKind::kRelation, kMissing});
  changes.push_back({InvalidationKind::kOperator, 521});
  changes.insert(changes.end(), 1000, {InvalidationKind::kRelation, kMissing});
  changes.push_back({InvalidationKind::kRelation, kU});
  cache.Apply(changes);
  EXPECT_TRUE(t.stale());
  EXPECT_TRUE(u.stale());
}

TEST_F(RelationCacheChangeTest, WithTheLinkDownNothingIsKept) {
  RelationCache cache(catalog);
  RelationPin before = Take(cache.Open(kT));
  catalog.Publish({InvalidationKind::kLinkLost, 0});
  EXPECT_TRUE(before.stale());
  EXPECT_FALSE(cache.stats().connected);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Take(cache.Open(kT)).stale());
  EXPECT_EQ(catalog.loads(), 4u);
  EXPECT_FALSE(cache.Open("public", "nothing"));
  EXPECT_EQ(cache.stats().negative_entries, 0u);
  EXPECT_EQ(cache.stats().entries, 0u);
  catalog.Publish({InvalidationKind::kLinkBack, 0});
  EXPECT_FALSE(Take(cache.Open(kT)).stale());
  EXPECT_EQ(cache.stats().entries, 1u);
}

TEST_F(RelationCacheChangeTest, WithTheLinkDownItServesWhatItHasIfTold) {
  CacheOptions options;
  options.serve_while_disconnected = true;
  RelationCache cache(catalog, options);
  RelationPin before = Take(cache.Open(kT));
  catalog.Publish({InvalidationKind::kLinkLost, 0});
  EXPECT_FALSE(before.stale());
  EXPECT_FALSE(Take(cache.Open(kT)).stale());
  EXPECT_EQ(catalog.loads(), 1u);
  catalog.Publish({InvalidationKind::kLinkBack, 0});
  EXPECT_TRUE(before.stale());
  EXPECT_FALSE(Take(cache.Open(kT)).stale());
}

// --- Bounds -------------------------------------------------------------------------------------

TEST_F(RelationCacheChangeTest, AHundredThousandTimesInvalidatedAndOpenedTheBytesAreTheSame) {
  RelationCache cache(catalog);
  EXPECT_TRUE(cache.Open(kT));
  const CacheStats first = cache.stats();
  for (int i = 0; i < 100'000; ++i) {
    cache.Invalidate(kT);
    const Result<RelationPin> pin = cache.Open(kT);
    ASSERT_TRUE(pin);
  }
  const CacheStats last = cache.stats();
  EXPECT_EQ(last.bytes, first.bytes);
  EXPECT_EQ(last.table_bytes, first.table_bytes);
  EXPECT_EQ(last.pin_bytes, first.pin_bytes);
  EXPECT_EQ(last.entries, 1u);
  EXPECT_EQ(last.invalidated, 100'000u);
}

TEST_F(RelationCacheChangeTest, StaysWithinItsBudgetAndKeepsWhatIsUsed) {
  constexpr Oid kFirst = 30000, kMany = 2000;
  for (Oid oid = kFirst; oid < kFirst + kMany; ++oid) {
    Put(catalog, Table(oid, "m" + std::to_string(oid)).Check("c"));
  }
  CacheOptions options;
  options.budget_bytes = 256 * 1024;
  RelationCache cache(catalog, options);
  std::size_t reloads_of_hot = 0;
  RelationPin pinned = Take(cache.Open(kFirst + 1));
  for (Oid oid = kFirst; oid < kFirst + kMany; ++oid) {
    EXPECT_TRUE(cache.Open(oid));
    const std::uint64_t before = catalog.loads();
    EXPECT_TRUE(cache.Open(kT));
    reloads_of_hot += catalog.loads() - before;
    ASSERT_LE(cache.stats().bytes, options.budget_bytes);
  }
  EXPECT_LE(reloads_of_hot, 1u);  // used between any two rounds of the hand
  EXPECT_GT(cache.stats().evicted, 1000u);
  EXPECT_FALSE(pinned.stale());
  const std::uint64_t before = catalog.loads();
  EXPECT_TRUE(cache.Open(kFirst + 1));
  EXPECT_EQ(catalog.loads(), before);  // what is pinned is not evicted
}

TEST_F(RelationCacheChangeTest, AnyNumberOfMissingNamesTakesABoundedPlace) {
  CacheOptions options;
  options.negative_entries = 100;
  RelationCache cache(catalog, options);
  const std::size_t before = cache.stats().negative_bytes;
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_FALSE(cache.Open("public", "missing_" + std::to_string(i)));
  }
  const CacheStats stats = cache.stats();
  EXPECT_EQ(stats.negative_bytes, before);
  EXPECT_LE(stats.negative_entries, 128u);
  EXPECT_EQ(stats.bytes, 0u);
  EXPECT_EQ(stats.name_lookups, 100'000u);
}

TEST_F(RelationCacheChangeTest, WarmLoadsManyAndPassesOverWhatIsMissing) {
  RelationCache cache(catalog);
  const Oid oids[] = {kT, kMissing, kU, kT};
  EXPECT_TRUE(cache.Warm(oids));
  EXPECT_EQ(cache.stats().entries, 2u);
  const std::uint64_t loads = catalog.loads();
  EXPECT_TRUE(cache.Open(kT));
  EXPECT_TRUE(cache.Open("app", "u"));
  EXPECT_EQ(catalog.loads(), loads);
  cache.InvalidateAll();
  catalog.FailLoads(1, Error(ErrorCode::kSource, "08006", "down"));
  const Status down = cache.Warm(oids);
  ASSERT_FALSE(down);
  EXPECT_THAT(down.error().ToString(), HasSubstr("relation with OID 16400 and 2 more: down"));
  EXPECT_EQ(cache.stats().bytes, 0u);
  catalog.SetLoadHook(nullptr);
  EXPECT_TRUE(cache.Open(kT));  // no load was left hanging
}

TEST_F(RelationCacheChangeTest, TheStatisticsPrintOneFigureALine) {
  RelationCache cache(catalog);
  EXPECT_TRUE(cache.Open(kT));
  EXPECT_THAT(cache.stats().ToString(), HasSubstr("\nloads 1\n"));
  EXPECT_THAT(cache.stats().ToString(), HasSubstr("\nentries 1\n"));
}

}  // namespace
}  // namespace relcache
