// A scratch has its settings by value: they go with it.
// ERROR: deleted
#include "relcache/executor/expressions/evaluate.h"

void Keep(relcache::MemoryContext& cx) {
  using namespace relcache;
#ifdef RELCACHE_BAD
  const SessionSettings& settings = Scratch({}, cx).settings();
#else
  const Scratch scratch({}, cx);
  const SessionSettings& settings = scratch.settings();
#endif
  (void)settings;
}
