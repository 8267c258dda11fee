#include "relcache/types/regex/matcher.h"

#include <algorithm>

namespace relcache {

using Op = RegexStep::Op;

/// The steps that an automaton is at. A look around runs in a frame of its own.
struct RegexMatcher::Frame {
  explicit Frame(std::size_t steps) : seen(steps) {}
  /// At which turn a step was added last.
  std::vector<std::uint32_t> seen;
  std::uint32_t turn = 0;
  std::vector<std::uint32_t> now, before, open;
  bool matched = false;

  void Begin() {
    now.clear();
    NextTurn();
  }
  void NextTurn() {
    matched = false;
    if (++turn != 0) return;
    std::fill(seen.begin(), seen.end(), 0);
    turn = 1;
  }
};

RegexMatcher::RegexMatcher(const RegexMachine& machine, std::span<const std::uint32_t> text)
    : machine_(machine), text_(text), colors_(text.size()) {
  for (std::size_t i = 0; i < text.size(); ++i) colors_[i] = machine.colors.Of(text[i]);
}

RegexMatcher::~RegexMatcher() = default;

RegexMatcher::Frame& RegexMatcher::Enter() {
  if (depth_ == frames_.size())
    frames_.push_back(std::make_unique<Frame>(machine_.nfa.steps.size()));
  return *frames_[depth_++];
}

bool RegexMatcher::IsWord(std::int64_t at) const {
  return at >= 0 && at < size() &&
         machine_.colors.Has(machine_.word_set, colors_[static_cast<std::size_t>(at)]);
}

bool RegexMatcher::Holds(RegexAssertion what, std::int64_t at) const {
  switch (what) {
    case RegexAssertion::kTextStart:
      return at == 0;
    case RegexAssertion::kTextEnd:
      return at == size();
    case RegexAssertion::kLineStart:
      return at == 0 || text_[static_cast<std::size_t>(at - 1)] == '\n';
    case RegexAssertion::kLineEnd:
      return at == size() || text_[static_cast<std::size_t>(at)] == '\n';
    case RegexAssertion::kWordStart:
      return !IsWord(at - 1) && IsWord(at);
    case RegexAssertion::kWordEnd:
      return IsWord(at - 1) && !IsWord(at);
    case RegexAssertion::kWordEdge:
      return IsWord(at - 1) != IsWord(at);
    case RegexAssertion::kNoWordEdge:
      return IsWord(at - 1) == IsWord(at);
  }
  return false;
}

bool RegexMatcher::LookHolds(const RegexLook& look, std::int64_t at) {
  const bool found =
      look.ahead ? Shortest(look.start, at, at, size()) != kNone : EndsAt(look.start, at);
  return found != look.negative;
}

void RegexMatcher::Follow(Frame& frame, std::uint32_t step, std::int64_t at) {
  frame.open.push_back(step);
  while (!frame.open.empty()) {
    const std::uint32_t i = frame.open.back();
    frame.open.pop_back();
    if (frame.seen[i] == frame.turn) continue;
    frame.seen[i] = frame.turn;
    --steps_left_;
    const RegexStep& s = machine_.nfa.steps[i];
    switch (s.op) {
      case Op::kSet:
        frame.now.push_back(i);
        break;
      case Op::kSplit:
        frame.open.push_back(s.b);
        frame.open.push_back(s.a);
        break;
      case Op::kAssert:
        if (Holds(static_cast<RegexAssertion>(s.a), at)) frame.open.push_back(s.b);
        break;
      case Op::kLook:
        if (LookHolds(machine_.nfa.looks[s.a], at)) frame.open.push_back(s.b);
        break;
      case Op::kMatch:
        frame.matched = true;
        break;
    }
  }
}

bool RegexMatcher::Advance(Frame& frame, std::int64_t at) {
  const std::uint16_t color = colors_[static_cast<std::size_t>(at)];
  std::swap(frame.now, frame.before);
  frame.Begin();
  for (const std::uint32_t i : frame.before) {
    const RegexStep& s = machine_.nfa.steps[i];
    if (machine_.colors.Has(s.a, color)) Follow(frame, s.b, at + 1);
  }
  steps_left_ -= static_cast<std::int64_t>(frame.before.size());
  return steps_left_ >= 0;
}

std::int64_t RegexMatcher::Longest(std::uint32_t start, std::int64_t from, std::int64_t stop) {
  Frame& frame = Enter();
  frame.Begin();
  Follow(frame, start, from);
  std::int64_t best = kNone;
  for (std::int64_t at = from;; ++at) {
    if (frame.matched) best = at;
    if (at == stop || frame.now.empty() || !Advance(frame, at)) break;
  }
  Leave();
  return best;
}

std::int64_t RegexMatcher::Shortest(std::uint32_t start, std::int64_t from, std::int64_t least,
                                    std::int64_t stop) {
  Frame& frame = Enter();
  frame.Begin();
  Follow(frame, start, from);
  std::int64_t found = kNone;
  for (std::int64_t at = from;; ++at) {
    if (frame.matched && at >= least) {
      found = at;
      break;
    }
    if (at >= stop || frame.now.empty() || !Advance(frame, at)) break;
  }
  Leave();
  return found;
}

bool RegexMatcher::EndsAt(std::uint32_t start, std::int64_t to) {
  Frame& frame = Enter();
  frame.Begin();
  bool goes_on = true;
  for (std::int64_t at = 0; goes_on; ++at) {
    Follow(frame, start, at);
    if (at == to) break;
    goes_on = Advance(frame, at);
  }
  const bool found = goes_on && frame.matched;
  Leave();
  return found;
}

std::int64_t RegexMatcher::EarliestEnd(std::int64_t from) {
  Frame& frame = Enter();
  frame.Begin();
  std::int64_t found = kNone;
  for (std::int64_t at = from;; ++at) {
    Follow(frame, machine_.nfa.start, at);
    if (frame.matched) {
      found = at;
      break;
    }
    if (at == size() || !Advance(frame, at)) break;
  }
  Leave();
  return found;
}

bool RegexMatcher::Matches() {
  return EarliestEnd(0) != kNone;
}

bool RegexMatcher::Find(std::int64_t from, std::span<RegexSpan> spans) {
  // The earliest end bounds where the first match begins. With back references what the automaton
  // sees may be no match; the server then goes on behind that end, but never to try the end of the
  // text alone.
  do {
    const std::int64_t close = EarliestEnd(from);
    if (close == kNone || gave_up()) return false;
    for (; from <= close; ++from)
      if (FindAt(from, spans)) return !gave_up();
  } while (machine_.has_back_references && from < size() && !gave_up());
  return false;
}

bool RegexMatcher::FindAt(std::int64_t begin, std::span<RegexSpan> spans) {
  const RegexPart& whole = *machine_.nfa.parts;
  const bool dissects = machine_.has_back_references || spans.size() > 1;
  for (std::int64_t least = begin, most = size();;) {
    const std::int64_t end = whole.shorter ? Shortest(whole.start, begin, least, size())
                                           : Longest(whole.start, begin, most);
    if (end == kNone || gave_up()) return false;
    captures_.assign(captures_.size(), {});
    if (!dissects || Dissect(whole, begin, end)) {
      for (std::size_t i = 1; i < spans.size(); ++i)
        spans[i] = i < captures_.size() ? captures_[i] : RegexSpan{};
      spans[0] = {begin, end};
      return true;
    }
    if (whole.shorter ? end == size() : end == begin) return false;
    least = end + 1;
    most = end - 1;
  }
}

// ---- Taking apart

void RegexMatcher::Forget(const RegexPart& part) {
  if (part.capture != 0 && part.capture < captures_.size()) captures_[part.capture] = {};
  if (part.first != nullptr) Forget(*part.first);
  if (part.second != nullptr) Forget(*part.second);
  for (const RegexPart* branch : part.branches) Forget(*branch);
}

bool RegexMatcher::Dissect(const RegexPart& part, std::int64_t from, std::int64_t to) {
  if (--steps_left_ < 0 || !DissectKind(part, from, to)) return false;
  if (part.capture != 0) {
    if (captures_.size() <= part.capture) captures_.resize(part.capture + 1);
    captures_[part.capture] = {from, to};
  }
  return true;
}

bool RegexMatcher::DissectKind(const RegexPart& part, std::int64_t from, std::int64_t to) {
  switch (part.kind) {
    case RegexPart::Kind::kPlain:
      return true;
    case RegexPart::Kind::kCapture:
      return Dissect(*part.first, from, to);
    case RegexPart::Kind::kBackReference:
      return MatchesReference(part, from, to);
    case RegexPart::Kind::kConcat:
      return DissectConcat(part, from, to);
    case RegexPart::Kind::kAlternation:
      return std::any_of(part.branches.begin(), part.branches.end(), [&](const RegexPart* branch) {
        return Longest(branch->start, from, to) == to && Dissect(*branch, from, to);
      });
    case RegexPart::Kind::kIteration:
      return DissectIteration(part, from, to);
  }
  return false;
}

bool RegexMatcher::DissectConcat(const RegexPart& part, std::int64_t from, std::int64_t to) {
  const RegexPart& first = *part.first;
  const RegexPart& second = *part.second;
  std::int64_t least = from, most = to;
  for (;;) {
    const std::int64_t middle =
        first.shorter ? Shortest(first.start, from, least, to) : Longest(first.start, from, most);
    if (middle == kNone || gave_up()) return false;
    if (Longest(second.start, middle, to) == to && Dissect(first, from, middle) &&
        Dissect(second, middle, to))
      return true;
    if (first.shorter ? middle == to : middle == from) return false;
    least = middle + 1;
    most = middle - 1;
    Forget(first);
    Forget(second);
  }
}

bool RegexMatcher::SameText(std::int64_t a, std::int64_t b, std::int64_t length) const {
  for (std::int64_t i = 0; i < length; ++i) {
    const std::uint32_t x = text_[static_cast<std::size_t>(a + i)];
    const std::uint32_t y = text_[static_cast<std::size_t>(b + i)];
    if (x == y) continue;
    if (!machine_.ignore_case ||
        RegexToLower(machine_.tables, x) != RegexToLower(machine_.tables, y))
      return false;
  }
  return true;
}

bool RegexMatcher::MatchesReference(const RegexPart& part, std::int64_t from,
                                    std::int64_t to) const {
  if (part.refers_to >= captures_.size() || captures_[part.refers_to].from < 0) return false;
  const RegexSpan& referred = captures_[part.refers_to];
  const std::int64_t length = referred.to - referred.from, size = to - from;
  if (length == 0) return size == 0;
  if (size == 0) return part.min == 0;
  const std::int64_t times = size / length;
  if (size % length != 0 || times < part.min || (part.max != kRegexInfinity && times > part.max))
    return false;
  for (std::int64_t i = 0; i < times; ++i)
    if (!SameText(referred.from, from + i * length, length)) return false;
  return true;
}

bool RegexMatcher::DissectIteration(const RegexPart& part, std::int64_t from, std::int64_t to) {
  const int min = std::max(part.min, 1);
  std::int64_t max = to - from;
  if (part.max != kRegexInfinity) max = std::min<std::int64_t>(max, part.max);
  max = std::max<std::int64_t>(max, min);
  // None at all for nothing: at once where the shortest is preferred, else only where one that is
  // empty does not do.
  const bool none = part.min == 0 && from == to;
  if (part.first->shorter) return none || ShortestFirst(part, from, to, min, max);
  return LongestFirst(part, from, to, min, max) || none;
}

bool RegexMatcher::VerifyIterations(const RegexPart& child, std::span<const std::int64_t> ends,
                                    std::int64_t k, std::int64_t& verified) {
  for (std::int64_t i = verified + 1; i <= k; ++i) {
    Forget(child);
    const auto at = static_cast<std::size_t>(i);
    if (!Dissect(child, ends[at - 1], ends[at])) return false;
    verified = i;
  }
  return true;
}

bool RegexMatcher::LongestFirst(const RegexPart& part, std::int64_t from, std::int64_t to, int min,
                                std::int64_t max) {
  const RegexPart& child = *part.first;
  std::vector<std::int64_t> ends(static_cast<std::size_t>(max) + 1);
  const auto end = [&](std::int64_t i) -> std::int64_t& {
    return ends[static_cast<std::size_t>(i)];
  };
  ends[0] = from;
  std::int64_t k = 1, verified = 0, limit = to;
  while (k > 0 && !gave_up()) {
    end(k) = Longest(child.start, end(k - 1), limit);
    if (end(k) == kNone) {
      --k;
    } else {
      verified = std::min(verified, k - 1);
      if (end(k) != to) {
        // An empty iteration helps only to reach the least number of them.
        const bool useless = end(k) == end(k - 1) && (k >= min || min - k < to - end(k));
        if (k >= max) {
          --k;
        } else if (!useless) {
          ++k;
          limit = to;
          continue;
        }
      } else if (k >= min && VerifyIterations(child, ends, k, verified)) {
        return true;
      }
    }
    // A shorter k-th iteration, or one before it.
    for (; k > 0; --k) {
      if (end(k) <= end(k - 1)) continue;
      limit = end(k) - 1;
      if (limit > end(k - 1) || (k < min && min - k >= to - end(k - 1))) break;
    }
  }
  return false;
}

bool RegexMatcher::ShortestFirst(const RegexPart& part, std::int64_t from, std::int64_t to, int min,
                                 std::int64_t max) {
  const RegexPart& child = *part.first;
  std::vector<std::int64_t> ends(static_cast<std::size_t>(max) + 1);
  const auto end = [&](std::int64_t i) -> std::int64_t& {
    return ends[static_cast<std::size_t>(i)];
  };
  ends[0] = from;
  std::int64_t k = 1, verified = 0, limit = from;
  while (k > 0 && !gave_up()) {
    if (limit == end(k - 1) && limit != to && (k >= min || min - k < to - limit)) ++limit;
    // The last that may be must reach the end.
    if (k >= max) limit = to;
    end(k) = Shortest(child.start, end(k - 1), limit, to);
    if (end(k) == kNone) {
      --k;
    } else {
      verified = std::min(verified, k - 1);
      if (end(k) != to) {
        if (k >= max) {
          --k;
        } else {
          ++k;
          limit = end(k - 1);
          continue;
        }
      } else if (k >= min && VerifyIterations(child, ends, k, verified)) {
        return true;
      }
    }
    while (k > 0 && end(k) >= to) --k;
    if (k > 0) limit = end(k) + 1;
  }
  return false;
}

}  // namespace relcache
