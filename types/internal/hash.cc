#include "relcache/types/internal/hash.h"

#include <bit>
#include <cstring>

namespace relcache {
namespace {

// Bob Jenkins' lookup3, in the form that PostgreSQL uses on little-endian machines.
struct State {
  std::uint32_t a, b, c;

  void Mix() {
    a -= c, a ^= std::rotl(c, 4), c += b;
    b -= a, b ^= std::rotl(a, 6), a += c;
    c -= b, c ^= std::rotl(b, 8), b += a;
    a -= c, a ^= std::rotl(c, 16), c += b;
    b -= a, b ^= std::rotl(a, 19), a += c;
    c -= b, c ^= std::rotl(b, 4), b += a;
  }
  void Final() {
    c ^= b, c -= std::rotl(b, 14);
    a ^= c, a -= std::rotl(c, 11);
    b ^= a, b -= std::rotl(a, 25);
    c ^= b, c -= std::rotl(b, 16);
    a ^= c, a -= std::rotl(c, 4);
    b ^= a, b -= std::rotl(a, 14);
    c ^= b, c -= std::rotl(b, 24);
  }
  void Seed(std::uint64_t seed) {
    if (seed == 0) return;
    a += static_cast<std::uint32_t>(seed >> 32);
    b += static_cast<std::uint32_t>(seed);
    Mix();
  }
  std::uint64_t Wide() const { return std::uint64_t{b} << 32 | c; }
};

State Start(std::size_t length) {
  const auto init = 0x9e3779b9u + static_cast<std::uint32_t>(length) + 3923095u;
  return {init, init, init};
}

std::uint32_t Word(const char* p) {
  std::uint32_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

State HashAny(std::string_view bytes, std::uint64_t seed) {
  State s = Start(bytes.size());
  s.Seed(seed);
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 12; left -= 12, p += 12) {
    s.a += Word(p);
    s.b += Word(p + 4);
    s.c += Word(p + 8);
    s.Mix();
  }
  // The lowest byte of c is left free for the length.
  const auto byte = [p](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(p[i])}; };
  for (std::size_t i = 0; i < left; ++i) {
    if (i < 4)
      s.a += byte(i) << (8 * i);
    else if (i < 8)
      s.b += byte(i) << (8 * (i - 4));
    else
      s.c += byte(i) << (8 * (i - 7));
  }
  s.Final();
  return s;
}

State HashWord(std::uint32_t key, std::uint64_t seed) {
  State s = Start(sizeof key);
  s.Seed(seed);
  s.a += key;
  s.Final();
  return s;
}

}  // namespace

std::uint32_t HashBytes(std::string_view bytes) {
  return HashAny(bytes, 0).c;
}

std::uint64_t HashBytesExtended(std::string_view bytes, std::uint64_t seed) {
  return HashAny(bytes, seed).Wide();
}

std::uint32_t HashUint32(std::uint32_t key) {
  return HashWord(key, 0).c;
}

std::uint64_t HashUint32Extended(std::uint32_t key, std::uint64_t seed) {
  return HashWord(key, seed).Wide();
}

}  // namespace relcache
