#include "relcache/nodes/internal/json_text.h"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "relcache/base/internal/format.h"

namespace relcache::json {
namespace {

template <class T>
bool ReadWhole(std::string_view text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

/// Whether a number's digits are all zeros, whatever its exponent.
bool IsZero(std::string_view number) {
  return number.substr(0, number.find_first_of("eE")).find_first_of("123456789") ==
         std::string_view::npos;
}

/// Builds a document from the events of a text. Stops where it nests too deeply or holds a number
/// that is too large or too small.
template <class Document>
class Builder {
 public:
  Builder(Document& document, std::uint32_t max_depth)
      : document_(document), depth_left_(max_depth) {}

  bool Null() { return document_.Null(); }
  bool Bool(bool v) { return document_.Bool(v); }
  bool RawNumber(const char* v, rapidjson::SizeType n, bool) {
    const std::string_view text(v, n);
    std::int64_t integer;
    if (ReadWhole(text, integer)) {
      // Zero has no sign as an integer.
      return integer == 0 && text[0] == '-' ? document_.Double(-0.0) : document_.Int64(integer);
    }
    std::uint64_t large;
    if (ReadWhole(text, large)) return document_.Uint64(large);
    double number = 0;
    out_of_range_ =
        !ReadWhole(text, number) || !std::isfinite(number) || (number == 0 && !IsZero(text));
    return !out_of_range_ && document_.Double(number);
  }
  bool String(const char* v, rapidjson::SizeType n, bool copy) {
    return document_.String(v, n, copy);
  }
  bool Key(const char* v, rapidjson::SizeType n, bool copy) { return document_.Key(v, n, copy); }
  bool StartObject() { return Enter() && document_.StartObject(); }
  bool EndObject(rapidjson::SizeType n) { return ++depth_left_, document_.EndObject(n); }
  bool StartArray() { return Enter() && document_.StartArray(); }
  bool EndArray(rapidjson::SizeType n) { return ++depth_left_, document_.EndArray(n); }

  // The events of numbers that are not kept as text, which the reader names but does not send.
  bool Int(int v) { return document_.Int(v); }
  bool Uint(unsigned v) { return document_.Uint(v); }
  bool Int64(std::int64_t v) { return document_.Int64(v); }
  bool Uint64(std::uint64_t v) { return document_.Uint64(v); }
  bool Double(double v) { return document_.Double(v); }

  bool out_of_range() const { return out_of_range_; }
  bool too_deep() const { return too_deep_; }

 private:
  bool Enter() {
    too_deep_ = depth_left_ == 0;
    if (too_deep_) return false;
    --depth_left_;
    return true;
  }

  Document& document_;
  std::uint32_t depth_left_;
  bool too_deep_ = false;
  bool out_of_range_ = false;
};

}  // namespace

Status Document::Parse(std::string_view text, std::uint32_t max_depth) {
  rapidjson::ParseResult parsed;
  bool too_deep = false;
  bool out_of_range = false;
  const auto generate = [&](auto& document) {
    rapidjson::MemoryStream stream(text.data(), text.size());
    Builder builder(document, max_depth);
    Reader reader(&stack_allocator_);
    parsed = reader.Parse<kParseFlags>(stream, builder);
    too_deep = builder.too_deep();
    out_of_range = builder.out_of_range() || parsed.Code() == rapidjson::kParseErrorNumberTooBig;
    // The library takes a zero byte for the end of the text.
    if (!parsed.IsError() && stream.Tell() < text.size())
      parsed.Set(rapidjson::kParseErrorDocumentRootNotSingular, stream.Tell());
    return !parsed.IsError();
  };
  document_.Populate(generate);
  if (!parsed.IsError()) return {};
  Error error =
      too_deep ? Error(ErrorCode::kLimit, "54001", Format("nested more than {} deep", max_depth))
      : out_of_range
          ? Error(ErrorCode::kInvalidInput, "22003",
                  "a number is out of range for type double precision")
          : Error(ErrorCode::kInvalidInput, "22P02", rapidjson::GetParseError_En(parsed.Code()));
  return Fail(std::move(error).WithOffset(std::min(parsed.Offset(), text.size())));
}

}  // namespace relcache::json
