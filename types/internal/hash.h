// PostgreSQL's hash functions (common/hashfn.c), bit for bit, because the choice of a hash
// partition depends on them.
#pragma once

#include <cstdint>
#include <string_view>

namespace relcache {

/// hash_bytes.
std::uint32_t HashBytes(std::string_view bytes);
/// hash_bytes_extended; with seed 0 the low half is HashBytes.
std::uint64_t HashBytesExtended(std::string_view bytes, std::uint64_t seed);
/// hash_bytes_uint32: equal to HashBytes of the four bytes.
std::uint32_t HashUint32(std::uint32_t key);
std::uint64_t HashUint32Extended(std::uint32_t key, std::uint64_t seed);

/// hash_combine64: how hash partitioning folds its columns together.
constexpr std::uint64_t HashCombine64(std::uint64_t a, std::uint64_t b) {
  return a ^ (b + 0x49a0f4dd15e5a8e3u + (a << 54) + (a >> 7));
}

}  // namespace relcache
