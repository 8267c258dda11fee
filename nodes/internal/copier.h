// The implementation of copying trees, independent of the memory that the copy is put into.
// Internal to nodes/.
#pragma once

#include <cstring>
#include <string_view>
#include <vector>

#include "relcache/memory/align.h"
#include "relcache/memory/internal/allocate_at_once.h"
#include "relcache/memory/memory_context.h"
#include "relcache/nodes/internal/tree_arena.h"
#include "relcache/nodes/internal/writer.h"
#include "relcache/nodes/node_type.h"

namespace relcache {

/// Allocates each part of the copy directly in a context.
class ContextSink {
 public:
  explicit ContextSink(MemoryContext& cx) : cx_(cx) {}

  RELCACHE_ALWAYS_INLINE char* Allocate(std::size_t bytes) {
    return static_cast<char*>(cx_.Allocate(bytes));
  }
  /// Null if it would need a call.
  RELCACHE_ALWAYS_INLINE char* AllocateAtOnce(std::size_t bytes) {
    return static_cast<char*>(relcache::AllocateAtOnce(bytes, cx_));
  }
  RELCACHE_ALWAYS_INLINE void Point(void* slot, const void* target) {
    std::memcpy(slot, &target, sizeof target);
  }

 private:
  MemoryContext& cx_;
};

/// Copies trees of any depth on a stack of any size: it recurses up to a certain depth, and parts
/// that are deeper wait in a list. A function that copies a part stores its address at a given
/// place, `slot`, so that the last child of a node can be copied by a tail call.
/// `Derived` says how each type is copied: void CopyNode(const Node&, NodeTag, char* slot, int
/// depth), which calls CopyValueNode for lists, sets and strings.
template <class Sink, class Derived>
class Copier {
 public:
  explicit Copier(Sink sink) : sink_(sink) {}

  void Copy(const Node& tree, Node** root) {
    derived().CopyNode(tree, tree.tag, reinterpret_cast<char*>(root), 0);
    while (!waiting_.empty()) {
      const Waiting next = waiting_.back();
      waiting_.pop_back();
      derived().CopyNode(*next.from, next.from->tag, next.slot, 0);
    }
  }

  /// Whether this part must be copied later. Every part that can have children asks.
  RELCACHE_ALWAYS_INLINE bool Wait(const Node& from, char* slot, int depth) {
    if (depth <= kMaxDepth) [[likely]]
      return false;
    Enqueue(from, slot);
    return true;
  }

  // Copies one field. The node has been copied bytewise; this copies what the field points to.
  RELCACHE_ALWAYS_INLINE void CopyField(const char* from, char* to, const NodeField& f, int depth) {
    char* const member = to + f.offset;
    switch (f.kind) {
      case FieldKind::kNode:
      case FieldKind::kBitmapset: {
        const auto* child = static_cast<const Node*>(wire::LoadPointer(from + f.offset));
        if (child == nullptr) return;
        // Mostly known at compile time.
        const NodeTag tag = f.child < kAnyExpr ? static_cast<NodeTag>(f.child) : child->tag;
        return derived().CopyNode(*child, tag, member, depth + 1);
      }
      case FieldKind::kString: {
        const char* text = static_cast<const char*>(wire::LoadPointer(from + f.offset));
        if (text != nullptr) CopyText(text, member);
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

  /// Copies a list, a set or a string.
  RELCACHE_ALWAYS_INLINE void CopyValueNode(const Node& from, NodeTag tag, char* slot, int depth) {
    switch (tag) {
      case NodeTag::kList:
        return CopyList(static_cast<const List&>(from), slot, depth);
      case NodeTag::kIntList:
        return CopyNumbers(static_cast<const IntList&>(from), slot);
      case NodeTag::kOidList:
        return CopyNumbers(static_cast<const OidList&>(from), slot);
      case NodeTag::kBitmapset:
        return CopyNumbers(static_cast<const Bitmapset&>(from), slot);
      default:
        return CopyString(static_cast<const String&>(from), slot);
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

  [[gnu::cold, gnu::noinline]] void Enqueue(const Node& from, char* slot) {
    waiting_.push_back({&from, slot});
  }

  Derived& derived() { return *static_cast<Derived*>(this); }

  [[gnu::noinline]] void CopyList(const List& from, char* slot, int depth) {
    if (Wait(from, slot, depth)) return;
    const std::size_t bytes = sizeof(List) + from.length * sizeof(Node*);
    char* to = sink_.AllocateAtOnce(bytes);
    if (to == nullptr) [[unlikely]]
      to = sink_.Allocate(bytes);
    sink_.Point(slot, to);
    std::memcpy(to, &from, sizeof(List));
    // One index for both: from the end, up to zero.
    const List::Element* const from_end = from.elements().data() + from.length;
    char* const to_end = to + bytes;
    for (std::ptrdiff_t i = -std::ptrdiff_t{from.length}; i != 0; ++i) {
      const Node* element = from_end[i].get();
      char* const place = to_end + i * std::ptrdiff_t{sizeof(Node*)};
      if (element != nullptr) [[likely]]
        derived().CopyNode(*element, element->tag, place, depth + 1);
      else
        std::memset(place, 0, sizeof(Node*));
    }
  }

  template <class L>
  [[gnu::noinline]] void CopyNumbers(const L& from, char* slot) {
    const std::size_t bytes = sizeof(L) + from.length * sizeof(typename L::Element);
    char* to = sink_.Allocate(AlignUp(bytes, 8));
    sink_.Point(slot, to);
    std::memset(to + (bytes - 1) / 8 * 8, 0, 8);
    std::memcpy(to, &from, bytes);
  }

  // The characters go behind the node.
  [[gnu::noinline]] void CopyString(const String& from, char* slot) {
    if (char* to = CopyWord(sizeof(String), from.sval.c_str())) [[likely]]
      PlaceString(from, to, slot);
    else
      CopyLongString(from, slot);
  }
  [[gnu::noinline]] void CopyLongString(const String& from, char* slot) {
    char* to = CopyPadded(sizeof(String), from.sval);
    PlaceString(from, to, slot);
  }
  RELCACHE_ALWAYS_INLINE void PlaceString(const String& from, char* to, char* slot) {
    sink_.Point(slot, to);
    std::memcpy(to, &from, sizeof(String));
    if (!from.sval.is_null())
      sink_.Point(&reinterpret_cast<String*>(to)->sval, to + sizeof(String));
  }
  [[gnu::noinline]] void CopyText(const char* text, char* slot) {
    if (char* to = CopyWord(0, text)) [[likely]]
      sink_.Point(slot, to);
    else
      CopyBytes(text, slot);
  }
  [[gnu::noinline]] void CopyBytes(std::string_view bytes, char* slot) {
    sink_.Point(slot, CopyPadded(0, bytes));
  }

  // A copy of the text behind room for a head; null if it is longer than a word.
  RELCACHE_ALWAYS_INLINE char* CopyWord(std::size_t head, const char* text) {
    const std::uint64_t bits = wire::BitsOfWord(text);
    if (bits == 0) return nullptr;
    const std::uint64_t characters = wire::Load8(text) & bits;
    char* to = sink_.AllocateAtOnce(head + sizeof characters);
    if (to != nullptr) [[likely]]
      std::memcpy(to + head, &characters, sizeof characters);
    return to;
  }
  // The same for any bytes, with zeros behind them up to a whole word, one at least.
  RELCACHE_ALWAYS_INLINE char* CopyPadded(std::size_t head, std::string_view bytes) {
    const std::size_t room = AlignUp(bytes.size() + 1, 8);
    char* to = sink_.Allocate(head + room);
    std::memset(to + head + room - 8, 0, 8);
    wire::CopyShort(to + head, bytes.data(), bytes.size());
    return to;
  }

  std::vector<Waiting> waiting_;
};

}  // namespace relcache
