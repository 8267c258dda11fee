// Which lock guards which member: clang checks these at compile time (-Wthread-safety); other
// compilers see nothing. https://clang.llvm.org/docs/ThreadSafetyAnalysis.html
#pragma once

#if defined(__clang__)
#define RELCACHE_THREAD_ATTRIBUTE_(x) __attribute__((x))
#else
#define RELCACHE_THREAD_ATTRIBUTE_(x)
#endif

/// On a member: it is read and written under the lock only.
#define RELCACHE_GUARDED_BY(lock) RELCACHE_THREAD_ATTRIBUTE_(guarded_by(lock))
/// On a pointer: what it points to is read and written under the lock only.
#define RELCACHE_PT_GUARDED_BY(lock) RELCACHE_THREAD_ATTRIBUTE_(pt_guarded_by(lock))

/// On a function: the caller holds the locks.
#define RELCACHE_REQUIRES(...) RELCACHE_THREAD_ATTRIBUTE_(requires_capability(__VA_ARGS__))
/// On a function: the caller holds the locks, shared at least.
#define RELCACHE_REQUIRES_SHARED(...) \
  RELCACHE_THREAD_ATTRIBUTE_(requires_shared_capability(__VA_ARGS__))
/// On a function: the caller does not hold the locks, because the function takes them.
#define RELCACHE_EXCLUDES(...) RELCACHE_THREAD_ATTRIBUTE_(locks_excluded(__VA_ARGS__))
/// On a function: the reference that it returns is that lock.
#define RELCACHE_RETURN_CAPABILITY(lock) RELCACHE_THREAD_ATTRIBUTE_(lock_returned(lock))

// What follows is for locks themselves (mutex.h).
#define RELCACHE_CAPABILITY(name) RELCACHE_THREAD_ATTRIBUTE_(capability(name))
#define RELCACHE_SCOPED_CAPABILITY RELCACHE_THREAD_ATTRIBUTE_(scoped_lockable)
#define RELCACHE_ACQUIRE(...) RELCACHE_THREAD_ATTRIBUTE_(acquire_capability(__VA_ARGS__))
#define RELCACHE_ACQUIRE_SHARED(...) \
  RELCACHE_THREAD_ATTRIBUTE_(acquire_shared_capability(__VA_ARGS__))
#define RELCACHE_RELEASE(...) RELCACHE_THREAD_ATTRIBUTE_(release_capability(__VA_ARGS__))
#define RELCACHE_RELEASE_SHARED(...) \
  RELCACHE_THREAD_ATTRIBUTE_(release_shared_capability(__VA_ARGS__))
#define RELCACHE_ASSERT_CAPABILITY(lock) RELCACHE_THREAD_ATTRIBUTE_(assert_capability(lock))
