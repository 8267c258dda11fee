// A regular expression, and the parts into which its matches are taken apart, as a
// nondeterministic automaton over colors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "relcache/memory/memory_context.h"
#include "relcache/types/regex/colors.h"
#include "relcache/types/regex/regex_tree.h"
#include "relcache/types/server_version.h"

namespace relcache {

/// A part of a regular expression that a match is taken apart by (PostgreSQL's subre).
struct RegexPart {
  enum class Kind : std::uint8_t {
    kPlain,   ///< nothing inside matters
    kConcat,  ///< first, then second
    kAlternation,
    kIteration,  ///< first, min to max times
    kBackReference,
    kCapture,  ///< first, which is a capture itself
  };
  Kind kind = Kind::kPlain;
  /// Whether the shortest match is looked for.
  bool shorter = false;
  /// The sub-match that it is, or (of a back reference) that it repeats; 0: none.
  std::uint32_t capture = 0;
  std::uint32_t refers_to = 0;
  std::uint32_t start = 0;  ///< its automaton's first step
  int min = 1;
  int max = 1;
  const RegexPart* first = nullptr;
  const RegexPart* second = nullptr;
  std::span<const RegexPart* const> branches;
};

struct RegexStep {
  enum class Op : std::uint8_t {
    kSet,    ///< a character of set `a`, then to `b`
    kSplit,  ///< to `a` and to `b`
    kAssert,
    kLook,  ///< looks[a] holds, then to `b`
    kMatch,
  };
  Op op = Op::kMatch;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

struct RegexLook {
  std::uint32_t start = 0;
  bool ahead = false;
  bool negative = false;
};

/// Lifetime: its arrays lie in a context. Thread safety: const.
struct RegexNfa {
  std::span<const RegexStep> steps;
  std::span<const RegexLook> looks;
  /// The whole expression's first step.
  std::uint32_t start = 0;
  /// nullptr, if it was made for matching alone.
  const RegexPart* parts = nullptr;
};

/// Makes the automaton. False: it would have more than kMaxRegexSteps steps.
inline constexpr std::size_t kMaxRegexSteps = 100'000;
bool MakeNfa(const RegexTree& tree, bool with_parts, ServerVersion version, MemoryContext& cx,
             RegexNfa& out);

}  // namespace relcache
