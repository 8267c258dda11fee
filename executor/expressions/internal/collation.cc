#include "relcache/executor/expressions/internal/collation.h"

#include <algorithm>
#include <iterator>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/types/internal/system_locale.h"

namespace relcache {
namespace {

using LetterCase = CollationTraits::LetterCase;

// The languages in which ICU 72 and glibc 2.36 map every ASCII letter to its ASCII counterpart in
// all of their locales. Turkish, Azerbaijani, Crimean Tatar, Kurdish and Tatar in Latin script do
// not. Languages that are not listed were not compared.
constexpr std::string_view kAsciiLanguages =
    " "
    "aa af agq agr ak am an anp ar as asa ast ayc bas be bem ber bez bg bgc bhb bho bi bm bn "
    "bo br brx bs byn ca ccp ce ceb cgg chr ckb cmn cs csb cv cy da dav de dje doi dsb dua dv "
    "dyo dz ebu ee el en eo es et eu ewo fa ff fi fil fo fr fur fy ga gd gez gl gsw gu guz gv "
    "ha hak haw he hi hif hne hr hsb ht hu hy ia id ig ii ik is it iu ja jgo jmc jv ka kab "
    "kam kde kea kgp khq ki kk kkj kl kln km kn ko kok ks ksb ksf ksh kw ky lag lb lg li lij "
    "lkt ln lo lrc lt lu luo luy lv lzh mag mai mas mer mfe mg mgh mgo mhr mi miq mjw mk ml "
    "mn mni mnw mr ms mt mua my mzn nan naq nb nd nds ne nhn niu nl nmg nn nnh no nr nso nus "
    "nyn oc om or os pa pap pcm pl ps pt qu quz raj rif rm rn ro rof ru rw rwk sa sah saq sat "
    "sbp sc sd se seh ses sg sgs shi shn shs si sid sk sl sm smn sn so sq sr ss st su sv sw "
    "syr szl ta tcy te teo tg th the ti tig tk tl tn to tpi ts twq tzm ug uk und unm ur uz "
    "vai ve vi vun wa wae wal wo xh xog yav yi yo yrl yue yuw zgh zh zu ";

bool IsC(std::string_view name) {
  return name == "C" || name == "POSIX";
}

/// The C library's C.UTF-8, by any of its names. It orders by code points, as bytes do.
bool IsCUtf8(std::string_view name) {
  return name == "C.UTF-8" || name == "C.utf8" || name == "C.UTF8" || name == "C.utf-8";
}

/// Whether the catalog's version of an ICU collation is the one of this build's ICU.
bool IsThisIcu(std::string_view locale, std::string_view version) {
  return HasIcu() && !version.empty() && version == IcuCollationVersion(locale);
}

/// The case mapping of the language in a locale's name: `de_DE.utf8@euro`, `de-AT-u-co-phonebk`,
/// `DE`. The empty language is ICU's root.
LetterCase LanguageCase(std::string_view locale) {
  std::string language(locale.substr(0, locale.find_first_of("-_.@")));
  for (char& c : language)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const bool letters =
      !language.empty() &&
      std::all_of(language.begin(), language.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return letters && kAsciiLanguages.find(" " + language + " ") != std::string_view::npos
             ? LetterCase::kOverAscii
             : LetterCase::kUnknown;
}

/// The functions lower and upper of a libc locale depend on LC_CTYPE.
LetterCase LibcCase(std::string_view ctype) {
  if (IsC(ctype)) return LetterCase::kAsciiOnly;
  if (ctype.starts_with("C.")) return LetterCase::kOverAscii;
  return LanguageCase(ctype);
}

LetterCase IcuCase(std::string_view locale) {
  const std::string_view language = locale.substr(0, locale.find('@'));
  if (language.empty() || language == "root") return LetterCase::kOverAscii;
  return LanguageCase(locale);
}

/// What is not known of a locale is known of its ASCII characters; it depends on the provider what.
RegexLocale RegexLocaleOf(char provider, std::string_view ctype, std::string_view locale,
                          std::string_view version, LetterCase letter_case) {
  RegexLocale out;
  out.ascii_only = true;
  switch (provider) {
    case 'c':
      if (IsC(ctype)) {
        out.ascii_only = false;
      } else if (IsCUtf8(ctype) && HasLibcUtf8()) {
        out.tables = RegexLocale::Tables::kLibc;
        out.ascii_only = false;
      } else {
        out.case_unknown = letter_case == LetterCase::kUnknown;
      }
      break;
    case 'i':
      // ICU has one case mapping for characters in all locales, Turkish too.
      if (HasIcu()) {
        out.tables = RegexLocale::Tables::kIcu;
        out.ascii_only = !IsThisIcu(locale, version);
      } else {
        out.classes_unknown = true;
      }
      break;
    case 'b':
      out.ascii_only = locale != "C";
      // There punctuation is without symbols.
      out.classes_unknown = locale != "C" && locale != "C.UTF-8" && locale != "C.UTF8";
      break;
    default:
      out.case_unknown = out.classes_unknown = true;
      break;
  }
  return out;
}

void SetTraits(char provider, std::string_view collate, std::string_view ctype,
               std::string_view locale, std::string_view rules, std::string_view version,
               CollationTraits& out) {
  switch (provider) {
    case 'c':
      out.bytewise = IsC(collate) || IsCUtf8(collate);
      out.letter_case = LibcCase(ctype);
      out.plain_words = true;
      if (IsCUtf8(ctype) && HasLibcUtf8()) out.provider = TextLocale::Provider::kLibcUtf8;
      break;
    case 'i':
      out.letter_case = IcuCase(locale);
      if (!IsThisIcu(locale, version)) break;
      out.provider = TextLocale::Provider::kIcu;
      out.icu_order = rules.empty() && out.deterministic;
      out.locale = locale;
      break;
    case 'b':
      // The order of code points, which in UTF-8 is the order of bytes.
      out.bytewise =
          locale == "C" || locale == "C.UTF-8" || locale == "C.UTF8" || locale == "PG_UNICODE_FAST";
      if (out.bytewise)
        out.letter_case = locale == "C" ? LetterCase::kAsciiOnly : LetterCase::kOverAscii;
      out.plain_words = true;
      break;
    default:
      break;
  }
  out.regex = RegexLocaleOf(provider, ctype, locale, version, out.letter_case);
}

const char* ProviderName(char provider) {
  return provider == 'c' ? "libc" : provider == 'i' ? "icu" : provider == 'b' ? "builtin" : nullptr;
}

}  // namespace

CollationTraits TraitsOf(const CollationRow& row) {
  CollationTraits out;
  out.deterministic = row.collisdeterministic;
  out.name = QuoteQualifiedIdentifier(
      row.nspname == "pg_catalog" || row.nspname == "public" ? "" : row.nspname, row.collname);
  if (out.name.front() != '"' && out.name.find('.') == std::string::npos)
    out.name = '"' + out.name + '"';
  SetTraits(row.collprovider, row.collcollate, row.collctype, row.colllocale, row.collicurules,
            row.collversion, out);
  // An order that is not deterministic cannot be that of bytes.
  out.bytewise = out.bytewise && out.deterministic;
  return out;
}

CollationTraits DefaultTraits(const ServerInfo& info) {
  CollationTraits out;
  const bool libc = info.datlocprovider == 'c';
  if (libc || !info.datlocale.empty())
    SetTraits(info.datlocprovider, info.datcollate, info.datctype, info.datlocale, info.daticurules,
              info.datcollversion, out);
  const char* const provider = ProviderName(info.datlocprovider);
  out.name = "\"default\" of locale " + (libc ? info.datcollate : info.datlocale);
  if (libc && info.datctype != info.datcollate) out.name += " and " + info.datctype;
  out.name += provider != nullptr ? std::string(" (") + provider + ")"
                                  : std::string(" (provider ") + info.datlocprovider + ")";
  return out;
}

bool IsServerEncoding(std::string_view name) {
  static constexpr std::string_view kEncodings[] = {
      "UTF8",    "SQL_ASCII",  "LATIN1",     "WIN1252",      "EUC_JP",        "EUC_CN",
      "EUC_KR",  "EUC_TW",     "LATIN2",     "EUC_JIS_2004", "MULE_INTERNAL", "LATIN3",
      "LATIN4",  "LATIN5",     "LATIN6",     "LATIN7",       "LATIN8",        "LATIN9",
      "LATIN10", "WIN1256",    "WIN1258",    "WIN866",       "WIN874",        "KOI8R",
      "WIN1251", "ISO_8859_5", "ISO_8859_6", "ISO_8859_7",   "ISO_8859_8",    "WIN1250",
      "WIN1253", "WIN1254",    "WIN1255",    "WIN1257",      "KOI8U"};
  return std::find(std::begin(kEncodings), std::end(kEncodings), name) != std::end(kEncodings);
}

}  // namespace relcache
