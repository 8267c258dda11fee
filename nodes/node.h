// The base of all node types, and what node types consist of: children, lists, strings and sets
// (PostgreSQL's nodes/nodes.h, pg_list.h, value.h, bitmapset.h). A *node tree* is PostgreSQL's form
// of a parsed expression or query: a tree of structs, each of which begins with a tag that says its
// type.
//
// A tree lies in one memory context and is freed with it. Constness extends to children: from a
// const node one reaches only const nodes, so code that reads a cached tree cannot change it.
// CopyObject (copy.h) makes a copy that may be changed.
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

/// The beginning of every node. MakeNode sets the tag.
struct Node {
  NodeTag tag;
};

/// The base of the nodes that have a value. Expressions consist of them.
struct Expr : Node {};

/// A pointer to a child node, or null. Through a const owner it gives access to a const child only.
/// It can be moved but not copied, since no node has two parents. It does not own the child.
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

/// A string in a node: NUL-terminated, or null, which differs from the empty string.
/// Lifetime: it does not own the characters, which lie in the memory of the tree.
class CString {
 public:
  constexpr CString(const char* text = nullptr) : text_(text) {}  // NOLINT: a literal is a string

  const char* c_str() const { return text_; }
  bool is_null() const { return text_ == nullptr; }
  /// The characters; empty if the string is null.
  std::string_view view() const { return text_ ? std::string_view(text_) : std::string_view(); }
  operator std::string_view() const { return view(); }  // NOLINT
  /// Null is equal to null only.
  friend bool operator==(CString a, CString b) {
    return a.text_ && b.text_ ? std::strcmp(a.text_, b.text_) == 0 : a.text_ == b.text_;
  }

 private:
  const char* text_;
};

/// The byte offset of a node in the text of the statement that it was parsed from, or -1 if it is
/// not known. Equal ignores it.
enum ParseLoc : std::int32_t { kNoLocation = -1 };

/// A list of nodes, with the elements in the same allocation. An empty list is a null pointer, as
/// in PostgreSQL (NIL). Elements may be null.
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
/// A list of numbers, with the elements in the same allocation.
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

/// A list of integers. An empty list is a null pointer.
struct alignas(8) IntList final : internal::NumberList<std::int32_t> {
  static constexpr NodeTag kTag = NodeTag::kIntList;
};

/// A list of oids (numbers of catalog objects). An empty list is a null pointer.
struct alignas(8) OidList final : internal::NumberList<Oid> {
  static constexpr NodeTag kTag = NodeTag::kOidList;
};

/// A set of non-negative integers: its members in ascending order. An empty set is a null pointer.
struct alignas(8) Bitmapset final : internal::NumberList<std::int32_t> {
  static constexpr NodeTag kTag = NodeTag::kBitmapset;

  /// Whether the set has this member (bms_is_member).
  bool contains(std::int32_t member) const {
    return std::binary_search(elements().begin(), elements().end(), member);
  }
};

/// A string in a list (PostgreSQL's T_String).
struct alignas(8) String final : Node {
  static constexpr NodeTag kTag = NodeTag::kString;

  CString sval{};
};

/// Whether the node is a T; false for null.
template <class T>
bool IsA(const Node* node) {
  return node != nullptr && node->tag == T::kTag;
}

/// The node as a T, or null if it is null or has another type.
template <class T>
const T* As(const Node* node) {
  return IsA<T>(node) ? static_cast<const T*>(node) : nullptr;
}
template <class T>
T* As(Node* node) {
  return IsA<T>(node) ? static_cast<T*>(node) : nullptr;
}

/// Makes a node whose members have their default values (makeNode).
template <class T>
[[nodiscard]] T* MakeNode(MemoryContext& cx) {
  T* node = cx.New<T>();
  node->tag = T::kTag;
  return node;
}

/// Makes a list of any kind with n zeroed elements; null for n = 0.
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
/// Makes a list of these numbers, which must be ascending for a set; null if there are none.
template <class L>
[[nodiscard]] L* MakeList(std::span<const typename L::Element> values,
                          MemoryContext& cx) requires std::is_arithmetic_v<typename L::Element> {
  L* list = MakeList<L>(values.size(), cx);
  if (list) std::copy(values.begin(), values.end(), list->elements().begin());
  return list;
}
/// Makes a list of these nodes, which become its children: MakeList(cx, {a, b}).
[[nodiscard]] inline List* MakeList(MemoryContext& cx, std::initializer_list<Node*> nodes) {
  List* list = MakeList<List>(nodes.size(), cx);
  if (list) std::copy(nodes.begin(), nodes.end(), list->elements().begin());
  return list;
}

/// Copies a string into cx, with a NUL behind it.
[[nodiscard]] inline CString MakeCString(std::string_view text, MemoryContext& cx) {
  return CString(cx.CopyString(text).data());
}
/// Makes a string node with a copy of the text.
[[nodiscard]] inline String* MakeString(std::string_view text, MemoryContext& cx) {
  String* node = MakeNode<String>(cx);
  node->sval = MakeCString(text, cx);
  return node;
}

/// The C++ name of a node type, such as "OpExpr".
std::string_view NodeTypeName(NodeTag tag);

}  // namespace relcache
