// The body of copying, for whatever the copy is put into. Internal to nodes/.
#pragma once

#include <cstring>
#include <string_view>
#include <vector>

#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node_type.h"
#include "relcache/nodes/tree_arena.h"
#include "relcache/nodes/writer.h"

namespace relcache {

/// Puts copies straight into a context, piece by piece.
class ContextSink {
 public:
  explicit ContextSink(MemoryContext& cx) : cx_(cx) {}

  RELCACHE_ALWAYS_INLINE char* Allocate(std::size_t bytes) {
    return static_cast<char*>(cx_.Allocate(bytes));
  }
  char* CopyString(std::string_view text) {
    char* copy = Allocate(text.size() + 1);
    wire::CopyShort(copy, text.data(), text.size());
    copy[text.size()] = 0;
    return copy;
  }
  RELCACHE_ALWAYS_INLINE void Point(void* slot, const void* target) {
    std::memcpy(slot, &target, sizeof target);
  }

 private:
  MemoryContext& cx_;
};

/// Copies trees of any depth from any stack: to a certain depth it recurses, what lies deeper
/// waits in a list. `Derived` says how a node is copied: Node* CopyStruct(const Node&, NodeTag,
/// int depth).
template <class Sink, class Derived>
class Copier {
 public:
  explicit Copier(Sink sink) : sink_(sink) {}

  Node* Copy(const Node& tree) {
    Node* root = CopyNode(tree, tree.tag, 0);
    while (!waiting_.empty()) {
      const Waiting next = waiting_.back();
      waiting_.pop_back();
      sink_.Point(next.slot, CopyNode(*next.from, next.from->tag, 0));
    }
    return root;
  }

  // The body for one field: the node has been copied bytewise, what it points to is to follow.
  RELCACHE_ALWAYS_INLINE void CopyField(const char* from, char* to, const Field& f, int depth) {
    char* const member = to + f.offset;
    switch (f.kind) {
      case FieldKind::kNode:
      case FieldKind::kBitmapset: {
        const auto* child = static_cast<const Node*>(wire::LoadPointer(from + f.offset));
        if (child == nullptr) return;
        // Mostly known at compile time.
        if (f.child < kAnyExpr)
          CopyTo(child, static_cast<NodeTag>(f.child), member, depth + 1);
        else
          CopyAny(child, member, depth + 1);
        return;
      }
      case FieldKind::kString: {
        const char* text = static_cast<const char*>(wire::LoadPointer(from + f.offset));
        if (text != nullptr) CopyString(text, member);
        return;
      }
      case FieldKind::kDatum: {
        const Const& node = *reinterpret_cast<const Const*>(from);
        if (!node.constbyval && !node.constisnull) CopyBytes(node.bytes(), member);
        return;
      }
      default:
        return;
    }
  }

 protected:
  Sink sink_;

 private:
  struct Waiting {
    const Node* from;
    char* slot;
  };
  static constexpr int kMaxDepth = 128;

  RELCACHE_ALWAYS_INLINE void CopyTo(const Node* from, NodeTag tag, char* slot, int depth) {
    if (depth > kMaxDepth) [[unlikely]]
      waiting_.push_back({from, slot});
    else
      sink_.Point(slot, CopyNode(*from, tag, depth));
  }

  [[gnu::noinline]] void CopyAny(const Node* from, char* slot, int depth) {
    CopyTo(from, from->tag, slot, depth);
  }

  RELCACHE_ALWAYS_INLINE Node* CopyNode(const Node& from, NodeTag tag, int depth) {
    if (IsStruct(tag)) [[likely]]
      return static_cast<Derived*>(this)->CopyStruct(from, tag, depth);
    if (tag == NodeTag::kList) return CopyList(static_cast<const List&>(from), depth);
    return CopyValueNode(from);
  }

  [[gnu::noinline]] Node* CopyValueNode(const Node& from) {
    switch (from.tag) {
      case NodeTag::kIntList:
        return CopyNumbers(static_cast<const IntList&>(from));
      case NodeTag::kOidList:
        return CopyNumbers(static_cast<const OidList&>(from));
      case NodeTag::kBitmapset:
        return CopyNumbers(static_cast<const Bitmapset&>(from));
      default: {
        // The characters behind the node.
        const CString text = static_cast<const String&>(from).sval;
        const std::size_t size = text.is_null() ? 0 : text.view().size() + 1;
        char* to = sink_.Allocate(sizeof(String) + size);
        std::memcpy(to, &from, sizeof(String));
        if (size != 0) {
          wire::CopyShort(to + sizeof(String), text.c_str(), size);
          sink_.Point(&reinterpret_cast<String*>(to)->sval, to + sizeof(String));
        }
        return reinterpret_cast<Node*>(to);
      }
    }
  }

  [[gnu::noinline]] Node* CopyList(const List& from, int depth) {
    char* to = sink_.Allocate(sizeof(List) + from.length * sizeof(Node*));
    std::memcpy(to, &from, sizeof(List));
    char* slot = to + sizeof(List);
    for (const Node* element : from) {
      if (element != nullptr) [[likely]]
        CopyTo(element, element->tag, slot, depth + 1);
      else
        std::memset(slot, 0, sizeof(Node*));
      slot += sizeof(Node*);
    }
    return reinterpret_cast<Node*>(to);
  }

  template <class L>
  Node* CopyNumbers(const L& from) {
    const std::size_t bytes = sizeof(L) + from.length * sizeof(typename L::Element);
    char* to = sink_.Allocate((bytes + 7) & ~std::size_t{7});
    std::memset(to + (bytes - 1) / 8 * 8, 0, 8);
    std::memcpy(to, &from, bytes);
    return reinterpret_cast<Node*>(to);
  }

  [[gnu::noinline]] void CopyString(const char* text, char* slot) {
    sink_.Point(slot, sink_.CopyString(text));
  }
  [[gnu::noinline]] void CopyBytes(std::string_view bytes, char* slot) {
    sink_.Point(slot, sink_.CopyString(bytes));
  }

  std::vector<Waiting> waiting_;
};

}  // namespace relcache
