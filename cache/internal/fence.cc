#include "relcache/cache/internal/fence.h"

#include "relcache/base/check.h"

#if defined(__linux__) && __has_include(<linux/membarrier.h>)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#define RELCACHE_HAS_MEMBARRIER 1
#endif

namespace relcache::internal {
namespace {

/// Registers the process once. A child made by fork inherits the registration.
bool RegisterMembarrier() {
#if defined(RELCACHE_HAS_MEMBARRIER)
  static const bool registered =
      syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  return registered;
#else
  return false;
#endif
}

}  // namespace

AsymmetricFence::AsymmetricFence(bool use_membarrier)
    : asymmetric_(use_membarrier && RegisterMembarrier()) {}

void AsymmetricFence::Heavy() const noexcept {
#if defined(RELCACHE_HAS_MEMBARRIER)
  if (!asymmetric_) return;
  // This cannot fail after registration, unless a sandbox was set up since. The process is stopped
  // then, because continuing would free what a reader uses.
  const long status = syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  RELCACHE_CHECK_EQ(status, 0);
#endif
}

}  // namespace relcache::internal
