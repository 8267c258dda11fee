// A set of Unicode code points, as sorted ranges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace relcache {

inline constexpr std::uint32_t kLastCodePoint = 0x10ffff;

struct CodePointRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  friend bool operator==(const CodePointRange&, const CodePointRange&) = default;
};

/// Ranges are ascending and never touch each other. What lies above U+10FFFF is dropped: no text
/// has it. A value; not thread-safe while it changes.
class CodePoints {
 public:
  CodePoints() = default;
  static CodePoints Of(std::uint32_t c) {
    CodePoints set;
    set.Add(c);
    return set;
  }
  static CodePoints All() {
    CodePoints set;
    set.AddRange(0, kLastCodePoint);
    return set;
  }

  void Add(std::uint32_t c) { AddRange(c, c); }
  void AddRange(std::uint32_t first, std::uint32_t last);
  void AddAll(const CodePoints& other);
  void Remove(std::uint32_t c);
  void Complement();

  bool Contains(std::uint32_t c) const;
  bool empty() const { return ranges_.empty(); }
  bool Intersects(const CodePoints& other) const;
  std::span<const CodePointRange> ranges() const { return ranges_; }
  friend bool operator==(const CodePoints&, const CodePoints&) = default;

 private:
  std::vector<CodePointRange> ranges_;
};

/// The next character of a text in valid UTF-8, which becomes shorter. The text must not be empty.
inline std::uint32_t TakeCodePoint(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto tail = [&](std::size_t i) { return i < text.size() ? byte(i) & 0x3fu : 0u; };
  const std::uint32_t lead = byte(0);
  std::size_t length = 1;
  std::uint32_t c = lead;
  if (lead >= 0xf0) {
    length = 4;
    c = (lead & 7) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3);
  } else if (lead >= 0xe0) {
    length = 3;
    c = (lead & 15) << 12 | tail(1) << 6 | tail(2);
  } else if (lead >= 0xc0) {
    length = 2;
    c = (lead & 31) << 6 | tail(1);
  }
  text.remove_prefix(length < text.size() ? length : text.size());
  return c;
}

/// Writes a character in UTF-8 and says how many bytes it took, four at most.
inline std::size_t PutCodePoint(std::uint32_t c, char* out) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) {
    out[0] = static_cast<char>(c);
    return 1;
  }
  if (c < 0x800) {
    out[0] = static_cast<char>(0xc0 | c >> 6);
    out[1] = tail(0);
    return 2;
  }
  if (c < 0x10000) {
    out[0] = static_cast<char>(0xe0 | c >> 12);
    out[1] = tail(6);
    out[2] = tail(0);
    return 3;
  }
  out[0] = static_cast<char>(0xf0 | c >> 18);
  out[1] = tail(12);
  out[2] = tail(6);
  out[3] = tail(0);
  return 4;
}

}  // namespace relcache
