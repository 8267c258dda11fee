// The errors that input functions have in common, with PostgreSQL's messages, and the
// classification of ASCII characters as in the C locale.
#pragma once

#include <string_view>

#include "relcache/base/error.h"

namespace relcache {

/// 22P02 `invalid input syntax for type TYPE: "TEXT"`.
[[gnu::cold]] Error InvalidSyntax(std::string_view type, std::string_view text);
/// 22003 `value "TEXT" is out of range for type TYPE`.
[[gnu::cold]] Error ValueOutOfRange(std::string_view type, std::string_view text);

/// The same as isspace() in the C locale.
constexpr bool IsSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
constexpr bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool IsAlpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool IsAlnum(char c) {
  return IsDigit(c) || IsAlpha(c);
}
constexpr char ToLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
constexpr char ToUpper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
}
/// Removes white space at both ends.
constexpr std::string_view TrimSpace(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}
/// Whether `text` begins with `prefix`, ignoring the case of ASCII letters.
constexpr bool StartsWithNoCase(std::string_view text, std::string_view prefix) {
  if (text.size() < prefix.size()) return false;
  for (std::size_t i = 0; i < prefix.size(); ++i)
    if (ToLower(text[i]) != ToLower(prefix[i])) return false;
  return true;
}
constexpr bool EqualNoCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && StartsWithNoCase(a, b);
}

}  // namespace relcache
