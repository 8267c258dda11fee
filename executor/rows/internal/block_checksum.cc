#include "relcache/executor/rows/internal/block_checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace relcache {

std::uint64_t BlockChecksum(std::span<const char> bytes) {
#ifdef RELCACHE_CHECKSUM_AVX2
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return internal::BlockChecksumAvx2(bytes.data(), bytes.size());
#endif
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace relcache
