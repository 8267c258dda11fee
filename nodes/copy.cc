#include "relcache/nodes/copy.h"

#include <utility>

#include "relcache/nodes/internal/copier.h"
#include "relcache/nodes/internal/hot_types.h"
#include "relcache/nodes/internal/writer.h"
#include "relcache/nodes/tree_image.h"

namespace relcache {

namespace {

using wire::kFields;

// Straight into a context, by code of its own for each type.
class ObjectCopier : public Copier<ContextSink, ObjectCopier> {
 public:
  using Copier::Copier;

  RELCACHE_ALWAYS_INLINE void CopyNode(const Node& from, NodeTag tag, char* slot, int depth);

  template <class N>
  static void CopyAs(ObjectCopier& c, const Node& from, char* slot, int depth) {
    if constexpr (!IsStructNode(N::kTag)) {
      c.CopyValueNode(from, N::kTag, slot, depth);
    } else {
      if (kHasChildren<N> && c.Wait(from, slot, depth)) return;
      char* to = c.sink_.AllocateAtOnce(sizeof(N));
      if (to == nullptr) [[unlikely]]
        return CopySlowly<N>(c, from, slot, depth);
      c.CopyTo<N>(from, to, slot, depth);
    }
  }
  // At the end of a block, and in an AllocSet. Apart, so that CopyAs contains no call that returns
  // to it for most types, and so saves no registers.
  template <class N>
  [[gnu::noinline]] static void CopySlowly(ObjectCopier& c, const Node& from, char* slot,
                                           int depth) {
    c.CopyTo<N>(from, c.sink_.Allocate(sizeof(N)), slot, depth);
  }
  template <class N>
  RELCACHE_ALWAYS_INLINE void CopyTo(const Node& from, char* to, char* slot, int depth) {
    sink_.Point(slot, to);
    std::memcpy(to, &from, sizeof(N));
    CopyFields<N>(reinterpret_cast<const char*>(&from), to, depth,
                  std::make_index_sequence<kFields<N>.size()>());
  }

 private:
  template <class N>
  static constexpr bool kHasChildren = [] {
    for (const NodeField& f : kFields<N>)
      if (f.kind == FieldKind::kNode) return true;
    return false;
  }();
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

using CopyFunction = void (*)(ObjectCopier&, const Node&, char*, int);
#define RELCACHE_COPY(N) ObjectCopier::CopyAs<N>,
constexpr CopyFunction kCopy[] = {RELCACHE_NODE_LIST(RELCACHE_COPY)
                                      RELCACHE_VALUE_NODE_LIST(RELCACHE_COPY)};
#undef RELCACHE_COPY

void ObjectCopier::CopyNode(const Node& from, NodeTag tag, char* slot, int depth) {
  kCopy[static_cast<std::size_t>(tag)](*this, from, slot, depth);
}

// Into an arena, by the loop over the table. The pointer to the root lies outside.
class ArenaSink {
 public:
  ArenaSink(TreeArena& arena, const void* root) : arena_(arena), root_(root) {}
  char* Allocate(std::size_t bytes) { return arena_.Allocate(bytes); }
  char* AllocateAtOnce(std::size_t bytes) { return arena_.Allocate(bytes); }
  void Point(void* slot, const void* target) {
    if (slot == root_)
      std::memcpy(slot, &target, sizeof target);
    else
      arena_.Point(slot, target);
  }

 private:
  TreeArena& arena_;
  const void* root_;
};

class ImageCopier : public Copier<ArenaSink, ImageCopier> {
 public:
  using Copier::Copier;

  void CopyNode(const Node& from, NodeTag tag, char* slot, int depth) {
    if (!IsStructNode(tag)) return CopyValueNode(from, tag, slot, depth);
    if (Wait(from, slot, depth)) return;
    const NodeType& type = NodeTypeOf(tag);
    char* to = sink_.Allocate(type.size);
    sink_.Point(slot, to);
    std::memcpy(to, &from, type.size);
    for (std::size_t i = 0; i < type.fields.size(); ++i)
      if (!type.repeats(i))
        CopyField(reinterpret_cast<const char*>(&from), to, type.fields[i], depth);
  }
};

}  // namespace

Node* CopyObject(const Node& tree, MemoryContext& cx) {
  Node* root;
  ObjectCopier(ContextSink(cx)).Copy(tree, &root);
  return root;
}

const TreeImage* MakeTreeImage(const Node* tree, int pg_version, MemoryContext& cx) {
  TreeArena arena;
  Node* root = nullptr;
  if (tree != nullptr) ImageCopier(ArenaSink(arena, &root)).Copy(*tree, &root);
  return arena.FinishImage(root, pg_version, cx);
}

namespace {

char* AllocateAny(std::size_t bytes, MemoryContext& cx) {
  return static_cast<char*>(bytes > kMaxRequest ? cx.AllocateHuge(bytes) : cx.Allocate(bytes));
}

std::uintptr_t Distance(const void* from, const void* to) {
  return reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
}

// Where a node of the original is in the copy, which the caller owns.
Node* Moved(const Node* node, std::uintptr_t moved) {
  return reinterpret_cast<Node*>(reinterpret_cast<std::uintptr_t>(node) + moved);
}

}  // namespace

void TreeImage::MovePointers(char* to, std::uintptr_t moved) const {
  char* slot = to;
  for (const std::uint8_t distance : map()) {
    slot += std::size_t{8} * distance;
    if (distance == kSkip) [[unlikely]]
      continue;
    std::uintptr_t pointer;
    std::memcpy(&pointer, slot, sizeof pointer);
    pointer += moved;
    std::memcpy(slot, &pointer, sizeof pointer);
  }
}

Node* CopyTree(const TreeImage& image, MemoryContext& cx) {
  if (image.root_ == nullptr) return nullptr;
  char* const to = AllocateAny(image.tree_bytes_, cx);
  std::memcpy(to, image.tree(), image.tree_bytes_);
  const std::uintptr_t moved = Distance(image.tree(), to);
  image.MovePointers(to, moved);
  return Moved(image.root_, moved);
}

const TreeImage* CopyImage(const TreeImage& image, MemoryContext& cx) {
  char* const to = AllocateAny(image.bytes(), cx);
  std::memcpy(to, &image, image.bytes());
  auto* const copy = reinterpret_cast<TreeImage*>(to);
  if (image.root_ == nullptr) return copy;
  const std::uintptr_t moved = Distance(&image, to);
  image.MovePointers(to + sizeof(TreeImage), moved);
  copy->root_ = Moved(image.root_, moved);
  return copy;
}

}  // namespace relcache
