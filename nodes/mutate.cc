#include "relcache/nodes/mutate.h"

#include "relcache/nodes/copier.h"

namespace relcache {
namespace {

using Replace = std::function<std::optional<Node*>(const Node&)>;

class Mutator : public Copier<ContextSink, Mutator> {
 public:
  Mutator(const Replace& replace, MemoryContext& cx) : Copier(ContextSink(cx)), replace_(replace) {}

  Node* CopyStruct(const Node& from, NodeTag tag, int depth) {
    const NodeType& type = NodeTypeOf(tag);
    if (const std::optional<Node*> other = replace_(from)) {
      if (*other != nullptr)
        RELCACHE_CHECK((*other)->tag == tag ||
                       (type.is_expr && FitsChild((*other)->tag, kAnyExpr)));
      return *other;
    }
    char* to = sink_.Allocate(type.size);
    std::memcpy(to, &from, type.size);
    for (std::size_t i = 0; i < type.fields.size(); ++i)
      if (!type.repeats(i))
        CopyField(reinterpret_cast<const char*>(&from), to, type.fields[i], depth);
    return reinterpret_cast<Node*>(to);
  }

 private:
  const Replace& replace_;
};

}  // namespace

Node* MutateTree(const Node& tree, const Replace& replace, MemoryContext& cx) {
  return Mutator(replace, cx).Copy(tree);
}

}  // namespace relcache
