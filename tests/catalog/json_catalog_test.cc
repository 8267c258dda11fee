#include "relcache/catalog/json_catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "relcache/catalog/internal/catalog_rows.h"
#include "relcache/catalog/internal/json_rows.h"
#include "relcache/catalog/internal/row_copy.h"
#include "relcache/tests/failing_allocator.h"

namespace relcache {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::string ReadAll(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}
const std::string kJob = RELCACHE_TEST_DATA "/../../examples/job.json";

/// A small snapshot to be damaged.
constexpr std::string_view kSmall = R"({"format": "relcache catalog", "format_version": 1,
"server": {"server_version_num": 150004, "server_encoding": "UTF8", "datcollate": "C", "datctype": "C"},
"pg_namespace": [{"oid": 2200, "nspname": "public"}],
"relations": [
  {"pg_class": {"oid": 20000, "relname": "t", "relnamespace": 2200, "relkind": "r", "relnatts": 1, "relacl": null},
   "nspname": "public",
   "pg_attribute": [
     {"attname": "a", "atttypid": 23, "attlen": 4, "attnum": 1, "attbyval": true, "attalign": "i"}],
   "pg_constraint": [{"oid": 20001, "conname": "a_check", "contype": "c", "conkey": [1], "conbin": "{CONST}"}]}],
"types": [
  {"pg_type": {"oid": 20010, "typname": "d", "typnamespace": 2200, "typlen": 4, "typbyval": true, "typtype": "d",
               "typalign": "i", "typbasetype": 23}, "nspname": "public"}]})";

struct Damage {
  const char* name;
  const char* from;
  const char* to;
  const char* error;
};

class JsonCatalogDamageTest : public ::testing::TestWithParam<Damage> {};

TEST_P(JsonCatalogDamageTest, IsRefusedWithPlaceAndPath) {
  std::string text(kSmall);
  const std::size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string_view(GetParam().from).size(), GetParam().to);
  const auto catalog = JsonCatalog::Parse(text, "small.json");
  ASSERT_FALSE(catalog);
  EXPECT_THAT(catalog.error().ToString(), HasSubstr(GetParam().error));
  EXPECT_TRUE(catalog.error().ToString().starts_with("small.json: "));
  EXPECT_TRUE(catalog.error().offset.has_value());
}

INSTANTIATE_TEST_SUITE_P(
    All, JsonCatalogDamageTest,
    ::testing::Values(
        Damage{"NotJson", "{\"format\"", "[\"format\"",
               "1:10: Missing a comma or ']' after an array element"},
        Damage{"Format", "relcache catalog", "other",
               "format_version: not supported: format \"other\" version 1"},
        Damage{"Version", "\"format_version\": 1", "\"format_version\": 2",
               "not supported: format \"relcache catalog\" version 2"},
        Damage{"Server", "150004", "80000",
               "2:34: server.server_version_num: not supported: server_version_num 80000"},
        Damage{"MissingColumn", "\"relname\": \"t\", ", "",
               "5:16: relations[0].pg_class: \"relname\" is missing"},
        Damage{"MissingRows", "\"nspname\": \"public\",", "",
               "5:3: relations[0]: \"nspname\" is missing"},
        Damage{"TypeOfOid", "\"atttypid\": 23", "\"atttypid\": \"23\"",
               "8:35: relations[0].pg_attribute[0].atttypid: expected an integer, found a string"},
        Damage{"TypeOfName", "\"relname\": \"t\"", "\"relname\": 7",
               "relations[0].pg_class.relname: expected a string, found an integer"},
        Damage{"TypeOfBool", "\"attbyval\": true", "\"attbyval\": \"t\"",
               "attbyval: expected true or false, found a string"},
        Damage{"TypeOfRows", "\"pg_attribute\": [", "\"pg_attribute\": 1, \"x\": [",
               "relations[0].pg_attribute: expected an array, found an integer"},
        Damage{"TypeOfRow", "[{\"oid\": 2200, \"nspname\": \"public\"}]", "[7]",
               "3:18: pg_namespace[0]: expected an object, found an integer"},
        Damage{"TooLongChar", "\"relkind\": \"r\"", "\"relkind\": \"rr\"",
               "relkind: expected a string of one character"},
        Damage{"NullOid", "\"oid\": 20000", "\"oid\": null",
               "relations[0].pg_class.oid: must not be null"},
        Damage{"ZeroOid", "\"oid\": 20000", "\"oid\": 0",
               "relations[0].pg_class: pg_class.oid is 0"},
        Damage{"NegativeOid", "\"oid\": 20000", "\"oid\": -1",
               "the integer is not within 0 and 4294967295"},
        Damage{"LargeOid", "\"oid\": 20000", "\"oid\": 4294967296",
               "the integer is not within 0 and 4294967295"},
        Damage{"HugeNumber", "\"oid\": 20000", "\"oid\": 1e999",
               "5:24: a number is out of range for type double precision"},
        Damage{"HugeInteger", "\"oid\": 20000", "\"oid\": 18446744073709551615",
               "the integer is not within"},
        Damage{"VeryHugeInteger", "\"oid\": 20000", "\"oid\": 99999999999999999999",
               "expected an integer, found a number"},
        Damage{"Fraction", "\"attlen\": 4", "\"attlen\": 4.5",
               "attlen: expected an integer, found a number"},
        Damage{"SmallRange", "\"attlen\": 4", "\"attlen\": 32768",
               "attlen: the integer is not within -32768 and 32767"},
        Damage{"DuplicateKey", "\"relkind\": \"r\"", "\"relkind\": \"r\", \"relkind\": \"v\"",
               "relkind: the key is there twice"},
        Damage{"UnknownRows", "\"pg_constraint\"", "\"pg_constrain\"",
               "unknown key \"pg_constrain\""},
        Damage{"UnknownTop", "\"types\"", "\"typez\"", "unknown key \"typez\""},
        Damage{"DerivedRows", "\"pg_constraint\"", "\"children\"", "unknown key \"children\""},
        Damage{"DanglingType", "\"atttypid\": 23", "\"atttypid\": 20099",
               "8:35: relations[0].pg_attribute[0].atttypid: there is no type 20099"},
        Damage{"DanglingBaseType", "\"typbasetype\": 23", "\"typbasetype\": 20099",
               "types[0].pg_type.typbasetype: there is no type 20099"},
        Damage{"DanglingParent", "\"pg_constraint\"",
               "\"pg_inherits\": [{\"inhrelid\": 20000, \"inhparent\": 1}], \"pg_constraint\"",
               "relations[0].pg_inherits[0].inhparent: there is no relation 1"},
        Damage{"OtherSchemaName", "\"oid\": 2200, \"nspname\": \"public\"",
               "\"oid\": 2200, \"nspname\": \"private\"",
               "schema 2200 is called \"private\" elsewhere"},
        Damage{"ColumnNumber", "\"conkey\": [1]", "\"conkey\": [2]",
               "constraint \"a_check\" names column 2, but the relation has 1"},
        Damage{"CheckWithoutTree", ", \"conbin\": \"{CONST}\"", "",
               "constraint \"a_check\" has no conbin"},
        Damage{"Count", "\"relnatts\": 1", "\"relnatts\": 2",
               "relnatts is 2, but there are 1 rows of pg_attribute"},
        Damage{"PartitionedWithoutKey", "\"relkind\": \"r\"", "\"relkind\": \"p\"",
               "pg_partitioned_table row and relkind 'p' go together"},
        Damage{"ZeroByteInString", "{CONST}", "{CONST\\u0000}",
               "conbin: the string contains a zero byte"},
        Damage{"NotUtf8", "{CONST}", "{CONST\xff}", "Invalid encoding in string"},
        Damage{"LoneSurrogate", "{CONST}", "\\ud800", "The surrogate pair in string is invalid"},
        Damage{"Tail", "23}, \"nspname\": \"public\"}]}", "23}, \"nspname\": \"public\"}]} x",
               "The document root must not be followed by other values"}),
    [](const auto& test) { return test.param.name; });

TEST(JsonCatalogTest, ReadsWhatItIsGiven) {
  const auto catalog = JsonCatalog::Parse(kSmall, "small.json");
  ASSERT_TRUE(catalog) << catalog.error().ToString();
  const ContextPtr cx = Bump::CreateRoot("test");
  const RelationRows* rows = (*catalog)->LoadRelation(20000, *cx).value();
  ASSERT_NE(rows, nullptr);
  EXPECT_EQ(rows->constraints[0].conbin, "{CONST}");
  EXPECT_TRUE(rows->constraints[0].convalidated) << "what a column is when it is not there";
  EXPECT_EQ((*catalog)->LoadType(20010, *cx).value()->pg_type.typbasetype, 23u);
  EXPECT_EQ((*catalog)->info().pg_version(), 15);
}

TEST(JsonCatalogTest, NumbersAreReadExactly) {
  const auto read = [](const std::string& number) {
    std::string text(kSmall);
    const std::size_t at = text.rfind("\"nspname\"");
    text.insert(at,
                "\"pg_enum\": [{\"oid\": 20011, \"enumtypid\": 20010, \"enumlabel\": \"a\", "
                "\"enumsortorder\": " +
                    number + "}], ");
    text.replace(text.find("\"typtype\": \"d\""), 14, "\"typtype\": \"e\"");
    text.replace(text.find(",\n               \"typalign\": \"i\", \"typbasetype\": 23"), 51,
                 ", \"typalign\": \"i\"");
    return JsonCatalog::Parse(text, "small.json");
  };
  const struct {
    const char* text;
    float value;
  } numbers[] = {{"0e-64", 0},      {"0e-30", 0},
                 {"0.000e-40", 0},  {"-0e-5", -0.0f},
                 {"-0", -0.0f},     {"1", 1},
                 {"0.1", 0.1f},     {"9007199254740993", 9007199254740992.0f},
                 {"1e-45", 1e-45f}, {"3.4028235e38", 3.4028235e38f},
                 {"1.5e0", 1.5f}};
  const ContextPtr cx = Bump::CreateRoot("test");
  for (const auto& number : numbers) {
    const auto catalog = read(number.text);
    ASSERT_TRUE(catalog) << number.text << ": " << catalog.error().ToString();
    const float value = (*catalog)->LoadType(20010, *cx).value()->enums[0].enumsortorder;
    EXPECT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(number.value))
        << number.text << " gives " << value;
  }
  for (const char* number : {"1e39", "-1e39", "1e-60", "3.5e38", "1e400", "1e-400",
                             "123456789012345678901234567890123456789012"}) {
    const auto catalog = read(number);
    ASSERT_FALSE(catalog) << number;
    EXPECT_THAT(catalog.error().ToString(), HasSubstr("out of range")) << number;
    EXPECT_TRUE(catalog.error().offset.has_value()) << number;
  }
}

TEST(JsonCatalogTest, AFileThatIsNotThereIsAnErrorWithItsName) {
  const auto none = JsonCatalog::Open("/no/such/file.json");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kIo);
  EXPECT_EQ(none.error().ToString(),
            "/no/such/file.json: could not open file: No such file or directory");
  EXPECT_FALSE(JsonCatalog::Open("/"));
}

TEST(JsonCatalogTest, CutAfterEveryByteItIsRefused) {
  const std::string text = ReadAll(kJob);
  ASSERT_TRUE(JsonCatalog::Parse(text, "job"));
  const std::size_t whole = text.find_last_of('}') + 1;
  // Every byte at both ends, where the structure is; in between every 17th.
  for (std::size_t n = 0; n < whole; n += n < 1000 || n + 300 > whole ? 1 : 17) {
    const auto catalog = JsonCatalog::Parse(std::string_view(text).substr(0, n), "job");
    ASSERT_FALSE(catalog) << n;
    ASSERT_TRUE(catalog.error().offset.has_value()) << n;
    ASSERT_LE(*catalog.error().offset, n);
  }
}

TEST(JsonCatalogTest, AZeroByteDoesNotEndTheText) {
  std::string text(kSmall);
  text += '\0';
  EXPECT_FALSE(JsonCatalog::Parse(text, "small"));
  text.back() = '\n';
  EXPECT_TRUE(JsonCatalog::Parse(text, "small"));
}

TEST(JsonCatalogTest, DepthAndSizeAreBounded) {
  const std::string deep(100000, '[');
  auto catalog = JsonCatalog::Parse(deep, "deep");
  ASSERT_FALSE(catalog);
  EXPECT_EQ(catalog.error().code, ErrorCode::kLimit);
  EXPECT_THAT(catalog.error().ToString(), HasSubstr("nested more than 64 deep"));

  JsonLimits limits;
  limits.max_bytes = kSmall.size() - 1;
  catalog = JsonCatalog::Parse(kSmall, "large", limits);
  ASSERT_FALSE(catalog);
  EXPECT_EQ(catalog.error().code, ErrorCode::kLimit);
}

TEST(JsonCatalogTest, ObjectsAreThereOnce) {
  const auto twice = [](std::string_view array) {
    std::string text(kSmall);
    const std::size_t begin = text.find('[', text.find(array)) + 1;
    const std::size_t end =
        array == "\"relations\"" ? text.find("],\n\"types\"") : text.rfind("]}");
    return text.insert(end, "," + text.substr(begin, end - begin));
  };
  auto catalog = JsonCatalog::Parse(twice("\"relations\""), "twice");
  ASSERT_FALSE(catalog);
  EXPECT_THAT(catalog.error().ToString(),
              HasSubstr("relations[1].pg_class: relation 20000 is there twice"));
  catalog = JsonCatalog::Parse(twice("\"types\""), "twice");
  ASSERT_FALSE(catalog);
  EXPECT_THAT(catalog.error().ToString(), HasSubstr("types[1].pg_type: type 20010 is there twice"));
}

TEST(JsonCatalogTest, WrittenTwiceASnapshotIsTheSame) {
  for (const char* sample : {"../../examples/job", "catalog/checks", "catalog/inheritance",
                             "catalog/partitions", "catalog/programs"}) {
    const ContextPtr cx = Bump::CreateRoot("test");
    const auto first = JsonCatalog::Open(std::string(RELCACHE_TEST_DATA "/") + sample + ".json");
    ASSERT_TRUE(first) << first.error().ToString();
    const std::string once = CatalogToJson(ExportCatalog(**first, *cx).value()).value();
    const auto second = JsonCatalog::Parse(once, "once");
    ASSERT_TRUE(second) << second.error().ToString();
    EXPECT_EQ(CatalogToJson(ExportCatalog(**second, *cx).value()).value(), once);
  }
}

TEST(JsonCatalogTest, AStringThatIsNotUtf8IsNotWritten) {
  CatalogRows rows;
  rows.format = kSnapshotFormat;
  const NamespaceRow name{1, "a\xff"};
  rows.namespaces = {&name, 1};
  const auto text = CatalogToJson(rows);
  ASSERT_FALSE(text);
  EXPECT_STREQ(text.error().sqlstate, "22021");
}

TEST(JsonCatalogTest, SurvivesEveryFailingAllocation) {
  ForEachFailure([](FailingAllocator&) {
    const auto catalog = JsonCatalog::Parse(kSmall, "small.json");
    EXPECT_TRUE(catalog);
  });
  // Damaged, so that the error's place is looked for.
  std::string damaged(kSmall);
  damaged.replace(damaged.find("\"atttypid\": 23"), 14, "\"atttypid\": {}");
  ForEachFailure([&](FailingAllocator&) {
    const auto catalog = JsonCatalog::Parse(damaged, "small.json");
    EXPECT_FALSE(catalog);
  });
}

TEST(JsonCatalogTest, ExportingSurvivesEveryFailingAllocation) {
  const auto catalog = JsonCatalog::Parse(kSmall, "small.json").value();
  ForEachFailure([&](FailingAllocator&) {
    const ContextPtr cx = Bump::CreateRoot("export");
    EXPECT_TRUE(CatalogToJson(ExportCatalog(*catalog, *cx).value()));
  });
}

class JsonCatalogReloadTest : public ::testing::Test {
 protected:
  void Write(std::string_view text) {
    std::ofstream out(path_, std::ios::binary);
    out << text;
  }
  ~JsonCatalogReloadTest() override { std::remove(path_.c_str()); }
  std::string path_ = ::testing::TempDir() + "reload.json";
};

TEST_F(JsonCatalogReloadTest, PublishesWhatDiffersAndNothingElse) {
  std::string text = ReadAll(kJob);
  Write(text);
  const auto catalog = JsonCatalog::Open(path_).value();
  const ContextPtr cx = Bump::CreateRoot("test");
  const Oid parent = catalog->LookupName("public", "measurement").value();
  const Oid child = catalog->LookupName("public", "measurement_1").value();
  std::vector<Oid> told;
  const InvalidationSubscription subscription =
      catalog->Subscribe([&](std::span<const Invalidation> changes) {
        for (const Invalidation& change : changes) told.push_back(change.oid);
      });
  const std::uint64_t before = catalog->LoadRelation(child, *cx).value()->version;
  const std::uint64_t parent_before = catalog->LoadRelation(parent, *cx).value()->version;
  ASSERT_TRUE(catalog->Reload());
  EXPECT_TRUE(told.empty());

  const std::size_t at = text.find("measurement_1_c_check");
  text.replace(at, 21, "measurement_1_c_bound");
  Write(text);
  ASSERT_TRUE(catalog->Reload());
  EXPECT_THAT(told, ElementsAre(child));
  EXPECT_GT(catalog->LoadRelation(child, *cx).value()->version, before);
  EXPECT_EQ(catalog->LoadRelation(parent, *cx).value()->version, parent_before);
  EXPECT_EQ(catalog->LoadRelation(child, *cx).value()->constraints[0].conname,
            "measurement_1_c_bound");

  Write(kSmall.substr(0, 100));
  EXPECT_FALSE(catalog->Reload());
  EXPECT_NE(catalog->LoadRelation(child, *cx).value(), nullptr) << "all is as before";
  Write(kSmall);
  EXPECT_FALSE(catalog->Reload()) << "of another server";
  EXPECT_NE(catalog->LoadRelation(child, *cx).value(), nullptr);
}

}  // namespace
}  // namespace relcache
