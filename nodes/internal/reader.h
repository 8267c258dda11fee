// The scanners of the reader of node trees. Internal to nodes/.
//
// The current position is passed in a register: every scanner takes it and returns the position
// after what it has read, or null after recording what it expected and where. Loads of several
// bytes may read up to kNear bytes ahead. Therefore the last kNear bytes of the text are scanned in
// a copy that zeros follow; no scanner accepts a NUL, so none runs beyond them.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/nodes/internal/stack_guard.h"
#include "relcache/nodes/internal/tree_arena.h"
#include "relcache/nodes/internal/wire.h"
#include "relcache/nodes/node_type.h"
#include "relcache/nodes/tree_options.h"

namespace relcache::wire {

/// The elements of the lists that are being read, with the innermost list on top.
class ElementStack {
 public:
  ElementStack() = default;
  ElementStack(const ElementStack&) = delete;
  ElementStack& operator=(const ElementStack&) = delete;

  std::size_t size() const { return size_; }
  Node** From(std::size_t first) { return data_ + first; }
  RELCACHE_ALWAYS_INLINE void Push(Node* node) {
    if (size_ == capacity_) [[unlikely]]
      Grow();
    data_[size_++] = node;
  }
  void Shrink(std::size_t size) { size_ = size; }

 private:
  [[gnu::noinline]] void Grow() {
    ScratchBlock block(2 * capacity_ * sizeof(Node*));
    std::memcpy(block.data(), data_, size_ * sizeof(Node*));
    block_ = std::move(block);
    data_ = reinterpret_cast<Node**>(block_.data());
    capacity_ = block_.size() / sizeof(Node*);
  }

  std::size_t size_ = 0;
  std::size_t capacity_ = 128;
  Node** data_ = first_;
  ScratchBlock block_;
  Node* first_[128];
};

class Reader {
 public:
  Reader(std::string_view text, const TreeOptions& options, TreeArena& into)
      : arena(into),
        version(options.pg_version),
        depth_left(options.max_depth),
        end(text.data() + text.size()),
        text_(text) {
    if (text.size() > kNear) near_end_ = end - kNear;
  }

  /// The position at which to begin.
  const char* Begin() { return near_end_ ? text_.data() : ToTail(text_.data()); }

  /// The same position, moved to the copy of the tail if necessary, so that kNear bytes can be read
  /// from it.
  RELCACHE_ALWAYS_INLINE const char* Near(const char* p) { return IsNear(p) ? p : ToTail(p); }
  RELCACHE_ALWAYS_INLINE bool IsNear(const char* p) const { return p < near_end_; }

  enum class Failure : std::uint8_t { kMalformed, kWrongField, kWrongNode, kTooDeep };
  /// Records a failure, but only the first one.
  [[gnu::cold, gnu::noinline]] std::nullptr_t Fail(const char* p, const NodeField* f,
                                                   const char* expected,
                                                   Failure failure = Failure::kMalformed);
  /// Called for each node while returning after a failure, the innermost node first: records the
  /// node that contains the failure.
  [[gnu::cold, gnu::noinline]] std::nullptr_t FailIn(const NodeType& type) {
    if (type_ == nullptr) type_ = &type;
    return nullptr;
  }
  /// The same for a field with children, if the failure is in one of them but not in a node.
  [[gnu::cold, gnu::noinline]] std::nullptr_t FailIn(const NodeField& f) {
    if (type_ == nullptr && children_ == nullptr) children_ = &f;
    return nullptr;
  }
  Error MakeError() const;

  /// Enters a node. Returns false if it is too deep; then the caller calls TooDeep.
  RELCACHE_ALWAYS_INLINE bool Enter() {
    if (depth_left == 0 || !stack.ok()) [[unlikely]]
      return false;
    --depth_left;
    ++nodes;
    return true;
  }
  [[gnu::cold, gnu::noinline]] std::nullptr_t TooDeep(const char* p);
  RELCACHE_ALWAYS_INLINE void Leave() { ++depth_left; }

  TreeArena& arena;
  const int version;
  std::uint32_t depth_left;
  /// Compared with the limit only at the end, because a text cannot have more nodes than bytes.
  std::uint64_t nodes = 0;
  StackGuard stack;
  /// The end of the memory that is being scanned: the text, or the copy of its tail.
  const char* end;
  ElementStack elements;

 private:
  static constexpr std::size_t kNear = 64;

  [[gnu::noinline]] const char* ToTail(const char* p);
  std::size_t OffsetOf(const char* p) const;
  std::string Expected() const;
  std::string Found(std::size_t offset) const;

  const char* near_end_ = nullptr;
  std::string_view text_;
  std::size_t tail_offset_ = 0;
  bool in_tail_ = false;
  char tail_[2 * kNear];

  const char* failed_at_ = nullptr;
  const char* expected_ = nullptr;
  const NodeField* field_ = nullptr;
  const NodeField* children_ = nullptr;
  const NodeType* type_ = nullptr;
  Failure failure_ = Failure::kMalformed;
};

/// Whether the text at p begins with the field's label, and whether the default value follows it.
struct FieldMatch {
  bool label;
  bool usual;
};
RELCACHE_ALWAYS_INLINE FieldMatch MatchField(const char* p, const NodeField& f) {
  if (__builtin_constant_p(f.length)) {
    // In unrolled code: whole words are compared with constants, the last one shifted to the bytes
    // that count.
    const auto begins = [&](std::size_t n) {
      std::uint64_t different = 0;
      for (std::size_t i = 0; i < n; i += 8) {
        const std::uint64_t word = Load8(p + i) ^ Load8(f.text.data() + i);
        different |= n - i >= 8 ? word : word << (64 - 8 * (n - i));
      }
      return different == 0;
    };
    const bool usual = f.usual != 0 && begins(f.usual) && !IsDigit(p[f.usual]);
    return {usual || begins(f.length), usual};
  }
  const std::uint32_t different = ~EqualBytes32(p, f.text.data());
  const auto low = [](unsigned bits) { return (std::uint32_t{1} << bits) - 1; };
  return {(different & low(f.length)) == 0,
          f.usual != 0 && (different & low(f.usual)) == 0 && !IsDigit(p[f.usual])};
}

/// Reads a decimal number from low to high in the way that PostgreSQL writes it, without a plus
/// sign or leading zeros. Other spellings are refused, because writing the tree would not reproduce
/// them.
RELCACHE_ALWAYS_INLINE const char* ReadNumber(Reader& r, const char* p, const NodeField& f,
                                              std::int64_t low, std::int64_t high,
                                              std::int64_t& value) {
  const char* const start = p;
  const bool negative = *p == '-';
  if (negative) ++p;
  std::uint64_t digit = static_cast<unsigned char>(*p) - std::uint64_t{'0'};
  if (digit > 9) [[unlikely]]
    return r.Fail(start, &f, nullptr);
  std::uint64_t n = digit;
  // Stops before an overflow: at most 9 digits before the last one for up to 4 bytes, 18 for 8
  // bytes.
  const std::uint64_t most = high > 0xffffffff ? std::uint64_t{922337203685477580} : 999999999;
  while ((digit = static_cast<unsigned char>(*++p) - std::uint64_t{'0'}) < 10) {
    if (n - 1 >= most) [[unlikely]]  // too many digits, or a zero in front
      return r.Fail(start, &f, nullptr);
    n = n * 10 + digit;
  }
  const auto v = static_cast<std::int64_t>(negative ? 0 - n : n);
  if (v < low || v > high || (negative && n == 0)) [[unlikely]]
    return r.Fail(start, &f, nullptr);
  value = v;
  return p;
}

/// Stores the low bytes of a number that is known to fit.
RELCACHE_ALWAYS_INLINE void StoreNumber(char* member, std::size_t size, std::int64_t value) {
  static_assert(std::endian::native == std::endian::little);
  switch (size) {
    case 1:
      std::memcpy(member, &value, 1);
      break;
    case 2:
      std::memcpy(member, &value, 2);
      break;
    case 4:
      std::memcpy(member, &value, 4);
      break;
    default:
      std::memcpy(member, &value, 8);
  }
}

RELCACHE_ALWAYS_INLINE const char* ReadBool(Reader& r, const char* p, const NodeField& f,
                                            char* member) {
  std::uint32_t word;
  std::memcpy(&word, p, 4);
  const bool is_true = word == 0x65757274;                  // "true"
  const bool is_false = word == 0x736c6166 && p[4] == 'e';  // "fals"
  if (!is_true && !is_false) [[unlikely]]
    return r.Fail(p, &f, "true or false");
  *member = is_true;
  return p + (is_true ? 4 : 5);
}

const char* ReadBoolWord(Reader& r, const char* p, const NodeField& f, char* member);
const char* ReadChar(Reader& r, const char* p, const NodeField& f, char* member);
const char* ReadDouble(Reader& r, const char* p, const NodeField& f, char* member);
/// Reads a string that is the value of a field: a token, <> for null and, from version 16 on, ""
/// for the empty string.
const char* ReadString(Reader& r, const char* p, const NodeField& f, char* member);
/// Reads a string in a list, "token".
const char* ReadQuoted(Reader& r, const char* p, Node*& out);
/// Reads the value of a Const whose other fields have been read.
const char* ReadDatum(Reader& r, const char* p, const NodeField& f, Const& node);
/// (b 1 2), (i 1 2), (o 1 2)
const char* ReadBitmapset(Reader& r, const char* p, const NodeField& f, char* member);
const char* ReadIntList(Reader& r, const char* p, Node*& out);
const char* ReadOidList(Reader& r, const char* p, Node*& out);

}  // namespace relcache::wire
