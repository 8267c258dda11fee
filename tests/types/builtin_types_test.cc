#include "relcache/types/builtin_types.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace relcache {
namespace {

TEST(BuiltinTypes, NamesAreThoseOfFormatType) {
  struct Case {
    Oid type;
    std::int32_t typmod;
    const char* with_typmod;
    const char* without;
  };
  const Case cases[] = {
      {kInt4Oid, -1, "integer", "integer"},
      {kBoolOid, 5, "boolean", "boolean"},
      {kVarcharOid, 14, "character varying(10)", "character varying"},
      {kBpcharOid, -1, "bpchar", "character"},
      {kBpcharOid, 9, "character(5)", "character"},
      {kNumericOid, ((5 << 16) | 2) + 4, "numeric(5,2)", "numeric"},
      {kNumericOid, ((3 << 16) | (-1 & 0x7ff)) + 4, "numeric(3,-1)", "numeric"},
      {kTimestamptzOid, 3, "timestamp(3) with time zone", "timestamp with time zone"},
      {kTimestampOid, -1, "timestamp without time zone", "timestamp without time zone"},
      {kIntervalOid, 2147418115, "interval(3)", "interval"},
      {kIntervalOid, 327679, "interval year", "interval"},
      {kIntervalOid, 470286338, "interval day to second(2)", "interval"},
      {kIntervalOid, 201392127, "interval hour to minute", "interval"},
      {kCharOid, -1, "\"char\"", "\"char\""},
      {1560, -1, "\"bit\"", "bit"},
      {1560, 3, "bit(3)", "bit"},
      {1015, 14, "character varying(10)[]", "character varying[]"},
      {1007, -1, "integer[]", "integer[]"},
      {22, -1, "int2vector", "int2vector"},
      {2276, -1, "\"any\"", "\"any\""},
      {2287, -1, "record[]", "record[]"},
      {0, -1, "-", "-"},
      {99999, -1, "???", "???"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(FormatType(c.type, c.typmod), c.with_typmod);
    EXPECT_EQ(FormatTypeName(c.type), c.without);
  }
}

TEST(BuiltinTypes, AreFoundByOidAndByName) {
  ASSERT_NE(FindTypeInfo(kNumericOid), nullptr);
  EXPECT_EQ(FindTypeInfo(kNumericOid)->typname, "numeric");
  EXPECT_EQ(FindTypeInfo("_text")->typelem, kTextOid);
  EXPECT_EQ(FindTypeInfo(Oid{12345}), nullptr);
  EXPECT_EQ(FindTypeInfo("nosuch"), nullptr);
}

TEST(BuiltinTypes, ArraysAndElementsPointAtEachOther) {
  EXPECT_TRUE(std::ranges::is_sorted(TypeInfos(), {}, &TypeInfo::oid));
  for (const TypeInfo& type : TypeInfos()) {
    if (type.typarray != kInvalidOid) {
      const TypeInfo* array = FindTypeInfo(type.typarray);
      ASSERT_NE(array, nullptr) << type.typname;
      EXPECT_EQ(array->typelem, type.oid);
      EXPECT_TRUE(IsArrayType(*array));
    }
    if (type.typbyval) {
      EXPECT_LE(type.typlen, 8) << type.typname;
      EXPECT_GT(type.typlen, 0) << type.typname;
    }
  }
}

}  // namespace
}  // namespace relcache
