#include "relcache/types/regex/code_points.h"

#include <algorithm>

namespace relcache {

void CodePoints::AddRange(std::uint32_t first, std::uint32_t last) {
  last = std::min(last, kLastCodePoint);
  if (first > last) return;
  // The first range that touches or follows, and the first that does neither.
  auto from =
      std::lower_bound(ranges_.begin(), ranges_.end(), first,
                       [](const CodePointRange& r, std::uint32_t c) { return r.last + 1 < c; });
  auto to = from;
  while (to != ranges_.end() && to->first <= last + 1) {
    first = std::min(first, to->first);
    last = std::max(last, to->last);
    ++to;
  }
  if (from == to) {
    ranges_.insert(from, {first, last});
  } else {
    *from = {first, last};
    ranges_.erase(from + 1, to);
  }
}

void CodePoints::AddAll(const CodePoints& other) {
  std::vector<CodePointRange> all;
  all.reserve(ranges_.size() + other.ranges_.size());
  std::merge(ranges_.begin(), ranges_.end(), other.ranges_.begin(), other.ranges_.end(),
             std::back_inserter(all),
             [](const CodePointRange& a, const CodePointRange& b) { return a.first < b.first; });
  ranges_.clear();
  for (const CodePointRange& r : all) {
    if (!ranges_.empty() && r.first <= ranges_.back().last + 1) {
      ranges_.back().last = std::max(ranges_.back().last, r.last);
    } else {
      ranges_.push_back(r);
    }
  }
}

void CodePoints::Remove(std::uint32_t c) {
  CodePoints others;
  for (const CodePointRange& r : ranges_) {
    if (c < r.first || c > r.last) {
      others.ranges_.push_back(r);
      continue;
    }
    if (r.first < c) others.ranges_.push_back({r.first, c - 1});
    if (c < r.last) others.ranges_.push_back({c + 1, r.last});
  }
  *this = std::move(others);
}

void CodePoints::Complement() {
  std::vector<CodePointRange> gaps;
  std::uint32_t next = 0;
  for (const CodePointRange& r : ranges_) {
    if (next < r.first) gaps.push_back({next, r.first - 1});
    next = r.last + 1;
  }
  if (next <= kLastCodePoint) gaps.push_back({next, kLastCodePoint});
  ranges_ = std::move(gaps);
}

bool CodePoints::Contains(std::uint32_t c) const {
  const auto at =
      std::lower_bound(ranges_.begin(), ranges_.end(), c,
                       [](const CodePointRange& r, std::uint32_t point) { return r.last < point; });
  return at != ranges_.end() && at->first <= c;
}

bool CodePoints::Intersects(const CodePoints& other) const {
  auto a = ranges_.begin();
  auto b = other.ranges_.begin();
  while (a != ranges_.end() && b != other.ranges_.end()) {
    if (a->last < b->first) {
      ++a;
    } else if (b->last < a->first) {
      ++b;
    } else {
      return true;
    }
  }
  return false;
}

}  // namespace relcache
