#include "relcache/types/regex/char_class.h"

#include <wctype.h>

#include <mutex>

#include "relcache/types/internal/system_locale.h"

// Defined by the build where ICU was found, and 0 to the preprocessor elsewhere.
#if RELCACHE_HAVE_ICU
#include <unicode/uchar.h>
#endif

namespace relcache {
namespace {

using Tables = RegexLocale::Tables;

bool IsAsciiMember(CharClass char_class, std::uint32_t c) {
  const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z';
  const bool digit = c >= '0' && c <= '9';
  switch (char_class) {
    case CharClass::kAlnum:
      return upper || lower || digit;
    case CharClass::kAlpha:
      return upper || lower;
    case CharClass::kDigit:
      return digit;
    case CharClass::kGraph:
      return c > ' ' && c < 0x7f;
    case CharClass::kLower:
      return lower;
    case CharClass::kPrint:
      return c >= ' ' && c < 0x7f;
    case CharClass::kPunct:
      return c > ' ' && c < 0x7f && !upper && !lower && !digit;
    case CharClass::kSpace:
      return c == ' ' || (c >= '\t' && c <= '\r');
    case CharClass::kUpper:
      return upper;
    default:
      return false;
  }
}

bool IsLibcMember(CharClass char_class, std::uint32_t c) {
  const locale_t locale = LibcUtf8Locale();
  const auto wide = static_cast<wint_t>(c);
  switch (char_class) {
    case CharClass::kAlnum:
      return iswalnum_l(wide, locale) != 0;
    case CharClass::kAlpha:
      return iswalpha_l(wide, locale) != 0;
    case CharClass::kDigit:
      return iswdigit_l(wide, locale) != 0;
    case CharClass::kGraph:
      return iswgraph_l(wide, locale) != 0;
    case CharClass::kLower:
      return iswlower_l(wide, locale) != 0;
    case CharClass::kPrint:
      return iswprint_l(wide, locale) != 0;
    case CharClass::kPunct:
      return iswpunct_l(wide, locale) != 0;
    case CharClass::kSpace:
      return iswspace_l(wide, locale) != 0;
    case CharClass::kUpper:
      return iswupper_l(wide, locale) != 0;
    default:
      return false;
  }
}

bool IsIcuMember([[maybe_unused]] CharClass char_class, [[maybe_unused]] std::uint32_t c) {
#if RELCACHE_HAVE_ICU
  const auto point = static_cast<UChar32>(c);
  switch (char_class) {
    case CharClass::kAlnum:
      return u_isalnum(point);
    case CharClass::kAlpha:
      return u_isalpha(point);
    case CharClass::kDigit:
      return u_isdigit(point);
    case CharClass::kGraph:
      return u_isgraph(point);
    case CharClass::kLower:
      return u_islower(point);
    case CharClass::kPrint:
      return u_isprint(point);
    case CharClass::kPunct:
      return u_ispunct(point);
    case CharClass::kSpace:
      return u_isspace(point);
    case CharClass::kUpper:
      return u_isupper(point);
    default:
      return false;
  }
#else
  return false;
#endif
}

CodePoints MakeMembers(Tables tables, CharClass char_class) {
  CodePoints out;
  switch (char_class) {
    case CharClass::kAscii:
      out.AddRange(0, 0x7f);
      return out;
    case CharClass::kBlank:
      out.Add('\t');
      out.Add(' ');
      return out;
    case CharClass::kCntrl:
      out.AddRange(0, 0x1f);
      out.AddRange(0x7f, 0x9f);
      return out;
    case CharClass::kXdigit:
      out.AddRange('0', '9');
      out.AddRange('A', 'F');
      out.AddRange('a', 'f');
      return out;
    case CharClass::kWord:
      out = ClassMembers(tables, CharClass::kAlnum);
      out.Add('_');
      return out;
    default:
      break;
  }
  const std::uint32_t last = tables == Tables::kC ? 0x7f : kLastCodePoint;
  for (std::uint32_t c = 0; c <= last; ++c) {
    const bool member = tables == Tables::kC      ? IsAsciiMember(char_class, c)
                        : tables == Tables::kLibc ? IsLibcMember(char_class, c)
                                                  : IsIcuMember(char_class, c);
    if (member) out.Add(c);
  }
  return out;
}

}  // namespace

const CodePoints& ClassMembers(Tables tables, CharClass char_class) {
  struct Entry {
    std::once_flag made;
    CodePoints members;
  };
  static Entry entries[3][kCharClasses];
  Entry& entry = entries[static_cast<int>(tables)][static_cast<int>(char_class)];
  std::call_once(entry.made, [&] { entry.members = MakeMembers(tables, char_class); });
  return entry.members;
}

std::uint32_t RegexToLower(Tables tables, std::uint32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
  if (tables == Tables::kC || c > kLastCodePoint) return c;
#if RELCACHE_HAVE_ICU
  if (tables == Tables::kIcu) return static_cast<std::uint32_t>(u_tolower(static_cast<UChar32>(c)));
#endif
  return static_cast<std::uint32_t>(towlower_l(static_cast<wint_t>(c), LibcUtf8Locale()));
}

std::uint32_t RegexToUpper(Tables tables, std::uint32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c;
  if (tables == Tables::kC || c > kLastCodePoint) return c;
#if RELCACHE_HAVE_ICU
  if (tables == Tables::kIcu) return static_cast<std::uint32_t>(u_toupper(static_cast<UChar32>(c)));
#endif
  return static_cast<std::uint32_t>(towupper_l(static_cast<wint_t>(c), LibcUtf8Locale()));
}

}  // namespace relcache
