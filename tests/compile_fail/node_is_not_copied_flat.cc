// A copy of a node's members alone would share its children.
// ERROR: deleted
#include "relcache/nodes/copy.h"
#include "relcache/nodes/nodes.h"

void Use(const relcache::OpExpr& node, relcache::MemoryContext& cx) {
#ifdef RELCACHE_BAD
  [[maybe_unused]] relcache::OpExpr copy = node;
#else
  [[maybe_unused]] relcache::OpExpr* copy = relcache::CopyObject(node, cx);
#endif
}
