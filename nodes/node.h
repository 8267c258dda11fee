// The root of all node types, and what node types are made of: children, lists, strings, sets
// (PostgreSQL's nodes/nodes.h, pg_list.h, value.h, bitmapset.h).
//
// A tree lives in one memory context and is freed with it. Const flows down: from a const node one
// reaches const nodes only, so that a cached tree cannot be changed by whoever reads it;
// CopyObject gives a tree that can.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "relcache/base/check.h"
#include "relcache/base/oid.h"
#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node_list.h"

namespace relcache {

/// What every node begins with.
struct Node {
  NodeTag tag;
};

/// A node that has a value: what an expression is made of.
struct Expr : Node {};

/// A pointer to a child node, or null, that hands its own const down. It can be moved, not copied:
/// no node has two parents.
template <class T>
class Child {
 public:
  constexpr Child(T* child = nullptr) : child_(child) {}  // NOLINT: a pointer is a child
  Child(Child&&) = default;             // NOLINT: it is noexcept, which the check does not
  Child& operator=(Child&&) = default;  // NOLINT: see in a template

  T* get() { return child_; }
  const T* get() const { return child_; }
  T* operator->() { return child_; }
  const T* operator->() const { return child_; }
  T& operator*() { return *child_; }
  const T& operator*() const { return *child_; }
  explicit operator bool() const { return child_ != nullptr; }
  operator T*() { return child_; }              // NOLINT: reads as the pointer that it is
  operator const T*() const { return child_; }  // NOLINT

 private:
  T* child_;
};

/// A string of a node: NUL-terminated, or null (which is not the empty string).
class CString {
 public:
  constexpr CString(const char* text = nullptr) : text_(text) {}  // NOLINT: a literal is a string

  const char* c_str() const { return text_; }
  bool is_null() const { return text_ == nullptr; }
  /// The characters; none if null.
  std::string_view view() const { return text_ ? std::string_view(text_) : std::string_view(); }
  operator std::string_view() const { return view(); }  // NOLINT
  /// Null equals null only.
  friend bool operator==(CString a, CString b) {
    return a.text_ && b.text_ ? std::strcmp(a.text_, b.text_) == 0 : a.text_ == b.text_;
  }

 private:
  const char* text_;
};

/// A byte offset into the statement that a node came from, or -1. Equal does not look at it.
enum ParseLoc : std::int32_t { kNoLocation = -1 };

/// A list of nodes, elements in the same allocation as the list. An empty list is a null pointer,
/// as in PostgreSQL (NIL). Elements may be null.
struct alignas(8) List final : Node {
  static constexpr NodeTag kTag = NodeTag::kList;
  using Element = Child<Node>;

  /// Iterates over Node* or const Node*.
  template <class P, class E>
  struct Iterator {
    using value_type = P;
    using difference_type = std::ptrdiff_t;
    E* at = nullptr;
    P operator*() const { return at->get(); }
    Iterator& operator++() {
      ++at;
      return *this;
    }
    Iterator operator++(int) { return Iterator{at++}; }
    bool operator==(const Iterator&) const = default;
  };

  std::uint32_t length = 0;

  std::size_t size() const { return length; }
  std::span<Element> elements() { return {reinterpret_cast<Element*>(this + 1), length}; }
  std::span<const Element> elements() const {
    return {reinterpret_cast<const Element*>(this + 1), length};
  }
  Node* operator[](std::size_t i) { return elements()[i].get(); }
  const Node* operator[](std::size_t i) const { return elements()[i].get(); }
  auto begin() { return Iterator<Node*, Element>{elements().data()}; }
  auto end() { return Iterator<Node*, Element>{elements().data() + length}; }
  auto begin() const { return Iterator<const Node*, const Element>{elements().data()}; }
  auto end() const { return Iterator<const Node*, const Element>{elements().data() + length}; }
};

namespace internal {
/// A list of numbers, elements in the same allocation.
template <class T>
struct NumberList : Node {
  using Element = T;

  std::uint32_t length = 0;

  std::size_t size() const { return length; }
  std::span<T> elements() { return {reinterpret_cast<T*>(this + 1), length}; }
  std::span<const T> elements() const { return {reinterpret_cast<const T*>(this + 1), length}; }
  const T& operator[](std::size_t i) const { return elements()[i]; }
  auto begin() const { return elements().begin(); }
  auto end() const { return elements().end(); }
};
}  // namespace internal

/// A list of integers; null when empty.
struct alignas(8) IntList final : internal::NumberList<std::int32_t> {
  static constexpr NodeTag kTag = NodeTag::kIntList;
};

/// A list of oids; null when empty.
struct alignas(8) OidList final : internal::NumberList<Oid> {
  static constexpr NodeTag kTag = NodeTag::kOidList;
};

/// A set of non-negative integers: its members in ascending order; null when empty.
struct alignas(8) Bitmapset final : internal::NumberList<std::int32_t> {
  static constexpr NodeTag kTag = NodeTag::kBitmapset;

  /// PostgreSQL's bms_is_member.
  bool contains(std::int32_t member) const {
    return std::binary_search(elements().begin(), elements().end(), member);
  }
};

/// A string in a list (PostgreSQL's T_String).
struct alignas(8) String final : Node {
  static constexpr NodeTag kTag = NodeTag::kString;

  CString sval{};
};

/// Is it a T? No node is none.
template <class T>
bool IsA(const Node* node) {
  return node != nullptr && node->tag == T::kTag;
}

/// The node as a T, or null if it is none or another type.
template <class T>
const T* As(const Node* node) {
  return IsA<T>(node) ? static_cast<const T*>(node) : nullptr;
}
template <class T>
T* As(Node* node) {
  return IsA<T>(node) ? static_cast<T*>(node) : nullptr;
}

/// A new node with every member at its default (PostgreSQL's makeNode).
template <class T>
[[nodiscard]] T* MakeNode(MemoryContext& cx) {
  T* node = cx.New<T>();
  node->tag = T::kTag;
  return node;
}

/// A list of any kind with n zeroed elements; null for n = 0.
template <class L>
[[nodiscard]] L* MakeList(std::size_t n, MemoryContext& cx) {
  if (n == 0) return nullptr;
  const std::size_t bytes = sizeof(L) + n * sizeof(typename L::Element);
  void* place = cx.Allocate(bytes);
  std::memset(place, 0, bytes);
  L* list = ::new (place) L{};
  list->tag = L::kTag;
  list->length = static_cast<std::uint32_t>(n);
  return list;
}
/// A list of these numbers (for a set: ascending); null if there are none.
template <class L>
[[nodiscard]] L* MakeList(std::span<const typename L::Element> values,
                          MemoryContext& cx) requires std::is_arithmetic_v<typename L::Element> {
  L* list = MakeList<L>(values.size(), cx);
  if (list) std::copy(values.begin(), values.end(), list->elements().begin());
  return list;
}
/// A list of these nodes, which become its children: MakeList(cx, {a, b}).
[[nodiscard]] inline List* MakeList(MemoryContext& cx, std::initializer_list<Node*> nodes) {
  List* list = MakeList<List>(nodes.size(), cx);
  if (list) std::copy(nodes.begin(), nodes.end(), list->elements().begin());
  return list;
}

/// A string in cx, NUL-terminated.
[[nodiscard]] inline CString MakeCString(std::string_view text, MemoryContext& cx) {
  return CString(cx.CopyString(text).data());
}
[[nodiscard]] inline String* MakeString(std::string_view text, MemoryContext& cx) {
  String* node = MakeNode<String>(cx);
  node->sval = MakeCString(text, cx);
  return node;
}

/// The C++ name of a node type: "OpExpr".
std::string_view NodeTypeName(NodeTag tag);

}  // namespace relcache
