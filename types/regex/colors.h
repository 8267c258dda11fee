// Characters that no set of a regular expression tells apart have one color.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "relcache/memory/memory_context.h"
#include "relcache/types/regex/code_points.h"

namespace relcache {

/// Lifetime: its arrays lie in the context it was made in. Thread safety: const.
class RegexColors {
 public:
  /// False if there are too many.
  bool Make(std::span<const CodePoints> sets, MemoryContext& cx);

  std::uint32_t count() const { return count_; }
  std::uint16_t Of(std::uint32_t c) const {
    const std::uint32_t page = c >> 8;
    return page < pages_.size() ? cells_[pages_[page] * std::size_t{256} + (c & 255)] : beyond_;
  }
  std::uint16_t OfAscii(unsigned char c) const { return cells_[c]; }
  /// Whether the characters of a color are in a set.
  bool Has(std::uint32_t set, std::uint16_t color) const {
    const std::size_t bit = std::size_t{set} * count_ + color;
    return (members_[bit / 64] >> (bit % 64) & 1) != 0;
  }

 private:
  std::uint32_t count_ = 0;
  /// Of each 256 characters: where their colors are. The first page's are the first cells.
  std::span<const std::uint16_t> pages_;
  std::span<const std::uint16_t> cells_;
  /// The color of all that follows the last page.
  std::uint16_t beyond_ = 0;
  std::span<const std::uint64_t> members_;
};

}  // namespace relcache
