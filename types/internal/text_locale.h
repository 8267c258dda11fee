// Letter case and order of texts as the C library's C.UTF-8 and ICU have them
// (utils/adt/oracle_compat.c, formatting.c, varlena.c, pg_locale.c). What collation "C" has is in
// text.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// A locale whose letter case is known for every character. Texts are in UTF-8. Lifetime: that of
/// the context it was made in. Thread safety: const, used by any number of threads at once.
class TextLocale {
 public:
  enum class Provider : std::uint8_t {
    kLibcUtf8,  ///< needs HasLibcUtf8
    kIcu,       ///< needs HasIcu
  };

  /// `locale` is pg_collation's colllocale, of no meaning for kLibcUtf8. With `order`, Compare may
  /// be called, which kLibcUtf8 has none of: its order is that of bytes. What ICU allocates for
  /// the order is released with the context and counts as its foreign bytes.
  /// Errors: XX000 `could not open collator for locale "x": U_...`.
  static Result<const TextLocale*> Make(Provider provider, std::string_view locale, bool order,
                                        MemoryContext& cx);

  /// lower(text), upper(text), initcap(text). The result lies in cx.
  /// Errors: XX000 `case conversion failed: U_...`, if ICU has no memory.
  Result<std::string_view> Lower(std::string_view text, MemoryContext& cx) const;
  Result<std::string_view> Upper(std::string_view text, MemoryContext& cx) const;
  Result<std::string_view> InitCap(std::string_view text, MemoryContext& cx) const;

  /// Negative, zero or positive; zero only for equal bytes. Errors: XX000 `collation failed: ...`.
  Result<int> Compare(std::string_view a, std::string_view b) const;

 private:
  Provider provider_ = Provider::kLibcUtf8;
  const char* locale_ = "";
  const void* collator_ = nullptr;
};

/// initcap(text) under collation "C": words are of ASCII letters and digits.
std::string_view InitCapC(std::string_view text, MemoryContext& cx);

}  // namespace relcache
