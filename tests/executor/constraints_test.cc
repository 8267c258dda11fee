#include "relcache/executor/constraints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "relcache/cache/relation_cache.h"
#include "relcache/executor/insert.h"
#include "relcache/tests/executor/relations.h"
#include "relcache/types/numeric.h"

namespace relcache {
namespace {

using testing::RelationBuilder;

class ConstraintsTest : public ::testing::Test {
 protected:
  /// A table (id bigint NOT NULL, c integer, t text NOT NULL) with these checks.
  Oid PutTable(std::initializer_list<std::pair<const char*, std::string>> checks) {
    RelationBuilder table(kTable, "t");
    table.Column("id", kInt8Oid, true).Column("c", kInt4Oid).Column("t", kTextOid, true);
    for (const auto& [name, tree] : checks) table.Check(name, tree);
    const Status put = table.PutInto(catalog_);
    EXPECT_TRUE(put) << put.error().ToString();
    return kTable;
  }
  std::vector<NullableDatum> Row(std::optional<std::int64_t> id, std::optional<std::int32_t> c,
                                 std::optional<std::string_view> t) {
    std::vector<NullableDatum> row(3);
    if (id) row[0] = {Int64GetDatum(*id), false};
    if (c) row[1] = {Int32GetDatum(*c), false};
    if (t) row[2] = {MakeVarlena(*t, *cx_), false};
    return row;
  }
  std::string Verify(const std::vector<NullableDatum>& row) {
    const auto pin = cache_.Open(kTable);
    if (!pin) return pin.error().ToString();
    const auto checks = ChecksOf(**pin, catalog_);
    if (!checks) return checks.error().ToString();
    const Status status = CheckRow(**checks, row, scratch_);
    if (status) return "fine";
    const Error& e = status.error();
    return std::string(e.sqlstate) + " " + e.message + (e.detail.empty() ? "" : " | " + e.detail);
  }

  static constexpr Oid kTable = 16400;
  ContextPtr cx_ = AllocSet::CreateRoot("constraints test");
  MemoryCatalog catalog_;
  RelationCache cache_{catalog_};
  SessionSettings settings_ = AssumeUtcAndMdy(0);
  Scratch scratch_{settings_, *cx_};
};

// c is attnum 2.
const std::string kCPositive = testing::IntComparison(2, ">", 0);
const std::string kCSmall = testing::IntComparison(2, "<=", 100);
/// 1/c > -5
const std::string kReciprocal = testing::OneByIntComparison(2, ">", -5);

TEST_F(ConstraintsTest, NotNullComesFirstColumnByColumn) {
  PutTable({{"t_c_check", kCPositive}});
  EXPECT_EQ(Verify(Row({}, -1, {})),
            "23502 null value in column \"id\" of relation \"t\" violates not-null constraint | "
            "Failing row contains (null, -1, null).");
  EXPECT_EQ(Verify(Row(1, -1, {})),
            "23502 null value in column \"t\" of relation \"t\" violates not-null constraint | "
            "Failing row contains (1, -1, null).");
  EXPECT_EQ(
      Verify(Row(1, -1, "x")),
      "23514 new row for relation \"t\" violates check constraint \"t_c_check\" | Failing row "
      "contains (1, -1, x).");
  EXPECT_EQ(Verify(Row(1, 1, "x")), "fine");
}

TEST_F(ConstraintsTest, ACheckThatIsNullPasses) {
  PutTable({{"t_c_check", kCPositive}});
  EXPECT_EQ(Verify(Row(1, {}, "x")), "fine");
}

TEST_F(ConstraintsTest, ChecksAreEvaluatedByName) {
  PutTable({{"z", kCPositive}, {"b", testing::IntComparison(2, "<", 0)}, {"a", kReciprocal}});
  EXPECT_THAT(Verify(Row(1, 5, "x")), ::testing::HasSubstr("violates check constraint \"b\""));
  EXPECT_EQ(Verify(Row(1, 0, "x")), "22012 division by zero");
  EXPECT_THAT(Verify(Row(1, -1, "x")), ::testing::HasSubstr("violates check constraint \"z\""));
}

TEST_F(ConstraintsTest, AConstraintThatCannotBePreparedStopsTheRowBeforeAnyIsEvaluated) {
  PutTable({{"a", kCPositive}, {"b", testing::Unsupported(2)}});
  EXPECT_THAT(Verify(Row(1, -1, "x")),
              ::testing::AllOf(::testing::HasSubstr("constraint b"),
                               ::testing::HasSubstr("not supported: FUNCTION")));
}

TEST_F(ConstraintsTest, ValuesAreCutToSixtyFourBytesOfWholeCharacters) {
  PutTable({{"t_c_check", kCPositive}});
  const std::string exact(64, 'x');
  EXPECT_THAT(Verify(Row(1, 0, exact)), ::testing::HasSubstr("(1, 0, " + exact + ")."));
  EXPECT_THAT(Verify(Row(1, 0, exact + "y")), ::testing::HasSubstr("(1, 0, " + exact + "...)."));
  const std::string umlauts = std::string(63, 'x') + "äz";
  EXPECT_THAT(Verify(Row(1, 0, umlauts)),
              ::testing::HasSubstr("(1, 0, " + std::string(63, 'x') + "...)."));
}

TEST_F(ConstraintsTest, AValueThatCannotBePrintedIsShownAsItWasPutIn) {
  constexpr Oid kJsonbOid = 3802;
  RelationBuilder table(kTable, "t");
  table.Column("id", kInt8Oid, true).Column("c", kInt4Oid).Column("j", kJsonbOid);
  table.Check("t_c_check", kCPositive);
  ASSERT_TRUE(table.PutInto(catalog_));
  const auto pin = cache_.Open(kTable);
  ASSERT_TRUE(pin);
  const auto row = Row(1, 0, "{}");
  const std::string_view input[] = {"1", "0", "{ }"};
  RowText text;
  EXPECT_EQ(DescribeRow(**pin, row, settings_, text, *cx_),
            "Failing row contains (1, 0, ??"
            "?).");
  text.input = input;
  EXPECT_EQ(DescribeRow(**pin, row, settings_, text, *cx_), "Failing row contains (1, 0, { }).");
}

TEST_F(ConstraintsTest, AllWaysToTheExpressionsAgree) {
  PutTable({{"a", kCPositive}, {"b", kCSmall}});
  const auto pin = cache_.Open(kTable);
  ASSERT_TRUE(pin);
  for (const Expressions way :
       {Expressions::kReparse, Expressions::kCopy, Expressions::kCached, Expressions::kCompiled}) {
    ContextPtr statement = AllocSet::CreateRoot("statement");
    const auto checks = PrepareChecks(**pin, way, catalog_, *statement);
    ASSERT_TRUE(checks);
    EXPECT_TRUE(CheckRow(**checks, Row(1, 100, "x"), scratch_));
    EXPECT_FALSE(CheckRow(**checks, Row(1, 101, "x"), scratch_));
    EXPECT_FALSE(CheckRow(**checks, Row({}, 100, "x"), scratch_));
  }
  EXPECT_EQ(*PrepareChecks(**pin, Expressions::kNone, catalog_, *cx_), nullptr);
}

TEST_F(ConstraintsTest, APinnedVersionIsEvaluatedAfterItsInvalidationThoughNobodyHadUsedIt) {
  PutTable({{"t_c_check", kCPositive}});
  const auto pin = cache_.Open(kTable);
  ASSERT_TRUE(pin);
  PutTable({{"t_c_check", kCSmall}});
  EXPECT_TRUE(pin->stale());
  const auto old_checks = ChecksOf(**pin, catalog_);
  ASSERT_TRUE(old_checks);
  EXPECT_FALSE(CheckRow(**old_checks, Row(1, 0, "x"), scratch_));
  EXPECT_TRUE(CheckRow(**old_checks, Row(1, 101, "x"), scratch_));
  EXPECT_EQ(Verify(Row(1, 0, "x")), "fine");
  EXPECT_THAT(Verify(Row(1, 101, "x")), ::testing::HasSubstr("23514"));
}

void InvalidateOpenCheck(RelationCache& cache, CatalogSource& source, Oid table, RowView row,
                         Scratch& scratch, int times) {
  for (int i = 0; i < times; ++i) {
    cache.Invalidate(table);
    const auto pin = cache.Open(table);
    ASSERT_TRUE(pin);
    const auto checks = ChecksOf(**pin, source);
    ASSERT_TRUE(checks);
    ASSERT_TRUE(CheckRow(**checks, row, scratch));
  }
}

TEST_F(ConstraintsTest, InvalidatingOverAndOverLeavesNothingBehind) {
  PutTable({{"a", kCPositive}, {"b", kCSmall}});
  const auto row = Row(1, 1, "x");
  InvalidateOpenCheck(cache_, catalog_, kTable, row, scratch_, 100);
  const std::size_t before = cache_.stats().bytes;
  InvalidateOpenCheck(cache_, catalog_, kTable, row, scratch_, 2000);
  EXPECT_EQ(cache_.stats().bytes, before);
}

using SlowConstraintsTest = ConstraintsTest;

TEST_F(SlowConstraintsTest, InvalidatingAHundredThousandTimesLeavesNothingBehind) {
  PutTable({{"a", kCPositive}, {"b", kCSmall}});
  const auto row = Row(1, 1, "x");
  InvalidateOpenCheck(cache_, catalog_, kTable, row, scratch_, 100);
  const std::size_t before = cache_.stats().bytes;
  InvalidateOpenCheck(cache_, catalog_, kTable, row, scratch_, 100'000);
  EXPECT_EQ(cache_.stats().bytes, before);
}

class InsertTest : public ConstraintsTest {
 protected:
  static constexpr Oid kParent = 16401;
  InsertTest() {
    PutTable({{"t_c_check", kCPositive}});
    RelationBuilder parent(kParent, "p");
    parent.Column("id", kInt8Oid, true).Column("c", kInt4Oid).Column("t", kTextOid, true);
    EXPECT_TRUE(parent.PutInto(catalog_));
  }
  InsertSession session_{cache_, settings_};
};

TEST_F(InsertTest, AStoredRowIsACopy) {
  std::string text = "abc";
  {
    ContextPtr own = AllocSet::CreateRoot("caller");
    std::vector<NullableDatum> row(3);
    row[0] = {Int64GetDatum(7), false};
    row[2] = {MakeVarlena("abc", *own), false};
    const auto stored = session_.Insert(kTable, row);
    ASSERT_TRUE(stored) << stored.error().ToString();
    EXPECT_EQ(*stored, 1u);
  }
  HeapTable& table = **session_.Table(kTable);
  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(DatumGetInt64(table.Get(0, 0).value), 7);
  EXPECT_TRUE(table.Get(0, 1).isnull);
  EXPECT_EQ(VarData(table.Get(0, 2).value), text);
}

TEST_F(InsertTest, ARowThatBreaksAConstraintIsNotStored) {
  const auto stored = session_.Insert(kTable, Row(1, 0, "x"));
  ASSERT_FALSE(stored);
  EXPECT_STREQ(stored.error().sqlstate, "23514");
  EXPECT_EQ((*session_.Table(kTable))->size(), 0u);
}

TEST_F(InsertTest, ATriggerRoutesRowsByStatementsOfItsOwn) {
  session_.AddTrigger(kParent, "route", [](TriggerContext& t) -> Result<TriggerAction> {
    RELCACHE_TRY(t.session.Insert(kTable, t.row));
    return TriggerAction::kSkip;
  });
  for (int i = 1; i <= 1000; ++i) {
    const auto stored = session_.Insert(kParent, Row(i, i, "x"));
    ASSERT_TRUE(stored) << stored.error().ToString();
    EXPECT_EQ(*stored, 0u);
  }
  EXPECT_EQ((*session_.Table(kTable))->size(), 1000u);
  EXPECT_EQ((*session_.Table(kParent))->size(), 0u);
  const auto refused = session_.Insert(kParent, Row(1, -1, "x"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("relation \"t\""));
}

TEST_F(InsertTest, TriggersFireByNameAndMayChangeTheRow) {
  std::string order;
  session_.AddTrigger(kTable, "b", [&](TriggerContext& t) -> Result<TriggerAction> {
    order += "b";
    t.row[2] = {MakeVarlena("changed", t.cx), false};
    return TriggerAction::kInsert;
  });
  session_.AddTrigger(kTable, "a", [&](TriggerContext& t) -> Result<TriggerAction> {
    order += "a";
    t.row[1] = {Int32GetDatum(DatumGetInt32(t.row[1].value) + 10), false};
    return TriggerAction::kInsert;
  });
  ASSERT_TRUE(session_.Insert(kTable, Row(1, -5, "x")));
  EXPECT_EQ(order, "ab");
  EXPECT_EQ(DatumGetInt32((*session_.Table(kTable))->Get(0, 1).value), 5);
  EXPECT_EQ(VarData((*session_.Table(kTable))->Get(0, 2).value), "changed");
}

TEST_F(InsertTest, ATriggerThatInsertsIntoItsOwnTableStopsAtTheLimit) {
  session_.AddTrigger(kTable, "again", [](TriggerContext& t) -> Result<TriggerAction> {
    RELCACHE_TRY(t.session.Insert(kTable, t.row));
    return TriggerAction::kInsert;
  });
  const auto stored = session_.Insert(kTable, Row(1, 1, "x"));
  ASSERT_FALSE(stored);
  EXPECT_STREQ(stored.error().sqlstate, "54001");
}

TEST_F(InsertTest, ManyRowsOfOneStatementAreEachVerified) {
  int n = 0;
  const auto stored =
      session_.InsertAll(kTable, [&](std::span<NullableDatum> row, MemoryContext& cx) {
        if (++n > 2000) return false;
        row[0] = {Int64GetDatum(n), false};
        row[1] = {Int32GetDatum(n), n % 2 == 0};
        row[2] = {MakeVarlena(std::to_string(n), cx), false};
        return true;
      });
  ASSERT_TRUE(stored);
  EXPECT_EQ(*stored, 2000u);
  const HeapTable& table = **session_.Table(kTable);
  ASSERT_EQ(table.size(), 2000u);
  EXPECT_EQ(VarData(table.Get(1999, 2).value), "2000");
  EXPECT_TRUE(table.Get(1, 1).isnull);
  EXPECT_FALSE(table.Get(0, 1).isnull);
}

TEST_F(InsertTest, ARelationThatGotAnotherColumnIsNoMisreadTable) {
  ASSERT_TRUE(session_.Insert(kTable, Row(1, 1, "x")));
  RelationBuilder wider(kTable, "t");
  wider.Column("id", kInt8Oid, true).Column("c", kInt4Oid).Column("t", kTextOid, true);
  wider.Column("more", kInt4Oid);
  ASSERT_TRUE(wider.PutInto(catalog_));
  const auto stored = session_.Insert(kTable, Row(2, 1, "x"));
  ASSERT_FALSE(stored);
  EXPECT_STREQ(stored.error().sqlstate, "42804");
}

}  // namespace
}  // namespace relcache
