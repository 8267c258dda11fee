// fmt's functions become inline ones of this file.
#define FMT_HEADER_ONLY 1

#include "relcache/base/internal/format.h"

#include <fmt/format.h>

namespace relcache::internal {

std::string FormatArguments(fmt::string_view format, fmt::format_args arguments) {
  return fmt::vformat(format, arguments);
}

}  // namespace relcache::internal
