// The alphabet of the text: what reader and writer must agree on. Internal to nodes/.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "relcache/memory/memory_context.h"

#define RELCACHE_ALWAYS_INLINE [[gnu::always_inline]] inline

namespace relcache {
struct Const;
}

namespace relcache::wire {

/// What a byte of a token is.
enum class ByteClass : std::uint8_t {
  kPlain,
  kSpecial,    ///< ends a token unless a backslash stands before it
  kBackslash,  ///< takes the next byte as it is
  kNul,        ///< never
};

inline constexpr auto kByteClass = [] {
  std::array<ByteClass, 256> table{};
  for (const char c : {' ', '\n', '\t', '(', ')', '{', '}'})
    table[static_cast<unsigned char>(c)] = ByteClass::kSpecial;
  table['\\'] = ByteClass::kBackslash;
  table[0] = ByteClass::kNul;
  return table;
}();

constexpr ByteClass ClassOf(char c) {
  return kByteClass[static_cast<unsigned char>(c)];
}

constexpr bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Does a string that begins with these two bytes (second 0 if there is none) need a backslash
/// before the first, lest it look like a number, a quoted string or <>?
constexpr bool EscapeFirst(char first, char second) {
  return first == '<' || first == '"' || IsDigit(first) ||
         ((first == '+' || first == '-') && (IsDigit(second) || second == '.'));
}

/// Eight bytes of text as a number.
RELCACHE_ALWAYS_INLINE std::uint64_t Load8(const char* p) {
  std::uint64_t v;
  std::memcpy(&v, p, 8);
  return v;
}

/// memcpy for what is short most of the time.
RELCACHE_ALWAYS_INLINE void CopyShort(char* to, const char* from, std::size_t n) {
  const auto both_ends = [&]<class Word>(Word first) {
    Word last;
    std::memcpy(&first, from, sizeof first);
    std::memcpy(&last, from + n - sizeof last, sizeof last);
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + n - sizeof last, &last, sizeof last);
  };
  if (n > 32) [[unlikely]]
    std::memcpy(to, from, n);
  else if (n > 16)
    both_ends(std::array<std::uint64_t, 2>{});
  else if (n >= 8)
    both_ends(std::uint64_t{});
  else if (n >= 4)
    both_ends(std::uint32_t{});
  else if (n >= 2)
    both_ends(std::uint16_t{});
  else if (n == 1)
    *to = *from;
}

RELCACHE_ALWAYS_INLINE bool IsAtWord(const char* p) {
  return reinterpret_cast<std::uintptr_t>(p) % 8 == 0;
}

/// Which bits of the word at its beginning are the text's, its NUL included; none if it is longer
/// than a word or does not begin at one. Of a word all can be read though the text may end within,
/// for no page ends in a word; to AddressSanitizer the end of a literal may.
RELCACHE_ALWAYS_INLINE std::uint64_t BitsOfWord(const char* text) {
#if RELCACHE_CHECKED_CONTEXTS
  static_cast<void>(text);
#else
  if (text != nullptr && IsAtWord(text)) [[likely]] {
    const std::uint64_t word = Load8(text);
    const std::uint64_t nul = (word - 0x0101010101010101) & ~word & 0x8080808080808080;
    if (nul != 0) return nul ^ (nul - 1);  // up to the lowest that is set
  }
#endif
  return 0;
}

/// Which of 32 bytes are equal, as bits.
RELCACHE_ALWAYS_INLINE std::uint32_t EqualBytes32(const char* a, const char* b) {
#ifdef __SSE2__
  const auto half = [a, b](int i) {
    const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a + i));
    const __m128i y = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + i));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)));
  };
  return half(0) | half(16) << 16;
#else
  std::uint32_t bits = 0;
  for (int i = 0; i < 32; ++i) bits |= std::uint32_t{a[i] == b[i]} << i;
  return bits;
#endif
}

/// What these bytes lack to be the value of a Const that is not null; null if nothing.
const char* DatumProblem(const Const& node, std::string_view bytes);

/// A row estimate as that version writes it: in full up to 15, in the fewest digits from 16.
std::string FormatDouble(double value, int pg_version);

}  // namespace relcache::wire
