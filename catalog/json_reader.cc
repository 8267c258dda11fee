// ReadCatalogJson. The text is parsed into a document tree, from which the rows are read. The
// position in the text is found by a second pass, and only if an error has to be reported.
#include <rapidjson/memorystream.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "relcache/base/internal/format.h"
#include "relcache/catalog/internal/json_rows.h"
#include "relcache/catalog/internal/row_columns.h"
#include "relcache/catalog/json_catalog.h"
#include "relcache/nodes/internal/json_text.h"

namespace relcache {
namespace {

using json::Text;
using json::Value;

std::string_view KindOf(const Value& value) {
  switch (value.GetType()) {
    case rapidjson::kNullType:
      return "null";
    case rapidjson::kFalseType:
    case rapidjson::kTrueType:
      return "a boolean";
    case rapidjson::kObjectType:
      return "an object";
    case rapidjson::kArrayType:
      return "an array";
    case rapidjson::kStringType:
      return "a string";
    case rapidjson::kNumberType:
      return value.IsInt64() || value.IsUint64() ? "an integer" : "a number";
  }
  return "nothing";
}

/// Containers of rows. An unknown key is an error there; in a row, it is a column that is not read.
template <class Row>
constexpr bool kOnlyKnownKeys = std::is_same_v<Row, RelationRows> ||
                                std::is_same_v<Row, TypeRows> || std::is_same_v<Row, CatalogRows>;

class RowReader {
 public:
  explicit RowReader(MemoryContext& cx) : cx_(cx) {}

  /// Returns false after a failure; error() and path() describe it.
  template <CatalogRow Row>
  bool ReadRow(const Value& value, Row& row) {
    static constexpr std::size_t n = std::tuple_size_v<decltype(ColumnsOf<Row>::kColumns)>;
    static constexpr auto kReaders = ColumnReaders<Row>(std::make_index_sequence<n>());
    if (!value.IsObject()) return Expected("an object", value);
    std::bitset<n> seen;
    std::size_t next = 0;
    for (const auto& member : value.GetObject()) {
      const std::string_view key = Text(member.name);
      // Keys are usually in the order of the columns.
      std::size_t i = 0;
      while (i < n && kReaders[(next + i) % n].name != key) ++i;
      if (i == n) {
        if (kOnlyKnownKeys<Row>) return Refuse("unknown key \"" + std::string(key) + "\"");
        continue;
      }
      i = (next + i) % n;
      next = i + 1;
      const std::size_t length = Enter(key);
      if (seen[i]) return Refuse("the key is there twice");
      seen[i] = true;
      if (member.value.IsNull()) {
        if (kReaders[i].must) return Refuse("must not be null");
      } else if (!kReaders[i].read(*this, member.value, row)) {
        return false;
      }
      path_.resize(length);
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (kReaders[i].must && !seen[i]) {
        return Refuse("\"" + std::string(kReaders[i].name) + "\" is missing");
      }
    }
    return true;
  }

  const std::string& path() const { return path_; }
  std::string& message() { return message_; }

 private:
  template <class Row>
  struct ColumnReader {
    std::string_view name;
    bool must;
    bool (*read)(RowReader&, const Value&, Row&);
  };

  template <class Row, std::size_t i>
  static bool ReadColumn(RowReader& reader, const Value& value, Row& row) {
    return reader.Read(value, row.*std::get<i>(ColumnsOf<Row>::kColumns).member);
  }
  template <class Row, std::size_t... i>
  static constexpr std::array<ColumnReader<Row>, sizeof...(i)> ColumnReaders(
      std::index_sequence<i...>) {
    const auto& columns = ColumnsOf<Row>::kColumns;
    // A derived column has an empty name here, which no key matches.
    return {ColumnReader<Row>{
        std::get<i>(columns).use == ColumnUse::kDerived ? "\n" : std::get<i>(columns).name,
        std::get<i>(columns).use == ColumnUse::kMust, &ReadColumn<Row, i>}...};
  }

  bool Read(const Value& value, bool& out) {
    if (!value.IsBool()) return Expected("true or false", value);
    out = value.GetBool();
    return true;
  }
  bool Read(const Value& value, char& out) {
    if (!value.IsString()) return Expected("a string of one character", value);
    if (value.GetStringLength() > 1) return Refuse("expected a string of one character");
    out = value.GetStringLength() == 0 ? '\0' : value.GetString()[0];
    return true;
  }
  bool Read(const Value& value, float& out) {
    if (!value.IsNumber()) return Expected("a number", value);
    const double number = value.GetDouble();
    out = static_cast<float>(number);
    if (std::isinf(out) || (out == 0 && number != 0)) return Refuse("the number is out of range");
    return true;
  }
  bool Read(const Value& value, std::int16_t& out) { return ReadInteger(value, out); }
  bool Read(const Value& value, std::int32_t& out) { return ReadInteger(value, out); }
  bool Read(const Value& value, std::uint32_t& out) { return ReadInteger(value, out); }
  bool Read(const Value& value, std::uint64_t& out) {
    if (!value.IsUint64()) return Expected("an integer that is not negative", value);
    out = value.GetUint64();
    return true;
  }
  template <class T>
  bool ReadInteger(const Value& value, T& out) {
    if (!value.IsNumber() || value.IsDouble()) return Expected("an integer", value);
    if (!value.IsInt64() || value.GetInt64() < std::numeric_limits<T>::min() ||
        value.GetInt64() > std::numeric_limits<T>::max()) {
      return Refuse(Format("the integer is not within {} and {}", std::numeric_limits<T>::min(),
                           std::numeric_limits<T>::max()));
    }
    out = static_cast<T>(value.GetInt64());
    return true;
  }
  bool Read(const Value& value, std::string_view& out) {
    if (!value.IsString()) return Expected("a string", value);
    if (Text(value).find('\0') != std::string_view::npos) {
      return Refuse("the string contains a zero byte");
    }
    out = value.GetStringLength() == 0 ? std::string_view() : cx_.CopyString(Text(value));
    return true;
  }
  template <CatalogRow Row>
  bool Read(const Value& value, Row& out) {
    return ReadRow(value, out);
  }
  template <CatalogRow Row>
  bool Read(const Value& value, const Row*& out) {
    Row row;
    if (!ReadRow(value, row)) return false;
    out = cx_.New<Row>(row);
    return true;
  }
  template <class T>
  bool Read(const Value& value, std::span<const T>& out) {
    if (!value.IsArray()) return Expected("an array", value);
    const auto array = value.GetArray();
    if (array.Empty()) return true;
    const std::span<T> elements = cx_.NewArray<T>(array.Size());
    for (rapidjson::SizeType i = 0; i < array.Size(); ++i) {
      const std::size_t length = path_.size();
      path_ += "[" + std::to_string(i) + "]";
      if (!Read(array[i], elements[i])) return false;
      path_.resize(length);
    }
    out = elements;
    return true;
  }

  std::size_t Enter(std::string_view key) {
    const std::size_t length = path_.size();
    if (length != 0) path_ += ".";
    path_ += key;
    return length;
  }
  bool Expected(std::string_view what, const Value& found) {
    return Refuse("expected " + std::string(what) + ", found " + std::string(KindOf(found)));
  }
  bool Refuse(std::string message) {
    message_ = std::move(message);
    return false;
  }

  MemoryContext& cx_;
  std::string path_;
  std::string message_;
};

/// Follows the parser's events up to the beginning of the value at a path.
class PathFinder {
 public:
  PathFinder(std::string_view path, const rapidjson::MemoryStream& stream)
      : path_(path), stream_(stream) {}

  bool Null() { return Scalar(); }
  bool Bool(bool) { return Scalar(); }
  bool Int(int) { return Scalar(); }
  bool Uint(unsigned) { return Scalar(); }
  bool Int64(std::int64_t) { return Scalar(); }
  bool Uint64(std::uint64_t) { return Scalar(); }
  bool Double(double) { return Scalar(); }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return Scalar(); }
  bool String(const char*, rapidjson::SizeType, bool) { return Scalar(); }
  bool Key(const char* key, rapidjson::SizeType n, bool) {
    here_.resize(levels_.back().length);
    if (!here_.empty()) here_ += ".";
    here_.append(key, n);
    before_ = stream_.Tell();
    return true;
  }
  bool StartObject() { return Open(false); }
  bool StartArray() { return Open(true); }
  bool EndObject(rapidjson::SizeType) { return Close(); }
  bool EndArray(rapidjson::SizeType) { return Close(); }

  /// The end of the token before the value.
  std::size_t before() const { return before_; }

 private:
  struct Level {
    std::size_t length;
    bool array;
    std::size_t count;
  };

  bool Begin() {
    if (!levels_.empty() && levels_.back().array) {
      here_.resize(levels_.back().length);
      here_ += "[" + std::to_string(levels_.back().count++) + "]";
    }
    return here_ != path_;
  }
  bool Scalar() {
    if (!Begin()) return false;
    before_ = stream_.Tell();
    return true;
  }
  bool Open(bool array) {
    if (!Begin()) return false;
    levels_.push_back({here_.size(), array, 0});
    before_ = stream_.Tell() + 1;  // the bracket is consumed after the event
    return true;
  }
  bool Close() {
    here_.resize(levels_.back().length);
    levels_.pop_back();
    before_ = stream_.Tell() + 1;
    return true;
  }

  std::string_view path_;
  const rapidjson::MemoryStream& stream_;
  std::string here_;
  std::vector<Level> levels_;
  std::size_t before_ = 0;
};

/// The offset of the byte at which the value at `path` begins.
std::size_t FindPath(std::string_view text, std::string_view path) {
  rapidjson::MemoryStream stream(text.data(), text.size());
  PathFinder finder(path, stream);
  const ContextPtr cx = AllocSet::CreateRoot("json stack");
  json::ContextAllocator allocator(*cx);
  json::Reader reader(&allocator);
  reader.Parse<json::kParseFlags>(stream, finder);
  const std::size_t at =
      text.find_first_not_of(" \t\r\n,:", std::min(finder.before(), text.size()));
  return at == std::string_view::npos ? text.size() : at;
}

std::string LineAndColumn(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t column = offset - (before.rfind('\n') + 1) + 1;
  return Format("{}:{}", line, column);
}

Error Invalid(std::string message) {
  return Error(ErrorCode::kInvalidInput, "22032", std::move(message));
}

}  // namespace

Error ErrorAt(std::string_view text, std::string_view path, Error error) {
  const std::size_t offset = FindPath(text, path);
  std::string place = LineAndColumn(text, offset);
  if (!path.empty()) place += ": " + std::string(path);
  error.offset = offset;
  return std::move(error).At(place);
}

Result<CatalogRows> ReadCatalogJson(std::string_view text, const JsonLimits& limits,
                                    MemoryContext& cx) {
  if (text.size() > limits.max_bytes) {
    return Fail(ErrorCode::kLimit, "54000",
                Format("the text has {} bytes, more than {}", text.size(), limits.max_bytes));
  }
  json::Document document(cx);
  if (Status status = document.Parse(text, limits.max_depth); !status) {
    Error error = std::move(status).error();
    const std::string place = LineAndColumn(text, error.offset.value_or(0));
    return Fail(std::move(error).At(place));
  }

  RowReader reader(cx);
  CatalogRows rows;
  if (!reader.ReadRow(document.root(), rows)) {
    return Fail(ErrorAt(text, reader.path(), Invalid(std::move(reader.message()))));
  }
  if (rows.format != kSnapshotFormat || rows.format_version != kSnapshotFormatVersion) {
    return Fail(ErrorAt(
        text, "format_version",
        NotSupported(Format("format \"{}\" version {}", rows.format, rows.format_version))));
  }
  return rows;
}

}  // namespace relcache
