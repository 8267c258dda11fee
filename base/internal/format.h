// Texts with values in them: Format("{} of {} bytes", n, size).
//
// The format is fmt's, checked when it is compiled. fmt's own code is compiled into format.cc
// alone, so that whoever links relcache needs no fmt.
#pragma once

#include <fmt/core.h>

#include <string>

namespace relcache {

namespace internal {
std::string FormatArguments(fmt::string_view format, fmt::format_args arguments);
}  // namespace internal

template <class... T>
std::string Format(fmt::format_string<const T&...> format, const T&... arguments) {
  return internal::FormatArguments(format, fmt::make_format_args(arguments...));
}

}  // namespace relcache
