// Copying node by node into a TreeArena. Internal to nodes/.
#pragma once

#include <span>
#include <vector>

#include "relcache/nodes/node_type.h"
#include "relcache/nodes/tree_arena.h"

namespace relcache {

/// Copies trees of any depth from any stack: below a certain depth it recurses, what lies deeper
/// waits in a list.
class Copier {
 public:
  explicit Copier(TreeArena& arena) : arena_(arena) {}

  Node* Copy(const Node& tree);

 private:
  friend struct CopyFields;
  struct Waiting {
    const Node* from;
    char* slot;
  };
  static constexpr int kMaxDepth = 128;

  void CopyTo(const Node* from, char* slot, int depth);
  Node* CopyNode(const Node& from, int depth);
  Node* CopyList(const List& from, int depth);
  template <class L>
  Node* CopyNumbers(const L& from);

  TreeArena& arena_;
  std::vector<Waiting> waiting_;
};

}  // namespace relcache
