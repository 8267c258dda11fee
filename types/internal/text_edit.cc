#include "relcache/types/internal/text_edit.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "relcache/types/datum.h"
#include "relcache/types/internal/text.h"
#include "relcache/types/regex/code_points.h"

namespace relcache {
namespace {

/// MaxAllocSize, which a value's bytes and header have to fit into.
constexpr std::int64_t kMostBytes = 0x3fffffff - kVarHdrSz;

/// The error of a value of so many bytes. Up to 14, the server finds out when it asks for the
/// memory, unless the size is beyond what the function computes with.
template <bool k14>
Error TooLong(std::int64_t bytes, std::int64_t most) {
  if (!k14 || bytes > most)
    return Error(ErrorCode::kEvaluation, "54000", "requested length too large");
  const auto size = static_cast<std::uint64_t>(static_cast<std::int32_t>(bytes + kVarHdrSz));
  return Error(ErrorCode::kEvaluation, "XX000",
               "invalid memory alloc request size " + std::to_string(size));
}

/// The bytes of the first character; the text becomes shorter by it.
std::string_view TakeCharacter(std::string_view& text) {
  const std::string_view before = text;
  TakeCodePoint(text);
  return before.substr(0, before.size() - text.size());
}

/// Where the text goes that is put together.
class Builder {
 public:
  Builder(std::size_t size, MemoryContext& cx) : room_(cx.NewArray<char>(size)) {}
  void Add(std::string_view text) {
    std::ranges::copy(text, room_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += text.size();
  }
  std::string_view text() const { return {room_.data(), size_}; }

 private:
  std::span<char> room_;
  std::size_t size_ = 0;
};

/// The part with this number, from 0; empty if there are fewer.
std::string_view Part(std::string_view text, std::string_view separator, std::int64_t n) {
  for (;; --n) {
    const std::size_t at = text.find(separator);
    if (n == 0) return text.substr(0, at);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + separator.size());
  }
}

std::int64_t CountOf(std::string_view text, std::string_view what) {
  std::int64_t n = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string_view::npos; ++n)
    at += what.size();
  return n;
}

template <bool kLeft, bool k14>
Result<std::string_view> Pad(std::string_view text, std::int32_t n, std::string_view fill,
                             MemoryContext& cx) {
  std::int64_t length = std::max(n, 0);
  const std::int64_t kept = std::min<std::int64_t>(CharLength(text), length);
  if (fill.empty()) length = kept;
  // The server asks for as much as there would be if all characters had four bytes.
  if (length * 4 > kMostBytes) return Fail(TooLong<k14>(length * 4, INT32_MAX));
  text = text.substr(0, CharClip(text, static_cast<std::size_t>(kept)));
  const std::int64_t more = length - kept;
  if (more == 0) return text;
  const std::int64_t in_fill = CharLength(fill);
  const std::string_view rest =
      fill.substr(0, CharClip(fill, static_cast<std::size_t>(more % in_fill)));
  Builder out(text.size() + fill.size() * static_cast<std::size_t>(more / in_fill) + rest.size(),
              cx);
  if (!kLeft) out.Add(text);
  for (std::int64_t i = 0; i < more / in_fill; ++i) out.Add(fill);
  out.Add(rest);
  if (kLeft) out.Add(text);
  return out.text();
}

template <bool k14>
Result<std::string_view> Repeat(std::string_view text, std::int32_t n, MemoryContext& cx) {
  const std::int64_t times = std::max(n, 0);
  const std::int64_t bytes = static_cast<std::int64_t>(text.size()) * times;
  if (bytes > kMostBytes)
    return Fail(TooLong<k14>(bytes, INT32_MAX - static_cast<std::int64_t>(kVarHdrSz)));
  Builder out(static_cast<std::size_t>(bytes), cx);
  for (std::int64_t i = 0; !text.empty() && i < times; ++i) out.Add(text);
  return out.text();
}

}  // namespace

std::string_view TextReplace(std::string_view text, std::string_view from, std::string_view to,
                             MemoryContext& cx) {
  if (from.empty()) return text;
  const std::int64_t n = CountOf(text, from);
  if (n == 0) return text;
  Builder out(text.size() + static_cast<std::size_t>(n) * to.size(), cx);
  for (std::size_t at; (at = text.find(from)) != std::string_view::npos;) {
    out.Add(text.substr(0, at));
    out.Add(to);
    text.remove_prefix(at + from.size());
  }
  out.Add(text);
  return out.text();
}

std::string_view TextTranslate(std::string_view text, std::string_view from, std::string_view to,
                               MemoryContext& cx) {
  // A character is replaced by one of at most four bytes.
  Builder out(text.size() * 4, cx);
  while (!text.empty()) {
    const std::string_view c = TakeCharacter(text);
    std::string_view rest = from, by = to;
    bool found = false;
    while (!rest.empty() && !found) {
      found = TakeCharacter(rest) == c;
      const std::string_view replacement = by.empty() ? by : TakeCharacter(by);
      if (found) out.Add(replacement);
    }
    if (!found) out.Add(c);
  }
  return out.text();
}

Result<std::string_view> TextSplitPart(std::string_view text, std::string_view separator,
                                       std::int32_t n) {
  if (n == 0) return Fail(ErrorCode::kEvaluation, "22023", "field position must not be zero");
  if (text.empty()) return text;
  if (separator.empty()) return n == 1 || n == -1 ? text : std::string_view();
  if (n > 0) return Part(text, separator, n - 1);
  const std::int64_t from_begin = CountOf(text, separator) + 1 + n;
  return from_begin < 0 ? std::string_view() : Part(text, separator, from_begin);
}

Result<std::string_view> TextSplitPart13(std::string_view text, std::string_view separator,
                                         std::int32_t n) {
  if (n > 0) return TextSplitPart(text, separator, n);
  return Fail(ErrorCode::kEvaluation, "22023", "field position must be greater than zero");
}

Result<std::string_view> TextOverlay(std::string_view text, std::string_view by, std::int32_t from,
                                     std::int32_t count, MemoryContext& cx) {
  if (from <= 0)
    return Fail(ErrorCode::kEvaluation, "22011", "negative substring length not allowed");
  std::int32_t behind = 0;
  if (__builtin_add_overflow(from, count, &behind))
    return Fail(ErrorCode::kEvaluation, "22003", "integer out of range");
  const std::string_view before =
      text.substr(0, CharClip(text, static_cast<std::size_t>(from - 1)));
  const std::string_view after = TextSubstring(text, behind);
  Builder out(before.size() + by.size() + after.size(), cx);
  out.Add(before);
  out.Add(by);
  out.Add(after);
  return out.text();
}

std::string_view TextReverse(std::string_view text, MemoryContext& cx) {
  const std::span<char> out = cx.NewArray<char>(text.size());
  for (std::size_t end = text.size(); !text.empty();) {
    const std::string_view c = TakeCharacter(text);
    end -= c.size();
    std::ranges::copy(c, out.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return {out.data(), out.size()};
}

Result<std::string_view> TextRepeat(std::string_view text, std::int32_t n, MemoryContext& cx) {
  return Repeat<false>(text, n, cx);
}
Result<std::string_view> TextLpad(std::string_view text, std::int32_t n, std::string_view fill,
                                  MemoryContext& cx) {
  return Pad<true, false>(text, n, fill, cx);
}
Result<std::string_view> TextRpad(std::string_view text, std::int32_t n, std::string_view fill,
                                  MemoryContext& cx) {
  return Pad<false, false>(text, n, fill, cx);
}
Result<std::string_view> TextRepeat14(std::string_view text, std::int32_t n, MemoryContext& cx) {
  return Repeat<true>(text, n, cx);
}
Result<std::string_view> TextLpad14(std::string_view text, std::int32_t n, std::string_view fill,
                                    MemoryContext& cx) {
  return Pad<true, true>(text, n, fill, cx);
}
Result<std::string_view> TextRpad14(std::string_view text, std::int32_t n, std::string_view fill,
                                    MemoryContext& cx) {
  return Pad<false, true>(text, n, fill, cx);
}

std::int32_t TextAscii(std::string_view text) {
  return text.empty() ? 0 : static_cast<std::int32_t>(TakeCodePoint(text));
}

std::string_view ToHex(std::uint64_t n, MemoryContext& cx) {
  char text[17];
  const int size = std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(n));
  return cx.CopyString({text, static_cast<std::size_t>(size)});
}

}  // namespace relcache
