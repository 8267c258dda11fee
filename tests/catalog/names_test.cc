#include "relcache/catalog/names.h"

#include <gtest/gtest.h>

#include "relcache/catalog/json_catalog.h"

namespace relcache {
namespace {

TEST(NamesTest, QualifiedNamesAreReadAsSqlSpellsThem) {
  struct Case {
    const char* text;
    const char* schema;
    const char* name;
  };
  const Case cases[] = {
      {"t", "", "t"},
      {"  Shop.Orders ", "shop", "orders"},
      {"\"Shop\".\"a.b\"", "Shop", "a.b"},
      {"a . b", "a", "b"},
      {"\"q\"\"q\"", "", "q\"q"},
      {"caf\xc3\xa9", "", "caf\xc3\xa9"},
  };
  for (const Case& c : cases) {
    const auto parsed = ParseQualifiedName(c.text);
    ASSERT_TRUE(parsed) << c.text;
    EXPECT_EQ(parsed->schema, c.schema) << c.text;
    EXPECT_EQ(parsed->name, c.name) << c.text;
  }
  for (const char* bad : {"", " ", ".", "a.", ".a", "a.b.c", "\"a", "a b", "\"\"", "a\"b\""}) {
    EXPECT_FALSE(ParseQualifiedName(bad)) << bad;
  }
}

class NamesOfSampleTest : public ::testing::Test {
 protected:
  std::unique_ptr<CatalogSource> source_ =
      JsonCatalog::Open(RELCACHE_TEST_DATA "/catalog/checks.json").value();
  ContextPtr cx_ = Bump::CreateRoot("test");
};

TEST_F(NamesOfSampleTest, TypesAreFormattedAsFormatTypeDoes) {
  std::string columns;
  for (const char* table : {"shop.customer", "shop.orders", "shop.counter"}) {
    const RelationRows* rows =
        source_->LoadRelation(FindRelation(table, *source_).value(), *cx_).value();
    for (const AttributeRow& column : rows->attributes) {
      columns += FormatTypeOf(column.atttypid, column.atttypmod, *source_).value() + "\n";
    }
  }
  EXPECT_EQ(
      columns,
      "bigint\ntext\nshop.email\ndate\ncharacter(2)\nreal\ndouble precision\nshop.address\ntext[]\n"
      "boolean\ncharacter varying(100)\n"
      "bigint\nbigint\nshop.order_state\ntimestamp with time zone\ntimestamp with time zone\n"
      "shop.percentage\ntext\ninet\ninterval\ntime without time zone\n"
      "integer\ntext\nshop.order_state[]\ndate\ntext\ninteger\nname\n");
  EXPECT_EQ(FormatTypeOf(4000000000, -1, *source_).value(), "???");
}

TEST_F(NamesOfSampleTest, FunctionsAreFormattedAsRegprocedureDoes) {
  const RelationRows* rows =
      source_->LoadRelation(FindRelation("shop.order_line", *source_).value(), *cx_).value();
  for (const AttrdefRow& def : rows->attrdefs) {
    const std::size_t at = def.adbin.find(":funcid ");
    if (at == std::string_view::npos) continue;
    const Oid proc = static_cast<Oid>(std::stoul(std::string(def.adbin.substr(at + 8, 10))));
    EXPECT_EQ(FormatProcOf(proc, *source_).value(),
              "shop.total_of(numeric,integer,shop.percentage)");
  }
  EXPECT_EQ(FormatProcOf(150, *source_).value(), "int4ge(integer,integer)");
  EXPECT_EQ(FormatProcOf(4000000000, *source_).value(), "4000000000");
}

TEST_F(NamesOfSampleTest, ARelationThatIsNotThereIsNamedInTheError) {
  const auto none = FindRelation("shop.Nothing", *source_);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "relation \"shop.nothing\" does not exist");
  EXPECT_STREQ(none.error().sqlstate, "42P01");
}

}  // namespace
}  // namespace relcache
