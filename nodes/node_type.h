// What is known about each node type at run time, made from its declaration; for those who treat
// all types alike.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "relcache/nodes/nodes.h"

namespace relcache {

/// One type of RELCACHE_NODE_LIST.
struct NodeType {
  std::string_view name;  ///< "OpExpr"
  std::span<const NodeLabel> labels;
  std::span<const NodeField> fields;
  /// Which of the fields are members that can hold a node, each member once.
  std::span<const std::uint8_t> children;
  std::size_t size = 0;
  const Node* prototype = nullptr;  ///< a node with every member at its default
  bool is_expr = false;

  /// Is field i a member that stands further up in the table as well?
  constexpr bool repeats(std::size_t i) const {
    for (std::size_t j = 0; j < i; ++j)
      if (fields[j].offset == fields[i].offset) return true;
    return false;
  }

  /// Its name in the text of that version; empty if there is none.
  constexpr std::string_view label(int version) const {
    for (const NodeLabel& l : labels)
      if (l.since <= version && version <= l.until) return l.text;
    return {};
  }
};

/// In the order of their tags: kNumStructTypes of them.
std::span<const NodeType> NodeTypes();

/// The type of a node that is no list, set or string.
const NodeType& NodeTypeOf(NodeTag tag);

/// Is it one of RELCACHE_NODE_LIST?
constexpr bool IsStructNode(NodeTag tag) {
  return static_cast<int>(tag) < kNumStructTypes;
}

namespace internal {
#define RELCACHE_IS_EXPR(N) std::is_base_of_v<Expr, N>,
#define RELCACHE_IS_NO_EXPR(N) false,
inline constexpr bool kIsExpr[] = {RELCACHE_NODE_LIST(RELCACHE_IS_EXPR)
                                       RELCACHE_VALUE_NODE_LIST(RELCACHE_IS_NO_EXPR)};
#undef RELCACHE_IS_EXPR
#undef RELCACHE_IS_NO_EXPR
}  // namespace internal

/// May a node of this type stand in the field?
inline bool FitsField(NodeTag tag, std::uint16_t child) {
  if (child == kAnyNode) return true;
  if (child == kAnyExpr) return internal::kIsExpr[static_cast<std::size_t>(tag)];
  return static_cast<std::uint16_t>(tag) == child;
}

/// Is the field written in this version of this node? (Of a RangeTblEntry, it depends on its
/// rtekind.)
inline bool IsFieldWritten(const NodeField& f, const Node& node, int version) {
  if (!f.written_in(version)) return false;
  if (f.rule.rtekinds == 0xffff) return true;
  const RTEKind kind = static_cast<const RangeTblEntry&>(node).rtekind;
  return (f.rule.rtekinds >> static_cast<int>(kind) & 1) != 0;
}

}  // namespace relcache
