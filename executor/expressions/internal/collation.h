// What can be computed from the bytes of texts under a collation, and which encodings a database
// can have.
#pragma once

#include <string>
#include <string_view>

#include "relcache/catalog/catalog_source.h"
#include "relcache/catalog/rows.h"
#include "relcache/types/regex/char_class.h"

namespace relcache {

/// What is known about a collation.
struct CollationTraits {
  enum class LetterCase : std::uint8_t {
    kAsciiOnly,  ///< lower and upper map ASCII letters and leave everything else as it is
    kOverAscii,  ///< they map ASCII letters to ASCII letters; other characters are unknown
    kUnknown,    ///< not even that: in Turkish, I and i are not a pair
  };
  /// Whether texts are ordered by their bytes.
  bool bytewise = false;
  /// Whether only texts with equal bytes are equal.
  bool deterministic = true;
  LetterCase letter_case = LetterCase::kUnknown;
  /// The classes and the letter case of regular expressions, without the name.
  RegexLocale regex;
  /// The name for messages: `"tr-x-icu"`, `s."mine"`, `"default" of locale tr (icu)`.
  std::string name;
};

/// The traits of a row of pg_collation. A language is kOverAscii if its case mapping was compared
/// with that of ICU or glibc for every ASCII character; every other locale is kUnknown.
CollationTraits TraitsOf(const CollationRow& row);
/// The traits of a database's default collation (oid 100).
CollationTraits DefaultTraits(const ServerInfo& info);

/// Whether PostgreSQL allows a database in the encoding of this name, as pg_encoding_to_char prints
/// it. In all of these, a byte below 0x80 is an ASCII character and not a part of another one.
bool IsServerEncoding(std::string_view name);

}  // namespace relcache
