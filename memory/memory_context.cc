#include "relcache/memory/memory_context.h"

#include <cstdlib>
#include <cstring>

namespace relcache {

struct MemoryContext::Block {
  Block* next;
  std::size_t size;
};

MemoryContext::MemoryContext(const char* name, MemoryContext* parent)
    : name_(name), parent_(parent) {
  if (parent_ == nullptr) return;
  next_sibling_ = parent_->first_child_;
  parent_->first_child_ = this;
}

MemoryContext::~MemoryContext() {
  Reset();
  if (parent_ == nullptr) return;
  MemoryContext** link = &parent_->first_child_;
  while (*link != this) link = &(*link)->next_sibling_;
  *link = next_sibling_;
}

void ContextDeleter::operator()(MemoryContext* context) const noexcept {
  delete context;
}

void* MemoryContext::Allocate(std::size_t size) {
  return Allocate(size, 8);
}

void* MemoryContext::Allocate(std::size_t size, std::size_t alignment) {
  auto aligned = (reinterpret_cast<std::uintptr_t>(free_) + alignment - 1) & ~(alignment - 1);
  if (free_ == nullptr || aligned + size > reinterpret_cast<std::uintptr_t>(end_)) {
    if (size > SIZE_MAX / 2) throw std::bad_alloc();
    const std::size_t bytes = sizeof(Block) + std::max<std::size_t>(8192, size + alignment);
    auto* block = static_cast<Block*>(std::malloc(bytes));
    if (block == nullptr) throw std::bad_alloc();
    *block = {blocks_, bytes};
    blocks_ = block;
    reserved_ += bytes;
    free_ = reinterpret_cast<std::byte*>(block + 1);
    end_ = reinterpret_cast<std::byte*>(block) + bytes;
    aligned = (reinterpret_cast<std::uintptr_t>(free_) + alignment - 1) & ~(alignment - 1);
  }
  auto* start = reinterpret_cast<std::byte*>(aligned);
  used_ += static_cast<std::size_t>(start + size - free_);
  free_ = start + size;
  return start;
}

std::string_view MemoryContext::CopyString(std::string_view text) {
  char* copy = static_cast<char*>(Allocate(text.size() + 1));
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return {copy, text.size()};
}

void MemoryContext::Reset() noexcept {
  while (first_child_ != nullptr) delete first_child_;
  while (callbacks_ != nullptr) {
    ResetCallback* callback = std::exchange(callbacks_, callbacks_->next);
    callback->function(callback->argument);
  }
  while (blocks_ != nullptr) std::free(std::exchange(blocks_, blocks_->next));
  free_ = end_ = nullptr;
  reserved_ = used_ = 0;
}

void MemoryContext::OnReset(ResetCallback& callback) noexcept {
  callback.next = callbacks_;
  callbacks_ = &callback;
}

ContextPtr AllocSet::CreateRoot(const char* name) {
  return ContextPtr(new MemoryContext(name, nullptr));
}
MemoryContext& AllocSet::Create(const char* name, MemoryContext& parent) {
  return *new MemoryContext(name, &parent);
}
ContextPtr Bump::CreateRoot(const char* name) {
  return AllocSet::CreateRoot(name);
}
MemoryContext& Bump::Create(const char* name, MemoryContext& parent) {
  return AllocSet::Create(name, parent);
}

}  // namespace relcache
