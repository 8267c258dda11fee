#include "relcache/executor/expressions/internal/collation.h"

#include <gtest/gtest.h>

namespace relcache {
namespace {

using LetterCase = CollationTraits::LetterCase;

constexpr auto kOnly = LetterCase::kAsciiOnly;
constexpr auto kOver = LetterCase::kOverAscii;
constexpr auto kUnknown = LetterCase::kUnknown;

struct Case {
  char collprovider;
  const char *collcollate, *collctype, *colllocale;
  bool bytewise;
  LetterCase letter_case;
};

constexpr Case kCases[] = {
    {'c', "C", "C", "", true, kOnly},
    {'c', "POSIX", "POSIX", "", true, kOnly},
    {'c', "C", "de_DE.utf8", "", true, kOver},
    {'c', "C", "tr_TR.utf8", "", true, kUnknown},
    {'c', "tr_TR.utf8", "C", "", false, kOnly},
    {'c', "C.UTF-8", "C.UTF-8", "", true, kOver},
    {'c', "C.utf8", "C.utf8", "", true, kOver},
    {'c', "de_DE.UTF-8@euro", "de_DE.UTF-8@euro", "", false, kOver},
    {'c', "tr_TR", "tr_TR", "", false, kUnknown},
    {'c', "tr_CY.utf8", "tr_CY.utf8", "", false, kUnknown},
    {'c', "az_AZ", "az_AZ", "", false, kUnknown},
    {'c', "ku_TR", "ku_TR", "", false, kUnknown},
    {'c', "crh_UA", "crh_UA", "", false, kUnknown},
    {'c', "tt_RU@iqtelif", "tt_RU@iqtelif", "", false, kUnknown},
    {'c', "turkish", "turkish", "", false, kUnknown},
    {'c', "Turkish_Turkey.1254", "Turkish_Turkey.1254", "", false, kUnknown},
    {'c', "", "", "", false, kUnknown},
    {'i', "", "", "de", false, kOver},
    {'i', "", "", "DE-at", false, kOver},
    {'i', "", "", "de@collation=phonebook", false, kOver},
    {'i', "", "", "en-TR", false, kOver},
    {'i', "", "", "lt-LT", false, kOver},
    {'i', "", "", "und-u-ks-level2", false, kOver},
    {'i', "", "", "", false, kOver},
    {'i', "", "", "root", false, kOver},
    {'i', "", "", "@colNumeric=yes", false, kOver},
    {'i', "", "", "tr", false, kUnknown},
    {'i', "", "", "TR", false, kUnknown},
    {'i', "", "", "tr_TR", false, kUnknown},
    {'i', "", "", "tr-Latn-TR-u-co-search", false, kUnknown},
    {'i', "", "", "tur", false, kUnknown},
    {'i', "", "", "az-Cyrl-AZ", false, kUnknown},
    {'i', "", "", "aze", false, kUnknown},
    {'i', "", "", "x-tr", false, kUnknown},
    {'i', "", "", "C", false, kUnknown},
    {'i', "C", "C", "tr", false, kUnknown},
    {'i', "", "", " ", false, kUnknown},
    {'i', "", "", "de el", false, kUnknown},
    {'b', "", "", "C", true, kOnly},
    {'b', "", "", "C.UTF-8", true, kOver},
    {'b', "", "", "PG_UNICODE_FAST", true, kOver},
    {'b', "", "", "PG_UNICODE_SLOW", false, kUnknown},
    {'b', "C", "C", "", false, kUnknown},
    {'d', "C", "C", "", false, kUnknown},
    {'x', "C", "C", "C", false, kUnknown},
};

TEST(CollationTest, WhatBytesAndAsciiAnswer) {
  for (const Case& one : kCases) {
    SCOPED_TRACE(std::string(1, one.collprovider) + " " + one.collcollate + " " + one.collctype +
                 " " + one.colllocale);
    CollationRow row;
    row.collname = "mine";
    row.collprovider = one.collprovider;
    row.collcollate = one.collcollate;
    row.collctype = one.collctype;
    row.colllocale = one.colllocale;
    const CollationTraits traits = TraitsOf(row);
    EXPECT_EQ(traits.bytewise, one.bytewise);
    EXPECT_TRUE(traits.deterministic);
    EXPECT_EQ(static_cast<int>(traits.letter_case), static_cast<int>(one.letter_case));

    row.collisdeterministic = false;
    EXPECT_FALSE(TraitsOf(row).bytewise);
    EXPECT_FALSE(TraitsOf(row).deterministic);

    ServerInfo info;
    info.datlocprovider = one.collprovider;
    info.datcollate = one.collcollate;
    info.datctype = one.collctype;
    info.datlocale = one.colllocale;
    const CollationTraits database = DefaultTraits(info);
    EXPECT_EQ(database.bytewise, one.bytewise);
    EXPECT_TRUE(database.deterministic);
    // That a database has no locale is not ICU's root but something that was not read.
    const bool has_locale = one.collprovider == 'c' || one.colllocale[0] != '\0';
    EXPECT_EQ(static_cast<int>(database.letter_case),
              static_cast<int>(has_locale ? one.letter_case : kUnknown));
  }
}

TEST(CollationTest, IsNamedAsMessagesNameIt) {
  CollationRow row;
  row.collname = "tr-x-icu";
  row.nspname = "pg_catalog";
  EXPECT_EQ(TraitsOf(row).name, "\"tr-x-icu\"");
  row.collname = "mine";
  EXPECT_EQ(TraitsOf(row).name, "\"mine\"");
  row.nspname = "s";
  EXPECT_EQ(TraitsOf(row).name, "s.mine");
  ServerInfo info;
  EXPECT_EQ(DefaultTraits(info).name, "\"default\" of locale C (libc)");
  info.datctype = "tr_TR.utf8";
  EXPECT_EQ(DefaultTraits(info).name, "\"default\" of locale C and tr_TR.utf8 (libc)");
  info.datlocprovider = 'i';
  info.datlocale = "tr";
  EXPECT_EQ(DefaultTraits(info).name, "\"default\" of locale tr (icu)");
}

TEST(CollationTest, ServerEncodings) {
  for (const char* name :
       {"UTF8", "SQL_ASCII", "LATIN1", "LATIN10", "WIN1252", "WIN866", "KOI8R", "KOI8U", "EUC_JP",
        "EUC_TW", "EUC_JIS_2004", "MULE_INTERNAL", "ISO_8859_8"})
    EXPECT_TRUE(IsServerEncoding(name)) << name;
  // Those of clients only have ASCII bytes inside of other characters.
  for (const char* name : {"SJIS", "BIG5", "GBK", "UHC", "GB18030", "JOHAB", "SHIFT_JIS_2004",
                           "utf8", "UTF-8", "LATIN11", ""})
    EXPECT_FALSE(IsServerEncoding(name)) << name;
}

}  // namespace
}  // namespace relcache
