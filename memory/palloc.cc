#include "relcache/memory/palloc.h"

#include <cstdio>
#include <cstring>

namespace relcache {

constinit thread_local MemoryContext* CurrentContext::current_ = nullptr;

void* palloc_extended(std::size_t size, int flags) {
  MemoryContext& context = CurrentContext::Get();
  // A size that no flag allows is an error even where lack of memory is none, as in PostgreSQL.
  if (size > ((flags & MCXT_ALLOC_HUGE) != 0 ? kMaxHugeRequest : kMaxRequest))
    throw InvalidRequestSize();
  void* chunk =
      (flags & MCXT_ALLOC_NO_OOM) != 0 ? context.TryAllocate(size) : context.AllocateHuge(size);
  if (chunk != nullptr && (flags & MCXT_ALLOC_ZERO) != 0) std::memset(chunk, 0, size);
  return chunk;
}

char* pstrdup(const char* text) {
  return pnstrdup(text, std::strlen(text));
}

char* pnstrdup(const char* text, std::size_t length) {
  length = ::strnlen(text, length);
  char* copy = static_cast<char*>(palloc(length + 1));
  std::memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

char* psprintf(const char* format, ...) {
  // Most results fit at the first try.
  char first[128];
  std::va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(first, sizeof first, format, arguments);
  va_end(arguments);
  RELCACHE_CHECK_LE(0, length);
  const auto bytes = static_cast<std::size_t>(length) + 1;
  char* text = static_cast<char*>(palloc(bytes));
  if (bytes <= sizeof first) return static_cast<char*>(std::memcpy(text, first, bytes));
  va_start(arguments, format);
  std::vsnprintf(text, bytes, format, arguments);
  va_end(arguments);
  return text;
}

}  // namespace relcache
