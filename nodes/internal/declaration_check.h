// Checks at compile time that the table of a node type contains all its members. Internal to
// nodes/.
#pragma once

#include <cstddef>

#include "relcache/base/internal/member_count.h"

namespace relcache::internal {

// Different offsets of the table are counted, because a member may occur there more than once.
template <class N>
consteval std::size_t CountListed() {
  constexpr auto fields = N::Fields();
  std::size_t n = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::size_t j = 0;
    while (fields[j].offset != fields[i].offset) ++j;
    n += j == i;
  }
  return n;
}

template <class N>
consteval bool ListsEveryMember() {
  // Node, the base, is an initializer of its own.
  return CountListed<N>() == MemberCount<N>() - 1;
}

}  // namespace relcache::internal
