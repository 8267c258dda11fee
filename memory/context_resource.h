// ContextResource is a std::pmr::memory_resource over a memory context, so that standard containers
// can keep their storage in one. PostgreSQL has nothing comparable.
#pragma once

#include <memory_resource>

#include "relcache/memory/memory_context.h"

namespace relcache {

/// Allocates from a context. Storage that a container gives back is freed in an AllocSet. In a Bump
/// it stays until the reset, so a container that grows leaves its old storage behind.
/// Lifetime: a container that uses the resource must be destroyed before the context is reset,
/// because its destructor gives storage back. A container whose destructor is never run may stay.
/// Thread safety: that of the context.
/// Errors: std::bad_alloc, as MemoryContext::AllocateHuge; with an alignment above 8, as
/// MemoryContext::Allocate, which grants at most kMaxRequest bytes.
class ContextResource final : public std::pmr::memory_resource {
 public:
  /// `cx` must outlive the resource.
  explicit ContextResource(MemoryContext& cx) noexcept : context_(cx) {}
  MemoryContext& context() const noexcept { return context_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (alignment <= internal::kChunkAlignment) return context_.AllocateHuge(bytes);
    return context_.Allocate(bytes, alignment);
  }
  void do_deallocate(void* chunk, std::size_t, std::size_t) override {
    if (context_.kind() == ContextKind::kAllocSet) context_.Free(chunk);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override {
    const auto* resource = dynamic_cast<const ContextResource*>(&other);
    return resource != nullptr && &resource->context_ == &context_;
  }

  MemoryContext& context_;
};

}  // namespace relcache
