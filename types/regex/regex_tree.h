// A regular expression as a tree over sets of code points.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "relcache/types/regex/code_points.h"

namespace relcache {

/// Which match a quantifier prefers; kNone passes on what its operand prefers.
enum class RegexPreference : std::uint8_t { kNone, kLonger, kShorter };

enum class RegexAssertion : std::uint8_t {
  kTextStart,
  kTextEnd,
  kLineStart,  ///< of the text or behind a newline
  kLineEnd,
  kWordStart,
  kWordEnd,
  kWordEdge,
  kNoWordEdge,
};

inline constexpr int kRegexInfinity = -1;

struct RegexNode {
  enum class Kind : std::uint8_t {
    kEmpty,
    kSet,          ///< one character of `set`
    kConcat,       ///< children one after the other: a branch
    kAlternation,  ///< one of the children, which are branches
    kRepeat,       ///< the child, min to max times
    kCapture,      ///< the child, an alternation, as sub-match `number`
    kBackReference,
    kAssertion,
    kLook,  ///< the child, an alternation, matches (or not) ahead (or behind)
  };
  Kind kind = Kind::kEmpty;
  RegexPreference prefers = RegexPreference::kNone;
  RegexAssertion assertion = RegexAssertion::kTextStart;
  bool ahead = false;
  bool negative = false;
  /// Of a set: its index. Of a capture or a back reference: its number.
  std::uint32_t number = 0;
  int min = 1;
  int max = 1;
  std::vector<const RegexNode*> children;
};

/// Lifetime: owns its nodes; a tree of temporaries, gone when the regular expression is compiled.
struct RegexTree {
  std::deque<RegexNode> nodes;
  std::vector<CodePoints> sets;
  const RegexNode* root = nullptr;
  /// Of each capture, from 1: the node, nullptr while it is not complete. It stays if {0} follows:
  /// a reference to it is allowed and matches nothing.
  std::vector<const RegexNode*> captures{nullptr};
  bool ignore_case = false;
  bool has_back_references = false;
  bool has_look = false;
  bool has_word_edges = false;
  /// Texts with other characters than ASCII ones cannot be decided: see RegexLocale::ascii_only.
  bool ascii_texts_only = false;

  RegexNode* Make(RegexNode::Kind kind) {
    nodes.emplace_back().kind = kind;
    return &nodes.back();
  }
};

}  // namespace relcache
