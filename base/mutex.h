// The standard library's mutexes, annotated so that clang knows what they guard. The library uses
// them itself; a program that embeds it does not need them.
#pragma once

#include <condition_variable>
#include <mutex>
#include <shared_mutex>

#include "relcache/base/thread_annotations.h"

namespace relcache::sync {

/// std::mutex. A MutexLock takes it.
class RELCACHE_CAPABILITY("mutex") Mutex {
 public:
  void Lock() RELCACHE_ACQUIRE() { mutex_.lock(); }
  void Unlock() RELCACHE_RELEASE() { mutex_.unlock(); }
  /// Tells the analysis that the mutex is held, where it cannot see it: in a lambda that runs under
  /// the lock of the function around it. Does nothing.
  void AssertHeld() const RELCACHE_ASSERT_CAPABILITY(this) {}

 private:
  friend class ConditionVariable;
  std::mutex mutex_;
};

/// std::recursive_mutex.
class RELCACHE_CAPABILITY("mutex") RecursiveMutex {
 public:
  void Lock() RELCACHE_ACQUIRE() { mutex_.lock(); }
  void Unlock() RELCACHE_RELEASE() { mutex_.unlock(); }

 private:
  std::recursive_mutex mutex_;
};

/// std::shared_mutex. A MutexLock takes it for writing, a SharedLock for reading.
class RELCACHE_CAPABILITY("mutex") SharedMutex {
 public:
  void Lock() RELCACHE_ACQUIRE() { mutex_.lock(); }
  void Unlock() RELCACHE_RELEASE() { mutex_.unlock(); }
  void LockShared() RELCACHE_ACQUIRE_SHARED() { mutex_.lock_shared(); }
  void UnlockShared() RELCACHE_RELEASE_SHARED() { mutex_.unlock_shared(); }

 private:
  std::shared_mutex mutex_;
};

/// Holds a mutex from here to the end of the block.
template <class M>
class RELCACHE_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(M& mutex) RELCACHE_ACQUIRE(mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~MutexLock() RELCACHE_RELEASE() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  M& mutex_;
};

/// Holds a shared mutex as one of several readers.
class RELCACHE_SCOPED_CAPABILITY SharedLock {
 public:
  explicit SharedLock(SharedMutex& mutex) RELCACHE_ACQUIRE_SHARED(mutex) : mutex_(mutex) {
    mutex_.LockShared();
  }
  ~SharedLock() RELCACHE_RELEASE() { mutex_.UnlockShared(); }
  SharedLock(const SharedLock&) = delete;
  SharedLock& operator=(const SharedLock&) = delete;

 private:
  SharedMutex& mutex_;
};

/// std::condition_variable.
class ConditionVariable {
 public:
  /// Releases the mutex, waits for NotifyAll, and takes the mutex again. It may also return without
  /// a notification.
  void Wait(Mutex& mutex) RELCACHE_REQUIRES(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    variable_.wait(lock);
    lock.release();
  }
  void NotifyAll() noexcept { variable_.notify_all(); }

 private:
  std::condition_variable variable_;
};

}  // namespace relcache::sync
