// How many members a struct has, for tables that must name each of them.
#pragma once

#include <cstddef>
#include <utility>

namespace relcache::internal {

/// Stands for a value of any type, where nothing is evaluated.
struct AnyMember {
  template <class T>
  operator T() const;
};

template <class Struct, std::size_t... i>
consteval bool AcceptsInitializers(std::index_sequence<i...>) {
  return requires {
    Struct{(static_cast<void>(i), AnyMember{})...};
  };
}

/// How many members an aggregate has, a base class counting as one: as many initializers as it
/// accepts.
template <class Struct, std::size_t n = 1>
consteval std::size_t MemberCount() {
  if constexpr (AcceptsInitializers<Struct>(std::make_index_sequence<n>())) {
    return MemberCount<Struct, n + 1>();
  } else {
    return n - 1;
  }
}

}  // namespace relcache::internal
