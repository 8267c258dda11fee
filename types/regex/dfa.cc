#include "relcache/types/regex/dfa.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace relcache {

using Op = RegexStep::Op;

/// Makes states as they are reached. A state is the steps that wait for a character, or for an
/// assertion that the next character decides; and what is before it, if an assertion is waiting.
class DfaMaker {
 public:
  explicit DfaMaker(const RegexMachine& machine)
      : machine_(machine), seen_(machine.nfa.steps.size()) {}

  bool Run(MemoryContext& cx, RegexDfa& out) {
    const std::uint32_t colors = machine_.colors.count();
    const auto limit = std::min<std::size_t>(kMaxEntries / colors, kMaxStates);
    // Two that end a run, so that states and rows have the same numbers.
    states_.resize(2);
    for (const Before before : {Before::kNewline, Before::kWord, Before::kOther}) {
      std::vector<std::uint32_t> steps;
      BeginSteps();
      restarts_ = Follow(machine_.nfa.start, before, nullptr, steps) || restarts_;
      restarts_ = restarts_ || !steps.empty();
    }
    start_ = StateOf({}, Before::kTextStart);
    for (std::size_t i = 2; i < states_.size(); ++i) {
      if (states_.size() > limit || work_ > kMaxWork) return false;
      for (std::uint32_t color = 0; color < colors; ++color) Next(i, color);
      at_end_.push_back(AtEnd(i));
    }
    Keep(cx, out);
    return true;
  }

 private:
  static constexpr std::size_t kMaxStates = 4'000, kMaxEntries = 200'000, kMaxWork = 4'000'000;
  enum class Before : std::uint8_t { kTextStart, kNewline, kWord, kOther };
  struct State {
    std::vector<std::uint32_t> steps;
    Before before = Before::kOther;
    friend bool operator<(const State& a, const State& b) {
      return std::tie(a.steps, a.before) < std::tie(b.steps, b.before);
    }
  };

  /// What a character, or the end, is to an assertion.
  struct Character {
    bool end = false;
    bool newline = false;
    bool word = false;
  };
  Character OfColor(std::uint32_t color) const {
    const auto c = static_cast<std::uint16_t>(color);
    return {false, machine_.colors.Has(machine_.newline_set, c),
            machine_.colors.Has(machine_.word_set, c)};
  }

  static bool Holds(RegexAssertion what, Before before, const Character& next) {
    const bool word = before == Before::kWord;
    switch (what) {
      case RegexAssertion::kTextStart:
        return before == Before::kTextStart;
      case RegexAssertion::kTextEnd:
        return next.end;
      case RegexAssertion::kLineStart:
        return before == Before::kTextStart || before == Before::kNewline;
      case RegexAssertion::kLineEnd:
        return next.end || next.newline;
      case RegexAssertion::kWordStart:
        return !word && next.word;
      case RegexAssertion::kWordEnd:
        return word && !next.word;
      case RegexAssertion::kWordEdge:
        return word != next.word;
      case RegexAssertion::kNoWordEdge:
        return word == next.word;
    }
    return false;
  }
  static bool MayHold(RegexAssertion what, Before before) {
    switch (what) {
      case RegexAssertion::kTextStart:
        return before == Before::kTextStart;
      case RegexAssertion::kLineStart:
        return before == Before::kTextStart || before == Before::kNewline;
      case RegexAssertion::kWordStart:
        return before != Before::kWord;
      case RegexAssertion::kWordEnd:
        return before == Before::kWord;
      default:
        return true;
    }
  }

  void BeginSteps() {
    if (++turn_ == 0) {
      std::fill(seen_.begin(), seen_.end(), 0);
      turn_ = 1;
    }
  }
  /// Follows what needs no character. `next`: what assertions see; without it they wait. True if
  /// there is a match.
  bool Follow(std::uint32_t step, Before before, const Character* next,
              std::vector<std::uint32_t>& waiting) {
    open_.push_back(step);
    bool matched = false;
    while (!open_.empty()) {
      const std::uint32_t i = open_.back();
      open_.pop_back();
      if (seen_[i] == turn_) continue;
      seen_[i] = turn_;
      ++work_;
      const RegexStep& s = machine_.nfa.steps[i];
      switch (s.op) {
        case Op::kSplit:
          open_.push_back(s.a);
          open_.push_back(s.b);
          break;
        case Op::kAssert: {
          const auto what = static_cast<RegexAssertion>(s.a);
          if (next != nullptr) {
            if (Holds(what, before, *next)) open_.push_back(s.b);
          } else if (MayHold(what, before)) {
            waiting.push_back(i);
          }
          break;
        }
        case Op::kMatch:
          matched = true;
          break;
        default:
          waiting.push_back(i);
      }
    }
    return matched;
  }

  /// The state behind a character: at `steps`, or at the beginning of the expression anew.
  std::uint32_t StateOf(const std::vector<std::uint32_t>& steps, Before before) {
    State state;
    BeginSteps();
    bool matched = Follow(machine_.nfa.start, before, nullptr, state.steps);
    for (const std::uint32_t step : steps)
      matched = Follow(step, before, nullptr, state.steps) || matched;
    if (matched) return RegexDfa::kMatched;
    if (state.steps.empty() && !restarts_) return RegexDfa::kFailed;
    std::sort(state.steps.begin(), state.steps.end());
    const bool asks = std::any_of(state.steps.begin(), state.steps.end(), [&](std::uint32_t i) {
      return machine_.nfa.steps[i].op == Op::kAssert;
    });
    state.before = asks ? before : Before::kOther;
    const auto [entry, is_new] =
        known_.try_emplace(state, static_cast<std::uint32_t>(states_.size()));
    if (is_new) states_.push_back(std::move(state));
    return entry->second;
  }

  /// The steps of a state when the next character is known.
  bool Decide(const State& state, const Character& next, std::vector<std::uint32_t>& steps) {
    BeginSteps();
    bool matched = false;
    for (const std::uint32_t step : state.steps)
      matched = Follow(step, state.before, &next, steps) || matched;
    return matched;
  }

  void Next(std::size_t i, std::uint32_t color) {
    const Character character = OfColor(color);
    std::vector<std::uint32_t> steps, behind;
    if (Decide(states_[i], character, steps)) {
      next_.push_back(RegexDfa::kMatched);
      return;
    }
    for (const std::uint32_t step : steps) {
      const RegexStep& s = machine_.nfa.steps[step];
      if (machine_.colors.Has(s.a, static_cast<std::uint16_t>(color))) behind.push_back(s.b);
    }
    next_.push_back(StateOf(behind, character.newline ? Before::kNewline
                                    : character.word  ? Before::kWord
                                                      : Before::kOther));
  }

  bool AtEnd(std::size_t i) {
    std::vector<std::uint32_t> steps;
    return Decide(states_[i], {.end = true}, steps);
  }

  void Keep(MemoryContext& cx, RegexDfa& out) {
    const std::uint32_t colors = machine_.colors.count();
    // A state is its row's place, so that a look is an addition; the two that end a run come first.
    const auto place = [&](std::uint32_t state) {
      return state <= RegexDfa::kMatched ? state : (state - 2) * colors + 2;
    };
    std::span<std::uint32_t> next = cx.NewArray<std::uint32_t>(next_.size() + 2);
    for (std::size_t i = 0; i < next_.size(); ++i) next[i + 2] = place(next_[i]);
    std::span<bool> at_end = cx.NewArray<bool>(at_end_.size());
    std::copy(at_end_.begin(), at_end_.end(), at_end.begin());
    std::span<std::uint16_t> ascii = cx.NewArray<std::uint16_t>(128);
    for (unsigned c = 0; c < 128; ++c)
      ascii[c] = machine_.colors.OfAscii(static_cast<unsigned char>(c));
    out.colors_ = &machine_.colors;
    out.color_count_ = colors;
    out.ascii_ = ascii;
    out.next_ = next;
    out.at_end_ = at_end;
    out.start_ = place(start_);
  }

  const RegexMachine& machine_;
  std::vector<State> states_;
  std::map<State, std::uint32_t> known_;
  std::vector<std::uint32_t> next_;
  std::vector<bool> at_end_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t turn_ = 0;
  std::vector<std::uint32_t> open_;
  std::size_t work_ = 0;
  std::uint32_t start_ = 0;
  /// Whether a match may begin behind the beginning of the text.
  bool restarts_ = false;
};

bool RegexDfa::Make(const RegexMachine& machine, MemoryContext& cx) {
  if (machine.has_back_references || !machine.nfa.looks.empty()) return false;
  return DfaMaker(machine).Run(cx, *this);
}

bool RegexDfa::Matches(std::string_view text) const {
  const std::uint16_t* const ascii = ascii_.data();
  const std::uint32_t* const next = next_.data();
  std::uint32_t state = start_;
  while (!text.empty() && state > kMatched) {
    const auto byte = static_cast<unsigned char>(text.front());
    std::uint32_t color;
    if (byte < 0x80) {
      color = ascii[byte];
      text.remove_prefix(1);
    } else {
      color = colors_->Of(TakeCodePoint(text));
    }
    state = next[state + color];
  }
  if (state <= kMatched) return state == kMatched;
  return at_end_[(state - 2) / color_count_];
}

}  // namespace relcache
