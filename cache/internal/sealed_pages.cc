#include "relcache/cache/internal/sealed_pages.h"

#include <algorithm>
#include <cstdint>

#include "relcache/base/check.h"

#if defined(RELCACHE_PARANOID)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace relcache::internal {

#if defined(RELCACHE_PARANOID)

/// What is needed to undo the seal. It lies in the context, before the sealed pages.
struct SealableContext::Pages {
  ResetCallback unseal;
  std::byte* begin = nullptr;
  std::byte* end = nullptr;
};

namespace {

std::size_t PageSize() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

/// Allocates at the next beginning of a page.
std::byte* PageStart(MemoryContext& cx) {
  return static_cast<std::byte*>(cx.Allocate(8, PageSize()));
}

void Protect(std::byte* begin, std::byte* end, int protection) noexcept {
  const int status = mprotect(begin, static_cast<std::size_t>(end - begin), protection);
  RELCACHE_CHECK_EQ(status, 0);
}

}  // namespace

SealableContext::SealableContext(const char* name, std::size_t bytes) {
  // The pages at both ends contain other data too and are not sealed.
  cx_ = Bump::CreateRoot(name, Bump::SizedFor(static_cast<std::uint32_t>(bytes + 5 * PageSize())));
  pages_ = cx_->New<Pages>();
  pages_->begin = PageStart(*cx_);
}

ContextPtr SealableContext::Seal() && {
  const std::size_t reserved = cx_->bytes_reserved();
  pages_->end = PageStart(*cx_);
  // If the context got a second block, begin and end are in different blocks, and nothing is
  // sealed.
  const auto begin = reinterpret_cast<std::uintptr_t>(pages_->begin);
  const auto end = reinterpret_cast<std::uintptr_t>(pages_->end);
  if (end > begin && end - begin < reserved && cx_->bytes_reserved() == reserved) {
    pages_->unseal.argument = pages_;
    pages_->unseal.function = [](void* argument) noexcept {
      const auto* pages = static_cast<const Pages*>(argument);
      Protect(pages->begin, pages->end, PROT_READ | PROT_WRITE);
    };
    cx_->OnReset(pages_->unseal);
    Protect(pages_->begin, pages_->end, PROT_READ);
  }
  return std::move(cx_);
}

#else

SealableContext::SealableContext(const char* name, std::size_t bytes)
    : cx_(Bump::CreateRoot(name, Bump::SizedFor(static_cast<std::uint32_t>(
                                     std::min<std::size_t>(bytes, UINT32_MAX / 4))))) {}

ContextPtr SealableContext::Seal() && {
  return std::move(cx_);
}

#endif

}  // namespace relcache::internal
