#include "relcache/nodes/internal/scratch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <utility>

namespace relcache {
namespace {

constexpr std::size_t kKeepBytes = 1 << 20;

struct Kept {
  struct Block {
    char* data = nullptr;
    std::size_t size = 0;
  };
  std::array<Block, 4> blocks{};
  std::size_t bytes = 0;

  ~Kept() {
    for (const Block& b : blocks) ::operator delete(b.data);
  }
};

thread_local Kept kept;

}  // namespace

ScratchBlock::ScratchBlock(std::size_t bytes) {
  // The smallest that is large enough.
  Kept::Block* best = nullptr;
  for (Kept::Block& b : kept.blocks)
    if (b.size >= bytes && (best == nullptr || b.size < best->size)) best = &b;
  if (best != nullptr) {
    data_ = std::exchange(best->data, nullptr);
    size_ = std::exchange(best->size, 0);
    kept.bytes -= size_;
    return;
  }
  // A power of two, so that blocks fit again.
  const std::size_t size = bytes <= kKeepBytes ? std::bit_ceil(bytes) : bytes;
  data_ = static_cast<char*>(::operator new(size));
  size_ = size;
}

ScratchBlock::ScratchBlock(ScratchBlock&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

ScratchBlock& ScratchBlock::operator=(ScratchBlock&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

ScratchBlock::~ScratchBlock() {
  if (data_ == nullptr) return;
  if (kept.bytes + size_ <= kKeepBytes) {
    for (Kept::Block& b : kept.blocks) {
      if (b.data != nullptr) continue;
      b = {data_, size_};
      kept.bytes += size_;
      return;
    }
  }
  ::operator delete(data_);
}

}  // namespace relcache
