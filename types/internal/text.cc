#include "relcache/types/internal/text.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/types/internal/input_error.h"

namespace relcache {
namespace {

constexpr std::size_t kNameDataLen = 64;

constexpr bool IsContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// Bytes of a character by its first byte (pg_utf_mblen).
constexpr std::size_t CharWidth(char first) {
  const auto c = static_cast<unsigned char>(first);
  if (c < 0xc0) return 1;
  if (c < 0xe0) return 2;
  if (c < 0xf0) return 3;
  return c < 0xf8 ? 4 : 1;
}

// The same, but never past the end.
std::size_t CharWidthAt(std::string_view text, std::size_t at) {
  return std::min(CharWidth(text[at]), text.size() - at);
}

// How many bytes of the front are whole characters that take `bytes` at the most (pg_mbcliplen).
std::size_t ByteClip(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text.size();
  std::size_t at = 0;
  while (at < text.size() && at + CharWidth(text[at]) <= bytes) at += CharWidth(text[at]);
  return at;
}

// pg_utf8_islegal: no surrogates, no overlong forms, nothing above U+10FFFF.
bool IsLegal(const unsigned char* c, std::size_t width) {
  const auto continuation = [c](std::size_t i, unsigned char low = 0x80,
                                unsigned char high = 0xbf) { return c[i] >= low && c[i] <= high; };
  switch (width) {
    case 1:
      return c[0] < 0x80;
    case 2:
      return c[0] >= 0xc2 && continuation(1);
    case 3:
      return continuation(1, c[0] == 0xe0 ? 0xa0 : 0x80, c[0] == 0xed ? 0x9f : 0xbf) &&
             continuation(2);
    default:
      return c[0] <= 0xf4 &&
             continuation(1, c[0] == 0xf0 ? 0x90 : 0x80, c[0] == 0xf4 ? 0x8f : 0xbf) &&
             continuation(2) && continuation(3);
  }
}

Error BadUtf8(std::string_view rest) {
  std::string message = "invalid byte sequence for encoding \"UTF8\":";
  for (const char c : rest.substr(0, CharWidth(rest.front()))) {
    char hex[8];
    std::snprintf(hex, sizeof hex, " 0x%02x", static_cast<unsigned char>(c));
    message += hex;
  }
  return Error(ErrorCode::kInvalidInput, "22021", message);
}

Error TooLong(const char* type, std::size_t length) {
  return Error(ErrorCode::kInvalidInput, "22001",
               Format("value too long for type {}({})", type, length));
}

bool AllBlank(std::string_view text) {
  return text.find_first_not_of(' ') == std::string_view::npos;
}

// The part of `text` that fits in `length` characters. What is left over must be blanks unless the
// cast is a written one.
Result<std::string_view> Fit(std::string_view text, std::size_t length, bool cut,
                             const char* type) {
  const std::size_t bytes = CharClip(text, length);
  if (!cut && !AllBlank(text.substr(bytes))) return Fail(TooLong(type, length));
  return text.substr(0, bytes);
}

bool HasLength(std::int32_t typmod) {
  return typmod >= static_cast<std::int32_t>(kVarHdrSz);
}
std::size_t LengthOf(std::int32_t typmod) {
  return static_cast<std::size_t>(typmod) - kVarHdrSz;
}

// What palloc raises for a result beyond its limit.
Error InvalidRequest(std::size_t bytes) {
  return Error(ErrorCode::kLimit, "XX000", Format("invalid memory alloc request size {}", bytes));
}

Result<Datum> PadBlanks(std::string_view text, std::size_t blanks, MemoryContext& cx) {
  // PostgreSQL counts the bytes in an int, and asks for what that has wrapped around to.
  const auto wrapped = static_cast<std::int32_t>(kVarHdrSz + text.size() + blanks);
  const auto request = static_cast<std::size_t>(std::int64_t{wrapped});
  if (request > kMaxRequest) return Fail(InvalidRequest(request));
  // No column is as long: PostgreSQL would fill the memory.
  constexpr std::size_t kMaxAttrSize = std::size_t{10} * 1024 * 1024;
  if (blanks > kMaxAttrSize)
    return Fail(NotSupported(Format("character padded with {} blanks", blanks)));
  char* bytes = static_cast<char*>(cx.Allocate(kVarHdrSz + text.size() + blanks));
  const auto header = static_cast<std::uint32_t>((kVarHdrSz + text.size() + blanks) << 2);
  std::memcpy(bytes, &header, sizeof header);
  std::copy(text.begin(), text.end(), bytes + kVarHdrSz);
  std::fill_n(bytes + kVarHdrSz + text.size(), blanks, ' ');
  return PointerGetDatum(bytes);
}

// `text` cut or padded to `length` characters.
Result<Datum> BpcharFit(std::string_view text, std::size_t length, bool cut, MemoryContext& cx) {
  const auto characters = static_cast<std::size_t>(CharLength(text));
  if (characters <= length) return PadBlanks(text, length - characters, cx);
  RELCACHE_ASSIGN(const std::string_view fit, Fit(text, length, cut, "character"));
  return MakeVarlena(fit, cx);
}

template <char (*kConvert)(char)>
std::string_view ConvertCase(std::string_view text, MemoryContext& cx) {
  const auto out = cx.NewArray<char>(text.size());
  std::ranges::transform(text, out.begin(), kConvert);
  return {out.data(), out.size()};
}

// Takes characters of `set` off the ends.
template <bool kLeft, bool kRight>
std::string_view Trim(std::string_view text, std::string_view set) {
  const auto in_set = [set](std::string_view character) {
    for (std::size_t i = 0; i < set.size(); i += CharWidthAt(set, i))
      if (set.substr(i, CharWidthAt(set, i)) == character) return true;
    return false;
  };
  while (kLeft && !text.empty() && in_set(text.substr(0, CharWidthAt(text, 0))))
    text.remove_prefix(CharWidthAt(text, 0));
  while (kRight && !text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && IsContinuation(text[start])) --start;
    if (!in_set(text.substr(start))) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

}  // namespace

Status CheckUtf8(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    // Eight ASCII bytes at once: no high bit and no zero byte among them.
    std::uint64_t word;
    if (bytes.size() - at >= sizeof word) {
      std::memcpy(&word, bytes.data() + at, sizeof word);
      constexpr std::uint64_t kHigh = 0x8080808080808080u;
      constexpr std::uint64_t kOnes = 0x0101010101010101u;
      if (((word | (word - kOnes)) & kHigh) == 0) {
        at += sizeof word;
        continue;
      }
    }
    const std::size_t width = CharWidth(bytes[at]);
    unsigned char c[4] = {};
    if (bytes.size() - at < width) return Fail(BadUtf8(bytes.substr(at)));
    std::memcpy(c, bytes.data() + at, width);
    if (c[0] == 0 || !IsLegal(c, width)) return Fail(BadUtf8(bytes.substr(at)));
    at += width;
  }
  return {};
}

std::int32_t CharLength(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080u;
  std::size_t continuations = 0;
  std::size_t at = 0;
  // Most text is ASCII, which has none of what is counted.
  for (std::uint64_t words[4]; text.size() - at >= sizeof words; at += sizeof words) {
    std::memcpy(words, text.data() + at, sizeof words);
    if (((words[0] | words[1] | words[2] | words[3]) & kHighBits) != 0) break;
  }
  for (std::uint64_t word; text.size() - at >= sizeof word; at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    // A byte 10xxxxxx has its high bit set and the next one clear.
    const std::uint64_t marks = word & ~(word << 1) & kHighBits;
    // The sum of the eight bits, by a multiplication: baseline x86-64 has no popcount, and a call
    // to the compiler's would be most of the time.
    continuations += ((marks >> 7) * 0x0101010101010101u) >> 56;
  }
  for (; at < text.size(); ++at) continuations += IsContinuation(text[at]) ? 1 : 0;
  return static_cast<std::int32_t>(text.size() - continuations);
}

std::size_t CharClip(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  for (; characters > 0 && at < text.size(); --characters) at += CharWidthAt(text, at);
  return at;
}

std::string_view NameData(Datum name) {
  const char* bytes = DatumGetPointer<char>(name);
  return {bytes, strnlen(bytes, kNameDataLen)};
}

Result<Datum> VarcharIn(std::string_view text, std::int32_t typmod, MemoryContext& cx) {
  if (HasLength(typmod) && text.size() > LengthOf(typmod)) {
    RELCACHE_ASSIGN(text, Fit(text, LengthOf(typmod), false, "character varying"));
  }
  return MakeVarlena(text, cx);
}

Result<Datum> BpcharIn(std::string_view text, std::int32_t typmod, MemoryContext& cx) {
  if (!HasLength(typmod)) return MakeVarlena(text, cx);
  return BpcharFit(text, LengthOf(typmod), false, cx);
}

Result<Datum> VarcharCoerce(Datum value, std::int32_t typmod, bool is_explicit, MemoryContext& cx) {
  const std::string_view text = VarData(value);
  if (!HasLength(typmod) || text.size() <= LengthOf(typmod)) return value;
  RELCACHE_ASSIGN(const std::string_view fit,
                  Fit(text, LengthOf(typmod), is_explicit, "character varying"));
  return fit.size() == text.size() ? value : MakeVarlena(fit, cx);
}

Result<Datum> BpcharCoerce(Datum value, std::int32_t typmod, bool is_explicit, MemoryContext& cx) {
  const std::string_view text = VarData(value);
  if (!HasLength(typmod) || static_cast<std::size_t>(CharLength(text)) == LengthOf(typmod))
    return value;
  return BpcharFit(text, LengthOf(typmod), is_explicit, cx);
}

Datum NameIn(std::string_view text, MemoryContext& cx) {
  const auto out = cx.NewArray<char>(kNameDataLen);
  std::ranges::copy(text.substr(0, ByteClip(text, kNameDataLen - 1)), out.begin());
  return PointerGetDatum(out.data());
}

char CharIn(std::string_view text) {
  const auto octal = [text](std::size_t i) { return text[i] >= '0' && text[i] <= '7'; };
  if (text.size() == 4 && text[0] == '\\' && octal(1) && octal(2) && octal(3))
    return static_cast<char>((text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0'));
  return text.empty() ? '\0' : text.front();
}

std::string_view CharOut(char value, MemoryContext& cx) {
  if (value == '\0') return {};
  const auto byte = static_cast<unsigned char>(value);
  if (byte < 0x80) return cx.CopyString({&value, 1});
  const char octal[4] = {'\\', static_cast<char>('0' + (byte >> 6)),
                         static_cast<char>('0' + (byte >> 3 & 7)),
                         static_cast<char>('0' + (byte & 7))};
  return cx.CopyString({octal, sizeof octal});
}

std::string_view TextBtrim(std::string_view text) {
  return Trim<true, true>(text, " ");
}
std::string_view TextLtrim(std::string_view text) {
  return Trim<true, false>(text, " ");
}
std::string_view TextRtrim(std::string_view text) {
  return Trim<false, true>(text, " ");
}
std::string_view TextBtrim(std::string_view text, std::string_view set) {
  return Trim<true, true>(text, set);
}
std::string_view TextLtrim(std::string_view text, std::string_view set) {
  return Trim<true, false>(text, set);
}
std::string_view TextRtrim(std::string_view text, std::string_view set) {
  return Trim<false, true>(text, set);
}

std::string_view LowerC(std::string_view text, MemoryContext& cx) {
  return ConvertCase<ToLower>(text, cx);
}
std::string_view UpperC(std::string_view text, MemoryContext& cx) {
  return ConvertCase<ToUpper>(text, cx);
}

namespace {

/// Whether a byte belongs to the character before it; in bytea, none does.
template <bool kBytes>
bool IsTail(char c) {
  return !kBytes && IsContinuation(c);
}

template <bool kBytes>
Result<bool> Like(std::string_view text, std::string_view pattern) {
  // A mismatch goes back to the last % only: what the ones before it matched can stay, since the
  // last one can take up any difference.
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t t = 0;
  std::size_t p = 0;
  std::size_t after_percent = kNone;
  std::size_t text_at_percent = 0;
  const auto next_char = [text](std::size_t at) {
    ++at;
    while (at < text.size() && IsTail<kBytes>(text[at])) ++at;
    return at;
  };
  const auto dangling_escape = [pattern](std::size_t at) {
    return at < pattern.size() && pattern[at] == '\\' && at + 1 >= pattern.size();
  };
  const auto bad_pattern = [] {
    return Fail(ErrorCode::kEvaluation, "22025", "LIKE pattern must not end with escape character");
  };
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '%') {
      for (; p < pattern.size() && (pattern[p] == '%' || pattern[p] == '_'); ++p) {
        if (pattern[p] == '%') continue;
        if (t >= text.size()) return false;
        t = next_char(t);
      }
      if (p == pattern.size()) return true;
      if (dangling_escape(p)) return bad_pattern();
      after_percent = p;
      text_at_percent = t;
      continue;
    }
    if (dangling_escape(p)) return bad_pattern();
    if (p < pattern.size() && pattern[p] == '_') {
      t = next_char(t);
      ++p;
      continue;
    }
    const std::size_t literal = p < pattern.size() && pattern[p] == '\\' ? p + 1 : p;
    if (literal < pattern.size() && text[t] == pattern[literal]) {
      ++t;
      p = literal + 1;
      continue;
    }
    if (after_percent == kNone) return false;
    text_at_percent = next_char(text_at_percent);
    t = text_at_percent;
    p = after_percent;
  }
  while (p < pattern.size() && pattern[p] == '%') ++p;
  return p == pattern.size();
}

template <bool kBytes>
Result<std::string_view> EscapeByBackslash(std::string_view pattern, std::string_view escape,
                                           MemoryContext& cx) {
  const std::size_t characters =
      kBytes ? escape.size() : static_cast<std::size_t>(CharLength(escape));
  if (characters > 1) return Fail(ErrorCode::kEvaluation, "22025", "invalid escape string");
  if (escape == "\\") return pattern;
  const std::span<char> out = cx.NewArray<char>(pattern.size() * 2);
  std::size_t n = 0;
  // A backslash is no longer special, and the escape character becomes one, unless it is escaped
  // itself.
  bool escaped = false;
  for (std::size_t at = 0; at < pattern.size();) {
    if (!escape.empty() && !escaped && pattern.substr(at).starts_with(escape)) {
      out[n++] = '\\';
      at += escape.size();
      escaped = true;
      continue;
    }
    if (pattern[at] == '\\' && !escaped) out[n++] = '\\';
    do out[n++] = pattern[at++];
    while (at < pattern.size() && IsTail<kBytes>(pattern[at]));
    escaped = false;
  }
  return std::string_view(out.data(), n);
}

}  // namespace

Result<bool> TextLike(std::string_view text, std::string_view pattern) {
  return Like<false>(text, pattern);
}
Result<bool> ByteaLike(std::string_view bytes, std::string_view pattern) {
  return Like<true>(bytes, pattern);
}
Result<std::string_view> LikeEscape(std::string_view pattern, std::string_view escape,
                                    MemoryContext& cx) {
  return EscapeByBackslash<false>(pattern, escape, cx);
}
Result<std::string_view> ByteaLikeEscape(std::string_view pattern, std::string_view escape,
                                         MemoryContext& cx) {
  return EscapeByBackslash<true>(pattern, escape, cx);
}

Result<std::string_view> TextSubstring(std::string_view text, std::int32_t from,
                                       std::int32_t count) {
  if (count < 0)
    return Fail(ErrorCode::kEvaluation, "22011", "negative substring length not allowed");
  const std::int64_t start = std::max<std::int64_t>(from, 1);
  const std::int64_t end = std::int64_t{from} + count;
  if (end <= start) return std::string_view();
  text.remove_prefix(CharClip(text, static_cast<std::size_t>(start - 1)));
  return text.substr(0, CharClip(text, static_cast<std::size_t>(end - start)));
}

std::string_view TextSubstring(std::string_view text, std::int32_t from) {
  return from <= 1 ? text : text.substr(CharClip(text, static_cast<std::size_t>(from - 1)));
}

std::string_view TextLeft(std::string_view text, std::int32_t n) {
  std::int64_t count = n;
  if (n < 0) count += CharLength(text);
  return count <= 0 ? std::string_view()
                    : text.substr(0, CharClip(text, static_cast<std::size_t>(count)));
}

std::string_view TextRight(std::string_view text, std::int32_t n) {
  const std::int64_t skip = n < 0 ? -std::int64_t{n} : std::int64_t{CharLength(text)} - n;
  return skip <= 0 ? text : text.substr(CharClip(text, static_cast<std::size_t>(skip)));
}

std::int32_t TextPosition(std::string_view text, std::string_view substring) {
  const std::size_t at = text.find(substring);
  return at == std::string_view::npos ? 0 : CharLength(text.substr(0, at)) + 1;
}

Result<Datum> TextConcat(std::string_view a, std::string_view b, MemoryContext& cx) {
  const std::size_t request = kVarHdrSz + a.size() + b.size();
  if (request > kMaxRequest) return Fail(InvalidRequest(request));
  char* bytes = static_cast<char*>(cx.Allocate(kVarHdrSz + a.size() + b.size()));
  const auto header = static_cast<std::uint32_t>((kVarHdrSz + a.size() + b.size()) << 2);
  std::memcpy(bytes, &header, sizeof header);
  std::copy(a.begin(), a.end(), bytes + kVarHdrSz);
  std::copy(b.begin(), b.end(), bytes + kVarHdrSz + a.size());
  return PointerGetDatum(bytes);
}

}  // namespace relcache
