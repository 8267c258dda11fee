// The library's contexts in one piece, and the form of palloc that is a function.
#include "relcache/base/check.cc"
#include "relcache/memory/blocks.cc"
#include "relcache/memory/checking.cc"
#include "relcache/memory/lifecycle.cc"
#include "relcache/memory/memory_context.cc"
#include "relcache/memory/palloc.cc"
#include "workload.h"

void* PallocFunction(std::size_t size) {
  return relcache::palloc(size);
}
void PfreeFunction(void* chunk) {
  relcache::pfree(chunk);
}
