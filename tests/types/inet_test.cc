#include "relcache/types/internal/inet.h"

#include <gtest/gtest.h>

#include <string>

namespace relcache {
namespace {

class Inet : public testing::Test {
 protected:
  std::string Shown(bool is_cidr, const char* text) {
    const auto value = is_cidr ? CidrIn(text, *cx_) : InetIn(text, *cx_);
    if (!value) return value.error().message + value.error().detail;
    return std::string(is_cidr ? *CidrOut(*value, *cx_) : *InetOut(*value, *cx_));
  }
  ContextPtr cx_ = Bump::CreateRoot("test");
};

TEST_F(Inet, TextsAreReadAndPrintedAsPostgresDoes) {
  // select inet 'text', cidr 'text'
  struct Case {
    bool is_cidr;
    const char *text, *shown;
  };
  constexpr Case kCases[] = {
      {false, "192.168.1.5/24", "192.168.1.5/24"},
      {false, "10.0.0.1/32", "10.0.0.1"},
      {false, "::1", "::1"},
      {false, "::ffff:1.2.3.4/128", "::ffff:1.2.3.4"},
      {false, "1:2:3:4:5:6:7:8/64", "1:2:3:4:5:6:7:8/64"},
      {true, "10.1", "10.1.0.0/16"},
      {true, "192.168", "192.168.0.0/24"},
      {true, "2001:db8::/32", "2001:db8::/32"},
      {false, "1.2.3", "invalid input syntax for type inet: \"1.2.3\""},
      {false, "1.2.3.4/33", "invalid input syntax for type inet: \"1.2.3.4/33\""},
      {false, "1.2.3.256", "invalid input syntax for type inet: \"1.2.3.256\""},
      {true, "10.1.2.3/8",
       "invalid cidr value: \"10.1.2.3/8\"Value has bits set to right of mask."},
      {true, "::1/64", "invalid cidr value: \"::1/64\"Value has bits set to right of mask."},
  };
  for (const Case& c : kCases) EXPECT_EQ(Shown(c.is_cidr, c.text), c.shown) << c.text;
}

TEST_F(Inet, OrderIsByFamilyNetworkPrefixAndAddress) {
  // select i from ... order by i
  const char* const ascending[] = {"9.255.255.255", "10.0.0.0/8", "10.0.0.1/8", "10.0.0.0/16",
                                   "::"};
  for (std::size_t i = 0; i + 1 < std::size(ascending); ++i) {
    const Datum a = *InetIn(ascending[i], *cx_);
    const Datum b = *InetIn(ascending[i + 1], *cx_);
    EXPECT_LT(InetCompare(a, b), 0) << ascending[i];
    EXPECT_GT(InetCompare(b, a), 0) << ascending[i];
    EXPECT_EQ(InetCompare(a, a), 0) << ascending[i];
  }
}

TEST_F(Inet, BytesThatNoValueHasAreRefused) {
  for (const std::string_view bytes : {std::string_view(""), std::string_view("\x02", 1),
                                       std::string_view("\x02\x21\x01\x02\x03\x04", 6),
                                       std::string_view("\x09\x20\x01\x02\x03\x04", 6)}) {
    const auto text = InetOut(MakeVarlena(bytes, *cx_), *cx_);
    ASSERT_FALSE(text) << bytes.size();
    EXPECT_STREQ(text.error().sqlstate, "22P02");
  }
}

}  // namespace
}  // namespace relcache
