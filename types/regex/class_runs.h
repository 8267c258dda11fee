// The shape that most patterns have, matched without an automaton: from the beginning of the text
// one run of characters of a class after the other.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "relcache/memory/memory_context.h"
#include "relcache/types/regex/colors.h"
#include "relcache/types/regex/regex_tree.h"

namespace relcache {

/// Lifetime: its arrays lie in a context. Thread safety: const.
class ClassRuns {
 public:
  /// False, if the expression has another shape, or if how long a run is depends on what follows
  /// it.
  bool Make(const RegexTree& tree, const RegexColors& colors, MemoryContext& cx);
  bool Matches(std::string_view text) const;

 private:
  struct Run {
    std::uint32_t set = 0;
    std::uint32_t min = 1;
    std::uint32_t max = 1;  ///< UINT32_MAX: any number
    /// Of each byte: 0 not in the set, 1 in it, 2 for the character to say.
    const std::uint8_t* bytes = nullptr;
  };
  bool Take(const Run& run, const char*& at, const char* end) const;

  const RegexColors* colors_ = nullptr;
  std::span<const Run> runs_;
  bool to_the_end_ = false;
};

}  // namespace relcache
