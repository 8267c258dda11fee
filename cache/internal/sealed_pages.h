// Memory that is written while it is built and never afterwards. In paranoid builds
// (RELCACHE_PARANOID) the hardware enforces this.
#pragma once

#include <cstddef>

#include "relcache/memory/memory_context.h"

namespace relcache::internal {

/// A Bump context whose contents can be sealed. In paranoid builds, Seal() makes the pages of what
/// was allocated from cx() read-only until the context is reset or deleted. A write to a cached
/// tree then crashes at the place where it happens. In other builds this is an ordinary context of
/// the requested size, and Seal() does nothing.
class SealableContext {
 public:
  /// Makes room for about `bytes`. More can be allocated, but may remain unsealed.
  SealableContext(const char* name, std::size_t bytes);

  MemoryContext& cx() noexcept { return *cx_; }
  /// Seals the context and returns it. Nothing may be allocated from it afterwards.
  ContextPtr Seal() &&;

 private:
  struct Pages;
  ContextPtr cx_;
  Pages* pages_ = nullptr;
};

}  // namespace relcache::internal
