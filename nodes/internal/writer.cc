#include "relcache/nodes/internal/writer.h"

#include <algorithm>
#include <string>
#include <utility>

namespace relcache::wire {

char* Writer::Grow(char* p, std::size_t bytes) {
  const auto used = static_cast<std::size_t>(p - begin_);
  if (used > max_bytes_ && !failed_)
    Fail(Error(ErrorCode::kLimit, "54000", "node tree is too long"));
  ScratchBlock grown(std::max(2 * (used + kRoom), used + bytes + kRoom));
  std::memcpy(grown.data(), begin_, used);
  block_ = std::move(grown);
  begin_ = block_.data();
  soft_end_ = begin_ + block_.size() - kRoom;
  return begin_ + used;
}

bool Writer::TooMuch() {
  if (nodes_left_ == 0)
    Fail(Error(ErrorCode::kLimit, "54000", "node tree has too many nodes"));
  else
    Fail(Error(ErrorCode::kLimit, "54001", "node tree is nested too deeply"));
  return false;
}

std::nullptr_t Writer::Fail(Error error) {
  if (!failed_) error_ = std::move(error);
  failed_ = true;
  return nullptr;
}

std::nullptr_t Writer::FailValue(const NodeField& f, const char* why) {
  std::string message = "field \"";
  message += f.label();
  message += "\" ";
  message += why;
  return Fail(Error(ErrorCode::kInvalidInput, "XX000", std::move(message)));
}

std::nullptr_t Writer::FailIn(const NodeType& type) {
  if (!placed_ && error_.code == ErrorCode::kInvalidInput) error_ = std::move(error_).At(type.name);
  placed_ = true;
  return nullptr;
}

char* WriteLargeNumber(char* p, std::uint64_t n) {
  char digits[20];
  char* first = digits + sizeof digits;
  for (; n >= 100; n /= 100) {
    first -= 2;
    std::memcpy(first, &kTwoDigits[2 * (n % 100)], 2);
  }
  first -= 2;
  std::memcpy(first, &kTwoDigits[2 * n], 2);
  first += n < 10;
  const auto length = static_cast<std::size_t>(digits + sizeof digits - first);
  std::memcpy(p, first, length);
  return p + length;
}

char* WriteDouble(Writer& w, char* p, double value) {
  const std::string text = FormatDouble(value, w.version);
  p = w.Room(p, text.size());
  std::memcpy(p, text.data(), text.size());
  return p + text.size();
}

char* WriteToken(Writer& w, char* p, std::string_view text) {
  p = w.Room(p, 2 * text.size());
  if (!text.empty() && EscapeFirst(text[0], text.size() > 1 ? text[1] : 0)) *p++ = '\\';
  for (const char c : text) {
    if (ClassOf(c) != ByteClass::kPlain) [[unlikely]]
      *p++ = '\\';
    *p++ = c;
  }
  return p;
}

char* WriteString(Writer& w, char* p, CString text) {
  const std::string_view view = text.view();
  if (!view.empty()) return WriteToken(w, p, view);
  std::memcpy(p, text.is_null() || w.version <= 15 ? "<>" : "\"\"", 2);
  return p + 2;
}

char* WriteQuoted(Writer& w, char* p, const String& node) {
  *p++ = '"';
  p = WriteToken(w, p, node.sval);
  *p++ = '"';
  return p;
}

namespace {

// The text of each byte, a number and a space, padded so that it can be copied in one piece.
struct ByteText {
  char text[8] = {};
  std::size_t length = 0;
};
constexpr std::array<ByteText, 256> MakeByteTexts(bool is_signed) {
  std::array<ByteText, 256> texts;
  for (int byte = 0; byte < 256; ++byte) {
    ByteText& t = texts[static_cast<std::size_t>(byte)];
    const bool negative = is_signed && byte > 127;
    const int n = negative ? 256 - byte : byte;
    if (negative) t.text[t.length++] = '-';
    for (const int digit : {100, 10, 1})
      if (n >= digit || digit == 1) t.text[t.length++] = static_cast<char>('0' + n / digit % 10);
    t.text[t.length++] = ' ';
  }
  return texts;
}
constexpr auto kSignedBytes = MakeByteTexts(true), kUnsignedBytes = MakeByteTexts(false);

}  // namespace

char* WriteDatum(Writer& w, char* p, const Const& node, const NodeField& f) {
  if (node.constisnull) {
    std::memcpy(p, "<>", 2);
    return p + 2;
  }
  if (!node.constbyval && DatumGetPointer<char>(node.constvalue) == nullptr)
    return w.FailValue(f, "has no bytes");
  const std::string_view bytes =
      node.constbyval ? std::string_view(reinterpret_cast<const char*>(&node.constvalue), 8)
                      : node.bytes();
  if (const char* problem = DatumProblem(node, bytes))
    return w.FailValue(f, (std::string("needs ") + problem).c_str());
  p = WriteUnsigned(p, node.constbyval ? static_cast<std::uint64_t>(node.constlen) : bytes.size());
  p = w.Room(p, 5 * bytes.size() + 4);
  std::memcpy(p, " [ ", 3);
  p += 3;
  const auto& numbers = node.bytes_unsigned ? kUnsignedBytes : kSignedBytes;
  const char* const end = bytes.data() + bytes.size();
  for (const char* b = bytes.data(); b != end; ++b) {
    // Zeros are frequent and come in rows, so four at a time.
    std::uint32_t four = 1;
    if (end - b >= 4) std::memcpy(&four, b, 4);
    if (four == 0) {
      std::memcpy(p, "0 0 0 0 ", 8);
      p += 8;
      b += 3;
      continue;
    }
    const ByteText& number = numbers[static_cast<unsigned char>(*b)];
    std::memcpy(p, number.text, sizeof number.text);
    p += number.length;
  }
  *p++ = ']';
  return p;
}

namespace {
template <class T>
char* WriteAll(Writer& w, char* p, char letter, std::span<const T> numbers) {
  p = w.Room(p, 12 * numbers.size());
  *p++ = letter;
  for (const T n : numbers) {
    *p++ = ' ';
    p = WriteNumber(p, std::int64_t{n});
  }
  *p++ = ')';
  return p;
}
}  // namespace

char* WriteNumbers(Writer& w, char* p, char letter, std::span<const std::int32_t> numbers) {
  return WriteAll(w, p, letter, numbers);
}
char* WriteNumbers(Writer& w, char* p, char letter, std::span<const Oid> numbers) {
  return WriteAll(w, p, letter, numbers);
}

}  // namespace relcache::wire
