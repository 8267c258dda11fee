// What reset_costs_nothing.sh compares: the library's allocate and free as a caller has them
// inlined.
#include "relcache/memory/memory_context.h"

using relcache::MemoryContext;

extern "C" {
void* Allocate(MemoryContext& cx, std::size_t size) {
  return cx.Allocate(size);
}
void* Allocate32(MemoryContext& cx) {
  return cx.Allocate(32);
}
void Free(MemoryContext& cx, void* chunk) {
  cx.Free(chunk);
}
void Reset(MemoryContext& cx) {
  cx.Reset();
}
}
