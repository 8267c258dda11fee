// Writes snapshots: CatalogToJson, RelationToJson and TypeToJson.
#include <rapidjson/writer.h>

#include <string>

#include "relcache/catalog/internal/json_rows.h"
#include "relcache/catalog/internal/row_copy.h"
#include "relcache/nodes/internal/json_text.h"

namespace relcache {
namespace {

/// In rows that contain arrays of rows, each of those is on a line of its own; all other rows are
/// on one line.
template <class Row>
constexpr bool kSpansLines = std::is_same_v<Row, RelationRows> || std::is_same_v<Row, TypeRows> ||
                             std::is_same_v<Row, CatalogRows>;

/// An output stream for RapidJSON that appends to a string.
struct StringEnd {
  using Ch = char;
  std::string& text;
  void Put(char c) { text += c; }
  void Flush() {}
};

/// Writes one string or number without allocating memory.
using ScalarWriter =
    rapidjson::Writer<StringEnd, rapidjson::UTF8<>, rapidjson::UTF8<>, json::ContextAllocator,
                      rapidjson::kWriteValidateEncodingFlag>;

class RowWriter {
 public:
  template <CatalogRow Row>
  void Write(const Row& row) {
    const Row initial{};
    out_ += '{';
    bool first = true;
    ForEachColumn<Row>([&](const auto& column) {
      const auto& value = row.*column.member;
      if (column.use == ColumnUse::kDerived) return;
      if (column.use == ColumnUse::kMay && internal::EqualValues(value, initial.*column.member)) {
        return;
      }
      if (!first) out_ += kSpansLines<Row> ? ",\n" : ",";
      first = false;
      Write(column.name);
      out_ += ':';
      Write(value);
    });
    out_ += '}';
  }

  /// Whether all strings were UTF-8.
  bool utf8() const { return utf8_; }
  /// Whether all numbers were finite.
  bool finite() const { return finite_; }
  std::string& text() { return out_; }

 private:
  void Write(bool value) { out_ += value ? "true" : "false"; }
  void Write(char value) { Write(std::string_view(&value, value == '\0' ? 0 : 1)); }
  template <class T>
  requires std::is_integral_v<T>
  void Write(T value) { out_ += std::to_string(value); }
  void Write(float value) {
    StringEnd end{out_};
    finite_ &= ScalarWriter(end).Double(static_cast<double>(value));
  }
  void Write(std::string_view value) {
    StringEnd end{out_};
    const char* bytes = value.empty() ? "" : value.data();
    utf8_ &= ScalarWriter(end).String(bytes, static_cast<rapidjson::SizeType>(value.size()));
  }
  template <CatalogRow Row>
  void Write(const Row* row) {
    Write(*row);
  }
  template <class T>
  void Write(std::span<const T> values) {
    const std::string_view between = CatalogRow<T> && !std::is_same_v<T, AmprocRow> ? ",\n" : ",";
    out_ += '[';
    if (between.size() > 1 && !values.empty()) out_ += '\n';
    bool first = true;
    for (const T& value : values) {
      if (!first) out_ += between;
      first = false;
      Write(value);
    }
    out_ += ']';
  }

  std::string out_;
  bool utf8_ = true;
  bool finite_ = true;
};

template <class Row>
Result<std::string> ToJson(const Row& row) {
  RowWriter writer;
  writer.Write(row);
  if (!writer.utf8())
    return Fail(ErrorCode::kInvalidInput, "22021", "invalid byte sequence for encoding \"UTF8\"");
  if (!writer.finite())
    return Fail(ErrorCode::kInvalidInput, "22003", "a number that is not finite has no JSON");
  writer.text() += '\n';
  return std::move(writer.text());
}

}  // namespace

Result<std::string> CatalogToJson(const CatalogRows& rows) {
  return ToJson(rows);
}
Result<std::string> RelationToJson(const RelationRows& rows) {
  return ToJson(rows);
}
Result<std::string> TypeToJson(const TypeRows& rows) {
  return ToJson(rows);
}

}  // namespace relcache
