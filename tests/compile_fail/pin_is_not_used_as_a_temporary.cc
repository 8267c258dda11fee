// What a temporary pin gives would be gone at the end of the expression.
// ERROR: deleted
#include "relcache/cache/relation_cache.h"

std::string_view NameOf(relcache::RelationCache& cache) {
#ifdef RELCACHE_BAD
  return cache.Open(1259).value()->name();
#else
  relcache::RelationPin pin = cache.Open(1259).value();
  static std::string name;
  name = pin->name();
  return name;
#endif
}
