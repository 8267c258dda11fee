#include "relcache/copy/internal/structural_index.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace relcache::internal {
namespace {

/// For 64 bytes, a bit for each byte.
struct Masks {
  std::uint64_t separators = 0;  ///< delimiters, carriage returns, newlines
  std::uint64_t specials = 0;    ///< quotes or backslashes
  std::uint64_t odd = 0;         ///< not ASCII, or NUL
};

struct Wanted {
  char delimiter;
  char special;
};

Masks LookPortably(const char* bytes, Wanted wanted) {
  Masks out;
  for (int i = 0; i < 64; ++i) {
    const char c = bytes[i];
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (c == wanted.delimiter || c == '\n' || c == '\r') out.separators |= bit;
    if (c == wanted.special) out.specials |= bit;
    if (c <= 0) out.odd |= bit;
  }
  return out;
}

#if defined(__x86_64__)

inline Masks LookSse2(const char* bytes, Wanted wanted) {
  const __m128i delimiter = _mm_set1_epi8(wanted.delimiter);
  const __m128i special = _mm_set1_epi8(wanted.special);
  const __m128i lf = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r'), zero = _mm_setzero_si128();
  const auto mask = [](__m128i v) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(v)));
  };
  Masks out;
  for (int i = 0; i < 4; ++i) {
    const __m128i v =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + std::ptrdiff_t{16} * i));
    const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(v, lf), _mm_cmpeq_epi8(v, cr));
    const int shift = 16 * i;
    out.separators |= mask(_mm_or_si128(ends, _mm_cmpeq_epi8(v, delimiter))) << shift;
    out.specials |= mask(_mm_cmpeq_epi8(v, special)) << shift;
    out.odd |= mask(_mm_or_si128(v, _mm_cmpeq_epi8(v, zero))) << shift;
  }
  return out;
}

[[gnu::target("avx2")]] inline std::uint64_t MaskAvx2(__m256i v) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(v)));
}

[[gnu::target("avx2")]] inline Masks LookAvx2(const char* bytes, Wanted wanted) {
  const __m256i delimiter = _mm256_set1_epi8(wanted.delimiter);
  const __m256i special = _mm256_set1_epi8(wanted.special);
  const __m256i lf = _mm256_set1_epi8('\n'), cr = _mm256_set1_epi8('\r');
  const __m256i zero = _mm256_setzero_si256();
  Masks out;
  for (int i = 0; i < 2; ++i) {
    const __m256i v =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + std::ptrdiff_t{32} * i));
    const __m256i ends = _mm256_or_si256(_mm256_cmpeq_epi8(v, lf), _mm256_cmpeq_epi8(v, cr));
    const int shift = 32 * i;
    out.separators |= MaskAvx2(_mm256_or_si256(ends, _mm256_cmpeq_epi8(v, delimiter))) << shift;
    out.specials |= MaskAvx2(_mm256_cmpeq_epi8(v, special)) << shift;
    out.odd |= MaskAvx2(_mm256_or_si256(v, _mm256_cmpeq_epi8(v, zero))) << shift;
  }
  return out;
}

#endif

/// Bit i of the result is the parity of the bits 0 to i.
constexpr std::uint64_t PrefixXor(std::uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

/// What is carried from one block of 64 bytes to the next, and the arrays that grow.
class IndexBuilder {
 public:
  IndexBuilder(StructuralIndex& out, std::size_t size) : out_(out) {
    // The loop that writes offsets writes up to 64 at once.
    if (out.separators.size() < size + 64) {
      out.separators.resize(size + 64);
      out.specials.resize(size + 64);
    }
    out.count = out.special_count = 0;
    out.beyond_ascii = false;
  }

  void Csv(const Masks& masks, std::size_t base) {
    std::uint64_t quoted = carry_;
    if (masks.specials != 0) {
      Append(masks.specials, base, out_.specials.data(), out_.special_count);
      quoted ^= PrefixXor(masks.specials);
      carry_ = (quoted >> 63) != 0 ? ~std::uint64_t{0} : 0;
    }
    Append(masks.separators & ~quoted, base, out_.separators.data(), out_.count);
    odd_ |= masks.odd;
  }

  void Text(const Masks& masks, std::size_t base) {
    std::uint64_t escaped = carry_;
    carry_ = 0;
    if (masks.specials != 0) {
      Append(masks.specials, base, out_.specials.data(), out_.special_count);
      // A backslash that is not itself escaped escapes the byte that follows it.
      for (std::uint64_t left = masks.specials; left != 0; left &= left - 1) {
        const int at = std::countr_zero(left);
        if ((escaped >> at & 1) != 0) continue;
        if (at == 63) {
          carry_ = 1;
        } else {
          escaped |= std::uint64_t{2} << at;
        }
      }
    }
    Append(masks.separators & ~escaped, base, out_.separators.data(), out_.count);
    odd_ |= masks.odd;
  }

  void Finish() { out_.beyond_ascii = odd_ != 0; }

 private:
  static void Append(std::uint64_t bits, std::size_t base, std::uint32_t* out, std::size_t& count) {
    std::uint32_t* to = out + count;
    count += static_cast<std::size_t>(std::popcount(bits));
    const auto first = static_cast<std::uint32_t>(base);
    while (bits != 0) {
      *to++ = first + static_cast<std::uint32_t>(std::countr_zero(bits));
      bits &= bits - 1;
    }
  }

  StructuralIndex& out_;
  std::uint64_t carry_ = 0;
  std::uint64_t odd_ = 0;
};

/// A byte that is not looked for.
char Filler(Wanted wanted) {
  for (const char c : {'x', 'y'})
    if (c != wanted.delimiter && c != wanted.special) return c;
  return 'z';
}

/// Indexes the whole blocks by `look`, and what is left over in a block of its own, so that nothing
/// behind it is seen. A macro, because a template would not be compiled for the instructions of the
/// function that uses it.
#define RELCACHE_INDEX_BLOCKS(kind, look)                                       \
  IndexBuilder builder(out, size);                                              \
  std::size_t at = 0;                                                           \
  for (; at + 64 <= size; at += 64) builder.kind(look(bytes + at, wanted), at); \
  if (at < size) {                                                              \
    char rest[64];                                                              \
    std::memset(rest, Filler(wanted), sizeof rest);                             \
    std::memcpy(rest, bytes + at, size - at);                                   \
    builder.kind(look(rest, wanted), at);                                       \
  }                                                                             \
  builder.Finish();

void CsvPortable(const char* bytes, std::size_t size, Wanted wanted, StructuralIndex& out) {
  RELCACHE_INDEX_BLOCKS(Csv, LookPortably)
}
void TextPortable(const char* bytes, std::size_t size, Wanted wanted, StructuralIndex& out) {
  RELCACHE_INDEX_BLOCKS(Text, LookPortably)
}
#if defined(__x86_64__)
void CsvSse2(const char* bytes, std::size_t size, Wanted wanted, StructuralIndex& out) {
  RELCACHE_INDEX_BLOCKS(Csv, LookSse2)
}
void TextSse2(const char* bytes, std::size_t size, Wanted wanted, StructuralIndex& out) {
  RELCACHE_INDEX_BLOCKS(Text, LookSse2)
}
[[gnu::target("avx2,popcnt,bmi")]] void CsvAvx2(const char* bytes, std::size_t size, Wanted wanted,
                                                StructuralIndex& out) {
  RELCACHE_INDEX_BLOCKS(Csv, LookAvx2)
}
[[gnu::target("avx2,popcnt,bmi")]] void TextAvx2(const char* bytes, std::size_t size, Wanted wanted,
                                                 StructuralIndex& out){
    RELCACHE_INDEX_BLOCKS(Text, LookAvx2)}
#endif
#undef RELCACHE_INDEX_BLOCKS

VectorUnit Best() {
  static const VectorUnit best = HasVectorUnit(VectorUnit::kAvx2)   ? VectorUnit::kAvx2
                                 : HasVectorUnit(VectorUnit::kSse2) ? VectorUnit::kSse2
                                                                    : VectorUnit::kPortable;
  return best;
}

}  // namespace

bool HasVectorUnit([[maybe_unused]] VectorUnit unit) {
#if defined(__x86_64__)
  if (unit == VectorUnit::kSse2) return true;
  if (unit == VectorUnit::kAvx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("bmi");
#endif
  return unit == VectorUnit::kPortable || unit == VectorUnit::kBest;
}

void IndexCsvWith(VectorUnit unit, const char* bytes, std::size_t size, char delimiter, char quote,
                  StructuralIndex& out) {
  const Wanted wanted{delimiter, quote};
  switch (unit == VectorUnit::kBest ? Best() : unit) {
#if defined(__x86_64__)
    case VectorUnit::kSse2:
      return CsvSse2(bytes, size, wanted, out);
    case VectorUnit::kAvx2:
      return CsvAvx2(bytes, size, wanted, out);
#endif
    default:
      return CsvPortable(bytes, size, wanted, out);
  }
}

void IndexTextWith(VectorUnit unit, const char* bytes, std::size_t size, char delimiter,
                   StructuralIndex& out) {
  const Wanted wanted{delimiter, '\\'};
  switch (unit == VectorUnit::kBest ? Best() : unit) {
#if defined(__x86_64__)
    case VectorUnit::kSse2:
      return TextSse2(bytes, size, wanted, out);
    case VectorUnit::kAvx2:
      return TextAvx2(bytes, size, wanted, out);
#endif
    default:
      return TextPortable(bytes, size, wanted, out);
  }
}

void IndexCsv(const char* bytes, std::size_t size, char delimiter, char quote,
              StructuralIndex& out) {
  IndexCsvWith(VectorUnit::kBest, bytes, size, delimiter, quote, out);
}
void IndexText(const char* bytes, std::size_t size, char delimiter, StructuralIndex& out) {
  IndexTextWith(VectorUnit::kBest, bytes, size, delimiter, out);
}

std::size_t CountBytes(const char* bytes, std::size_t size, char wanted) {
  return static_cast<std::size_t>(std::count(bytes, bytes + size, wanted));
}

}  // namespace relcache::internal
