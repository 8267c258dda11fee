#include "relcache/types/internal/jsonb.h"

#include <gtest/gtest.h>

#include <string>

#include "relcache/types/internal/json.h"

namespace relcache {
namespace {

class JsonbTest : public ::testing::Test {
 protected:
  Datum Read(std::string_view text) {
    const auto value = JsonbIn(text, *cx_);
    EXPECT_TRUE(value) << text;
    return value.value_or(Datum{});
  }
  ContextPtr cx_ = Bump::CreateRoot("test");
};

TEST_F(JsonbTest, StoredFormIsPostgres) {
  // {"a": 1}: an object of one pair; a key of one byte, a numeric aligned to 4.
  EXPECT_EQ(VarData(Read("{\"a\":1}")),
            std::string_view("\x01\x00\x00\x20\x01\x00\x00\x80\x0b\x00\x00\x10"
                             "a\0\0\0\x20\x00\x00\x00\x00\x80\x01\x00",
                             24));
}

TEST_F(JsonbTest, FieldsOfObjects) {
  const Datum value =
      Read("{\"bb\": [1, 2], \"a\": \"x\", \"n\": null, \"num\": 1.50, \"t\": true}");
  EXPECT_EQ(*JsonbTypeof(value), "object");
  EXPECT_TRUE(*JsonbExists(value, "bb"));
  EXPECT_FALSE(*JsonbExists(value, "b"));
  EXPECT_EQ(**JsonbObjectFieldText(value, "a", *cx_), "x");
  EXPECT_EQ(**JsonbObjectFieldText(value, "bb", *cx_), "[1, 2]");
  EXPECT_EQ(**JsonbObjectFieldText(value, "num", *cx_), "1.50");
  EXPECT_FALSE(JsonbObjectFieldText(value, "n", *cx_)->has_value());
  EXPECT_FALSE(JsonbObjectFieldText(value, "zz", *cx_)->has_value());
  EXPECT_EQ(*JsonbOut(**JsonbObjectField(value, "a", *cx_), *cx_), "\"x\"");
  EXPECT_EQ(*JsonbTypeof(**JsonbObjectField(value, "n", *cx_)), "null");
  EXPECT_EQ(*JsonbTypeof(**JsonbObjectField(value, "t", *cx_)), "boolean");
  EXPECT_EQ(*JsonbArrayLength(**JsonbObjectField(value, "bb", *cx_)), 2);
  EXPECT_STREQ(JsonbArrayLength(value).error().sqlstate, "22023");
  EXPECT_FALSE(JsonbObjectField(Read("[1]"), "a", *cx_)->has_value());
  EXPECT_TRUE(*JsonbExists(Read("[\"a\", 1]"), "a"));
  EXPECT_TRUE(*JsonbExists(Read("\"a\""), "a"));
}

TEST_F(JsonbTest, ManyFieldsAreFound) {
  std::string text = "{";
  for (int i = 0; i < 200; ++i)
    text += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":" + std::to_string(i);
  const Datum value = Read(text + "}");
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(**JsonbObjectFieldText(value, "k" + std::to_string(i), *cx_), std::to_string(i));
}

TEST_F(JsonbTest, DepthIsBounded) {
  const auto nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  EXPECT_TRUE(JsonbOut(Read(nested(kJsonbMaxDepth)), *cx_));
  EXPECT_EQ(JsonbIn(nested(kJsonbMaxDepth + 1), *cx_).error().code, ErrorCode::kNotSupported);
  EXPECT_TRUE(JsonIn(nested(1000000), *cx_));
}

TEST_F(JsonbTest, DamagedBytesAreValuesOrErrors) {
  const Datum good = Read("{\"a\": [1, \"x\", {\"b\": null}], \"cc\": 2.5, \"d\": true}");
  const std::string payload(VarData(good));
  for (std::size_t n = 0; n < payload.size(); ++n) {
    for (const char damage : {'\0', '\x01', '\x40', '\x7f', '\xff'}) {
      std::string bad = payload;
      bad[n] = damage;
      for (const std::string& bytes : {bad, payload.substr(0, n)}) {
        const Datum value = MakeVarlena(bytes, *cx_);
        (void)JsonbOut(value, *cx_);
        (void)JsonbTypeof(value);
        (void)JsonbObjectFieldText(value, "cc", *cx_);
        (void)JsonbExists(value, "x");
      }
    }
  }
}

}  // namespace
}  // namespace relcache
