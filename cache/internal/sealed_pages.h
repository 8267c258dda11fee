// Memory that is written while it is built and never again; in paranoid builds the hardware sees to
// that.
#pragma once

#include <cstddef>

#include "relcache/memory/memory_context.h"

namespace relcache::internal {

/// A Bump context whose contents can be sealed. In a build with RELCACHE_PARANOID Seal() makes the
/// pages with what was allocated from cx() read-only until the context is reset or deleted, so that
/// a write to a cached tree is a fault at the place where it happens. In other builds it is a plain
/// context of the size asked for, and Seal() does nothing.
class SealableContext {
 public:
  /// Room for about `bytes`; more is possible, but may remain unsealed.
  SealableContext(const char* name, std::size_t bytes);

  MemoryContext& cx() noexcept { return *cx_; }
  /// Seals and hands over. Nothing may be allocated from the context afterwards.
  ContextPtr Seal() &&;

 private:
  struct Pages;
  ContextPtr cx_;
  Pages* pages_ = nullptr;
};

}  // namespace relcache::internal
