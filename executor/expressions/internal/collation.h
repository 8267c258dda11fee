// What a collation allows to be answered from bytes, and which encodings a database can have.
#pragma once

#include <string>
#include <string_view>

#include "relcache/catalog/catalog_source.h"
#include "relcache/catalog/rows.h"

namespace relcache {

/// What is known of a collation.
struct CollationTraits {
  enum class LetterCase : std::uint8_t {
    kAsciiOnly,  ///< lower and upper map ASCII letters and leave everything else as it is
    kOverAscii,  ///< they map ASCII letters to ASCII letters; of other characters nothing is known
    kUnknown,    ///< not even that: Turkish has no pair of I and i
  };
  /// Order is that of the bytes.
  bool bytewise = false;
  /// Equal means bytewise equal.
  bool deterministic = true;
  LetterCase letter_case = LetterCase::kUnknown;
  /// As messages name it: `"tr-x-icu"`, `s."mine"`, `"default" of locale tr (icu)`.
  std::string name;
};

/// Of a row of pg_collation. Languages whose case mapping was compared with ICU's or glibc's for
/// every ASCII character are kOverAscii; every other locale is kUnknown.
CollationTraits TraitsOf(const CollationRow& row);
/// Of a database's default collation (oid 100).
CollationTraits DefaultTraits(const ServerInfo& info);

/// Whether a database can be in the encoding of this name, as pg_encoding_to_char spells it. In all
/// of them a byte below 0x80 is an ASCII character and no part of another.
bool IsServerEncoding(std::string_view name);

}  // namespace relcache
