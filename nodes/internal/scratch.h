// Memory that is needed during one call. Internal to nodes/.
#pragma once

#include <cstddef>

namespace relcache {

/// A block of at least the given size, aligned to 16. Each thread keeps some of the blocks that
/// were returned, at most 1 MB, because new memory costs a page fault for every 4 kB.
class ScratchBlock {
 public:
  ScratchBlock() = default;
  explicit ScratchBlock(std::size_t bytes);
  ScratchBlock(ScratchBlock&& other) noexcept;
  ScratchBlock& operator=(ScratchBlock&& other) noexcept;
  ~ScratchBlock();

  char* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace relcache
