#include "relcache/types/date_time/time_zone_reader.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

namespace relcache {
namespace {

std::string BytesOf(const char* name) {
  std::ifstream file(std::string("/usr/share/zoneinfo/") + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(TimeZoneReader, AnyBytesGiveAZoneOrAnError) {
  const std::string good = BytesOf("America/New_York");
  ASSERT_FALSE(good.empty());
  ASSERT_TRUE(TimeZoneReader::FromFile("x", good));
  const auto probe = [](const std::string& bytes) {
    const auto zone = TimeZoneReader::FromFile("x", bytes);
    if (!zone) return;
    for (const UnixSeconds t :
         {std::int64_t{-10000000000}, std::int64_t{0}, std::int64_t{5000000000}}) {
      (*zone)->At(t);
      (*zone)->OffsetAtLocal(t);
    }
  };
  for (std::size_t n = 0; n < good.size(); ++n) {
    probe(good.substr(0, n));
    for (const char damage : {'\0', '\x7f', '\xff'}) {
      std::string bad = good;
      bad[n] = damage;
      probe(bad);
    }
  }
}

}  // namespace
}  // namespace relcache
