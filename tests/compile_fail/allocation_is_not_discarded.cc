// Memory that nobody points to is a mistake, unless it says (void).
// ERROR: ignoring return value
#include "relcache/memory/memory_context.h"
#pragma GCC diagnostic error "-Wunused-result"

void Waste(relcache::MemoryContext& cx) {
#ifdef RELCACHE_BAD
  cx.Allocate(8);
#else
  (void)cx.Allocate(8);
#endif
}
