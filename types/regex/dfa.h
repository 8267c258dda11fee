// A deterministic automaton that says whether a text matches: a look into a table a character.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "relcache/memory/memory_context.h"
#include "relcache/types/regex/matcher.h"

namespace relcache {

/// Lifetime: its arrays lie in a context. Thread safety: const.
class RegexDfa {
 public:
  /// Makes it whole, ahead of time. False: it would have too many states, or the expression looks
  /// around or has back references.
  bool Make(const RegexMachine& machine, MemoryContext& cx);
  bool Matches(std::string_view text) const;

 private:
  friend class DfaMaker;
  /// The two states that end a run; all others are at a multiple of the number of colors.
  static constexpr std::uint32_t kFailed = 0, kMatched = 1;

  const RegexColors* colors_ = nullptr;
  std::uint32_t color_count_ = 0;
  /// Of the ASCII characters.
  std::span<const std::uint16_t> ascii_;
  std::span<const std::uint32_t> next_;
  /// Of each state: whether the end of the text makes a match of it.
  std::span<const bool> at_end_;
  std::uint32_t start_ = 0;
};

}  // namespace relcache
