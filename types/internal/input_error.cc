#include "relcache/types/internal/input_error.h"

#include <string>

namespace relcache {

Error InvalidSyntax(std::string_view type, std::string_view text) {
  return Error(
      ErrorCode::kInvalidInput, "22P02",
      "invalid input syntax for type " + std::string(type) + ": \"" + std::string(text) + "\"");
}

Error ValueOutOfRange(std::string_view type, std::string_view text) {
  return Error(ErrorCode::kInvalidInput, "22003",
               "value \"" + std::string(text) + "\" is out of range for type " + std::string(type));
}

}  // namespace relcache
