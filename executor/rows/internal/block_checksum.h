// The checksum of a spilled block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace relcache {

/// XXH3, 64 bits, by the widest instructions that this processor has.
std::uint64_t BlockChecksum(std::span<const char> bytes);

namespace internal {

/// The same by AVX2; only where the processor has it. In a source of its own, which is compiled for
/// AVX2 and must therefore hold no function that another source could share.
std::uint64_t BlockChecksumAvx2(const char* bytes, std::size_t n);

}  // namespace internal
}  // namespace relcache
