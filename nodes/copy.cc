#include "relcache/nodes/copy.h"

#include <utility>

#include "relcache/nodes/copier.h"
#include "relcache/nodes/hot_types.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/nodes/writer.h"

namespace relcache {

using wire::kFields;
using wire::LoadPointer;

// The body for one field: the node has been copied bytewise, what it points to is to follow.
struct CopyFields {
  RELCACHE_ALWAYS_INLINE static void Copy(Copier& c, char* to, const Field& f, int depth) {
    char* const member = to + f.offset;
    switch (f.kind) {
      case FieldKind::kNode:
      case FieldKind::kBitmapset: {
        const void* child = LoadPointer(member);
        if (child != nullptr) c.CopyTo(static_cast<const Node*>(child), member, depth + 1);
        return;
      }
      case FieldKind::kString: {
        const char* text = static_cast<const char*>(LoadPointer(member));
        if (text != nullptr) c.arena_.Point(member, c.arena_.CopyString(text));
        return;
      }
      case FieldKind::kDatum: {
        const std::string_view bytes = reinterpret_cast<const Const*>(to)->bytes();
        if (!bytes.empty()) c.arena_.Point(member, c.arena_.CopyString(bytes));
        return;
      }
      default:
        return;
    }
  }

  // Is it the first field of that member?
  template <class N>
  static constexpr bool First(std::size_t i) {
    for (std::size_t j = 0; j < i; ++j)
      if (kFields<N>[j].offset == kFields<N>[i].offset) return false;
    return true;
  }
  template <class N, std::size_t I>
  RELCACHE_ALWAYS_INLINE static void CopyOne(Copier& c, char* to, int depth) {
    if constexpr (First<N>(I)) Copy(c, to, kFields<N>[I], depth);
  }
  template <class N, std::size_t... I>
  RELCACHE_ALWAYS_INLINE static void CopyAll(Copier& c, char* to, int depth,
                                             std::index_sequence<I...>) {
    (CopyOne<N, I>(c, to, depth), ...);
  }
  template <class N>
  static Node* CopyStruct(Copier& c, const Node& from, int depth) {
    char* to = c.arena_.Allocate(sizeof(N));
    std::memcpy(to, &from, sizeof(N));
    CopyAll<N>(c, to, depth, std::make_index_sequence<kFields<N>.size()>());
    return reinterpret_cast<Node*>(to);
  }
};

namespace {
using CopyFunction = Node* (*)(Copier&, const Node&, int);
#define RELCACHE_COPY(N) CopyFields::CopyStruct<N>,
constexpr CopyFunction kCopy[] = {RELCACHE_NODE_LIST(RELCACHE_COPY)};
#undef RELCACHE_COPY
}  // namespace

inline void Copier::CopyTo(const Node* from, char* slot, int depth) {
  if (depth > kMaxDepth) [[unlikely]] {
    waiting_.push_back({from, slot});
    return;
  }
  arena_.Point(slot, CopyNode(*from, depth));
}

Node* Copier::CopyNode(const Node& from, int depth) {
  if (IsStruct(from.tag)) [[likely]]
    return kCopy[static_cast<std::size_t>(from.tag)](*this, from, depth);
  switch (from.tag) {
    case NodeTag::kList:
      return CopyList(static_cast<const List&>(from), depth);
    case NodeTag::kIntList:
      return CopyNumbers(static_cast<const IntList&>(from));
    case NodeTag::kOidList:
      return CopyNumbers(static_cast<const OidList&>(from));
    case NodeTag::kBitmapset:
      return CopyNumbers(static_cast<const Bitmapset&>(from));
    default: {
      String* to = ::new (arena_.Allocate(sizeof(String))) String{};
      to->tag = NodeTag::kString;
      const CString text = static_cast<const String&>(from).sval;
      if (!text.is_null()) arena_.Point(&to->sval, arena_.CopyString(text.view()));
      return to;
    }
  }
}

Node* Copier::CopyList(const List& from, int depth) {
  const std::size_t bytes = sizeof(List) + from.length * sizeof(Node*);
  char* to = arena_.Allocate(bytes);
  std::memcpy(to, &from, bytes);
  char* slot = to + sizeof(List);
  for (const Node* element : from) {
    if (element != nullptr) CopyTo(element, slot, depth + 1);
    slot += sizeof(Node*);
  }
  return reinterpret_cast<Node*>(to);
}

template <class L>
Node* Copier::CopyNumbers(const L& from) {
  const std::size_t bytes = sizeof(L) + from.length * sizeof(typename L::Element);
  char* to = arena_.Allocate(bytes);
  if (bytes % 8 != 0) std::memset(to + bytes / 8 * 8, 0, 8);
  std::memcpy(to, &from, bytes);
  return reinterpret_cast<Node*>(to);
}

Node* Copier::Copy(const Node& tree) {
  Node* root = CopyNode(tree, 0);
  while (!waiting_.empty()) {
    const Waiting next = waiting_.back();
    waiting_.pop_back();
    arena_.Point(next.slot, CopyNode(*next.from, 0));
  }
  return root;
}

Node* CopyObject(const Node& tree, MemoryContext& cx) {
  TreeArena arena;
  return arena.Finish(Copier(arena).Copy(tree), cx);
}

const TreeImage* MakeTreeImage(const Node* tree, int pg_version, MemoryContext& cx) {
  TreeArena arena;
  const Node* root = tree != nullptr ? Copier(arena).Copy(*tree) : nullptr;
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
