#include "relcache/base/error.h"

#include <algorithm>
#include <utility>

#include "relcache/base/internal/format.h"

namespace relcache {

std::string_view ErrorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotFound:
      return "not found";
    case ErrorCode::kInvalidInput:
      return "invalid input";
    case ErrorCode::kNotSupported:
      return "not supported";
    case ErrorCode::kLimit:
      return "limit reached";
    case ErrorCode::kEvaluation:
      return "evaluation failed";
    case ErrorCode::kViolation:
      return "constraint violated";
    case ErrorCode::kSource:
      return "source failed";
    case ErrorCode::kIo:
      return "input or output failed";
  }
  return "unknown";
}

Error::Error(ErrorCode error_code, std::string_view state, std::string text)
    : code(error_code), message(std::move(text)) {
  std::copy_n(state.begin(), std::min<std::size_t>(state.size(), 5), sqlstate);
}

std::string Error::ToString() const {
  std::string out;
  if (!place.empty()) out = place + ": ";
  out += message;
  if (offset) out += Format(" at byte {}", *offset);
  if (!detail.empty()) out += " (" + detail + ")";
  return out;
}

Error&& Error::At(std::string_view outer) && {
  place = place.empty() ? std::string(outer) : std::string(outer) + ": " + place;
  return std::move(*this);
}

Error&& Error::WithDetail(std::string text) && {
  detail = std::move(text);
  return std::move(*this);
}

Error&& Error::WithOffset(std::size_t byte) && {
  offset = byte;
  return std::move(*this);
}

Error NotSupported(std::string_view what) {
  return Error(ErrorCode::kNotSupported, "0A000", "not supported: " + std::string(what));
}

}  // namespace relcache
