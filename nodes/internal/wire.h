// The details of the text form that reader and writer must agree on. Internal to nodes/.
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

/// The role of a byte in a token.
enum class ByteClass : std::uint8_t {
  kPlain,
  kSpecial,    ///< ends a token unless a backslash precedes it
  kBackslash,  ///< makes the next byte an ordinary one
  kNul,        ///< not allowed
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

/// Whether a string that begins with these two bytes (second is 0 if there is none) needs a
/// backslash before the first one, so that it is not read as a number, a quoted string or <>.
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

/// memcpy for texts that are usually short.
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

/// A mask of the bits of the text's first word that belong to the text, including its NUL; 0 if the
/// text is longer than a word or does not begin at one. The whole word may be read even if the text
/// ends within it, because a page does not end within a word; AddressSanitizer, however, may object
/// for a literal.
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

/// A mask of those of 32 bytes that are equal.
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

/// What these bytes would need in order to be the value of a Const that is not null; null if they
/// are.
const char* DatumProblem(const Const& node, std::string_view bytes);

/// A row estimate as this version writes it: all digits up to 15, the fewest digits that identify
/// the number from 16 on.
std::string FormatDouble(double value, int pg_version);

}  // namespace relcache::wire
