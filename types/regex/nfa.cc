#include "relcache/types/regex/nfa.h"

#include <algorithm>
#include <deque>

namespace relcache {
namespace {

using Kind = RegexNode::Kind;
using Op = RegexStep::Op;

/// Emits automata, each from its last step to its first: what follows is known.
class NfaMaker {
 public:
  NfaMaker(const RegexTree& tree, ServerVersion version) : tree_(tree), version_(version) {
    steps_.push_back({});  // the match
  }

  std::uint32_t Automaton(const RegexNode& node) { return Emit(node, 0, false); }
  bool too_large() const { return too_large_; }
  void set_too_large() { too_large_ = true; }
  const std::vector<RegexStep>& steps() const { return steps_; }
  const std::vector<RegexLook>& looks() const { return looks_; }

 private:
  std::uint32_t Step(Op op, std::uint32_t a, std::uint32_t b) {
    if (steps_.size() >= kMaxRegexSteps) {
      too_large_ = true;
      return 0;
    }
    steps_.push_back({op, a, b});
    return static_cast<std::uint32_t>(steps_.size() - 1);
  }

  /// `bare`: without assertions, as what a back reference may match.
  std::uint32_t Emit(const RegexNode& node, std::uint32_t next, bool bare) {
    if (too_large_) return 0;
    switch (node.kind) {
      case Kind::kEmpty:
        return next;
      case Kind::kSet:
        return Step(Op::kSet, node.number, next);
      case Kind::kConcat:
        for (std::size_t i = node.children.size(); i-- > 0;)
          next = Emit(*node.children[i], next, bare);
        return next;
      case Kind::kAlternation: {
        std::uint32_t first = Emit(*node.children.back(), next, bare);
        for (std::size_t i = node.children.size() - 1; i-- > 0;)
          first = Step(Op::kSplit, Emit(*node.children[i], next, bare), first);
        return first;
      }
      case Kind::kRepeat:
        return Repeat(*node.children[0], node.min, node.max, next, bare);
      case Kind::kCapture:
        return Emit(*node.children[0], next, bare);
      case Kind::kBackReference:
        // It is for the taking apart to say which text it must be. Until 13 assertions stay.
        return Emit(*tree_.captures[node.number]->children[0], next, version_.major() >= 14);
      case Kind::kAssertion:
        return bare ? next : Step(Op::kAssert, static_cast<std::uint32_t>(node.assertion), next);
      case Kind::kLook: {
        if (bare) return next;
        const std::uint32_t start = Emit(*node.children[0], 0, false);
        looks_.push_back({start, node.ahead, node.negative});
        return Step(Op::kLook, static_cast<std::uint32_t>(looks_.size() - 1), next);
      }
    }
    return next;
  }

  std::uint32_t Repeat(const RegexNode& node, int min, int max, std::uint32_t next, bool bare) {
    if (max == kRegexInfinity) {
      const std::uint32_t loop = Step(Op::kSplit, 0, next);
      const std::uint32_t body = Emit(node, loop, bare);
      if (too_large_) return 0;
      steps_[loop].a = body;
      next = min > 0 ? body : loop;
      min -= min > 0 ? 1 : 0;
    } else {
      const std::uint32_t end = next;
      for (int i = min; i < max && !too_large_; ++i)
        next = Step(Op::kSplit, Emit(node, next, bare), end);
    }
    for (int i = 0; i < min && !too_large_; ++i) next = Emit(node, next, bare);
    return next;
  }

  const RegexTree& tree_;
  const ServerVersion version_;
  std::vector<RegexStep> steps_;
  std::vector<RegexLook> looks_;
  bool too_large_ = false;
};

// What a part prefers and holds, in the server's bits: which preference a whole has follows from
// those of its parts in just this way.
constexpr unsigned kLonger = 1, kShorter = 2, kMixed = 4, kCaptures = 8, kRefers = 16;
constexpr unsigned kPreferences = kLonger | kShorter;

constexpr unsigned Up(unsigned flags) {
  return (flags & ~kPreferences) | ((flags & kPreferences) == kPreferences ? kMixed : 0);
}
constexpr bool IsMessy(unsigned flags) {
  return (flags & (kMixed | kCaptures | kRefers)) != 0;
}
constexpr unsigned Combine(unsigned a, unsigned b) {
  const unsigned preference = (a & kPreferences) != 0 ? a & kPreferences : b & kPreferences;
  return Up(a | b) | preference;
}

/// Divides an expression into parts as the server does: what holds no capture, no back reference
/// and no two preferences is one part.
class PartMaker {
 public:
  PartMaker(NfaMaker& nfas, MemoryContext& cx) : nfas_(nfas), cx_(cx) {}

  struct Part {
    RegexPart* part = nullptr;
    unsigned flags = 0;
    /// What it matches.
    const RegexNode* node = nullptr;
  };

  const RegexPart* Run(const RegexNode& root) { return Alternation(root).part; }

 private:
  using PartKind = RegexPart::Kind;

  RegexNode* NewNode(Kind kind) {
    nodes_.emplace_back().kind = kind;
    return &nodes_.back();
  }
  /// The automaton of a part is made when its flags are known to be final.
  Part Make(PartKind kind, unsigned flags, const RegexNode* node) {
    RegexPart* part = cx_.New<RegexPart>();
    part->kind = kind;
    part->start = nfas_.Automaton(*node);
    return WithFlags({part, flags, node}, flags);
  }
  static Part WithFlags(Part part, unsigned flags) {
    part.flags = flags;
    part.part->shorter = (flags & kShorter) != 0;
    return part;
  }
  Part Concat(const Part& first, const Part& second, unsigned flags) {
    RegexNode* node = NewNode(Kind::kConcat);
    node->children = {first.node, second.node};
    Part out = Make(PartKind::kConcat, flags, node);
    out.part->first = first.part;
    out.part->second = second.part;
    return out;
  }

  Part Alternation(const RegexNode& node) {
    unsigned flags = kLonger;
    std::vector<Part> branches;
    for (const RegexNode* branch : node.children) {
      branches.push_back(Branch(branch->children));
      flags |= Up(flags | branches.back().flags);
    }
    if (branches.size() == 1) return branches[0];
    if (!IsMessy(flags)) return Make(PartKind::kPlain, flags, &node);
    Part out = Make(PartKind::kAlternation, flags, &node);
    std::span<const RegexPart*> parts = cx_.NewArray<const RegexPart*>(branches.size());
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = branches[i].part;
    out.part->branches = parts;
    return out;
  }

  /// A branch, or the rest of one: what comes before the first messy item is one part, then that
  /// item, then the rest.
  Part Branch(std::span<const RegexNode* const> items) {
    constexpr int kDeepest = 300;
    struct Depth {
      int& depth;
      ~Depth() { --depth; }
    } depth{++depth_};
    if (depth_ > kDeepest) {
      nfas_.set_too_large();
      items = {};
    }
    RegexNode* prefix = NewNode(Kind::kConcat);
    unsigned flags = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const RegexNode& item = *items[i];
      if (item.kind == Kind::kEmpty || item.kind == Kind::kAssertion || item.kind == Kind::kLook) {
        prefix->children.push_back(&item);
        continue;
      }
      const RegexNode& atom = item.kind == Kind::kRepeat ? *item.children[0] : item;
      const unsigned prefers = item.kind != Kind::kRepeat                  ? 0
                               : item.prefers == RegexPreference::kLonger  ? kLonger
                               : item.prefers == RegexPreference::kShorter ? kShorter
                                                                           : 0;
      Part inner;
      if (atom.kind == Kind::kAlternation) inner = Alternation(atom);
      if (atom.kind == Kind::kCapture) inner = Capture(atom);
      if (atom.kind == Kind::kBackReference) {
        inner = Make(PartKind::kBackReference, kRefers, &atom);
        inner.part->refers_to = atom.number;
      }
      const unsigned all = flags | prefers | inner.flags;
      const bool messy =
          atom.kind == Kind::kCapture || atom.kind == Kind::kBackReference || IsMessy(Up(all));
      if (!messy) {
        prefix->children.push_back(&item);
        flags = all;
        continue;
      }
      if (inner.part == nullptr) inner = Make(PartKind::kPlain, 0, &atom);
      return Joined(*prefix, flags, Quantified(inner, item, prefers), prefers, inner.flags,
                    items.subspan(i + 1));
    }
    return Make(PartKind::kPlain, flags, prefix);
  }

  Part Joined(const RegexNode& prefix, unsigned prefix_flags, Part piece, unsigned prefers,
              unsigned atom_flags, std::span<const RegexNode* const> following) {
    const bool has_prefix = !prefix.children.empty();
    if (following.empty()) {
      if (!has_prefix) return piece;
      return Concat(Make(PartKind::kPlain, prefix_flags, &prefix), piece,
                    prefix_flags | Combine(prefix_flags, piece.flags));
    }
    const Part rest = Branch(following);
    unsigned flags = Combine(prefers, atom_flags);
    flags |= Combine(flags, rest.flags);
    const unsigned all = prefix_flags | Combine(prefix_flags, flags);
    if (!has_prefix) return Concat(piece, rest, all);
    const Part head = Make(PartKind::kPlain, prefix_flags, &prefix);
    if (piece.part->kind == PartKind::kPlain && rest.part->kind == PartKind::kPlain &&
        piece.part->capture == 0 && !IsMessy(Up(piece.flags | rest.flags))) {
      RegexNode* node = NewNode(Kind::kConcat);
      node->children = {piece.node, rest.node};
      return Concat(head, Make(PartKind::kPlain, Combine(piece.flags, rest.flags), node), all);
    }
    return Concat(head, Concat(piece, rest, flags), all);
  }

  Part Capture(const RegexNode& node) {
    Part inner = Alternation(*node.children[0]);
    if (inner.part->capture != 0) {
      Part out = Make(PartKind::kCapture, inner.flags | kCaptures, inner.node);
      out.part->first = inner.part;
      inner = out;
    }
    inner.part->capture = node.number;
    return WithFlags(inner, inner.flags | kCaptures);
  }

  Part Quantified(Part atom, const RegexNode& item, unsigned prefers) {
    const bool repeats = item.kind == Kind::kRepeat;
    const int min = repeats ? item.min : 1, max = repeats ? item.max : 1;
    const unsigned flags = Combine(prefers, atom.flags);
    if ((repeats ? item.children[0] : &item)->kind == Kind::kBackReference) {
      RegexPart* part = atom.part;
      part->min = min;
      part->max = max;
      part->start = nfas_.Automaton(item);
      return WithFlags({part, 0, &item}, atom.flags | flags);
    }
    const unsigned preference = atom.flags & (kPreferences | kMixed);
    if (min == 1 && max == 1 && (prefers == 0 || preference == 0 || prefers == preference))
      return atom;
    if ((atom.flags & (kCaptures | kRefers)) == 0) return Make(PartKind::kPlain, flags, &item);
    if (min > 0 && (atom.flags & kRefers) == 0) {
      // Only the last repetition's captures count.
      RegexNode* others = NewNode(Kind::kRepeat);
      others->min = min - 1;
      others->max = max == kRegexInfinity ? max : max - 1;
      others->children = {atom.node};
      return Concat(Make(PartKind::kPlain, flags & kPreferences, others), atom, flags);
    }
    Part out = Make(PartKind::kIteration, flags, &item);
    out.part->min = min;
    out.part->max = max;
    out.part->first = atom.part;
    return out;
  }

  NfaMaker& nfas_;
  MemoryContext& cx_;
  std::deque<RegexNode> nodes_;
  int depth_ = 0;
};

template <class T>
std::span<const T> Keep(const std::vector<T>& values, MemoryContext& cx) {
  std::span<T> out = cx.NewArray<T>(values.size());
  std::copy(values.begin(), values.end(), out.begin());
  return out;
}

}  // namespace

bool MakeNfa(const RegexTree& tree, bool with_parts, ServerVersion version, MemoryContext& cx,
             RegexNfa& out) {
  NfaMaker maker(tree, version);
  out.start = maker.Automaton(*tree.root);
  if (with_parts && !maker.too_large()) out.parts = PartMaker(maker, cx).Run(*tree.root);
  if (maker.too_large()) return false;
  out.steps = Keep(maker.steps(), cx);
  out.looks = Keep(maker.looks(), cx);
  return true;
}

}  // namespace relcache
