#include "relcache/types/internal/array.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

constexpr Oid kInt4ArrayOid = 1007;
constexpr Oid kTextArrayOid = 1009;
constexpr ElementType kText = {kTextOid, -1, false, 'i'};
constexpr ElementType kInt4 = {kInt4Oid, 4, true, 'i'};

class ArrayTest : public ::testing::Test {
 protected:
  Result<Datum> Read(Oid type, std::string_view text) {
    return TypeInput(type, -1, text, settings_, *cx_);
  }
  std::string Print(Oid type, Datum value) {
    return std::string(TypeOutput(type, value, settings_, *cx_).value_or("?"));
  }
  SessionSettings settings_ = AssumeUtcAndMdy(0);
  ContextPtr cx_ = Bump::CreateRoot("test");
};

TEST_F(ArrayTest, TextsReadAndPrint) {
  struct Case {
    Oid type;
    const char* text;
    const char* out;
  };
  const Case cases[] = {
      {kInt4ArrayOid, "{}", "{}"},
      {kInt4ArrayOid, " { 1 , NULL,3 } ", "{1,NULL,3}"},
      {kInt4ArrayOid, "{{1,2},{3,4}}", "{{1,2},{3,4}}"},
      {kInt4ArrayOid, "{{{1},{2}}}", "{{{1},{2}}}"},
      {kInt4ArrayOid, "[0:1]={1,2}", "[0:1]={1,2}"},
      {kInt4ArrayOid, "[1:2]={1,2}", "{1,2}"},
      {kTextArrayOid, "{a b , \"NULL\",NULL,\"\"}", "{\"a b\",\"NULL\",NULL,\"\"}"},
      {kTextArrayOid, "{\"a\\\"b\",c\\,d}", "{\"a\\\"b\",\"c,d\"}"},
  };
  for (const Case& c : cases) {
    const auto value = Read(c.type, c.text);
    ASSERT_TRUE(value) << c.text << value.error().ToString();
    EXPECT_EQ(Print(c.type, *value), c.out);
  }
}

TEST_F(ArrayTest, BadTextsSayWhy) {
  struct Case {
    const char* text;
    const char* sqlstate;
    const char* detail;
  };
  const Case cases[] = {
      {"", "22P02", "Array value must start with \"{\" or dimension information."},
      {"{1", "22P02", "Unexpected end of input."},
      {"{1}}", "22P02", "Junk after closing right brace."},
      {"{1,,2}", "22P02", "Unexpected \",\" character."},
      {"{{1,2},{3}}", "22P02",
       "Multidimensional arrays must have sub-arrays with matching dimensions."},
      {"[1:3]={1,2}", "22P02", "Specified array dimensions do not match array contents."},
      {"[2:1]={1}", "2202E", ""},
      {"{{{{{{{1}}}}}}}", "54000", ""},
      {"{x}", "22P02", ""},
  };
  for (const Case& c : cases) {
    const auto value = Read(kInt4ArrayOid, c.text);
    ASSERT_FALSE(value) << c.text;
    EXPECT_STREQ(value.error().sqlstate, c.sqlstate) << c.text;
    EXPECT_EQ(value.error().detail, c.detail) << c.text;
  }
}

TEST_F(ArrayTest, OrderIsThatOfBtree) {
  const char* const ascending[] = {"{}", "{1}", "{1,1}", "{{1,1}}", "{1,2}", "{2}", "{NULL}"};
  const TypeOps& ops = *FindTypeOps(kInt4Oid);
  for (std::size_t i = 0; i < std::size(ascending); ++i)
    for (std::size_t j = 0; j < std::size(ascending); ++j) {
      const auto order = ArrayCompare(*Read(kInt4ArrayOid, ascending[i]),
                                      *Read(kInt4ArrayOid, ascending[j]), kInt4, ops.compare, *cx_);
      ASSERT_TRUE(order);
      EXPECT_EQ(*order, i < j ? -1 : i > j ? 1 : 0) << ascending[i] << ascending[j];
    }
}

TEST_F(ArrayTest, DamagedBytesAreRefused) {
  const Datum good = *Read(kTextArrayOid, "{{a,NULL},{\"long enough\",d}}");
  const std::string payload(VarData(good));
  for (std::size_t n = 0; n < payload.size(); ++n) {
    for (const char damage : {'\0', '\x01', '\x7f', '\xff'}) {
      std::string bad = payload;
      bad[n] = damage;
      for (const std::string& bytes : {bad, payload.substr(0, n)}) {
        const auto head = ArrayHead::Of(MakeVarlena(bytes, *cx_));
        if (head) (void)head->Elements(kText, *cx_);
      }
    }
    EXPECT_FALSE(ArrayHead::Of(MakeVarlena(payload.substr(0, n), *cx_)).and_then([&](ArrayHead h) {
      return h.Elements(kText, *cx_);
    })) << n;
  }
}

TEST(ArrayIn, BoundsAtTheEndsOfInteger) {
  struct Case {
    const char* text;
    const char* error;
  };
  const Case cases[] = {
      {"[2147483647:2147483647]={1}", "54000 array lower bound is too large: 2147483647"},
      {"[2147483646:2147483647]={1,2}", "54000 array lower bound is too large: 2147483646"},
      {"[2147483646:2147483646]={1}", ""},
      {"[-2147483648:-2147483648]={1}", ""},
      {"[-2147483648:2147483647]={1}",
       "22P02 malformed array literal: \"[-2147483648:2147483647]={1}\""},
      {"[-2147483648:0]={1}", "22P02 malformed array literal: \"[-2147483648:0]={1}\""},
      {"[1:134217728]={1}", "22P02 malformed array literal: \"[1:134217728]={1}\""},
  };
  constexpr Oid kInt4ArrayOid = 1007;
  ContextPtr cx = Bump::CreateRoot("test");
  for (const Case& c : cases) {
    const auto value = TypeInput(kInt4ArrayOid, -1, c.text, SessionSettings{}, *cx);
    EXPECT_EQ(value ? "" : std::string(value.error().sqlstate) + " " + value.error().message,
              c.error)
        << c.text;
  }
}

// PostgreSQL 15 counts no element of them, and reads none.
TEST(ArrayIn, SubArraysOfDifferentDepthsAreEmptyWhateverTheirElements) {
  ContextPtr cx = Bump::CreateRoot("test");
  for (const char* text : {"{{{1}},{2}}", "{{{x}},{y}}", "{{{x,1}},{\"\"}}", "{{{{x}}},{{1}}}"}) {
    const auto value = TypeInput(kInt4ArrayOid, -1, text, SessionSettings{}, *cx);
    ASSERT_TRUE(value) << text << value.error().ToString();
    EXPECT_EQ(*TypeOutput(kInt4ArrayOid, *value, SessionSettings{}, *cx), "{}") << text;
  }
}

// As servers 12, 15 and 16 have them.
TEST(ArrayIn, SubArraysThatAreLessDeepLeaveGaps) {
  constexpr Oid kInt8ArrayOid = 1016;
  struct Case {
    const char* text;
    const char* result;
  };
  const Case cases[] = {
      {"{{5,6},{{0,2},{3,4}},{{5,6},{7,8}}}", "{{{5,6},{NULL,NULL}},{{0,2},{3,4}},{{5,6},{7,8}}}"},
      {"{{{1,2}},{3,4}}", "22P02 malformed array literal: \"{{{1,2}},{3,4}}\""},
      {"{{{1},{2}},{3,4}}", "{}"},
      {"{1,{2,3}}", "22P02 malformed array literal: \"{1,{2,3}}\""},
      {"{{1,2},3}", "22P02 malformed array literal: \"{{1,2},3}\""},
      {"{{1},{{2}}}", "{{{1}},{{2}}}"},
      {"{{{1,2},{3,4}},{5,6},{{7,8},{9,10}}}",
       "{{{1,2},{3,4}},{{NULL,5},{6,NULL}},{{7,8},{9,10}}}"},
      {"{{{1,2},{3,4}},{5},{{7,8},{9,10}}}",
       "22P02 malformed array literal: \"{{{1,2},{3,4}},{5},{{7,8},{9,10}}}\""},
      {"{{{1,2},{3,4}},{5,6,7},{{7,8},{9,10}}}",
       "22P02 malformed array literal: \"{{{1,2},{3,4}},{5,6,7},{{7,8},{9,10}}}\""},
      {"{{5,6},{{0,2},{3,4}}}", "{{{5,6},{NULL,NULL}},{{0,2},{3,4}}}"},
      {"{{1,2},{{3,4},{5,6}},{7,8}}", "{}"},
      {"{1,{2},3}", "22P02 malformed array literal: \"{1,{2},3}\""},
      {"{{{1}},{2},{{3}}}", "{{{1}},{{NULL}},{{3}}}"},
      {"{{{1,2}},{{3,4}},{5,x}}", "22P02 malformed array literal: \"{{{1,2}},{{3,4}},{5,x}}\""},
      {"{{5,6},{{0,2},{3,4}},{7,8},{{9,10},{11,12}}}",
       "{{{5,6},{NULL,NULL}},{{0,2},{3,4}},{{NULL,7},{8,NULL}},{{9,10},{11,12}}}"},
      {"[1:3][1:2][1:2]={{5,6},{{0,2},{3,4}},{{5,6},{7,8}}}",
       "{{{5,6},{NULL,NULL}},{{0,2},{3,4}},{{5,6},{7,8}}}"},
      {"{{{{1,2}}},{{3,4}},{{{5,6}}}}",
       "22P02 malformed array literal: \"{{{{1,2}}},{{3,4}},{{{5,6}}}}\""},
      {"{{{{1,2}}},{3,4},{{{5,6}}}}",
       "22P02 malformed array literal: \"{{{{1,2}}},{3,4},{{{5,6}}}}\""},
      {"{{1,NULL},{{0,2},{3,4}},{{5,6},{7,8}}}",
       "{{{1,NULL},{NULL,NULL}},{{0,2},{3,4}},{{5,6},{7,8}}}"},
  };
  ContextPtr cx = Bump::CreateRoot("test");
  for (const Case& c : cases) {
    const auto value = TypeInput(kInt8ArrayOid, -1, c.text, SessionSettings{}, *cx);
    EXPECT_EQ(value ? std::string(*TypeOutput(kInt8ArrayOid, *value, SessionSettings{}, *cx))
                    : std::string(value.error().sqlstate) + " " + value.error().message,
              c.result)
        << c.text;
    // From 17 on all of them are malformed.
    EXPECT_FALSE(TypeInput(kInt8ArrayOid, -1, c.text, SessionSettings{}, *cx, {170000})) << c.text;
  }
}

TEST(ArrayIn, BracesInQuotesAreNoSubArraysInAnyVersion) {
  ContextPtr cx = Bump::CreateRoot("test");
  for (const char* text : {R"({"{",a})", R"({"{{","}",b})", R"({\{,a})", R"([2:3]={"{\"",a})",
                           R"({{"}"},{a}})", R"( {{"a,{"},{ b }} )"}) {
    EXPECT_TRUE(TypeInput(kTextArrayOid, -1, text, SessionSettings{}, *cx, {170000})) << text;
  }
}

// As servers 12, 15 and 16 have it.
TEST(ArrayIn, GapsBeyondTheLimitAreAnError) {
  // 600 rows, of which one is deeper: 600 times 600 times 600 places.
  std::string flat = "{1";
  for (int i = 1; i < 600; ++i) flat += ",1";
  flat += "}";
  std::string deep = "{" + flat;
  for (int i = 1; i < 600; ++i) deep += "," + flat;
  std::string text = "{" + flat;
  for (int i = 1; i < 599; ++i) text += "," + flat;
  text += "," + deep + "}}";
  ContextPtr cx = Bump::CreateRoot("test");
  const auto value = TypeInput(kInt4ArrayOid, -1, text, SessionSettings{}, *cx);
  ASSERT_FALSE(value);
  EXPECT_STREQ(value.error().sqlstate, "54000");
  EXPECT_EQ(value.error().message, "array size exceeds the maximum allowed (134217727)");
}

// Releases from 17 on read all bounds before the first element.
TEST(ArrayIn, BoundsComeBeforeElementsFrom17On) {
  struct Case {
    const char* text;
    const char* error;
  };
  const Case cases[] = {
      {"[2147483648:2147483648]={x}", "54000 array bound is out of integer range"},
      {"[-2147483649:1]={x}", "54000 array bound is out of integer range"},
      {"[99999999999999999999]={x}", "54000 array bound is out of integer range"},
      {"[2147483647:2147483647]={1}", "54000 array upper bound is too large: 2147483647"},
      {"[2147483647]={1}", "54000 array upper bound is too large: 2147483647"},
      {"[1:1][5:2147483647]={x}", "54000 array upper bound is too large: 2147483647"},
      {"[-2147483648:2147483646]={1}", "54000 array size exceeds the maximum allowed (134217727)"},
      {"[-2147483648:-1]={1}", "54000 array size exceeds the maximum allowed (134217727)"},
      {"[5:3]={x}", "2202E upper bound cannot be less than lower bound"},
      {"[1-2147483649:1]={1}",
       "0A000 not supported: input of type array, \"[1-2147483649:1]={1}\", as PostgreSQL 17 reads "
       "it"},
      {"[2147483646:2147483646]={1}", ""},
      {"[0000000001:0000000001]={1}", ""},
      {"[1:1]={x}", "22P02 invalid input syntax for type integer: \"x\""},
  };
  ContextPtr cx = Bump::CreateRoot("test");
  for (const Case& c : cases) {
    const auto value = TypeInput(kInt4ArrayOid, -1, c.text, SessionSettings{}, *cx, {170010});
    EXPECT_EQ(value ? "" : std::string(value.error().sqlstate) + " " + value.error().message,
              c.error)
        << c.text;
  }
}

}  // namespace
}  // namespace relcache
