// PostgreSQL's allocation calls, for code ported from there. They allocate in the context that is
// current on the calling thread. Inside the library a context is a parameter.
//
//   ContextPtr cx = AllocSet::CreateRoot("load");
//   CurrentContext scope(*cx);
//   char* line = psprintf("%d\t%s\n", id, name);
#pragma once

#include <cstdarg>
#include <cstddef>

#include "relcache/memory/memory_context.h"

namespace relcache {

/// Makes a context current on this thread as long as the object lives (MemoryContextSwitchTo, and
/// back). Scopes nest; they end in the reverse order of their beginning.
class [[nodiscard]] CurrentContext {
 public:
  explicit CurrentContext(MemoryContext& context) noexcept : before_(current_) {
    current_ = &context;
  }
  ~CurrentContext() { current_ = before_; }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

  /// The current context (CurrentMemoryContext). To have none is a programmer error.
  static MemoryContext& Get() noexcept {
    RELCACHE_CHECK(current_ != nullptr);
    return *current_;
  }

 private:
  [[gnu::tls_model("initial-exec")]] static constinit thread_local MemoryContext* current_;
  MemoryContext* before_;
};

/// What palloc_extended takes, PostgreSQL's bits.
enum PallocFlags : int {
  MCXT_ALLOC_HUGE = 0x01,    ///< above 1 GB - 1 too
  MCXT_ALLOC_NO_OOM = 0x02,  ///< null instead of an exception when memory is out
  MCXT_ALLOC_ZERO = 0x04,
};

// Errors: std::bad_alloc and its kinds, as MemoryContext::Allocate.
[[nodiscard]] inline void* palloc(std::size_t size) {
  return CurrentContext::Get().Allocate(size);
}
[[nodiscard]] inline void* palloc0(std::size_t size) {
  return CurrentContext::Get().AllocateZeroed(size);
}
[[nodiscard]] void* palloc_extended(std::size_t size, int flags);
/// The chunk's own context, which need not be the current one, does this and the next three. It
/// must be an AllocSet.
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
[[nodiscard]] char* pstrdup(const char* text);
/// At most `length` bytes.
[[nodiscard]] char* pnstrdup(const char* text, std::size_t length);
[[nodiscard, gnu::format(printf, 1, 2)]] char* psprintf(const char* format, ...);

}  // namespace relcache
