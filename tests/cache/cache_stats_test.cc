#include "relcache/cache/cache_stats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace relcache {
namespace {

TEST(CacheStatsTest, TextHasALineForEachFigureInOrder) {
  CacheStats stats;
  stats.hits = 123;
  stats.negative_bytes = 7;
  stats.membarrier = true;
  stats.connected = false;
  std::string expected;
  for (const CacheFigure& figure : kCacheFigures)
    expected += std::string(figure.name) + " " + std::to_string(figure.value(stats)) + "\n";
  EXPECT_EQ(stats.ToString(), expected);
  EXPECT_THAT(expected, testing::StartsWith("hits 123\nloads 0\n"));
  EXPECT_THAT(expected, testing::HasSubstr("\nnegative_bytes 7\n"));
  EXPECT_THAT(expected, testing::EndsWith("\nmembarrier 1\nconnected 0\n"));
}

TEST(CacheStatsTest, FiguresAreTheMembersAndNoneStandsTwice) {
  std::set<std::string_view> names;
  for (const CacheFigure& figure : kCacheFigures) names.insert(figure.name);
  EXPECT_EQ(names.size(), std::size(kCacheFigures));
  CacheStats stats;
  stats.evicted = 5;
  for (const CacheFigure& figure : kCacheFigures)
    if (figure.name != "connected") {
      EXPECT_EQ(figure.value(stats), figure.name == "evicted" ? 5u : 0u) << figure.name;
    }
}

TEST(CacheStatsTest, ThePageOnTuningExplainsEachFigure) {
  std::ostringstream page;
  page << std::ifstream(RELCACHE_TEST_DATA "/../../docs/tuning.md").rdbuf();
  for (const CacheFigure& figure : kCacheFigures)
    EXPECT_THAT(page.str(), testing::HasSubstr("`" + std::string(figure.name) + "`"));
}

}  // namespace
}  // namespace relcache
