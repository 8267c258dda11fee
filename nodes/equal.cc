#include "relcache/nodes/equal.h"

#include <utility>
#include <vector>

#include "relcache/nodes/hot_types.h"
#include "relcache/nodes/node_type.h"
#include "relcache/nodes/writer.h"

namespace relcache {
namespace {

using wire::kFields;
using wire::LoadPointer;

// What lies too deep to recurse into waits in a list: any depth from any stack.
class Comparer {
 public:
  bool Same(const Node* a, const Node* b);
  bool SameNode(const Node* a, const Node* b, int depth);

 private:
  struct Waiting {
    const Node *a, *b;
  };
  static constexpr int kMaxDepth = 128;

  bool SameValueNode(const Node& a, const Node& b, int depth);

  std::vector<Waiting> waiting_;
};

bool SameDatum(const Const& a, const Const& b) {
  if (a.constisnull || b.constisnull) return a.constisnull && b.constisnull;
  if (a.constbyval || b.constbyval) return a.constvalue == b.constvalue;
  return a.bytes() == b.bytes();
}

// The body for one field.
RELCACHE_ALWAYS_INLINE bool SameField(Comparer& c, const char* a, const char* b, const Field& f,
                                      int depth) {
  if (f.rule.compare == Compare::kNever) return true;
  const char *x = a + f.offset, *y = b + f.offset;
  switch (f.kind) {
    case FieldKind::kNode:
    case FieldKind::kBitmapset:
      return c.SameNode(static_cast<const Node*>(LoadPointer(x)),
                        static_cast<const Node*>(LoadPointer(y)), depth + 1);
    case FieldKind::kString:
      return CString(static_cast<const char*>(LoadPointer(x))) ==
             CString(static_cast<const char*>(LoadPointer(y)));
    case FieldKind::kDatum:
      return SameDatum(*reinterpret_cast<const Const*>(a), *reinterpret_cast<const Const*>(b));
    case FieldKind::kDouble: {
      double v, w;
      std::memcpy(&v, x, sizeof v);
      std::memcpy(&w, y, sizeof w);
      return v == w;
    }
    default: {
      const std::int64_t v = wire::LoadNumber(x, f.size, false);
      const std::int64_t w = wire::LoadNumber(y, f.size, false);
      return v == w || (f.rule.compare == Compare::kUnlessZero && (v == 0 || w == 0));
    }
  }
}

// A member that stands twice in the table is compared by the first that compares at all.
template <class N>
constexpr bool Repeats(std::size_t i) {
  for (std::size_t j = 0; j < i; ++j)
    if (kFields<N>[j].offset == kFields<N>[i].offset &&
        kFields<N>[j].rule.compare == kFields<N>[i].rule.compare)
      return true;
  return false;
}

// Numbers first: cheap, and most differences are there.
constexpr bool IsDeep(FieldKind kind) {
  return kind >= FieldKind::kString;
}

template <class N, std::size_t I, bool kDeep>
RELCACHE_ALWAYS_INLINE bool SameOne(Comparer& c, const char* a, const char* b, int depth) {
  if constexpr (Repeats<N>(I) || IsDeep(kFields<N>[I].kind) != kDeep)
    return true;
  else
    return SameField(c, a, b, kFields<N>[I], depth);
}
template <class N, std::size_t... I>
RELCACHE_ALWAYS_INLINE bool SameFields(Comparer& c, const char* a, const char* b, int depth,
                                       std::index_sequence<I...>) {
  return (SameOne<N, I, false>(c, a, b, depth) & ...) &&
         (SameOne<N, I, true>(c, a, b, depth) && ...);
}
template <class N>
bool SameStruct(Comparer& c, const Node& a, const Node& b, int depth) {
  return SameFields<N>(c, reinterpret_cast<const char*>(&a), reinterpret_cast<const char*>(&b),
                       depth, std::make_index_sequence<kFields<N>.size()>());
}

using SameFunction = bool (*)(Comparer&, const Node&, const Node&, int);
#define RELCACHE_SAME(N) SameStruct<N>,
constexpr SameFunction kSame[] = {RELCACHE_NODE_LIST(RELCACHE_SAME)};
#undef RELCACHE_SAME

bool Comparer::SameNode(const Node* a, const Node* b, int depth) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->tag != b->tag) return false;
  if (depth > kMaxDepth) [[unlikely]] {
    waiting_.push_back({a, b});
    return true;  // so far
  }
  if (IsStruct(a->tag)) [[likely]]
    return kSame[static_cast<std::size_t>(a->tag)](*this, *a, *b, depth);
  return SameValueNode(*a, *b, depth);
}

template <class L>
bool SameNumbers(const Node& a, const Node& b) {
  const auto x = static_cast<const L&>(a).elements(), y = static_cast<const L&>(b).elements();
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size_bytes()) == 0;
}

bool Comparer::SameValueNode(const Node& a, const Node& b, int depth) {
  switch (a.tag) {
    case NodeTag::kList: {
      const auto &x = static_cast<const List&>(a), &y = static_cast<const List&>(b);
      if (x.length != y.length) return false;
      for (std::size_t i = 0; i < x.length; ++i)
        if (!SameNode(x[i], y[i], depth + 1)) return false;
      return true;
    }
    case NodeTag::kIntList:
      return SameNumbers<IntList>(a, b);
    case NodeTag::kOidList:
      return SameNumbers<OidList>(a, b);
    case NodeTag::kBitmapset:
      return SameNumbers<Bitmapset>(a, b);
    default:
      return static_cast<const String&>(a).sval == static_cast<const String&>(b).sval;
  }
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
