// The checksum of a block in a spill file. It detects damage on disk; PostgreSQL's temporary files
// have none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace relcache {

/// The 64-bit XXH3 checksum, computed with the widest instructions that the processor has.
std::uint64_t BlockChecksum(std::span<const char> bytes);

namespace internal {

/// The same with AVX2, to be called only if the processor has it. It is in a source file of its
/// own, which is compiled for AVX2 and must not contain a function that other sources share,
/// because the linker could choose the AVX2 version for all of them.
std::uint64_t BlockChecksumAvx2(const char* bytes, std::size_t n);

}  // namespace internal
}  // namespace relcache
