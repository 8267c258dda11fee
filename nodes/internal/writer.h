// The functions of the writer of node trees that write single values. Internal to nodes/.
//
// As in the reader, the current position is passed in a register. For each field the writer makes
// sure once that there is room for a label and any number.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/nodes/internal/scratch.h"
#include "relcache/nodes/internal/stack_guard.h"
#include "relcache/nodes/internal/wire.h"
#include "relcache/nodes/node_type.h"
#include "relcache/nodes/tree_options.h"

namespace relcache::wire {

class Writer {
 public:
  explicit Writer(const TreeOptions& options)
      : version(options.pg_version),
        depth_left_(options.max_depth),
        nodes_left_(options.max_nodes),
        max_bytes_(options.max_bytes) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  char* Begin() { return begin_; }
  std::string_view Text(const char* p) const {
    return {begin_, static_cast<std::size_t>(p - begin_)};
  }

  /// The same position in a buffer that has at least kRoom free bytes after it.
  RELCACHE_ALWAYS_INLINE char* Room(char* p) { return p > soft_end_ ? Grow(p, kRoom) : p; }
  /// The same with `bytes` free bytes and kRoom more.
  char* Room(char* p, std::size_t bytes) {
    return bytes + kRoom > static_cast<std::size_t>(soft_end_ + kRoom - p) ? Grow(p, bytes + kRoom)
                                                                           : p;
  }

  /// Enters a node. Returns false if the tree is too deep or has too many nodes.
  RELCACHE_ALWAYS_INLINE bool Enter() {
    if (depth_left_ == 0 || nodes_left_ == 0 || !stack_.ok()) [[unlikely]]
      return TooMuch();
    --depth_left_;
    --nodes_left_;
    return true;
  }
  RELCACHE_ALWAYS_INLINE void Leave() { ++depth_left_; }
  bool CountNode() { return nodes_left_ == 0 ? TooMuch() : (--nodes_left_, true); }

  /// Records a failure, but only the first one.
  [[gnu::cold, gnu::noinline]] std::nullptr_t Fail(Error error);
  [[gnu::cold, gnu::noinline]] std::nullptr_t FailValue(const NodeField& f, const char* why);
  [[gnu::cold, gnu::noinline]] std::nullptr_t FailIn(const NodeType& type);
  Error TakeError() { return std::move(error_); }

  const int version;

 private:
  static constexpr std::size_t kRoom = 128;
  [[gnu::cold, gnu::noinline]] char* Grow(char* p, std::size_t bytes);
  [[gnu::cold, gnu::noinline]] bool TooMuch();

  std::uint32_t depth_left_;
  std::uint64_t nodes_left_;
  std::uint64_t max_bytes_;
  StackGuard stack_;
  char* begin_ = first_;
  char* soft_end_ = first_ + sizeof first_ - kRoom;
  bool failed_ = false;
  bool placed_ = false;
  Error error_;
  ScratchBlock block_;
  char first_[8 << 10];
};

/// All numbers of two digits, one after the other.
inline constexpr auto kTwoDigits = [] {
  std::array<char, 200> table{};
  for (std::size_t i = 0; i < 100; ++i) {
    table[2 * i] = static_cast<char>('0' + i / 10);
    table[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return table;
}();

/// Writes a number of five or more digits.
char* WriteLargeNumber(char* p, std::uint64_t n);

RELCACHE_ALWAYS_INLINE char* WriteUnsigned(char* p, std::uint64_t n) {
  if (n < 10) {
    *p = static_cast<char>('0' + n);
    return p + 1;
  }
  if (n < 100) {
    std::memcpy(p, &kTwoDigits[2 * n], 2);
    return p + 2;
  }
  if (n < 10000) {
    const std::uint64_t high = n / 100;
    const std::size_t skip = high < 10;
    std::memcpy(p, &kTwoDigits[2 * high] + skip, 2);
    p += 2 - skip;
    std::memcpy(p, &kTwoDigits[2 * (n % 100)], 2);
    return p + 2;
  }
  return WriteLargeNumber(p, n);
}

RELCACHE_ALWAYS_INLINE char* WriteNumber(char* p, std::int64_t v) {
  if (v < 0) {
    *p++ = '-';
    return WriteUnsigned(p, 0 - static_cast<std::uint64_t>(v));
  }
  return WriteUnsigned(p, static_cast<std::uint64_t>(v));
}

/// The bytes of a member of up to eight bytes as an unsigned number. The aligned word that contains
/// the member is read, so that no branch on the size is needed.
RELCACHE_ALWAYS_INLINE std::uint64_t LoadBits(const char* node, const NodeField& f) {
  static_assert(std::endian::native == std::endian::little);
  const std::uint64_t word = Load8(node + (f.offset & ~7u));
  return word >> (8 * (f.offset & 7u)) & (~std::uint64_t{0} >> (64 - 8 * f.size));
}
/// The value of a member as a signed number.
RELCACHE_ALWAYS_INLINE std::int64_t LoadNumber(const char* node, const NodeField& f) {
  const std::uint64_t bits = LoadBits(node, f);
  const int unused = 64 - 8 * f.size;
  return f.is_signed ? static_cast<std::int64_t>(bits << unused) >> unused
                     : static_cast<std::int64_t>(bits);
}

/// The value of a member that is a pointer of any type.
RELCACHE_ALWAYS_INLINE const void* LoadPointer(const char* member) {
  const void* p;
  std::memcpy(&p, member, sizeof p);
  return p;
}

char* WriteDouble(Writer& w, char* p, double value);
/// Writes the characters with the necessary backslashes.
char* WriteToken(Writer& w, char* p, std::string_view text);
char* WriteString(Writer& w, char* p, CString text);
char* WriteQuoted(Writer& w, char* p, const String& node);
char* WriteDatum(Writer& w, char* p, const Const& node, const NodeField& f);
/// Writes "x 1 2)" after the parenthesis, where x is the letter.
char* WriteNumbers(Writer& w, char* p, char letter, std::span<const std::int32_t> numbers);
char* WriteNumbers(Writer& w, char* p, char letter, std::span<const Oid> numbers);

}  // namespace relcache::wire
