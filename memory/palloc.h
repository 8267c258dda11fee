// PostgreSQL's allocation calls (palloc.h, mcxt.c), for code that is ported from PostgreSQL. They
// allocate in the context that is current on the calling thread. relcache itself does not use them;
// its functions take the context as a parameter.
//
//   ContextPtr cx = AllocSet::CreateRoot("load");
//   CurrentContext scope(*cx);
//   char* line = psprintf("%d\t%s\n", id, name);
#pragma once

#include <cstdarg>
#include <cstddef>

#include "relcache/memory/memory_context.h"

namespace relcache {

/// Makes a context current on this thread for as long as the object lives; PostgreSQL's code calls
/// MemoryContextSwitchTo at both ends instead. Scopes may be nested and end in the reverse order of
/// their beginning.
class [[nodiscard]] CurrentContext {
 public:
  explicit CurrentContext(MemoryContext& context) noexcept : before_(current_) {
    current_ = &context;
  }
  ~CurrentContext() { current_ = before_; }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

  /// The current context (CurrentMemoryContext). It is a programmer error to call this while no
  /// scope is open on the thread.
  static MemoryContext& Get() noexcept {
    RELCACHE_CHECK(current_ != nullptr);
    return *current_;
  }

 private:
  [[gnu::tls_model("initial-exec")]] static constinit thread_local MemoryContext* current_;
  MemoryContext* before_;
};

/// The flags of palloc_extended, with PostgreSQL's values.
enum PallocFlags : int {
  MCXT_ALLOC_HUGE = 0x01,    ///< sizes above 1 GB - 1 are allowed
  MCXT_ALLOC_NO_OOM = 0x02,  ///< return null instead of throwing when memory is exhausted
  MCXT_ALLOC_ZERO = 0x04,    ///< set the bytes to zero
};

// What is allocated lives until it is freed or its context is reset or deleted. Each call throws
// what MemoryContext::Allocate throws: std::bad_alloc or a class derived from it.
[[nodiscard]] inline void* palloc(std::size_t size) {
  return CurrentContext::Get().Allocate(size);
}
[[nodiscard]] inline void* palloc0(std::size_t size) {
  return CurrentContext::Get().AllocateZeroed(size);
}
/// `flags` are PallocFlags. A size above the limit is an error even with MCXT_ALLOC_NO_OOM.
[[nodiscard]] void* palloc_extended(std::size_t size, int flags);
/// The next four calls work in the context of the chunk, which need not be the current one and must
/// be an AllocSet.
[[nodiscard]] inline void* repalloc(void* chunk, std::size_t size) {
  return MemoryContext::Of(chunk).Reallocate(chunk, size);
}
[[nodiscard]] inline void* repalloc_huge(void* chunk, std::size_t size) {
  return MemoryContext::Of(chunk).ReallocateHuge(chunk, size);
}
inline void pfree(void* chunk) noexcept {
  MemoryContext::Of(chunk).Free(chunk);
}
inline MemoryContext* GetMemoryChunkContext(void* chunk) noexcept {
  return &MemoryContext::Of(chunk);
}
/// A copy of `text`, which ends with a NUL.
[[nodiscard]] char* pstrdup(const char* text);
/// A copy of at most `length` bytes of `text`, followed by a NUL.
[[nodiscard]] char* pnstrdup(const char* text, std::size_t length);
/// The text that printf would print, followed by a NUL.
[[nodiscard, gnu::format(printf, 1, 2)]] char* psprintf(const char* format, ...);

}  // namespace relcache
