// What can be computed from the bytes of texts under a collation, and which encodings a database
// can have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "relcache/catalog/catalog_source.h"
#include "relcache/catalog/rows.h"
#include "relcache/types/internal/text_locale.h"
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
  /// Whether they are ordered by ICU for `locale`, and equal bytes come last.
  bool icu_order = false;
  /// Whether only texts with equal bytes are equal.
  bool deterministic = true;
  LetterCase letter_case = LetterCase::kUnknown;
  /// Whether initcap finds words by letters and digits.
  bool plain_words = false;
  /// Who knows the letter case of all characters, for `locale`.
  std::optional<TextLocale::Provider> provider;
  std::string locale;
  /// The classes and the letter case of regular expressions, without the name.
  RegexLocale regex{.ascii_only = true, .case_unknown = true, .classes_unknown = true, .name = {}};
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
