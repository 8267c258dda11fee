/*
 * Preloaded into a server (LD_PRELOAD): malloc, calloc and realloc fail from the Nth call on that a
 * backend makes after it said so, once. module.c says so through relcache_fail_malloc_at; in a
 * process without that call, nothing is ever failed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

/* 0: never. Otherwise the number of calls that are still to succeed, plus one. */
long relcache_fail_malloc_at = 0;
long relcache_failed_mallocs = 0;

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t n, size_t size);
extern void* __libc_realloc(void* old, size_t size);

static int Fails(void) {
  if (relcache_fail_malloc_at == 0 || --relcache_fail_malloc_at > 0) return 0;
  relcache_failed_mallocs++;
  return 1;
}

void* malloc(size_t size) {
  return Fails() ? NULL : __libc_malloc(size);
}

void* calloc(size_t n, size_t size) {
  return Fails() ? NULL : __libc_calloc(n, size);
}

void* realloc(void* old, size_t size) {
  return Fails() ? NULL : __libc_realloc(old, size);
}
