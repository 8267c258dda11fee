#include "relcache/types/internal/uuid.h"

#include <gtest/gtest.h>

#include <string>

namespace relcache {
namespace {

TEST(Uuid, HyphensMayStandAfterEachFourDigits) {
  // select uuid 'text'
  const ContextPtr cx = Bump::CreateRoot("test");
  for (const char* text :
       {"A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "{a0eebc999c0b4ef8bb6d6bb9bd380a11}",
        "a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11"}) {
    const auto value = UuidIn(text, *cx);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(UuidOut(*value, *cx), "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11") << text;
  }
  for (const char* text :
       {"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1", "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "a0e-ebc99-9c0b-4ef8-bb6d-6bb9bd380a11", ""}) {
    const auto value = UuidIn(text, *cx);
    ASSERT_FALSE(value) << text;
    EXPECT_EQ(value.error().message,
              "invalid input syntax for type uuid: \"" + std::string(text) + "\"");
  }
}

TEST(Uuid, TheFirstByteThatDiffersDecides) {
  const ContextPtr cx = Bump::CreateRoot("test");
  const Datum low = *UuidIn("00000000-0000-0000-0000-0000000000ff", *cx);
  const Datum high = *UuidIn("80000000-0000-0000-0000-000000000000", *cx);
  EXPECT_LT(UuidCompare(low, high), 0);
  EXPECT_EQ(UuidCompare(low, low), 0);
}

}  // namespace
}  // namespace relcache
