// A context is an identity: chunks point to it.
// ERROR: deleted
#include "relcache/memory/memory_context.h"

void Pass(relcache::MemoryContext& cx) {
#ifdef RELCACHE_BAD
  [[maybe_unused]] relcache::MemoryContext copy = cx;
#else
  [[maybe_unused]] relcache::MemoryContext& same = cx;
#endif
}
