#include "relcache/nodes/equal.h"

#include <array>
#include <utility>
#include <vector>

#include "relcache/nodes/internal/hot_types.h"
#include "relcache/nodes/internal/writer.h"
#include "relcache/nodes/node_type.h"

namespace relcache {
namespace {

using wire::kFields;
using wire::LoadPointer;

// What lies too deep to recurse into waits in a list: any depth from any stack.
class Comparer {
 public:
  bool Same(const Node* a, const Node* b);
  [[gnu::noinline]] bool SameNode(const Node* a, const Node* b, int depth);
  bool SameList(const List& a, const List& b, int depth);

  /// False from a certain depth on, where the two are left for later.
  RELCACHE_ALWAYS_INLINE bool Deeper(const Node* a, const Node* b, int depth) {
    if (depth <= kMaxDepth) [[likely]]
      return true;
    Enqueue(a, b);
    return false;
  }

 private:
  [[gnu::cold, gnu::noinline]] void Enqueue(const Node* a, const Node* b) {
    waiting_.push_back({a, b});
  }

  struct Waiting {
    const Node *a, *b;
  };
  static constexpr int kMaxDepth = 128;

  std::vector<Waiting> waiting_;
};

using SameFunction = bool (*)(Comparer&, const Node*, const Node*, int);
extern const SameFunction kSame[];

template <class L>
bool SameNumbers(const Node* a, const Node* b) {
  const auto x = static_cast<const L*>(a)->elements(), y = static_cast<const L*>(b)->elements();
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size_bytes()) == 0;
}

// Names are short: most are equal or not by one word.
RELCACHE_ALWAYS_INLINE bool SameText(const char* a, const char* b) {
  const std::uint64_t bits = wire::BitsOfWord(a);
  if (bits != 0 && b != nullptr && wire::IsAtWord(b)) [[likely]]
    return ((wire::Load8(a) ^ wire::Load8(b)) & bits) == 0;
  return CString(a) == CString(b);
}

RELCACHE_ALWAYS_INLINE bool SameAny(Comparer& c, const Node* a, const Node* b, int depth) {
  if (a == nullptr || b == nullptr) return a == b;
  if (a->tag != b->tag) return false;
  return kSame[static_cast<std::size_t>(a->tag)](c, a, b, depth);
}

bool Comparer::SameNode(const Node* a, const Node* b, int depth) {
  return SameAny(*this, a, b, depth);
}

bool SameDatum(const Const& a, const Const& b) {
  if (a.constisnull || b.constisnull) return a.constisnull && b.constisnull;
  if (a.constbyval || b.constbyval) return a.constvalue == b.constvalue;
  return a.bytes() == b.bytes();
}

// The body for one field.
RELCACHE_ALWAYS_INLINE bool SameField(Comparer& c, const char* a, const char* b, const NodeField& f,
                                      int depth) {
  if (f.rule.compare == FieldCompare::kNever) return true;
  const char *x = a + f.offset, *y = b + f.offset;
  switch (f.kind) {
    case FieldKind::kNode:
    case FieldKind::kBitmapset: {
      const auto* v = static_cast<const Node*>(LoadPointer(x));
      const auto* w = static_cast<const Node*>(LoadPointer(y));
      if (f.child >= kAnyExpr) return c.SameNode(v, w, depth + 1);
      if (v == nullptr || w == nullptr) return v == w;
      return kSame[f.child](c, v, w, depth + 1);
    }
    case FieldKind::kString:
      return SameText(static_cast<const char*>(LoadPointer(x)),
                      static_cast<const char*>(LoadPointer(y)));
    case FieldKind::kDatum:
      return SameDatum(*reinterpret_cast<const Const*>(a), *reinterpret_cast<const Const*>(b));
    case FieldKind::kDouble: {
      double v, w;
      std::memcpy(&v, x, sizeof v);
      std::memcpy(&w, y, sizeof w);
      return v == w;
    }
    // FieldCompare::kUnlessZero: for an OpExpr's opfuncid, for example, zero means that it was not
    // looked up yet, and not that the operator is another one (_equalOpExpr).
    default: {
      const std::uint64_t v = wire::LoadBits(a, f), w = wire::LoadBits(b, f);
      return v == w || v == 0 || w == 0;
    }
  }
}

// Numbers that always count are compared a word at a time, under a mask made from the table: the
// bytes of such members, and not those between members.
constexpr bool IsMasked(const NodeField& f) {
  return f.kind < FieldKind::kDouble && f.rule.compare == FieldCompare::kAlways;
}

template <class N>
constexpr auto kMask = [] {
  std::array<std::uint64_t, sizeof(N) / 8> mask{};
  for (const NodeField& f : kFields<N>)
    if (IsMasked(f))
      for (std::size_t i = f.offset; i < f.offset + std::size_t{f.size}; ++i)
        mask[i / 8] |= std::uint64_t{0xff} << (i % 8 * 8);
  return mask;
}();

// A member that stands twice in the table is compared once.
template <class N>
constexpr bool Repeats(std::size_t i) {
  for (std::size_t j = 0; j < i; ++j)
    if (kFields<N>[j].offset == kFields<N>[i].offset) return true;
  return false;
}

template <class N, std::size_t I>
RELCACHE_ALWAYS_INLINE std::uint64_t WordDifference(const char* a, const char* b) {
  if constexpr (kMask<N>[I] == 0)
    return 0;
  else
    return (wire::Load8(a + 8 * I) ^ wire::Load8(b + 8 * I)) & kMask<N>[I];
}
template <class N, std::size_t... I>
RELCACHE_ALWAYS_INLINE bool SameWords(const char* a, const char* b, std::index_sequence<I...>) {
  return (std::uint64_t{0} | ... | WordDifference<N, I>(a, b)) == 0;
}

template <class N, std::size_t I>
RELCACHE_ALWAYS_INLINE bool SameOne(Comparer& c, const char* a, const char* b, int depth) {
  if constexpr (Repeats<N>(I) || IsMasked(kFields<N>[I]))
    return true;
  else
    return SameField(c, a, b, kFields<N>[I], depth);
}
template <class N, std::size_t... I>
RELCACHE_ALWAYS_INLINE bool SameFields(Comparer& c, const char* a, const char* b, int depth,
                                       std::index_sequence<I...>) {
  return (SameOne<N, I>(c, a, b, depth) && ...);
}
template <class N>
constexpr bool kHasChildren = [] {
  for (const NodeField& f : kFields<N>)
    if (f.kind == FieldKind::kNode) return true;
  return false;
}();

// Neither is null, both are an N.
template <class N>
bool SameAs(Comparer& c, const Node* x, const Node* y, int depth) {
  if constexpr (std::is_same_v<N, List>) {
    return c.SameList(static_cast<const List&>(*x), static_cast<const List&>(*y), depth);
  } else if constexpr (std::is_same_v<N, String>) {
    return SameText(static_cast<const String*>(x)->sval.c_str(),
                    static_cast<const String*>(y)->sval.c_str());
  } else if constexpr (!IsStructNode(N::kTag)) {
    return SameNumbers<N>(x, y);
  } else {
    if (kHasChildren<N> && !c.Deeper(x, y, depth)) [[unlikely]]
      return true;  // so far
    const char *a = reinterpret_cast<const char*>(x), *b = reinterpret_cast<const char*>(y);
    return SameWords<N>(a, b, std::make_index_sequence<sizeof(N) / 8>()) &&
           SameFields<N>(c, a, b, depth, std::make_index_sequence<kFields<N>.size()>());
  }
}

#define RELCACHE_SAME(N) SameAs<N>,
constexpr SameFunction kSame[] = {RELCACHE_NODE_LIST(RELCACHE_SAME)
                                      RELCACHE_VALUE_NODE_LIST(RELCACHE_SAME)};
#undef RELCACHE_SAME

bool Comparer::SameList(const List& a, const List& b, int depth) {
  if (a.length != b.length) return false;
  if (!Deeper(&a, &b, depth)) [[unlikely]]
    return true;  // so far
  const auto x = a.elements(), y = b.elements();
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!SameAny(*this, x[i].get(), y[i].get(), depth + 1)) return false;
  return true;
}

bool Comparer::Same(const Node* a, const Node* b) {
  if (!SameNode(a, b, 0)) return false;
  while (!waiting_.empty()) {
    const Waiting next = waiting_.back();
    waiting_.pop_back();
    if (!SameNode(next.a, next.b, 0)) return false;
  }
  return true;
}

}  // namespace

bool Equal(const Node* a, const Node* b) {
  return Comparer().Same(a, b);
}

}  // namespace relcache
