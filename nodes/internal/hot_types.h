// The node types that have code of their own for reading and writing. Internal to nodes/.
#pragma once

#include <type_traits>

#include "relcache/nodes/nodes.h"

namespace relcache::wire {

/// The types to which most nodes of real trees belong. For these, the code for a field is unrolled
/// over all fields at compile time (some 5 kB per type). For all other types, a loop over the table
/// of fields runs the same code.
template <class N>
constexpr bool kHot =
    std::is_same_v<N, Var> || std::is_same_v<N, Const> || std::is_same_v<N, OpExpr> ||
    std::is_same_v<N, BoolExpr> || std::is_same_v<N, FuncExpr> || std::is_same_v<N, TargetEntry> ||
    std::is_same_v<N, Alias> || std::is_same_v<N, RangeTblRef> || std::is_same_v<N, FromExpr>;

/// Additional types for writing. They have many fields and occur only once or twice in a tree, so
/// their code is not in the instruction cache when it is reached. Reading, which has more code per
/// field, loses more by that than it gains.
template <class N>
constexpr bool kHotToWrite =
    kHot<N> || std::is_same_v<N, Query> || std::is_same_v<N, RangeTblEntry>;

/// The table of a type as a constant that templates can index.
template <class N>
inline constexpr auto kFields = N::Fields();

}  // namespace relcache::wire
