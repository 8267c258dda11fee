#include "relcache/nodes/json.h"
#include "relcache/nodes/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "relcache/nodes/write.h"
#include "tree_test.h"

namespace relcache {
namespace {

using testing::HasSubstr;

using JsonTest = nodes_testing::TreeTest;

TEST_F(JsonTest, StringsThatAreNotUtf8SurviveJson) {
  const std::string_view text = "{ALIAS :aliasname a\xff\\ b :colnames (\"\xc3\xa9\" \"\xe9\")}";
  const auto json = NodeToJson(Read(text), {}, *cx_);
  ASSERT_TRUE(json);
  EXPECT_THAT(*json, HasSubstr("{\"bytes\":\"61ff2062\"}"));
  const auto back = JsonToNode(*json, {}, *cx_);
  ASSERT_TRUE(back) << back.error().ToString();
  EXPECT_EQ(*NodeToString(*back, {}, *cx_), text);
}

TEST_F(JsonTest, NumbersInJsonAreReadExactly) {
  RangeTblEntry* entry = MakeNode<RangeTblEntry>(*cx_);
  entry->rtekind = RTEKind::kNamedTuplestore;
  const std::string json(*NodeToJson(entry, {}, *cx_));
  const std::string zero = "\"enrtuples\":0.0";
  const auto read = [&](const char* number) {
    std::string text = json;
    return JsonToNode(text.replace(text.find(zero) + 12, 3, number), {}, *cx_);
  };
  const struct {
    const char* text;
    double value;
  } numbers[] = {{"0e-64", 0},     {"0.000e-40", 0},
                 {"-0e-5", -0.0},  {"0.1", 0.1},
                 {"12", 12},       {"4.9e-324", 4.9e-324},
                 {"-0", -0.0},     {"1e22", 1e22},
                 {"-7e-5", -7e-5}, {"1.7976931348623157e308", 1.7976931348623157e308}};
  for (const auto& number : numbers) {
    const auto tree = read(number.text);
    ASSERT_TRUE(tree) << number.text << ": " << tree.error().ToString();
    const double value = As<RangeTblEntry>(*tree)->enrtuples;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(number.value))
        << number.text << " gives " << value;
  }
  for (const char* number : {"1e400", "-1e400", "1e-400"}) {
    const auto tree = read(number);
    ASSERT_FALSE(tree) << number;
    EXPECT_EQ(tree.error().offset, json.find(zero) + 12) << number;
    EXPECT_THAT(tree.error().message, HasSubstr("out of range")) << number;
  }
  entry->enrtuples = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(NodeToJson(entry, {}, *cx_));
}

TEST_F(JsonTest, DamagedJsonIsRefusedWithItsPath) {
  const struct {
    const char *json, *place, *says;
  } refusals[] = {
      {"", "", ""},
      {"{\"node\":\"Foo\"}", "", "a node type"},
      {"{\"node\":\"RangeTblRef\"}", "rtindex", "missing"},
      {"{\"node\":\"RangeTblRef\",\"rtindex\":\"1\"}", "rtindex", "an integer"},
      {"{\"node\":\"RangeTblRef\",\"rtindex\":1,\"x\":2}", "", "surplus"},
      {"{\"node\":\"FromExpr\",\"fromlist\":[null,{\"node\":\"RangeTblRef\",\"rtindex\":1.5}],"
       "\"quals\":null}",
       "fromlist[1].rtindex", "an integer"},
      {"{\"node\":\"FromExpr\",\"fromlist\":{\"int\":[1]},\"quals\":null}", "fromlist",
       "another type"},
      {"{\"int\":[4294967296]}", "[0]", "in range"},
      {"[\"a\\u0000b\"]", "[0]", "NUL"},
      {"17", "", "a node"},
  };
  for (const auto& r : refusals) {
    const auto tree = JsonToNode(r.json, {}, *cx_);
    ASSERT_FALSE(tree) << r.json;
    EXPECT_EQ(tree.error().place, r.place) << r.json;
    EXPECT_THAT(tree.error().message, HasSubstr(r.says)) << r.json;
  }
}

}  // namespace
}  // namespace relcache
