#include "relcache/nodes/write.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/nodes/internal/hot_types.h"
#include "relcache/nodes/internal/writer.h"

namespace relcache {
namespace wire {
namespace {

// One function for each type, lists and strings included; a node begins with room enough for a
// label of its own and of its first field.
using WriteFunction = char* (*)(Writer&, char*, const Node&);
extern const WriteFunction kWrite[];

RELCACHE_ALWAYS_INLINE char* WriteTree(Writer& w, char* p, const Node* node) {
  if (node == nullptr) {
    std::memcpy(p, "<>", 2);
    return p + 2;
  }
  return kWrite[static_cast<std::size_t>(node->tag)](w, p, *node);
}

// ---- one field

RELCACHE_ALWAYS_INLINE char* WriteField(Writer& w, char* p, const char* node, const NodeField& f) {
  if (!f.written_in(w.version)) return p;  // known at compile time for most
  if (f.rule.rtekinds != 0xffff &&
      !IsFieldWritten(f, *reinterpret_cast<const Node*>(node), w.version))
    return p;
  p = w.Room(p);
  std::memcpy(p, f.text.data(), f.text.size());  // the label, and the default behind it
  const char* const member = node + f.offset;
  if (f.usual != 0 && LoadBits(node, f) == f.initial) return p + f.usual;
  p += f.length;
  switch (f.kind) {
    case FieldKind::kNumber: {
      const std::int64_t value = LoadNumber(node, f);
      if (value < f.low || value > f.high) [[unlikely]]
        return w.FailValue(f, "is out of range");
      return WriteNumber(p, value);
    }
    case FieldKind::kBool: {
      const bool value = *member != 0;
      std::memcpy(p, value ? "true " : "false", 5);
      return p + (value ? 4 : 5);
    }
    case FieldKind::kBoolWord: {
      const int value = *member;
      if (value < 0 || value > 2) return w.FailValue(f, "is out of range");
      std::memcpy(p, value == 0 ? "and" : value == 1 ? "or " : "not", 3);
      return p + (value == 1 ? 2 : 3);
    }
    case FieldKind::kChar:
      if (*member == 0) {
        std::memcpy(p, "<>", 2);
        return p + 2;
      }
      return WriteToken(w, p, {member, 1});
    case FieldKind::kDouble: {
      double value;
      std::memcpy(&value, member, sizeof value);
      return WriteDouble(w, p, value);
    }
    case FieldKind::kString:
      return WriteString(w, p, static_cast<const char*>(LoadPointer(member)));
    case FieldKind::kNode: {
      const Node* child = static_cast<const Node*>(LoadPointer(member));
      if (child != nullptr && !FitsField(child->tag, f.child)) [[unlikely]]
        return w.FailValue(f, "has a child of another type");
      return WriteTree(w, p, child);
    }
    case FieldKind::kBitmapset: {
      const auto* set = static_cast<const Bitmapset*>(LoadPointer(member));
      *p++ = '(';
      if (set == nullptr || set->length == 0) {
        std::memcpy(p, "b)", 2);
        return p + 2;
      }
      if (std::ranges::adjacent_find(set->elements(), std::greater_equal()) != set->end() ||
          *set->begin() < 0)
        return w.FailValue(f, "is a set whose members do not ascend");
      if (!w.CountNode()) return nullptr;
      return WriteNumbers(w, p, 'b', set->elements());
    }
    case FieldKind::kDatum:
      return WriteDatum(w, p, *reinterpret_cast<const Const*>(node), f);
  }
  return nullptr;
}

// ---- one node: by the loop for any type, unrolled for hot ones

// "{LABEL", padded so that it is copied in whole words.
struct Opening {
  std::array<char, 24> text{};
  std::uint8_t length = 0, since = 99, until = 0;
};
struct Openings {
  Opening of[2];  // no type has had more than two names

  template <class N>
  static constexpr Openings Make() {
    static_assert(std::size(N::kLabels) <= 2);
    Openings o;
    for (std::size_t i = 0; i < std::size(N::kLabels); ++i) {
      const NodeLabel& label = N::kLabels[i];
      Opening& opening = o.of[i];
      opening.text[0] = '{';
      for (std::size_t j = 0; j < label.text.size(); ++j) opening.text[j + 1] = label.text[j];
      opening.length = static_cast<std::uint8_t>(label.text.size() + 1);
      opening.since = label.since;
      opening.until = label.until;
    }
    return o;
  }
};
#define RELCACHE_OPENINGS(N) Openings::Make<N>(),
constexpr Openings kOpenings[] = {RELCACHE_NODE_LIST(RELCACHE_OPENINGS)};
#undef RELCACHE_OPENINGS

[[gnu::cold, gnu::noinline]] char* FailVersion(Writer& w, const Node& node) {
  return w.Fail(
      NotSupported(Format("{} in node trees of PostgreSQL {}", NodeTypeName(node.tag), w.version)));
}

// `fields` writes the fields.
template <class Fields>
RELCACHE_ALWAYS_INLINE char* WriteStruct(Writer& w, char* p, const Node& node,
                                         const Openings& openings, Fields fields) {
  if (!w.Enter()) [[unlikely]]
    return nullptr;
  const Opening* opening = &openings.of[0];
  // Known at compile time for most hot types.
  if (opening->until != kNewestPgVersion && w.version > opening->until) ++opening;
  if ((opening->since != kOldestPgVersion && w.version < opening->since) ||
      (opening->until != kNewestPgVersion && w.version > opening->until)) [[unlikely]]
    return FailVersion(w, node);
  std::memcpy(p, opening->text.data(), opening->text.size());
  p = fields(p + opening->length);
  if (p == nullptr) [[unlikely]]
    return w.FailIn(NodeTypeOf(node.tag));
  p = w.Room(p);
  *p++ = '}';
  w.Leave();
  return p;
}

char* WriteAnyNode(Writer& w, char* p, const Node& node) {
  const auto write_fields = [&](char* q) -> char* {
    for (const NodeField& f : NodeTypeOf(node.tag).fields) {
      q = WriteField(w, q, reinterpret_cast<const char*>(&node), f);
      if (q == nullptr) [[unlikely]]
        return nullptr;
    }
    return q;
  };
  return WriteStruct(w, p, node, kOpenings[static_cast<std::size_t>(node.tag)], write_fields);
}

template <class N, std::size_t... I>
RELCACHE_ALWAYS_INLINE char* WriteFields(Writer& w, char* p, const char* node,
                                         std::index_sequence<I...>) {
  static_cast<void>(((p = WriteField(w, p, node, kFields<N>[I])) && ...));
  return p;
}

template <class N>
char* WriteHotNode(Writer& w, char* p, const Node& node) {
  const auto write_fields = [&](char* q) __attribute__((always_inline)) {
    return WriteFields<N>(w, q, reinterpret_cast<const char*>(&node),
                          std::make_index_sequence<kFields<N>.size()>());
  };
  return WriteStruct(w, p, node, kOpenings[static_cast<std::size_t>(N::kTag)], write_fields);
}

// ---- what is no struct

[[gnu::cold, gnu::noinline]] char* FailValueNode(Writer& w, const char* message) {
  return w.Fail(Error(ErrorCode::kInvalidInput, "XX000", message));
}

char* WriteList(Writer& w, char* p, const Node& node) {
  const auto& list = static_cast<const List&>(node);
  if (!w.Enter()) [[unlikely]]
    return nullptr;
  // PostgreSQL's empty list, NIL, is a null pointer, and "()" cannot be read.
  if (list.length == 0) [[unlikely]]
    return FailValueNode(w, "a list is empty, not null");
  p = w.Room(p);
  *p++ = '(';
  for (const Node* element : list) {
    if (element == nullptr && !w.CountNode()) return nullptr;
    p = WriteTree(w, p, element);
    if (p == nullptr) [[unlikely]]
      return nullptr;
    p = w.Room(p);
    *p++ = ' ';
  }
  p[-1] = ')';
  w.Leave();
  return p;
}

template <class L>
char* WriteNumberList(Writer& w, char* p, const Node& node) {
  if (!w.CountNode()) return nullptr;
  *p++ = '(';
  return WriteNumbers(w, p, L::kTag == NodeTag::kIntList ? 'i' : 'o',
                      static_cast<const L&>(node).elements());
}

char* WriteStringNode(Writer& w, char* p, const Node& node) {
  return w.CountNode() ? WriteQuoted(w, p, static_cast<const String&>(node)) : nullptr;
}

char* WriteSet(Writer& w, char*, const Node&) {
  return FailValueNode(w, "a set stands where a node belongs");
}

template <class N>
constexpr WriteFunction ChooseWrite() {
  if constexpr (std::is_same_v<N, List>)
    return WriteList;
  else if constexpr (std::is_same_v<N, IntList> || std::is_same_v<N, OidList>)
    return WriteNumberList<N>;
  else if constexpr (std::is_same_v<N, String>)
    return WriteStringNode;
  else if constexpr (std::is_same_v<N, Bitmapset>)
    return WriteSet;
  else if constexpr (kHotToWrite<N>)
    return WriteHotNode<N>;
  else
    return WriteAnyNode;
}
#define RELCACHE_WRITE(N) ChooseWrite<N>(),
constexpr WriteFunction kWrite[] = {RELCACHE_NODE_LIST(RELCACHE_WRITE)
                                        RELCACHE_VALUE_NODE_LIST(RELCACHE_WRITE)};
#undef RELCACHE_WRITE

}  // namespace
}  // namespace wire

Result<std::string_view> NodeToString(const Node* tree, const TreeOptions& options,
                                      MemoryContext& cx) {
  if (options.pg_version < kOldestPgVersion || options.pg_version > kNewestPgVersion)
    return Fail(NotSupported(Format("node trees of PostgreSQL {}", options.pg_version)));
  wire::Writer w(options);
  const char* p = wire::WriteTree(w, w.Begin(), tree);
  if (p == nullptr) return Fail(w.TakeError());
  const std::string_view text = w.Text(p);
  if (text.size() > options.max_bytes)
    return Fail(Error(ErrorCode::kLimit, "54000", "node tree is too long"));
  return cx.CopyString(text);
}

}  // namespace relcache
