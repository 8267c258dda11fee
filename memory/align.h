// Sizes and addresses at multiples of a power of two.
#pragma once

#include <cstddef>
#include <cstdint>

namespace relcache {

/// The smallest multiple of `alignment`, a power of two, that is not less than `size`.
constexpr std::size_t AlignUp(std::size_t size, std::size_t alignment) noexcept {
  return (size + alignment - 1) & ~(alignment - 1);
}

}  // namespace relcache
