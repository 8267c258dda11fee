#include "relcache/cache/internal/name_index.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace relcache::internal {
namespace {

TEST(NameIndexTest, HashesTellSchemaFromName) {
  std::set<std::uint64_t> hashes;
  for (const auto& [schema, name] :
       {std::pair("a", "bc"), std::pair("ab", "c"), std::pair("", "abc"), std::pair("abc", ""),
        std::pair("abcdefgh", "i"), std::pair("abcdefg", "hi")}) {
    hashes.insert(HashName(schema, name));
  }
  EXPECT_EQ(hashes.size(), 6u);
}

bool Has(const NameIndex& index, std::uint64_t hash, Oid wanted) {
  return index.ForEachCandidate(hash, [&](Oid oid) { return oid == wanted; });
}

TEST(NameIndexTest, GivesBackWhatWasPutIn) {
  NameIndex index(4096);
  for (Oid oid = 1; oid <= 1000; ++oid) index.Insert(HashName("s", std::to_string(oid)), oid);
  std::size_t found = 0;
  for (Oid oid = 1; oid <= 1000; ++oid)
    found += Has(index, HashName("s", std::to_string(oid)), oid);
  EXPECT_GE(found, 990u);  // sets of four at a load of a quarter hardly ever overflow
  EXPECT_FALSE(Has(index, HashName("s", "none"), 1));
}

TEST(NameIndexTest, ANewerOidTakesTheNamesPlace) {
  for (std::size_t names : {0u, 1u, 4u, 1000u}) {
    NameIndex index(names);
    const std::uint64_t hash = HashName("s", "t");
    index.Insert(hash, 1);
    index.Insert(hash, 2);
    EXPECT_TRUE(Has(index, hash, 2));
    EXPECT_FALSE(Has(index, hash, 1));
  }
}

TEST(NegativeEntriesTest, KeepsAnswersUntilSomethingChanges) {
  NegativeEntries negatives(16);
  const std::uint64_t hash = HashName("s", "t");
  negatives.Insert("s", "t", hash, negatives.generation());
  negatives.Insert(7, negatives.generation());
  EXPECT_TRUE(negatives.Contains("s", "t", hash));
  EXPECT_TRUE(negatives.Contains(7));
  EXPECT_FALSE(negatives.Contains("st", "", hash));
  EXPECT_FALSE(negatives.Contains(8));
  EXPECT_EQ(negatives.size(), 2u);
  negatives.Void();
  EXPECT_FALSE(negatives.Contains("s", "t", hash));
  EXPECT_FALSE(negatives.Contains(7));
  EXPECT_EQ(negatives.size(), 0u);
}

TEST(NegativeEntriesTest, AnAnswerFromBeforeAChangeIsNotKept) {
  NegativeEntries negatives(16);
  const std::uint64_t before = negatives.generation();
  negatives.Void();
  negatives.Insert("s", "t", HashName("s", "t"), before);
  negatives.Insert(7, before);
  EXPECT_EQ(negatives.size(), 0u);
}

TEST(NegativeEntriesTest, NamesThatAreTooLongAreNotKept) {
  NegativeEntries negatives(16);
  const std::string longest(63, 'x'), longer(64, 'x');
  negatives.Insert(longest, longest, 1, negatives.generation());
  EXPECT_TRUE(negatives.Contains(longest, longest, 1));
  negatives.Insert(longer, "t", 2, negatives.generation());
  EXPECT_FALSE(negatives.Contains(longer, "t", 2));
  EXPECT_EQ(negatives.size(), 1u);
}

TEST(NegativeEntriesTest, OfSizeZeroKeepsNothing) {
  NegativeEntries negatives(0);
  negatives.Insert("s", "t", 1, negatives.generation());
  negatives.Insert(7, negatives.generation());
  EXPECT_FALSE(negatives.Contains("s", "t", 1));
  EXPECT_FALSE(negatives.Contains(7));
  EXPECT_EQ(negatives.bytes(), 0u);
}

}  // namespace
}  // namespace relcache::internal
