#include "relcache/nodes/node_type.h"

#include "relcache/nodes/internal/declaration_check.h"

namespace relcache {
namespace {

#define RELCACHE_CHECK_NODE(N)                                                               \
  static_assert(internal::ListsEveryMember<N>(), #N ": FIELDS must list every member");      \
  static_assert(std::is_trivially_copyable_v<N> && std::is_trivially_destructible_v<N>, #N); \
  static_assert(sizeof(N) % 8 == 0 && alignof(N) == 8, #N);
RELCACHE_NODE_LIST(RELCACHE_CHECK_NODE)
#undef RELCACHE_CHECK_NODE

template <class N>
constexpr N MakePrototype() {
  N node{};
  node.tag = N::kTag;
  return node;
}
template <class N>
constinit const N kPrototype = MakePrototype<N>();
template <class N>
constexpr auto kFields = N::Fields();

// The indexes of the fields that hold nodes.
template <class N>
struct Children {
  static constexpr bool IsChild(std::size_t i) {
    const NodeField& f = kFields<N>[i];
    if (f.kind != FieldKind::kNode && f.kind != FieldKind::kBitmapset) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (kFields<N>[j].offset == f.offset) return false;
    return true;
  }
  static constexpr std::size_t kCount = [] {
    std::size_t n = 0;
    for (std::size_t i = 0; i < kFields<N>.size(); ++i) n += IsChild(i);
    return n;
  }();
  static constexpr auto kIndexes = [] {
    std::array<std::uint8_t, kCount> indexes{};
    std::size_t n = 0;
    for (std::size_t i = 0; i < kFields<N>.size(); ++i)
      if (IsChild(i)) indexes[n++] = static_cast<std::uint8_t>(i);
    return indexes;
  }();
};

#define RELCACHE_NODE_TYPE(N)     \
  NodeType{#N,                    \
           N::kLabels,            \
           kFields<N>,            \
           Children<N>::kIndexes, \
           sizeof(N),             \
           &kPrototype<N>,        \
           std::is_base_of_v<Expr, N>},
constexpr NodeType kTypes[] = {RELCACHE_NODE_LIST(RELCACHE_NODE_TYPE)};
#undef RELCACHE_NODE_TYPE

}  // namespace

std::span<const NodeType> NodeTypes() {
  return kTypes;
}

const NodeType& NodeTypeOf(NodeTag tag) {
  RELCACHE_DCHECK(IsStructNode(tag));
  return kTypes[static_cast<std::size_t>(tag)];
}

std::string_view NodeTypeName(NodeTag tag) {
  switch (tag) {
    case NodeTag::kList:
      return "List";
    case NodeTag::kIntList:
      return "IntList";
    case NodeTag::kOidList:
      return "OidList";
    case NodeTag::kBitmapset:
      return "Bitmapset";
    case NodeTag::kString:
      return "String";
    default:
      return IsStructNode(tag) ? kTypes[static_cast<std::size_t>(tag)].name : "?";
  }
}

std::string_view Const::bytes() const {
  if (constisnull || constbyval) return {};
  const char* data = DatumGetPointer<char>(constvalue);
  if (constlen >= 0) return {data, static_cast<std::size_t>(constlen)};
  if (constlen == -2) return {data, std::strlen(data) + 1};
  std::uint32_t header;
  std::memcpy(&header, data, sizeof header);
  return {data, header >> 2};
}

}  // namespace relcache
