// A JSON object in one line: the machine-readable output of a subcommand.
#pragma once

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <span>
#include <string_view>

namespace relcache::tools {

/// Members appear in the order in which they are added. Scripts compare numbers as text, so the
/// number of digits after the point is a parameter for numbers that are not integers.
class JsonLine {
 public:
  JsonLine() { writer_.StartObject(); }
  JsonLine(const JsonLine&) = delete;
  JsonLine& operator=(const JsonLine&) = delete;

  void String(std::string_view key, std::string_view value) {
    Key(key);
    writer_.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  }
  void Bool(std::string_view key, bool value) {
    Key(key);
    writer_.Bool(value);
  }
  void Null(std::string_view key) {
    Key(key);
    writer_.Null();
  }
  void Integer(std::string_view key, std::integral auto value) {
    Key(key);
    if constexpr (std::is_signed_v<decltype(value)>) {
      writer_.Int64(value);
    } else {
      writer_.Uint64(value);
    }
  }
  /// Adds a number: 1.5 with three digits is 1.500. No value, and a number that JSON cannot
  /// express, is null.
  void Fixed(std::string_view key, std::optional<double> value, int digits) {
    Key(key);
    Fixed(value, digits);
  }
  void FixedArray(std::string_view key, std::span<const double> values, int digits) {
    Key(key);
    writer_.StartArray();
    for (const double value : values) Fixed(value, digits);
    writer_.EndArray();
  }
  /// Adds a nested object, whose members `members` adds to this line.
  void Object(std::string_view key, std::invocable auto members) {
    Key(key);
    writer_.StartObject();
    members();
    writer_.EndObject();
  }

  /// The whole line, including its newline. Nothing can be added afterwards.
  std::string_view Finish() {
    writer_.EndObject();
    text_.Put('\n');
    return {text_.GetString(), text_.GetSize()};
  }
  /// Prints the whole line to standard output.
  void Print() {
    const std::string_view line = Finish();
    std::fwrite(line.data(), 1, line.size(), stdout);
  }

 private:
  void Key(std::string_view key) {
    writer_.Key(key.data(), static_cast<rapidjson::SizeType>(key.size()));
  }
  void Fixed(std::optional<double> value, int digits) {
    // Room for the largest double.
    char text[400];
    if (!value || !std::isfinite(*value)) {
      writer_.Null();
      return;
    }
    const char* end =
        std::to_chars(std::begin(text), std::end(text), *value, std::chars_format::fixed, digits)
            .ptr;
    writer_.RawValue(text, static_cast<std::size_t>(end - text), rapidjson::kNumberType);
  }

  rapidjson::StringBuffer text_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_{text_};
};

}  // namespace relcache::tools
