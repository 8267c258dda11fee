#include "relcache/types/internal/bytea.h"

#include <string>

#include "relcache/types/internal/hex.h"
#include "relcache/types/internal/input_error.h"
#include "relcache/types/internal/text.h"

namespace relcache {
namespace {

Error BadHexDigit(std::string_view rest) {
  return Error(
      ErrorCode::kInvalidInput, "22023",
      "invalid hexadecimal digit: \"" + std::string(rest.substr(0, CharClip(rest, 1))) + "\"");
}

Error OddHexDigits() {
  return Error(ErrorCode::kInvalidInput, "22023", "invalid hexadecimal data: odd number of digits");
}

// White space may stand between the pairs.
Result<std::string> DecodeHex(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++i;
      continue;
    }
    const int high = HexValue(c);
    if (high < 0) return Fail(BadHexDigit(text.substr(i)));
    if (i + 1 >= text.size()) return Fail(OddHexDigits());
    const int low = HexValue(text[i + 1]);
    if (low < 0) return Fail(BadHexDigit(text.substr(i + 1)));
    out.push_back(static_cast<char>(high << 4 | low));
    i += 2;
  }
  return out;
}

Result<std::string> DecodeEscape(std::string_view text) {
  const auto octal = [text](std::size_t i, char highest) {
    return i < text.size() && text[i] >= '0' && text[i] <= highest;
  };
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out.push_back(text[i]);
    } else if (octal(i + 1, '3') && octal(i + 2, '7') && octal(i + 3, '7')) {
      out.push_back(static_cast<char>((text[i + 1] - '0') << 6 | (text[i + 2] - '0') << 3 |
                                      (text[i + 3] - '0')));
      i += 3;
    } else if (i + 1 < text.size() && text[i + 1] == '\\') {
      out.push_back('\\');
      ++i;
    } else {
      return Fail(ErrorCode::kInvalidInput, "22P02", "invalid input syntax for type bytea");
    }
  }
  return out;
}

}  // namespace

Result<Datum> ByteaIn(std::string_view text, MemoryContext& cx) {
  const bool hex = text.size() >= 2 && text[0] == '\\' && text[1] == 'x';
  RELCACHE_ASSIGN(const std::string bytes, hex ? DecodeHex(text.substr(2)) : DecodeEscape(text));
  return MakeVarlena(bytes, cx);
}

std::string_view ByteaOut(std::string_view bytes, ByteaOutput form, MemoryContext& cx) {
  if (form == ByteaOutput::kHex) {
    // Allocated before a byte is written: the text of a value beyond half the limit does not fit.
    const std::size_t size = 2 + 2 * bytes.size();
    char* const text = static_cast<char*>(cx.Allocate(size + 1));
    char* out = text;
    *out++ = '\\';
    *out++ = 'x';
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      *out++ = kHexDigits[byte >> 4];
      *out++ = kHexDigits[byte & 15];
    }
    *out = '\0';
    return {text, size};
  }
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\') {
      out += "\\\\";
    } else if (byte < 0x20 || byte > 0x7e) {
      out.push_back('\\');
      out.push_back(static_cast<char>('0' + (byte >> 6)));
      out.push_back(static_cast<char>('0' + (byte >> 3 & 7)));
      out.push_back(static_cast<char>('0' + (byte & 7)));
    } else {
      out.push_back(c);
    }
  }
  return cx.CopyString(out);
}

Result<std::string_view> ByteaSubstring(std::string_view bytes, std::int32_t from,
                                        std::int32_t count) {
  if (count < 0)
    return Fail(ErrorCode::kEvaluation, "22011", "negative substring length not allowed");
  const std::int64_t start = std::max<std::int64_t>(from, 1);
  const std::int64_t end = std::min<std::int64_t>(std::int64_t{from} + count,
                                                  static_cast<std::int64_t>(bytes.size()) + 1);
  if (end <= start) return std::string_view();
  return bytes.substr(static_cast<std::size_t>(start - 1), static_cast<std::size_t>(end - start));
}

}  // namespace relcache
