#include "relcache/nodes/read.h"

#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/nodes/internal/hot_types.h"
#include "relcache/nodes/internal/reader.h"
#include "relcache/nodes/tree_image.h"

namespace relcache {
namespace wire {
namespace {

const char* ReadNode(Reader& r, const char* p, Node*& out);
const char* ReadList(Reader& r, const char* p, Node*& out);

// ---- one field

// A node, a list or <>.
const char* ReadChild(Reader& r, const char* p, const NodeField& f, char* member) {
  Node* child = nullptr;
  if (*p == '{') {
    p = ReadNode(r, p, child);
  } else if (*p == '(') {
    p = ReadList(r, p, child);
  } else if (p[0] == '<' && p[1] == '>') {
    return r.Near(p + 2);
  } else {
    return r.Fail(p, &f, "a node, a list or <>");
  }
  if (p == nullptr) [[unlikely]]
    return r.FailIn(f);
  if (!FitsField(child->tag, f.child)) [[unlikely]]
    return r.Fail(p, &f, "a node of another type");
  r.arena.Point(member, child);
  return r.Near(p);
}

RELCACHE_ALWAYS_INLINE const char* ReadField(Reader& r, const char* p, char* node,
                                             const NodeField& f) {
  if (!f.written_in(r.version)) return p;  // known at compile time for most
  if (f.rule.rtekinds != 0xffff && !IsFieldWritten(f, *reinterpret_cast<Node*>(node), r.version))
    return p;
  p = r.Near(p);
  const FieldMatch match = MatchField(p, f);
  if (match.usual) return p + f.usual;  // the member has its default already
  if (!match.label) [[unlikely]]
    return r.Fail(p, &f, nullptr, Reader::Failure::kWrongField);
  p += f.length;
  char* const member = node + f.offset;
  switch (f.kind) {
    case FieldKind::kNumber: {
      std::int64_t value = 0;
      p = ReadNumber(r, p, f, f.low, f.high, value);
      StoreNumber(member, f.size, value);
      return p;
    }
    case FieldKind::kBool:
      return ReadBool(r, p, f, member);
    case FieldKind::kBoolWord:
      return ReadBoolWord(r, p, f, member);
    case FieldKind::kChar:
      return ReadChar(r, p, f, member);
    case FieldKind::kDouble:
      return ReadDouble(r, p, f, member);
    case FieldKind::kString:
      return ReadString(r, p, f, member);
    case FieldKind::kNode:
      return ReadChild(r, p, f, member);
    case FieldKind::kBitmapset:
      return ReadBitmapset(r, p, f, member);
    case FieldKind::kDatum:
      return ReadDatum(r, p, f, *reinterpret_cast<Const*>(node));
  }
  return nullptr;
}

// ---- one node: by the loop for any type, unrolled for hot ones

// What follows the last field, p null if that failed.
RELCACHE_ALWAYS_INLINE const char* EndNode(Reader& r, const char* p, NodeTag tag) {
  if (p != nullptr && *p != '}') [[unlikely]]
    p = r.Fail(p, nullptr, "} after the last field");
  if (p == nullptr) [[unlikely]]
    return r.FailIn(NodeTypeOf(tag));
  r.Leave();
  return p + 1;
}

const char* ReadAnyNode(Reader& r, const char* p, NodeTag tag, Node*& out) {
  const NodeType& type = NodeTypeOf(tag);
  char* node = r.arena.Allocate(type.size);
  std::memcpy(node, type.prototype, type.size);
  for (const NodeField& f : type.fields) {
    p = ReadField(r, p, node, f);
    if (p == nullptr) [[unlikely]]
      break;
  }
  out = reinterpret_cast<Node*>(node);
  return EndNode(r, p, tag);
}

template <class N, std::size_t... I>
RELCACHE_ALWAYS_INLINE const char* ReadFields(Reader& r, const char* p, char* node,
                                              std::index_sequence<I...>) {
  static_cast<void>(((p = ReadField(r, p, node, kFields<N>[I])) && ...));
  return p;
}

template <class N>
const char* ReadHotNode(Reader& r, const char* p, NodeTag, Node*& out) {
  char* place = r.arena.Allocate(sizeof(N));
  N* node = ::new (place) N{};
  node->tag = N::kTag;
  p = ReadFields<N>(r, p, place, std::make_index_sequence<kFields<N>.size()>());
  out = node;
  return EndNode(r, p, N::kTag);
}

using ReadFunction = const char* (*)(Reader&, const char*, NodeTag, Node*&);
template <class N>
constexpr ReadFunction ChooseRead() {
  if constexpr (kHot<N>)
    return ReadHotNode<N>;
  else
    return ReadAnyNode;
}

// ---- which type: a hash of the eight bytes after the brace, constant for every label

struct LabelEntry {
  std::uint64_t first8 = 0;
  ReadFunction read = nullptr;
  const char* text = nullptr;
  std::uint8_t length = 0;  // of text
  std::uint8_t since = 0, until = 0;
  std::int8_t next = -1;  // another label that begins with the same eight bytes
  NodeTag tag{};
};

// A label shorter than eight bytes is continued by the label of its first field, which always
// follows it.
constexpr std::uint64_t First8(std::string_view label, std::string_view field) {
  std::uint64_t v = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const char c = i < label.size()        ? label[i]
                   : i == label.size()     ? ' '
                   : i == label.size() + 1 ? ':'
                                           : field[i - label.size() - 2];
    v |= std::uint64_t{static_cast<unsigned char>(c)} << (8 * i);
  }
  return v;
}

#define RELCACHE_LABELS(N) +std::size(N::kLabels)
constexpr std::size_t kNumLabels = 0 RELCACHE_NODE_LIST(RELCACHE_LABELS);
#undef RELCACHE_LABELS

struct LabelTable {
  static constexpr int kBits = 10;
  std::array<LabelEntry, kNumLabels> entries{};
  std::array<std::int8_t, 1 << kBits> slot{};
  std::uint64_t factor = 0;

  constexpr std::size_t Hash(std::uint64_t first8) const {
    return static_cast<std::size_t>(first8 * factor >> (64 - kBits));
  }

  template <class N>
  constexpr void Add(std::size_t& n) {
    for (const NodeLabel& l : N::kLabels) {
      LabelEntry& e = entries[n++];
      e.first8 = First8(l.text, kFields<N>[0].label());
      e.read = ChooseRead<N>();
      e.text = l.text.data();
      e.length = static_cast<std::uint8_t>(l.text.size());
      e.since = l.since;
      e.until = l.until;
      e.tag = N::kTag;
    }
  }

  constexpr LabelTable() {
    std::size_t n = 0;
#define RELCACHE_ADD(N) Add<N>(n);
    RELCACHE_NODE_LIST(RELCACHE_ADD)
#undef RELCACHE_ADD
    std::array<bool, kNumLabels> linked{};  // another label leads to it
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i; j-- > 0;)
        if (entries[j].first8 == entries[i].first8) {
          entries[j].next = static_cast<std::int8_t>(i);
          linked[i] = true;
          break;
        }
    // 2^64 divided by the golden ratio; then the numbers of a linear congruential generator, until
    // one of them keeps all labels apart. The compiler does the search.
    factor = 0x9e3779b97f4a7c15;
    while (!Place(linked)) factor = factor * 6364136223846793005 + 1442695040888963407;
  }

  // Gives every label that is first of its eight bytes a slot of its own, if the factor does.
  constexpr bool Place(const std::array<bool, kNumLabels>& linked) {
    for (auto& s : slot) s = -1;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (linked[i]) continue;
      std::int8_t& s = slot[Hash(entries[i].first8)];
      if (s >= 0) return false;
      s = static_cast<std::int8_t>(i);
    }
    return true;
  }
};
constexpr LabelTable kLabelTable;
static_assert(kNumLabels < 128);

RELCACHE_ALWAYS_INLINE const LabelEntry* FindLabel(const char* p) {
  const std::uint64_t first8 = Load8(p);
  int i = kLabelTable.slot[kLabelTable.Hash(first8)];
  for (; i >= 0; i = kLabelTable.entries[static_cast<std::size_t>(i)].next) {
    const LabelEntry& e = kLabelTable.entries[static_cast<std::size_t>(i)];
    if (e.first8 != first8) break;
    std::size_t same = 8;
    while (same < e.length && p[same] == e.text[same]) ++same;
    if (same >= e.length && (e.length < 8 || p[same] == ' ')) return &e;
  }
  return nullptr;
}

// By whole comparison: a label whose node begins with the wrong field, an unknown one, or one of
// another version.
[[gnu::cold, gnu::noinline]] const char* ReadNodeSlowly(Reader& r, const char* p, Node*& out) {
  for (const LabelEntry& e : kLabelTable.entries)
    if (r.version >= e.since && r.version <= e.until && std::memcmp(p + 1, e.text, e.length) == 0 &&
        (p[1 + e.length] == ' ' || p[1 + e.length] == '}'))
      return e.read(r, p + 1 + e.length, e.tag, out);
  return r.Fail(p + 1, nullptr, "a node type of this version of PostgreSQL",
                Reader::Failure::kWrongNode);
}
[[gnu::cold, gnu::noinline]] const char* ReadNodeInTail(Reader& r, const char* p, Node*& out) {
  return ReadNode(r, r.Near(p), out);
}

// p at the brace. All that follows is in tail position: no frame of its own.
const char* ReadNode(Reader& r, const char* p, Node*& out) {
  if (!r.IsNear(p)) [[unlikely]]
    return ReadNodeInTail(r, p, out);
  if (!r.Enter()) [[unlikely]]
    return r.TooDeep(p);
  const LabelEntry* e = FindLabel(p + 1);
  if (e == nullptr || r.version < e->since || r.version > e->until) [[unlikely]]
    return ReadNodeSlowly(r, p, out);
  return e->read(r, p + 1 + e->length, e->tag, out);
}

// p at the parenthesis.
const char* ReadList(Reader& r, const char* p, Node*& out) {
  p = r.Near(p);
  if (p[2] == ' ') {  // no element of a list begins with a letter
    if (p[1] == 'i') return ReadIntList(r, p, out);
    if (p[1] == 'o') return ReadOidList(r, p, out);
  }
  if (!r.Enter()) [[unlikely]]
    return r.TooDeep(p);
  const std::size_t first = r.elements.size();
  do {
    p = r.Near(p + 1);
    Node* element = nullptr;
    if (*p == '{') {
      p = ReadNode(r, p, element);
    } else if (*p == '"') {
      p = ReadQuoted(r, p, element);
    } else if (*p == '(') {
      p = ReadList(r, p, element);
    } else if (p[0] == '<' && p[1] == '>') {
      p += 2;
      ++r.nodes;
    } else {
      return r.Fail(p, nullptr, "an element of a list");
    }
    if (p == nullptr) [[unlikely]]
      return nullptr;
    r.elements.Push(element);
    p = r.Near(p);
  } while (*p == ' ');
  if (*p != ')') [[unlikely]]
    return r.Fail(p, nullptr, "a space or ) after an element");

  const std::size_t n = r.elements.size() - first;
  List* list = ::new (r.arena.Allocate(sizeof(List) + n * sizeof(Node*))) List{};
  list->tag = NodeTag::kList;
  list->length = static_cast<std::uint32_t>(n);
  char* to = reinterpret_cast<char*>(list + 1);
  Node* const* elements = r.elements.From(first);
  for (std::size_t i = 0; i < n; ++i, to += sizeof(Node*)) {
    Node* element = elements[i];
    if (element != nullptr) [[likely]]
      r.arena.Point(to, element);
    else
      std::memset(to, 0, sizeof(Node*));
  }
  r.elements.Shrink(first);
  r.Leave();
  out = list;
  return p + 1;
}

// What trees of this text's size usually take: less than half of it.
std::size_t ExpectedBytes(std::string_view text) {
  return text.size() / 2;
}

Result<Node*> Read(std::string_view text, const TreeOptions& options, TreeArena& arena) {
  if (options.pg_version < kOldestPgVersion || options.pg_version > kNewestPgVersion)
    return Fail(NotSupported(Format("node trees of PostgreSQL {}", options.pg_version)));
  if (text.size() > options.max_bytes)
    return Fail(Error(ErrorCode::kLimit, "54000", "node tree is too long"));
  Reader r(text, options, arena);
  Node* root = nullptr;
  const char* p = r.Begin();
  if (*p == '{') {
    p = ReadNode(r, p, root);
  } else if (*p == '(') {
    p = ReadList(r, p, root);
  } else if (p[0] == '<' && p[1] == '>') {
    p += 2;
  } else {
    p = r.Fail(p, nullptr, "a node, a list or <>");
  }
  if (p != nullptr && r.Near(p) != r.end) p = r.Fail(r.Near(p), nullptr, "the end of the text");
  if (p == nullptr) return Fail(r.MakeError());
  if (r.nodes > options.max_nodes)
    return Fail(Error(ErrorCode::kLimit, "54000", "node tree has too many nodes"));
  return root;
}

}  // namespace
}  // namespace wire

Result<Node*> StringToNode(std::string_view text, const TreeOptions& options, MemoryContext& cx) {
  TreeArena arena(wire::ExpectedBytes(text));
  RELCACHE_ASSIGN(const Node* root, wire::Read(text, options, arena));
  return arena.Finish(root, cx);
}

Result<const TreeImage*> ReadTreeImage(std::string_view text, const TreeOptions& options,
                                       MemoryContext& cx) {
  TreeArena arena(wire::ExpectedBytes(text));
  RELCACHE_ASSIGN(const Node* root, wire::Read(text, options, arena));
  return arena.FinishImage(root, options.pg_version, cx);
}

}  // namespace relcache
