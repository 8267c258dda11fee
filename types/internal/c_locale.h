// The C locale, independent of the locale of the process. PostgreSQL reads numbers in it.
#pragma once

#include <clocale>
#include <cstdlib>

namespace relcache {

inline locale_t CLocale() {
  static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
  return locale;
}

}  // namespace relcache
