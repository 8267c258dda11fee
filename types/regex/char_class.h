// Character classes and letter case as a collation has them (regc_pg_locale.c).
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/types/regex/code_points.h"

namespace relcache {

/// The classes of [[:name:]], and what \w means.
enum class CharClass : std::uint8_t {
  kAlnum,
  kAlpha,
  kAscii,
  kBlank,
  kCntrl,
  kDigit,
  kGraph,
  kLower,
  kPrint,
  kPunct,
  kSpace,
  kUpper,
  kXdigit,
  kWord,
};
inline constexpr int kCharClasses = 14;

/// Whose classes and letter case a regular expression goes by.
struct RegexLocale {
  enum class Tables : std::uint8_t {
    kC,     ///< ASCII characters have classes and case, others have none
    kLibc,  ///< the C library's locale C.UTF-8
    kIcu,   ///< ICU's properties, which are the same in all of its locales
  };
  Tables tables = Tables::kC;
  /// Of characters outside ASCII nothing is known: a pattern that asks for one's class or case is
  /// refused, and one that asks for ASCII characters' decides texts in ASCII only.
  bool ascii_only = false;
  /// Not even the letter case of ASCII characters is known, or their classes.
  bool case_unknown = false;
  bool classes_unknown = false;
  /// What makes it so, as messages have it: `under collation "tr-x-icu"`. Lifetime: the caller's.
  std::string_view name;

  friend bool operator==(const RegexLocale&, const RegexLocale&) = default;
};

/// The members of a class. Lifetime: the process's. Thread safety: any threads. Cost: the first
/// time one question for each code point, then a look into a table.
const CodePoints& ClassMembers(RegexLocale::Tables tables, CharClass char_class);
/// One character for one, as PostgreSQL's regular expressions map them.
std::uint32_t RegexToLower(RegexLocale::Tables tables, std::uint32_t c);
std::uint32_t RegexToUpper(RegexLocale::Tables tables, std::uint32_t c);

}  // namespace relcache
