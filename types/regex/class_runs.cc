#include "relcache/types/regex/class_runs.h"

#include <algorithm>
#include <vector>

namespace relcache {
namespace {

using Kind = RegexNode::Kind;
constexpr std::uint32_t kAny = UINT32_MAX;

bool IsAssertion(const RegexNode* node, RegexAssertion what) {
  return node->kind == Kind::kAssertion && node->assertion == what;
}

}  // namespace

bool ClassRuns::Make(const RegexTree& tree, const RegexColors& colors, MemoryContext& cx) {
  constexpr std::size_t kMostRuns = 32;
  if (tree.root->children.size() != 1) return false;
  std::span<const RegexNode* const> items = tree.root->children[0]->children;
  if (items.empty() || !IsAssertion(items.front(), RegexAssertion::kTextStart)) return false;
  items = items.subspan(1);
  to_the_end_ = !items.empty() && IsAssertion(items.back(), RegexAssertion::kTextEnd);
  if (to_the_end_) items = items.first(items.size() - 1);
  if (items.size() > kMostRuns) return false;

  std::vector<Run> runs;
  for (const RegexNode* item : items) {
    const RegexNode* atom = item->kind == Kind::kRepeat ? item->children[0] : item;
    if (atom->kind != Kind::kSet) return false;
    Run run;
    run.set = atom->number;
    if (item->kind == Kind::kRepeat) {
      run.min = static_cast<std::uint32_t>(item->min);
      run.max = item->max == kRegexInfinity ? kAny : static_cast<std::uint32_t>(item->max);
    }
    runs.push_back(run);
  }
  // A run that takes all it can takes the right number, if what may follow begins otherwise.
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].min == runs[i].max) continue;
    for (std::size_t j = i + 1; j < runs.size(); ++j) {
      if (tree.sets[runs[i].set].Intersects(tree.sets[runs[j].set])) return false;
      if (runs[j].min > 0) break;
    }
  }

  for (Run& run : runs) {
    const auto same = std::find_if(runs.begin(), runs.end(), [&](const Run& other) {
      return other.set == run.set && other.bytes != nullptr;
    });
    if (same != runs.end()) {
      run.bytes = same->bytes;
      continue;
    }
    std::span<std::uint8_t> bytes = cx.NewArray<std::uint8_t>(256);
    for (unsigned c = 0; c < 256; ++c)
      bytes[c] = c >= 0x80 ? 2 : tree.sets[run.set].Contains(c) ? 1 : 0;
    run.bytes = bytes.data();
  }
  std::span<Run> kept = cx.NewArray<Run>(runs.size());
  std::copy(runs.begin(), runs.end(), kept.begin());
  runs_ = kept;
  colors_ = &colors;
  return true;
}

bool ClassRuns::Take(const Run& run, const char*& at, const char* end) const {
  const std::uint8_t* const bytes = run.bytes;
  std::uint32_t n = 0;
  // Eight characters at once, as long as all of them are ASCII and in the set.
  while (end - at >= 8 && run.max - n >= 8) {
    const auto of = [&](int i) { return bytes[static_cast<unsigned char>(at[i])]; };
    if ((of(0) & of(1) & of(2) & of(3) & of(4) & of(5) & of(6) & of(7)) != 1) break;
    at += 8;
    n += 8;
  }
  while (at != end && n != run.max) {
    const std::uint8_t in = bytes[static_cast<unsigned char>(*at)];
    if (in == 1) [[likely]] {
      ++at;
      ++n;
      continue;
    }
    if (in == 0) break;
    std::string_view rest(at, static_cast<std::size_t>(end - at));
    if (!colors_->Has(run.set, colors_->Of(TakeCodePoint(rest)))) break;
    at = rest.data();
    ++n;
  }
  return n >= run.min;
}

bool ClassRuns::Matches(std::string_view text) const {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (const Run& run : runs_)
    if (!Take(run, at, end)) return false;
  return !to_the_end_ || at == end;
}

}  // namespace relcache
