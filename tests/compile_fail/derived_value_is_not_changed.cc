// What is kept with an entry is shared and comes back const; registers are the caller's.

// ERROR: read-only
#include "relcache/cache/derived.h"

struct Program {
  int state;
};

relcache::Result<const Program*> Build(relcache::DerivedBuild& build) {
  return build.cx().New<Program>();
}

void Run(const relcache::DerivedValues& values) {
#ifdef RELCACHE_BAD
  values.Get<Program>(0, Build).value()->state = 1;
#else
  [[maybe_unused]] const int state = values.Get<Program>(0, Build).value()->state;
#endif
}
