// Result<T> is a value or an Error. All of relcache reports invalid input, missing objects and
// failed evaluation in this way, where PostgreSQL would call ereport(ERROR). The only exception
// that the library throws is std::bad_alloc.
#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "relcache/base/error.h"

namespace relcache {

/// A T or an Error. tl::expected has the interface of std::expected, which can replace it once
/// C++23 is the minimum.
template <class T>
using Result = tl::expected<T, Error>;

/// Success or an Error.
using Status = Result<void>;

/// Turns an Error into a failed Result of any type: `return Fail(NotSupported("..."));`
inline tl::unexpected<Error> Fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}
inline tl::unexpected<Error> Fail(ErrorCode code, std::string_view sqlstate, std::string message) {
  return tl::unexpected<Error>(Error(code, sqlstate, std::move(message)));
}

}  // namespace relcache

#define RELCACHE_CONCAT_(a, b) a##b
#define RELCACHE_CONCAT(a, b) RELCACHE_CONCAT_(a, b)

/// Evaluates a Result or Status and, if it failed, returns its error from the calling function.
#define RELCACHE_TRY(expression)                                        \
  do {                                                                  \
    if (auto relcache_try_ = (expression); !relcache_try_) [[unlikely]] \
      return ::relcache::Fail(std::move(relcache_try_).error());        \
  } while (false)

/// Evaluates a Result and assigns its value to `target`, which may be a declaration; if it failed,
/// returns its error from the calling function.
///   RELCACHE_ASSIGN(const Node* node, StringToNode(text, options, cx));
#define RELCACHE_ASSIGN(target, expression) \
  RELCACHE_ASSIGN_(RELCACHE_CONCAT(relcache_result_, __LINE__), target, expression)
#define RELCACHE_ASSIGN_(result, target, expression)    \
  auto result = (expression);                           \
  if (!result) [[unlikely]]                             \
    return ::relcache::Fail(std::move(result).error()); \
  target = std::move(result).value()
