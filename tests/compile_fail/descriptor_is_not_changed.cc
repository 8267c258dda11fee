// Rows of a cached relation are shared by all threads.
// ERROR: read-only
#include "relcache/cache/relation_descriptor.h"

void Change(const relcache::RelationDescriptor& relation) {
#ifdef RELCACHE_BAD
  relation.attributes()[0].attnotnull = true;
#else
  relcache::AttributeRow copy = relation.attributes()[0];
  copy.attnotnull = true;
#endif
}
