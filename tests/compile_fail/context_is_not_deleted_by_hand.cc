// A context ends by its owner, ContextPtr, or with its parent.
// ERROR: protected|inaccessible
#include "relcache/memory/memory_context.h"

void End(relcache::MemoryContext* cx) {
#ifdef RELCACHE_BAD
  delete cx;
#else
  relcache::ContextPtr owner(cx);
#endif
}
