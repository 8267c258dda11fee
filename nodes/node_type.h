// Descriptions of the node types at run time, made from their declarations, for code that treats
// all types alike. PostgreSQL generates such code by a script (gen_node_support.pl).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "relcache/nodes/nodes.h"

namespace relcache {

/// The description of a type of RELCACHE_NODE_LIST.
struct NodeType {
  std::string_view name;  ///< "OpExpr"
  std::span<const NodeLabel> labels;
  std::span<const NodeField> fields;
  /// The indexes of the fields that can hold a node, one for each member.
  std::span<const std::uint8_t> children;
  std::size_t size = 0;
  const Node* prototype = nullptr;  ///< a node with every member at its default
  bool is_expr = false;

  /// Whether an earlier field has the same member as field i.
  constexpr bool repeats(std::size_t i) const {
    for (std::size_t j = 0; j < i; ++j)
      if (fields[j].offset == fields[i].offset) return true;
    return false;
  }

  /// The name of the type in the text of this version, or empty if the version does not have it.
  constexpr std::string_view label(int version) const {
    for (const NodeLabel& l : labels)
      if (l.since <= version && version <= l.until) return l.text;
    return {};
  }
};

/// The descriptions of all types, in the order of their tags; kNumStructTypes of them.
std::span<const NodeType> NodeTypes();

/// The description of a type that is not a list, a set or a string.
const NodeType& NodeTypeOf(NodeTag tag);

/// Whether the type is one of RELCACHE_NODE_LIST.
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

/// Whether a field with this `child` can hold a node of this type.
inline bool FitsField(NodeTag tag, std::uint16_t child) {
  if (child == kAnyNode) return true;
  if (child == kAnyExpr) return internal::kIsExpr[static_cast<std::size_t>(tag)];
  return static_cast<std::uint16_t>(tag) == child;
}

/// Whether this version writes the field for this node. For a RangeTblEntry, that depends on its
/// rtekind.
inline bool IsFieldWritten(const NodeField& f, const Node& node, int version) {
  if (!f.written_in(version)) return false;
  if (f.rule.rtekinds == 0xffff) return true;
  const RTEKind kind = static_cast<const RangeTblEntry&>(node).rtekind;
  return (f.rule.rtekinds >> static_cast<int>(kind) & 1) != 0;
}

}  // namespace relcache
