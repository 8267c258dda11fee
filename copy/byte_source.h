// ByteSource is where the bytes of a file come from: a file, a socket, a decompressor.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

#include "relcache/base/result.h"

namespace relcache {

/// Delivers bytes in order.
/// Thread safety: one thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills the beginning of `into`, which is not empty. Returns the number of bytes, 0 only at the
  /// end.
  /// Errors: kIo.
  virtual Result<std::size_t> Read(std::span<char> into) = 0;
};

/// Bytes in memory, which must outlive the source.
class MemorySource final : public ByteSource {
 public:
  /// `at_once` is the greatest number of bytes that one call delivers.
  explicit MemorySource(std::string_view bytes, std::size_t at_once = ~std::size_t{0})
      : rest_(bytes), at_once_(at_once) {}
  Result<std::size_t> Read(std::span<char> into) override {
    std::size_t n = rest_.size() < into.size() ? rest_.size() : into.size();
    n = n < at_once_ ? n : at_once_;
    if (n > 0) std::memcpy(into.data(), rest_.data(), n);
    rest_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view rest_;
  std::size_t at_once_;
};

}  // namespace relcache
