// A member that the declaration of a node type forgets would be lost by every operation.
// ERROR: static assertion failed|static_assert failed
#include "relcache/nodes/field.h"
#include "relcache/nodes/internal/declaration_check.h"
// clang-format off
#include "relcache/nodes/declare_begin.h"
// clang-format on

namespace relcache::example {

struct alignas(8) RangeTblRef final : Node {
  NODE(RangeTblRef, "RANGETBLREF");
  std::int32_t rtindex{};
  std::int32_t forgotten{};
#ifdef RELCACHE_BAD
  FIELDS(FIELD(rtindex))
#else
  FIELDS(FIELD(rtindex), FIELD(forgotten))
#endif
};
static_assert(internal::ListsEveryMember<RangeTblRef>());

}  // namespace relcache::example
