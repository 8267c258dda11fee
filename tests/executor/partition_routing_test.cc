#include "relcache/executor/partition_routing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "relcache/catalog/json_catalog.h"
#include "relcache/tests/executor/partition_routes.h"

namespace relcache {
namespace {

using test::Route;
using test::RowOf;
using test::Texts;

class PartitionRoutingTest : public ::testing::Test {
 protected:
  std::unique_ptr<PartitionRouter> Router(std::string_view table) {
    const Oid oid = catalog_->LookupName("parts", table).value();
    auto router = PartitionRouter::Make(cache_, oid);
    EXPECT_TRUE(router) << table << ": " << router.error().ToString();
    return router ? std::move(*router) : nullptr;
  }
  std::string RouteOf(const PartitionRouter& router, const Texts& texts) {
    const auto row = RowOf(router.table(), texts, settings_, *cx_);
    const auto leaf = router.Route(row, scratch_);
    if (leaf) return std::string(router.leaves()[*leaf].relation->name());
    EXPECT_STREQ(leaf.error().sqlstate, "23514");
    return leaf.error().message + " | " + leaf.error().detail;
  }

  std::unique_ptr<JsonCatalog> catalog_ =
      JsonCatalog::Open(RELCACHE_TEST_DATA "/partitions.json").value();
  RelationCache cache_{*catalog_};
  ContextPtr cx_ = AllocSet::CreateRoot("partition routing test");
  SessionSettings settings_ = AssumeUtcAndMdy(0);
  Scratch scratch_{settings_, *cx_};
};

TEST_F(PartitionRoutingTest, RowsGoWherePostgresPutsThem) {
  for (const Route& route : test::Routes()) {
    const auto router = Router(route.table);
    ASSERT_NE(router, nullptr);
    EXPECT_EQ(RouteOf(*router, route.row), route.goes_to)
        << route.table << " " << route.row[0].value_or("null");
  }
}

TEST_F(PartitionRoutingTest, ABatchGoesWhereItsRowsGo) {
  std::map<std::string, std::vector<Texts>> rows;
  for (const Route& route : test::Routes())
    for (int i = 0; i < 400; ++i) rows[route.table].push_back(route.row);
  for (const auto& [table, texts] : rows) {
    const auto router = Router(table);
    ASSERT_NE(router, nullptr);
    const auto& attributes = router->table().attributes();
    std::vector<std::vector<NullableDatum>> made;
    for (const Texts& row : texts) made.push_back(RowOf(router->table(), row, settings_, *cx_));
    std::vector<BatchColumn> columns(attributes.size());
    std::vector<std::vector<std::uint64_t>> values(attributes.size());
    std::vector<std::vector<std::uint8_t>> nulls(attributes.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (attributes[c].attisdropped) continue;
      const ColumnForm form = FindTypeInfo(attributes[c].atttypid) != nullptr
                                  ? ColumnFormOf(attributes[c].atttypid)
                              : table == "moods" ? ColumnForm::kOid
                                                 : ColumnForm::kInt4;
      values[c].resize(made.size());
      for (std::size_t r = 0; r < made.size(); ++r) {
        nulls[c].push_back(made[r][c].isnull ? 1 : 0);
        StoreDatum(form, values[c].data(), r, made[r][c].value);
      }
      columns[c] = {attributes[c].atttypid, form, values[c].data(), nulls[c].data()};
    }
    std::vector<std::int32_t> leaves(made.size());
    router->RouteBatch({columns, made.size()}, scratch_, leaves);
    for (std::size_t r = 0; r < made.size(); ++r) {
      const auto leaf = router->Route(made[r], scratch_);
      EXPECT_EQ(leaves[r], leaf ? static_cast<std::int32_t>(*leaf) : PartitionRouter::kNotRouted)
          << table << " row " << r;
    }
  }
}

TEST_F(PartitionRoutingTest, ARowIsConvertedToTheColumnsOfItsLeaf) {
  const auto router = Router("moved");
  const auto row = RowOf(router->table(), {"1", "one"}, settings_, *cx_);
  const PartitionRouter::Leaf& leaf = router->leaves()[router->Route(row, scratch_).value()];
  ASSERT_EQ(leaf.relation->name(), "moved_1");
  std::vector<NullableDatum> converted(leaf.relation->attributes().size());
  ConvertToLeaf(leaf, row, converted);
  EXPECT_EQ(VarData(converted[0].value), "one");
  EXPECT_TRUE(converted[1].isnull);
  EXPECT_EQ(DatumGetInt32(converted[2].value), 1);
  // Rows of a leaf with the same columns need no conversion.
  EXPECT_TRUE(Router("days")->leaves()[0].columns.empty());
}

TEST_F(PartitionRoutingTest, HolesAreReported) {
  const auto texts = [this](std::string_view table) {
    std::vector<std::string> out;
    const auto router = Router(table);
    for (const PartitionHole& hole : router->holes()) out.push_back(hole.table + ": " + hole.text);
    return out;
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(texts("hours"),
              ElementsAre("parts.hours: no partition between \"hours_1\" and \"hours_2\""));
  EXPECT_THAT(texts("days"),
              ElementsAre("parts.days: no partition between \"days_old\" and \"days_jan\"",
                          "parts.days: no partition between \"days_jan\" and \"days_mar\""));
  EXPECT_THAT(texts("holey"), ElementsAre("parts.holey: no partition for modulus 4, remainder 3"));
  EXPECT_THAT(texts("numbers"), ElementsAre());
  EXPECT_THAT(texts("words"), ElementsAre());
}

TEST_F(PartitionRoutingTest, WhatIsNoPartitionedTableIsRefused) {
  const auto router =
      PartitionRouter::Make(cache_, catalog_->LookupName("parts", "points").value());
  ASSERT_FALSE(router);
  EXPECT_EQ(router.error().message, "\"points\" is not a partitioned table");
  const auto constraint =
      PartitionConstraint::Make(cache_, catalog_->LookupName("parts", "days").value());
  ASSERT_FALSE(constraint);
  EXPECT_EQ(constraint.error().message, "\"days\" is not a partition");
}

TEST_F(PartitionRoutingTest, APartitionTakesTheRowsThatAreRoutedToIt) {
  const struct {
    const char* partition;
    Texts row;
    bool holds;
  } cases[] = {
      {"days_jan", {"1", "2024-01-31", "x"}, true},
      {"days_jan", {"1", "2024-02-01", "x"}, false},
      {"days_jan", {"1", test::kNull, "x"}, false},
      {"words_rest", {"b"}, true},
      {"words_rest", {"a"}, false},
      {"words_rest", {test::kNull}, false},
      {"flags_rest", {test::kNull}, true},
      {"flags_rest", {"1"}, false},
      {"numbers_2", {"2"}, true},
      {"numbers_2", {"3"}, false},
      {"moved_3_1", {"abc", "3"}, true},
      {"moved_3_1", {"abc", "1"}, false},
      {"moved_3_1", {"q", "3"}, false},
      {"moved_3_0", {"3", "q"}, true},
      {"moved_3", {"abc", "3"}, true},
  };
  for (const auto& c : cases) {
    const auto constraint =
        PartitionConstraint::Make(cache_, catalog_->LookupName("parts", c.partition).value());
    ASSERT_TRUE(constraint) << constraint.error().ToString();
    const auto row = RowOf((*constraint)->partition(), c.row, settings_, *cx_);
    const auto holds = (*constraint)->Holds(row, scratch_);
    ASSERT_TRUE(holds);
    EXPECT_EQ(*holds, c.holds) << c.partition << " " << c.row[0].value_or("null");
  }
}

TEST_F(PartitionRoutingTest, ARouterIsStaleWhenAPartitionChanges) {
  const auto router = Router("days");
  EXPECT_FALSE(router->stale());
  cache_.Invalidate(catalog_->LookupName("parts", "days_mar").value());
  EXPECT_TRUE(router->stale());
}

}  // namespace
}  // namespace relcache
