#include "relcache/types/internal/hash.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

namespace relcache {
namespace {

TEST(Hash, LongAndShortFormsAgree) {
  const std::uint32_t word = 0x01020304;
  const std::string_view bytes("\x04\x03\x02\x01", 4);
  EXPECT_EQ(HashUint32(word), HashBytes(bytes));
  EXPECT_EQ(HashUint32Extended(word, 99), HashBytesExtended(bytes, 99));
}

}  // namespace
}  // namespace relcache
