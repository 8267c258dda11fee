// What a lock guards is used under the lock only.
// COMPILER: clang++
// ERROR: requires holding mutex 'mutex_'
#include "relcache/base/mutex.h"

class Counter {
 public:
  int Next() {
#ifndef RELCACHE_BAD
    const relcache::sync::MutexLock lock(mutex_);
#endif
    return ++count_;
  }

 private:
  relcache::sync::Mutex mutex_;
  int count_ RELCACHE_GUARDED_BY(mutex_) = 0;
};

int Use(Counter& counter) {
  return counter.Next();
}
