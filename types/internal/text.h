// text, character varying, character, name and "char" (utils/adt/varlena.c, varchar.c, name.c,
// char.c, oracle_compat.c). Characters are those of UTF-8; order is bytewise (collation "C").
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"

namespace relcache {

/// Checks that the bytes are text in the encoding UTF8 according to PostgreSQL's rules: no
/// surrogates, no overlong forms, no NUL, nothing above U+10FFFF. This is the only place where it
/// is checked; all code that receives text from outside calls it.
/// Errors: SQLSTATE 22021 `invalid byte sequence for encoding "UTF8": 0xff`.
Status CheckUtf8(std::string_view bytes);

/// char_length(text), length(text): characters. Cost: one pass, eight bytes at a time.
std::int32_t CharLength(std::string_view text);
/// The number of bytes that the first `characters` characters take (pg_mbcharcliplen).
std::size_t CharClip(std::string_view text, std::size_t characters);

/// A bpchar without its trailing blanks, which do not count when it is compared, hashed, measured
/// or cast to text.
constexpr std::string_view BpcharTrim(std::string_view text) {
  std::size_t n = text.size();
  while (n > 0 && text[n - 1] == ' ') --n;
  return text.substr(0, n);
}

inline int TextCompare(std::string_view a, std::string_view b) {
  return a.compare(b);
}
inline int BpcharCompare(std::string_view a, std::string_view b) {
  return BpcharTrim(a).compare(BpcharTrim(b));
}
/// The characters of a value of type name: up to its first NUL, at most 63.
std::string_view NameData(Datum name);

/// Input with typmod (-1 or length + 4). Errors: 22001 "value too long for type character(5)".
Result<Datum> VarcharIn(std::string_view text, std::int32_t typmod, MemoryContext& cx);
Result<Datum> BpcharIn(std::string_view text, std::int32_t typmod, MemoryContext& cx);
/// Length coercion: varchar(varchar,int4,bool) and bpchar(bpchar,int4,bool).
Result<Datum> VarcharCoerce(Datum value, std::int32_t typmod, bool is_explicit, MemoryContext& cx);
Result<Datum> BpcharCoerce(Datum value, std::int32_t typmod, bool is_explicit, MemoryContext& cx);
/// Makes a value of type name: 64 bytes, cut at the boundary of a character and filled with zeros.
Datum NameIn(std::string_view text, MemoryContext& cx);
/// The type "char": the first byte of the text, or a backslash and three octal digits; an empty
/// text is NUL. Output prints NUL as nothing, and bytes above 127 in octal.
char CharIn(std::string_view text);
std::string_view CharOut(char value, MemoryContext& cx);

/// btrim(text), ltrim(text), rtrim(text): blanks; the part of `text` that stays.
std::string_view TextBtrim(std::string_view text);
std::string_view TextLtrim(std::string_view text);
std::string_view TextRtrim(std::string_view text);
/// btrim(text, text) ...: any of the characters of `set`.
std::string_view TextBtrim(std::string_view text, std::string_view set);
std::string_view TextLtrim(std::string_view text, std::string_view set);
std::string_view TextRtrim(std::string_view text, std::string_view set);

/// lower(text), upper(text) under collation "C": ASCII letters only.
std::string_view LowerC(std::string_view text, MemoryContext& cx);
std::string_view UpperC(std::string_view text, MemoryContext& cx);

/// text LIKE pattern, escape character backslash. Errors: 22025 "LIKE pattern must not end with
/// escape character". Cost: bounded by text times pattern; no recursion.
Result<bool> TextLike(std::string_view text, std::string_view pattern);
/// bytea LIKE bytea: `_` is a byte.
Result<bool> ByteaLike(std::string_view bytes, std::string_view pattern);
/// like_escape(pattern, escape): what LIKE pattern ESCAPE escape is a match of; like_escape of
/// bytea, where a character is a byte. Errors: 22025 "invalid escape string".
Result<std::string_view> LikeEscape(std::string_view pattern, std::string_view escape,
                                    MemoryContext& cx);
Result<std::string_view> ByteaLikeEscape(std::string_view pattern, std::string_view escape,
                                         MemoryContext& cx);

/// substring(text, from, count) in characters; from 1; count < 0 fails with 22011.
Result<std::string_view> TextSubstring(std::string_view text, std::int32_t from,
                                       std::int32_t count);
std::string_view TextSubstring(std::string_view text, std::int32_t from);
/// left(text, n), right(text, n): negative n leaves out -n characters at the other end.
std::string_view TextLeft(std::string_view text, std::int32_t n);
std::string_view TextRight(std::string_view text, std::int32_t n);
/// position(substring in text), strpos: in characters, from 1; 0 when there is none.
std::int32_t TextPosition(std::string_view text, std::string_view substring);
/// text || text.
Result<Datum> TextConcat(std::string_view a, std::string_view b, MemoryContext& cx);

}  // namespace relcache
