// Which node types get code of their own. Internal to nodes/.
#pragma once

#include <type_traits>

#include "relcache/nodes/nodes.h"

namespace relcache::wire {

/// The types that most nodes of real trees are. For them the body of reading and writing is
/// unrolled over their fields at compile time (some 5 kB a type); for all others a loop over the
/// same table runs the same body.
template <class N>
constexpr bool kHot =
    std::is_same_v<N, Var> || std::is_same_v<N, Const> || std::is_same_v<N, OpExpr> ||
    std::is_same_v<N, BoolExpr> || std::is_same_v<N, FuncExpr> || std::is_same_v<N, TargetEntry> ||
    std::is_same_v<N, Alias> || std::is_same_v<N, RangeTblRef> || std::is_same_v<N, FromExpr>;

/// These as well for writing. They have many fields and occur only once or twice in a tree, so that
/// their own code is cold when it is reached. Reading, which has more code per field, loses more by
/// that than it gains.
template <class N>
constexpr bool kHotToWrite =
    kHot<N> || std::is_same_v<N, Query> || std::is_same_v<N, RangeTblEntry>;

/// The table of a type as a constant that templates can index.
template <class N>
inline constexpr auto kFields = N::Fields();

}  // namespace relcache::wire
