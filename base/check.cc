#include "relcache/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace relcache::internal {

void CheckFailed(const char* file, int line, const char* expression, const std::string& values) {
  std::fprintf(stderr, "%s:%d: check failed: %s%s%s\n", file, line, expression,
               values.empty() ? "" : ": ", values.c_str());
  std::abort();
}

}  // namespace relcache::internal
