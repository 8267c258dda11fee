// A source that keeps its rows in memory changes them as their only writer, not as one of the
// readers.

// COMPILER: clang++

// ERROR: requires holding mutex 'mutex_' exclusively
#include "relcache/catalog/stored_catalog.h"

class Source final : public relcache::StoredCatalog {
 public:
  Source() : StoredCatalog({}) {}
  void Forget(relcache::Oid oid) {
#ifdef RELCACHE_BAD
    const relcache::sync::SharedLock lock(mutex());
#else
    const relcache::sync::MutexLock lock(mutex());
#endif
    tables().types.erase(oid);
  }
};

void Use(Source& source) {
  source.Forget(23);
}
