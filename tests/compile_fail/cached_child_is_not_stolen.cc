// From a cached tree one reaches const children only, so none can be hung into a tree of one's own.
// ERROR: invalid conversion|cannot convert
#include "relcache/cache/expression_slot.h"
#include "relcache/nodes/copy.h"
#include "relcache/nodes/nodes.h"
#include "relcache/nodes/tree_image.h"

void Steal(const relcache::ExpressionSlot& slot, relcache::NullTest& mine,
           relcache::MemoryContext& cx) {
  const auto* tree = relcache::As<relcache::NullTest>(slot.Get().value()->root());
#ifdef RELCACHE_BAD
  relcache::Expr* argument = tree->arg.get();
  (void)cx;
#else
  relcache::Expr* argument = CopyObject(*tree->arg, cx);
#endif
  mine.arg = argument;
}
