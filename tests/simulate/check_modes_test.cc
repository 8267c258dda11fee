#include "relcache/simulate/check_modes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "relcache/cache/relation_cache.h"
#include "relcache/tests/executor/relations.h"

namespace relcache {
namespace {

constexpr Oid kTable = 16400;

/// A table (id bigint NOT NULL, c integer) with CHECK (c > 0) and CHECK (c <= 100).
class CheckModesTest : public ::testing::Test {
 protected:
  CheckModesTest() {
    testing::RelationBuilder table(kTable, "t");
    table.Column("id", kInt8Oid, true).Column("c", kInt4Oid);
    table.Check("a", testing::IntComparison(2, ">", 0));
    table.Check("b", testing::IntComparison(2, "<=", 100));
    const Status put = table.PutInto(catalog_);
    EXPECT_TRUE(put) << put.error().ToString();
  }
  std::string Verify(const RelationConstraints& checks, NullableDatum id, std::int32_t c) {
    const NullableDatum row[] = {id, {Int32GetDatum(c), false}};
    const Status status = CheckRow(checks, row, scratch_);
    return status ? "fine" : status.error().ToString();
  }

  ContextPtr cx_ = AllocSet::CreateRoot("check modes test");
  MemoryCatalog catalog_;
  RelationCache cache_{catalog_};
  SessionSettings settings_ = AssumeUtcAndMdy(0);
  Scratch scratch_{settings_, *cx_};
};

TEST_F(CheckModesTest, AllThatVerifyAgreeAndNoneVerifiesNothing) {
  const RelationPin pin = cache_.Open(kTable).value();
  const NullableDatum one{Int64GetDatum(1), false}, null;
  const RelationConstraints& kept = **ChecksOf(*pin);
  for (const CheckMode mode : kCheckModes) {
    SCOPED_TRACE(CheckModeName(mode));
    const ContextPtr statement = AllocSet::CreateRoot("statement");
    const auto checks = PrepareChecks(*pin, mode, *statement);
    ASSERT_TRUE(checks) << checks.error().ToString();
    if (mode == CheckMode::kNone) {
      EXPECT_EQ(*checks, nullptr);
      continue;
    }
    EXPECT_EQ(*checks == &kept, mode == CheckMode::kCompiled);
    EXPECT_EQ(Verify(**checks, one, 100), "fine");
    for (const std::int32_t c : {0, 101}) EXPECT_EQ(Verify(**checks, one, c), Verify(kept, one, c));
    EXPECT_EQ(Verify(**checks, null, 100), Verify(kept, null, 100));
    EXPECT_NE(Verify(**checks, one, 101), "fine");
    EXPECT_NE(Verify(**checks, null, 100), "fine");
  }
}

TEST_F(CheckModesTest, EachTakesItsTimeInItsOwnStages) {
  struct Case {
    CheckMode mode;
    bool parse, copy, compile;
  };
  const RelationPin pin = cache_.Open(kTable).value();
  for (const Case& c :
       {Case{CheckMode::kNone, false, false, false}, Case{CheckMode::kReparse, true, false, true},
        Case{CheckMode::kCopy, false, true, true}, Case{CheckMode::kCached, false, false, true},
        Case{CheckMode::kCompiled, false, false, false}}) {
    SCOPED_TRACE(CheckModeName(c.mode));
    StageTimes times;
    times.now = []() -> std::uint64_t {
      static std::uint64_t ticks = 0;
      return ++ticks;
    };
    const ContextPtr statement = AllocSet::CreateRoot("statement");
    ASSERT_TRUE(PrepareChecks(*pin, c.mode, *statement, &times));
    // Two constraints, and one tick from a reading to the next.
    EXPECT_EQ(times.parse, c.parse ? 2u : 0u);
    EXPECT_EQ(times.copy, c.copy ? 2u : 0u);
    EXPECT_EQ(times.compile, c.compile ? 2u : 0u);
    EXPECT_EQ(times.evaluate, 0u);
    EXPECT_EQ(times.readings, 2 * (times.parse + times.copy + times.compile));
  }
}

}  // namespace
}  // namespace relcache
