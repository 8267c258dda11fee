// What the C library and ICU of this machine have: locales and versions.
#pragma once

#include <locale.h>

#include <string>
#include <string_view>

namespace relcache {

/// The C library's locale C.UTF-8, nullptr if it has none. Lifetime: the process's.
locale_t LibcUtf8Locale();
inline bool HasLibcUtf8() {
  return LibcUtf8Locale() != nullptr;
}

/// Whether ICU is part of this build.
bool HasIcu();
/// The version of ICU's collation for a locale, as pg_collation.collversion has it: "153.120".
/// Empty without ICU, and for a locale that ICU refuses. Thread safety: any threads. Cost: the
/// first time that of opening a collator, then a look into a table.
std::string IcuCollationVersion(std::string_view locale);

}  // namespace relcache
