// Conversion between bytes and hexadecimal digits.
#pragma once

#include <string>
#include <string_view>

namespace relcache {

inline constexpr char kHexDigits[] = "0123456789abcdef";

/// The value of a hexadecimal digit in either case; -1 if it is not one.
constexpr int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Two digits for each byte.
inline std::string HexText(std::string_view bytes) {
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char c : bytes) {
    hex += kHexDigits[static_cast<unsigned char>(c) >> 4];
    hex += kHexDigits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

}  // namespace relcache
