// What one reaches from a cached tree is const, however deep.
// ERROR: read-only|const-qualified|cannot assign
#include "relcache/nodes/nodes.h"
#include "relcache/nodes/tree_image.h"

void Use(const relcache::TreeImage& image, relcache::MemoryContext& cx) {
  using namespace relcache;
#ifdef RELCACHE_BAD
  As<OpExpr>(image.root())->args->length = 1;
#else
  As<OpExpr>(CopyTree(image, cx))->args->length = 1;
#endif
}
