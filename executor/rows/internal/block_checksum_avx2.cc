#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstddef>
#include <cstdint>

namespace relcache::internal {

// Declared in block_checksum.h, which is not included: its templates would be compiled for AVX2
// too.
std::uint64_t BlockChecksumAvx2(const char* bytes, std::size_t n) {
  return XXH3_64bits(bytes, n);
}

}  // namespace relcache::internal
