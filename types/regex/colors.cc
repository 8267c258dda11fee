#include "relcache/types/regex/colors.h"

#include <algorithm>
#include <map>

namespace relcache {

bool RegexColors::Make(std::span<const CodePoints> sets, MemoryContext& cx) {
  // Where any set begins or ends, a new interval begins.
  std::vector<std::uint32_t> starts{0};
  for (const CodePoints& set : sets) {
    for (const CodePointRange& r : set.ranges()) {
      starts.push_back(r.first);
      if (r.last < kLastCodePoint) starts.push_back(r.last + 1);
    }
  }
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());

  std::map<std::vector<bool>, std::uint16_t> known;
  std::vector<std::uint16_t> colors(starts.size());
  std::vector<std::size_t> at(sets.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    std::vector<bool> in(sets.size());
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const auto ranges = sets[s].ranges();
      while (at[s] < ranges.size() && ranges[at[s]].last < starts[i]) ++at[s];
      in[s] = at[s] < ranges.size() && ranges[at[s]].first <= starts[i];
    }
    const auto [entry, is_new] =
        known.try_emplace(std::move(in), static_cast<std::uint16_t>(known.size()));
    if (is_new && known.size() > 4096) return false;
    colors[i] = entry->second;
  }
  count_ = static_cast<std::uint32_t>(known.size());

  std::span<std::uint64_t> members = cx.NewArray<std::uint64_t>((sets.size() * count_ + 63) / 64);
  for (const auto& [in, color] : known) {
    for (std::size_t s = 0; s < in.size(); ++s) {
      const std::size_t bit = s * count_ + color;
      if (in[s]) members[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
  }
  members_ = members;

  beyond_ = colors.back();
  const std::uint32_t page_count = std::max(starts.back() >> 8, 0u) + 1;
  std::span<std::uint16_t> pages = cx.NewArray<std::uint16_t>(page_count);
  std::vector<std::uint16_t> cells;
  std::map<std::vector<std::uint16_t>, std::uint16_t> made;
  std::size_t interval = 0;
  std::vector<std::uint16_t> page(256);
  for (std::uint32_t p = 0; p < page_count; ++p) {
    for (std::uint32_t c = 0; c < 256; ++c) {
      while (interval + 1 < starts.size() && starts[interval + 1] <= p * 256 + c) ++interval;
      page[c] = colors[interval];
    }
    const auto [entry, is_new] = made.try_emplace(page, static_cast<std::uint16_t>(made.size()));
    if (is_new) cells.insert(cells.end(), page.begin(), page.end());
    pages[p] = entry->second;
  }
  pages_ = pages;
  std::span<std::uint16_t> kept = cx.NewArray<std::uint16_t>(cells.size());
  std::copy(cells.begin(), cells.end(), kept.begin());
  cells_ = kept;
  return true;
}

}  // namespace relcache
