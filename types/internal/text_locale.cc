#include "relcache/types/internal/text_locale.h"

#include <wctype.h>

#include <memory>
#include <string>

#include "relcache/types/internal/system_locale.h"
#include "relcache/types/regex/code_points.h"

// Defined by the build where ICU was found, and 0 to the preprocessor elsewhere.
#if RELCACHE_HAVE_ICU
#include <unicode/ucol.h>
#include <unicode/ustring.h>
#endif

namespace relcache {
namespace {

/// Maps character by character, as the server does over wide characters.
template <class Map>
std::string_view MapEach(std::string_view text, MemoryContext& cx, Map map) {
  // Two bytes may become three, and one becomes one.
  const std::span<char> room = cx.NewArray<char>(text.size() * 2);
  char* out = room.data();
  while (!text.empty()) out += PutCodePoint(map(TakeCodePoint(text)), out);
  return {room.data(), static_cast<std::size_t>(out - room.data())};
}

std::uint32_t LibcLower(std::uint32_t c, locale_t locale) {
  return static_cast<std::uint32_t>(towlower_l(static_cast<wint_t>(c), locale));
}
std::uint32_t LibcUpper(std::uint32_t c, locale_t locale) {
  return static_cast<std::uint32_t>(towupper_l(static_cast<wint_t>(c), locale));
}

#if RELCACHE_HAVE_ICU
Error IcuError(const char* what, UErrorCode status) {
  return Error(ErrorCode::kEvaluation, "XX000", std::string(what) + ": " + u_errorName(status));
}

/// UTF-16 for short texts on the stack.
class Units {
 public:
  UChar* Of(std::size_t n, MemoryContext& cx) {
    return n <= std::size(few_) ? few_ : cx.NewArray<UChar>(n).data();
  }

 private:
  UChar few_[256];
};

template <class Convert>
Result<std::string_view> ConvertByIcu(std::string_view text, MemoryContext& cx, Convert convert) {
  Units from_units, to_units;
  UErrorCode status = U_ZERO_ERROR;
  std::int32_t n = 0;
  UChar* const from = from_units.Of(text.size() + 1, cx);
  u_strFromUTF8(from, static_cast<std::int32_t>(text.size() + 1), &n, text.data(),
                static_cast<std::int32_t>(text.size()), &status);
  if (U_FAILURE(status)) return Fail(IcuError("u_strFromUTF8 failed", status));
  // The result may be longer; then ICU says how long it is.
  std::int32_t room = n + 16;
  UChar* to = to_units.Of(static_cast<std::size_t>(room), cx);
  std::int32_t length = convert(to, room, from, n, &status);
  if (status == U_BUFFER_OVERFLOW_ERROR) {
    status = U_ZERO_ERROR;
    room = length + 1;
    to = cx.NewArray<UChar>(static_cast<std::size_t>(room)).data();
    length = convert(to, room, from, n, &status);
  }
  if (U_FAILURE(status)) return Fail(IcuError("case conversion failed", status));
  const std::span<char> out = cx.NewArray<char>(static_cast<std::size_t>(length) * 3 + 1);
  std::int32_t bytes = 0;
  u_strToUTF8(out.data(), static_cast<std::int32_t>(out.size()), &bytes, to, length, &status);
  if (U_FAILURE(status)) return Fail(IcuError("u_strToUTF8 failed", status));
  return std::string_view(out.data(), static_cast<std::size_t>(bytes));
}

struct CloseCollator {
  void operator()(UCollator* collator) const { ucol_close(collator); }
};
#endif

}  // namespace

Result<const TextLocale*> TextLocale::Make(Provider provider, std::string_view locale,
                                           [[maybe_unused]] bool order, MemoryContext& cx) {
  auto* made = cx.New<TextLocale>();
  made->provider_ = provider;
  made->locale_ = cx.CopyString(std::string(locale) + '\0').data();
#if RELCACHE_HAVE_ICU
  if (provider == Provider::kIcu && order) {
    // ICU does not say what a collator takes. Its tables are shared by all of one locale; this is
    // about what malloc gives for one more.
    constexpr std::size_t kForeignBytes = 1024;
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<UCollator, CloseCollator> collator(ucol_open(made->locale_, &status));
    if (U_FAILURE(status))
      return Fail(IcuError(
          ("could not open collator for locale \"" + std::string(locale) + "\"").c_str(), status));
    made->collator_ = &cx.Adopt(std::move(collator), kForeignBytes);
  }
#endif
  return made;
}

Result<std::string_view> TextLocale::Lower(std::string_view text, MemoryContext& cx) const {
#if RELCACHE_HAVE_ICU
  if (provider_ == Provider::kIcu)
    return ConvertByIcu(
        text, cx,
        [this](UChar* to, std::int32_t room, const UChar* from, std::int32_t n,
               UErrorCode* status) { return u_strToLower(to, room, from, n, locale_, status); });
#endif
  return MapEach(text, cx,
                 [locale = LibcUtf8Locale()](std::uint32_t c) { return LibcLower(c, locale); });
}

Result<std::string_view> TextLocale::Upper(std::string_view text, MemoryContext& cx) const {
#if RELCACHE_HAVE_ICU
  if (provider_ == Provider::kIcu)
    return ConvertByIcu(
        text, cx,
        [this](UChar* to, std::int32_t room, const UChar* from, std::int32_t n,
               UErrorCode* status) { return u_strToUpper(to, room, from, n, locale_, status); });
#endif
  return MapEach(text, cx,
                 [locale = LibcUtf8Locale()](std::uint32_t c) { return LibcUpper(c, locale); });
}

Result<std::string_view> TextLocale::InitCap(std::string_view text, MemoryContext& cx) const {
#if RELCACHE_HAVE_ICU
  if (provider_ == Provider::kIcu)
    return ConvertByIcu(text, cx,
                        [this](UChar* to, std::int32_t room, const UChar* from, std::int32_t n,
                               UErrorCode* status) {
                          return u_strToTitle(to, room, from, n, nullptr, locale_, status);
                        });
#endif
  return MapEach(text, cx, [locale = LibcUtf8Locale(), in_word = false](std::uint32_t c) mutable {
    c = in_word ? LibcLower(c, locale) : LibcUpper(c, locale);
    in_word = iswalnum_l(static_cast<wint_t>(c), locale) != 0;
    return c;
  });
}

Result<int> TextLocale::Compare(std::string_view a, std::string_view b) const {
#if RELCACHE_HAVE_ICU
  if (collator_ != nullptr && a != b) {
    UErrorCode status = U_ZERO_ERROR;
    const UCollationResult order = ucol_strcollUTF8(
        static_cast<const UCollator*>(collator_), a.data(), static_cast<std::int32_t>(a.size()),
        b.data(), static_cast<std::int32_t>(b.size()), &status);
    if (U_FAILURE(status)) return Fail(IcuError("collation failed", status));
    if (order != UCOL_EQUAL) return order == UCOL_LESS ? -1 : 1;
  }
#endif
  return a.compare(b);
}

std::string_view InitCapC(std::string_view text, MemoryContext& cx) {
  const std::span<char> out = cx.NewArray<char>(text.size());
  bool in_word = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z';
    if (in_word && upper) c = static_cast<char>(c + ('a' - 'A'));
    if (!in_word && lower) c = static_cast<char>(c - ('a' - 'A'));
    in_word = upper || lower || (c >= '0' && c <= '9');
    out[i] = c;
  }
  return {out.data(), out.size()};
}

}  // namespace relcache
