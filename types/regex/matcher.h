// Runs an automaton over a text, and takes a match apart into sub-matches as PostgreSQL does
// (regexec.c).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "relcache/types/regex/char_class.h"
#include "relcache/types/regex/nfa.h"

namespace relcache {

/// Characters from..to - 1 of a text; from -1: none.
struct RegexSpan {
  std::int64_t from = -1;
  std::int64_t to = -1;
};

/// What a matcher needs of a regular expression. Lifetime: that of what it points to.
struct RegexMachine {
  RegexNfa nfa;
  RegexColors colors;
  /// The sets of word characters and of the newline; only of use where an assertion asks.
  std::uint32_t word_set = 0;
  std::uint32_t newline_set = 0;
  bool has_back_references = false;
  bool ignore_case = false;
  RegexLocale::Tables tables = RegexLocale::Tables::kC;
};

/// One text under one regular expression. Takes as many steps as the server, but no more than
/// kMaxSteps; gave_up() then says that nothing is decided.
class RegexMatcher {
 public:
  static constexpr std::int64_t kMaxSteps = 50'000'000;

  RegexMatcher(const RegexMachine& machine, std::span<const std::uint32_t> text);
  ~RegexMatcher();

  /// Whether there is a match anywhere, for expressions without back references.
  bool Matches();
  /// The first match at or behind `from` and its sub-matches: spans[0] is the match.
  bool Find(std::int64_t from, std::span<RegexSpan> spans);
  bool gave_up() const { return steps_left_ < 0; }

 private:
  struct Frame;
  static constexpr std::int64_t kNone = -1;

  /// Where the longest match of an automaton that begins at `from` ends, at `stop` at the latest;
  /// the shortest, at `least` at the earliest.
  std::int64_t Longest(std::uint32_t start, std::int64_t from, std::int64_t stop);
  std::int64_t Shortest(std::uint32_t start, std::int64_t from, std::int64_t least,
                        std::int64_t stop);
  /// Whether some match ends at `to`.
  bool EndsAt(std::uint32_t start, std::int64_t to);
  /// Where the earliest match at or behind `from` ends.
  std::int64_t EarliestEnd(std::int64_t from);
  /// Adds a step and all that it leads to without a character.
  void Follow(Frame& frame, std::uint32_t step, std::int64_t at);
  bool Advance(Frame& frame, std::int64_t at);
  bool Holds(RegexAssertion what, std::int64_t at) const;
  bool IsWord(std::int64_t at) const;
  bool LookHolds(const RegexLook& look, std::int64_t at);
  Frame& Enter();
  void Leave() { --depth_; }

  /// The match that begins at a place.
  bool FindAt(std::int64_t begin, std::span<RegexSpan> spans);
  bool Dissect(const RegexPart& part, std::int64_t from, std::int64_t to);
  bool DissectKind(const RegexPart& part, std::int64_t from, std::int64_t to);
  bool DissectConcat(const RegexPart& part, std::int64_t from, std::int64_t to);
  bool DissectIteration(const RegexPart& part, std::int64_t from, std::int64_t to);
  bool LongestFirst(const RegexPart& part, std::int64_t from, std::int64_t to, int min,
                    std::int64_t max);
  bool ShortestFirst(const RegexPart& part, std::int64_t from, std::int64_t to, int min,
                     std::int64_t max);
  bool VerifyIterations(const RegexPart& child, std::span<const std::int64_t> ends, std::int64_t k,
                        std::int64_t& verified);
  bool MatchesReference(const RegexPart& part, std::int64_t from, std::int64_t to) const;
  bool SameText(std::int64_t a, std::int64_t b, std::int64_t length) const;
  void Forget(const RegexPart& part);

  std::int64_t size() const { return static_cast<std::int64_t>(text_.size()); }

  const RegexMachine& machine_;
  std::span<const std::uint32_t> text_;
  std::vector<std::uint16_t> colors_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::size_t depth_ = 0;
  std::int64_t steps_left_ = kMaxSteps;
  std::vector<RegexSpan> captures_;
};

}  // namespace relcache
