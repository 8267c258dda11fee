// Memory that is wanted for the time of one call. Internal to nodes/.
#pragma once

#include <cstddef>

namespace relcache {

/// A block of at least so many bytes, aligned to 16. A thread keeps a few of the blocks that were
/// given back, 1 MB at most, because fresh ones cost a page fault every 4 kB.
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
