// The form of palloc under test: inlined at each call, or one function for all.
#pragma once

#include "relcache/memory/palloc.h"

void* PallocFunction(std::size_t size);
void PfreeFunction(void* chunk);

#ifdef PALLOC_IS_FUNCTION
#define PALLOC(size) PallocFunction(size)
#define PFREE(chunk) PfreeFunction(chunk)
#else
#define PALLOC(size) relcache::palloc(size)
#define PFREE(chunk) relcache::pfree(chunk)
#endif

/// Builds and copies a tree of nodes, each kind with an allocation of its own. Returns their
/// number.
long Trees(int depth);
/// Forms rows of several values and keeps the last few. Returns their bytes.
long Rows(int rows);
