#include "relcache/nodes/copy.h"

#include <utility>

#include "relcache/nodes/copier.h"
#include "relcache/nodes/hot_types.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/nodes/writer.h"

namespace relcache {

namespace {

using wire::kFields;

// Straight into a context, by code of its own for each type.
class ObjectCopier : public Copier<ContextSink, ObjectCopier> {
 public:
  using Copier::Copier;

  RELCACHE_ALWAYS_INLINE Node* CopyStruct(const Node& from, NodeTag tag, int depth);

  template <class N>
  static Node* CopyAs(ObjectCopier& c, const Node& from, int depth) {
    char* to = c.sink_.Allocate(sizeof(N));
    std::memcpy(to, &from, sizeof(N));
    c.CopyFields<N>(reinterpret_cast<const char*>(&from), to, depth,
                    std::make_index_sequence<kFields<N>.size()>());
    return reinterpret_cast<Node*>(to);
  }

 private:
  // A member that stands twice in the table is copied once.
  template <class N>
  static constexpr bool Repeats(std::size_t i) {
    for (std::size_t j = 0; j < i; ++j)
      if (kFields<N>[j].offset == kFields<N>[i].offset) return true;
    return false;
  }
  template <class N, std::size_t I>
  RELCACHE_ALWAYS_INLINE void CopyOne(const char* from, char* to, int depth) {
    if constexpr (!Repeats<N>(I)) CopyField(from, to, kFields<N>[I], depth);
  }
  template <class N, std::size_t... I>
  RELCACHE_ALWAYS_INLINE void CopyFields(const char* from, char* to, int depth,
                                         std::index_sequence<I...>) {
    (CopyOne<N, I>(from, to, depth), ...);
  }
};

using CopyFunction = Node* (*)(ObjectCopier&, const Node&, int);
#define RELCACHE_COPY(N) ObjectCopier::CopyAs<N>,
constexpr CopyFunction kCopy[] = {RELCACHE_NODE_LIST(RELCACHE_COPY)};
#undef RELCACHE_COPY

Node* ObjectCopier::CopyStruct(const Node& from, NodeTag tag, int depth) {
  return kCopy[static_cast<std::size_t>(tag)](*this, from, depth);
}

// Into an arena, by the loop over the table.
class ArenaSink {
 public:
  explicit ArenaSink(TreeArena& arena) : arena_(arena) {}
  char* Allocate(std::size_t bytes) { return arena_.Allocate(bytes); }
  char* CopyString(std::string_view text) { return arena_.CopyString(text); }
  void Point(void* slot, const void* target) { arena_.Point(slot, target); }

 private:
  TreeArena& arena_;
};

class ImageCopier : public Copier<ArenaSink, ImageCopier> {
 public:
  using Copier::Copier;

  Node* CopyStruct(const Node& from, NodeTag tag, int depth) {
    const NodeType& type = NodeTypeOf(tag);
    char* to = sink_.Allocate(type.size);
    std::memcpy(to, &from, type.size);
    for (std::size_t i = 0; i < type.fields.size(); ++i)
      if (!type.repeats(i))
        CopyField(reinterpret_cast<const char*>(&from), to, type.fields[i], depth);
    return reinterpret_cast<Node*>(to);
  }
};

}  // namespace

Node* CopyObject(const Node& tree, MemoryContext& cx) {
  return ObjectCopier(ContextSink(cx)).Copy(tree);
}

const TreeImage* MakeTreeImage(const Node* tree, int pg_version, MemoryContext& cx) {
  TreeArena arena;
  const Node* root = tree != nullptr ? ImageCopier(ArenaSink(arena)).Copy(*tree) : nullptr;
  return arena.FinishImage(root, pg_version, cx);
}

Node* CopyTree(const TreeImage& image, MemoryContext& cx) {
  if (image.root_ == nullptr) return nullptr;
  const std::size_t bytes = image.tree_bytes_;
  char* const to =
      static_cast<char*>(bytes > kMaxRequest ? cx.AllocateHuge(bytes) : cx.Allocate(bytes));
  std::memcpy(to, image.tree(), bytes);
  const std::uintptr_t moved =
      reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(image.tree());
  char* slot = to;
  for (const std::uint8_t distance : image.map()) {
    slot += std::size_t{8} * distance;
    if (distance == TreeImage::kSkip) [[unlikely]]
      continue;
    std::uintptr_t pointer;
    std::memcpy(&pointer, slot, sizeof pointer);
    pointer += moved;
    std::memcpy(slot, &pointer, sizeof pointer);
  }
  return reinterpret_cast<Node*>(reinterpret_cast<std::uintptr_t>(image.root_) + moved);
}

}  // namespace relcache
