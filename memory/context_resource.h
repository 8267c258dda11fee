// std::pmr over a memory context, so that standard containers can live in one.
#pragma once

#include <memory_resource>

#include "relcache/memory/memory_context.h"

namespace relcache {

/// Allocates from a context; gives single chunks back to an AllocSet, and nothing to a Bump, where
/// a container that grows leaves its old storage behind until the reset.
/// Lifetime: containers that use it must end, or be forgotten, before the context is reset. Their
/// destructors touch the chunks: a container must not be destroyed after the reset.
class ContextResource final : public std::pmr::memory_resource {
 public:
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
