// Walks over the nodes of a tree (PostgreSQL's expression_tree_walker in nodeFuncs.c).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "relcache/nodes/node_type.h"

namespace relcache {

/// Delivers the nodes of a tree one by one: parents before their children, and children in the
/// order of the text. Lists, sets and strings are nodes too; null children are skipped.
///
///     TreeWalker walker(tree);
///     while (const Node* node = walker.Next()) ...
///
/// Lifetime: the tree must live as long as the walker. A MutableTreeWalker allows changes of the
/// current node.
/// Cost: proportional to the number of nodes. The walk does not recurse, so depth does not matter.
template <class N>
class BasicTreeWalker {
 public:
  explicit BasicTreeWalker(N* tree) {
    if (tree != nullptr) waiting_.push_back({tree, nullptr, 0, 0});
  }

  /// The next node, or null at the end.
  N* Next() {
    if (current_.node != nullptr) PushChildren();
    if (waiting_.empty()) return current_.node = nullptr;
    current_ = waiting_.back();
    waiting_.pop_back();
    return current_.node;
  }

  /// Skips the descendants of the current node.
  void SkipChildren() { current_.node = nullptr; }

  /// For the current node: the number of its ancestors; the number of Query nodes among them (which
  /// is what varlevelsup counts); and the field of its parent that holds it, null for the root and
  /// for elements of lists.
  std::uint32_t depth() const { return current_.depth; }
  std::uint32_t query_level() const { return current_.level; }
  const NodeField* field() const { return current_.field; }

 private:
  struct Place {
    N* node = nullptr;
    const NodeField* field = nullptr;
    std::uint32_t depth = 0;
    std::uint32_t level = 0;
  };

  void PushChildren() {
    const std::uint32_t depth = current_.depth + 1;
    N* node = current_.node;
    if (IsStructNode(node->tag)) {
      const std::uint32_t level = current_.level + (node->tag == NodeTag::kQuery ? 1 : 0);
      const NodeType& type = NodeTypeOf(node->tag);
      for (std::size_t i = type.children.size(); i-- > 0;) {
        const NodeField& f = type.fields[type.children[i]];
        N* child;
        std::memcpy(&child, reinterpret_cast<const char*>(node) + f.offset, sizeof child);
        if (child != nullptr) waiting_.push_back({child, &f, depth, level});
      }
    } else if (node->tag == NodeTag::kList) {
      using L = std::conditional_t<std::is_const_v<N>, const List, List>;
      L& list = static_cast<L&>(*node);
      for (std::size_t i = list.size(); i-- > 0;)
        if (list[i] != nullptr) waiting_.push_back({list[i], nullptr, depth, current_.level});
    }
  }

  Place current_;
  std::vector<Place> waiting_;
};

using TreeWalker = BasicTreeWalker<const Node>;
using MutableTreeWalker = BasicTreeWalker<Node>;

/// Calls use(const T&) for every T in the tree.
template <class T, class Use>
void ForEachNode(const Node* tree, Use&& use) {
  TreeWalker walker(tree);
  while (const Node* node = walker.Next())
    if (const T* wanted = As<T>(node)) use(*wanted);
}

/// The first T in the tree, or null.
/// Lifetime: that of the tree.
template <class T>
const T* FindNode(const Node* tree) {
  TreeWalker walker(tree);
  while (const Node* node = walker.Next())
    if (const T* wanted = As<T>(node)) return wanted;
  return nullptr;
}

}  // namespace relcache
