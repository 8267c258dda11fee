#include "relcache/nodes/mutate.h"

#include "relcache/nodes/internal/copier.h"

namespace relcache {
namespace {

using Replace = std::function<std::optional<Node*>(const Node&)>;

class Mutator : public Copier<ContextSink, Mutator> {
 public:
  Mutator(const Replace& replace, MemoryContext& cx) : Copier(ContextSink(cx)), replace_(replace) {}

  void CopyNode(const Node& from, NodeTag tag, char* slot, int depth) {
    if (!IsStructNode(tag)) return CopyValueNode(from, tag, slot, depth);
    if (Wait(from, slot, depth)) return;
    const NodeType& type = NodeTypeOf(tag);
    if (const std::optional<Node*> other = replace_(from)) {
      if (*other != nullptr)
        RELCACHE_CHECK((*other)->tag == tag ||
                       (type.is_expr && FitsField((*other)->tag, kAnyExpr)));
      return sink_.Point(slot, *other);
    }
    char* to = sink_.Allocate(type.size);
    sink_.Point(slot, to);
    std::memcpy(to, &from, type.size);
    for (std::size_t i = 0; i < type.fields.size(); ++i)
      if (!type.repeats(i))
        CopyField(reinterpret_cast<const char*>(&from), to, type.fields[i], depth);
  }

 private:
  const Replace& replace_;
};

}  // namespace

Node* MutateTree(const Node& tree, const Replace& replace, MemoryContext& cx) {
  Node* root;
  Mutator(replace, cx).Copy(tree, &root);
  return root;
}

}  // namespace relcache
