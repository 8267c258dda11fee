// Nor do the elements of an array in a context.
// ERROR: constraints not satisfied|no matching function
#include <memory>

#include "relcache/memory/memory_context.h"

void Store(relcache::MemoryContext& cx) {
#ifdef RELCACHE_BAD
  (void)cx.NewArray<std::unique_ptr<int>>(3);
#else
  (void)cx.NewArray<int*>(3);
#endif
}
