// What lives in a context has no destructor that freeing it would have to run.
// ERROR: constraints not satisfied|no matching function
#include <string>

#include "relcache/memory/memory_context.h"

void Store(relcache::MemoryContext& cx) {
#ifdef RELCACHE_BAD
  (void)cx.New<std::string>();
#else
  (void)cx.New<std::string_view>();
#endif
}
