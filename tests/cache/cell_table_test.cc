#include "relcache/cache/internal/cell_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "relcache/cache/internal/entry_store.h"

namespace relcache::internal {
namespace {

class CellTableTest : public testing::Test {
 protected:
  CacheEntry& Make(Oid oid) {
    owned.push_back(CacheEntry::Create(oid, store, 0, 0));
    return *owned.back();
  }
  void Link(CacheEntry& entry) {
    table.Reserve();
    table.Link(entry.oid(), entry);
  }

  EntryStore store{1 << 20, true, {}};
  CellTable table;
  std::vector<CacheEntry::Ptr> owned;
};

TEST_F(CellTableTest, FindsWhatWasLinkedAndNothingElse) {
  CacheEntry& entry = Make(7);
  EXPECT_EQ(table.Find(7), nullptr);
  EXPECT_EQ(table.Lookup(7), nullptr);
  Link(entry);
  EXPECT_EQ(table.Find(7), &entry);
  ASSERT_NE(table.Lookup(7), nullptr);
  EXPECT_EQ(table.Lookup(7)->entry.load(), &entry);
  EXPECT_EQ(&table.Unlink(7), &entry);
  EXPECT_EQ(table.Lookup(7), nullptr);
  EXPECT_EQ(table.size(), 0u);
}

TEST_F(CellTableTest, BehavesAsAMapUnderRandomLinksAndUnlinks) {
  std::minstd_rand random(1);
  std::map<Oid, CacheEntry*> model;
  // Few oids over all 32 bits: long probes, much shifting back, growth in between.
  std::vector<Oid> oids;
  for (int i = 0; i < 3000; ++i) oids.push_back(static_cast<Oid>(random() | 1));
  for (int i = 0; i < 60'000; ++i) {
    const Oid oid = oids[random() % (i < 5000 ? 100 : oids.size())];
    if (const auto found = model.find(oid); found != model.end()) {
      EXPECT_EQ(&table.Unlink(oid), found->second);
      model.erase(found);
    } else {
      CacheEntry& entry = Make(oid);
      Link(entry);
      model.emplace(oid, &entry);
    }
    ASSERT_EQ(table.size(), model.size());
  }
  for (const Oid oid : oids) {
    const auto found = model.find(oid);
    ASSERT_EQ(table.Find(oid), found == model.end() ? nullptr : found->second);
  }
  std::size_t seen = 0;
  table.ForEach([&](CacheEntry& entry) {
    EXPECT_EQ(model.at(entry.oid()), &entry);
    ++seen;
  });
  EXPECT_EQ(seen, model.size());
}

TEST_F(CellTableTest, RemoveIfTakesExactlyWhatIsPicked) {
  std::minstd_rand random(2);
  std::map<Oid, bool> odd;
  while (odd.size() < 500) {
    const Oid oid = static_cast<Oid>(random() | 1);
    if (!odd.emplace(oid, random() % 2 == 0).second) continue;
    Link(Make(oid));
  }
  std::size_t taken = 0, wanted = 0;
  for (const auto& [oid, pick] : odd) wanted += pick;
  table.RemoveIf([&](const CacheEntry& entry) { return odd.at(entry.oid()); },
                 [&](const CacheEntry& entry) {
                   EXPECT_TRUE(odd.at(entry.oid()));
                   ++taken;
                 });
  EXPECT_EQ(taken, wanted);
  for (const auto& [oid, pick] : odd) EXPECT_EQ(table.Find(oid) == nullptr, pick);
}

TEST_F(CellTableTest, TheHandGivesASecondChance) {
  for (Oid oid = 1; oid <= 10; ++oid) Link(Make(oid));
  std::vector<Oid> taken;
  const auto sweep = [&](std::size_t rounds, std::size_t how_many) {
    taken.clear();
    table.Sweep(
        rounds, [](const CacheEntry&, bool used) { return !used; },
        [&] { return taken.size() == how_many; },
        [&](const CacheEntry& entry) { taken.push_back(entry.oid()); });
  };
  sweep(1, 3);
  EXPECT_TRUE(taken.empty());  // all were new: their bits are gone now
  table.Lookup(5)->used.store(1);
  sweep(1, 9);
  EXPECT_EQ(taken.size(), 9u);
  EXPECT_NE(table.Find(5), nullptr);
  sweep(2, 1);
  EXPECT_EQ(taken, std::vector<Oid>{5});
  EXPECT_EQ(table.size(), 0u);
}

}  // namespace
}  // namespace relcache::internal
