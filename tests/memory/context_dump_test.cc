#include "relcache/memory/context_dump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace relcache {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Number(std::size_t n) {
  return std::to_string(n);
}

class ContextDump : public ::testing::Test {
 protected:
  ContextDump() {
    static ResetCallback callback;
    callback = {[](void*) noexcept {}, nullptr, nullptr, 640};
    MemoryContext& entry = AllocSet::Create("entry", *root_, kSmallBlocks);
    entry.SetIdentifier("public.\"or\nders\"");
    entry.OnReset(callback);
    Bump::Create("tree", entry);
  }
  ContextPtr root_ = AllocSet::CreateRoot("cache");
};

TEST_F(ContextDump, TextHasOneIndentedLineAContextAndTheSum) {
  const std::string head = Number(AllocSet::kHeadBytes);
  std::istringstream text(ContextsAsText(*root_));
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line, "cache: 8192 total in 1 blocks; " + Number(8192 - AllocSet::kHeadBytes) +
                      " free (0 chunks); " + head + " used");
  std::getline(text, line);
  EXPECT_EQ(line, "  entry: public.\"or ders\": 1024 total in 1 blocks; " +
                      Number(1024 - AllocSet::kHeadBytes) + " free (0 chunks); " + head +
                      " used; 640 foreign");
  std::getline(text, line);
  EXPECT_THAT(line, StartsWith("    tree: 8192 total in 1 blocks; "));
  std::getline(text, line);
  EXPECT_THAT(line, StartsWith("Grand total: 17408 total in 3 blocks; "));
  EXPECT_FALSE(std::getline(text, line));
}

TEST_F(ContextDump, TextAddsUpChildrenBeyondTheFirst) {
  for (int i = 0; i < 10; ++i)
    Bump::Create("inner", Bump::Create("many", *root_, kSmallBlocks), kSmallBlocks);
  const std::string text = ContextsAsText(*root_, 3);
  // Seven of the ten pairs, and the entry with its tree: children are counted, bytes and blocks are
  // those of all below.
  EXPECT_THAT(text, HasSubstr("  8 more child contexts containing " +
                              Number(7 * 2048 + 1024 + 8192) + " total in 16 blocks; "));
  EXPECT_THAT(text, HasSubstr("Grand total: " + Number(17408 + 10 * 2048) + " total"));
}

TEST_F(ContextDump, TextOfALongChainGrowsWithItsLengthOnly) {
  constexpr std::size_t kLevels = 5000;
  MemoryContext* cx = root_.get();
  for (std::size_t level = 1; level <= kLevels; ++level)
    cx = &Bump::Create("link", *cx, kSmallBlocks);
  const std::string text = ContextsAsText(*root_, 1);
  EXPECT_LT(text.size(), kLevels * 250);
  EXPECT_THAT(text, HasSubstr("\n" + std::string(100, ' ') + "link: 1024 total"));
  EXPECT_THAT(text, HasSubstr("\n" + std::string(100, ' ') + "level 51: link: 1024 total"));
  EXPECT_THAT(text, HasSubstr("\n" + std::string(100, ' ') + "level 5000: link: 1024 total"));
}

TEST_F(ContextDump, JsonHasTheColumnsOfTheView) {
  const std::string json = ContextsAsJson(*root_);
  EXPECT_THAT(json, StartsWith("[{\"name\":\"cache\",\"ident\":null,\"type\":\"AllocSet\","
                               "\"parent\":null,\"level\":1,\"total_bytes\":8192,"
                               "\"total_nblocks\":1,\"free_bytes\":"));
  EXPECT_THAT(json, HasSubstr("{\"name\":\"entry\",\"ident\":\"public.\\\"or\\u000aders\\\"\","
                              "\"type\":\"AllocSet\",\"parent\":\"cache\",\"level\":2,"));
  EXPECT_THAT(json, HasSubstr("\"type\":\"Bump\",\"parent\":\"entry\",\"level\":3,"));
  EXPECT_THAT(json, HasSubstr("\"foreign_bytes\":640}"));
}

}  // namespace
}  // namespace relcache
