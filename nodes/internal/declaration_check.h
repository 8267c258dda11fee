// Checks at compile time that the table of a node type contains all its members. Internal to
// nodes/.
#pragma once

#include <cstddef>

namespace relcache::internal {

// The number of members is the number of initializers that the struct accepts. It is compared with
// the number of different offsets in the table, because a member may occur there more than once.
struct Anything {
  template <class T>
  constexpr operator T() const;
};

template <class N, class... A>
consteval std::size_t CountMembers() {
  if constexpr (requires { N{A{}..., Anything{}}; })
    return CountMembers<N, A..., Anything>();
  else
    return sizeof...(A) - 1;  // the first initializer is the base
}

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
  return CountListed<N>() == CountMembers<N>();
}

}  // namespace relcache::internal
