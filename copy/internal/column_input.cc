#include "relcache/copy/internal/column_input.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/catalog/internal/builtin.h"
#include "relcache/catalog/names.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"

namespace relcache::internal {
namespace {

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

/// The name of a type as messages print it under a search_path.
Result<std::string> NameUnder(const TypeRows& rows, std::string_view search_path,
                              ObjectLookup& objects) {
  RELCACHE_ASSIGN(const auto schemas, objects.SchemasOfType(rows.pg_type.typname));
  std::vector<std::string_view> namesakes(schemas.begin(), schemas.end());
  if (FindTypeInfo(rows.pg_type.typname) != nullptr) namesakes.push_back("pg_catalog");
  const bool visible = IsNameVisible(search_path, rows.nspname, namesakes);
  return QuoteQualifiedIdentifier(visible ? std::string_view() : rows.nspname,
                                  rows.pg_type.typname);
}

}  // namespace

bool FastInteger(std::string_view text, std::int64_t& out) {
  constexpr std::size_t kDigits = 18;
  const bool negative = !text.empty() && text[0] == '-';
  const char* at = text.data() + (negative ? 1 : 0);
  const char* const end = text.data() + text.size();
  const auto digits = static_cast<std::size_t>(end - at);
  if (digits == 0 || digits > kDigits) return false;
  std::int64_t value = 0;
  for (; at < end; ++at) {
    const auto digit = static_cast<unsigned char>(*at - '0');
    if (digit > 9) return false;
    value = value * 10 + digit;
  }
  out = negative ? -value : value;
  return true;
}

bool FastNumeric(std::string_view text, std::int32_t typmod, MemoryContext& cx, Datum& out) {
  // The digits as one number, and how many of them follow the point.
  constexpr int kDigits = 15;
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at < end && *at == '-';
  if (negative) ++at;
  if (end - at > kDigits + 1 || at == end || !IsDigit(*at)) return false;
  std::uint64_t value = 0;
  const char* const first = at;
  while (at < end && IsDigit(*at)) value = value * 10 + static_cast<std::uint64_t>(*at++ - '0');
  const auto whole = static_cast<int>(at - first);
  int scale = 0;
  if (at < end) {
    if (*at++ != '.') return false;
    const char* const fraction = at;
    while (at < end && IsDigit(*at)) value = value * 10 + static_cast<std::uint64_t>(*at++ - '0');
    if (at < end) return false;
    scale = static_cast<int>(at - fraction);
  }
  if (whole + scale > kDigits) return false;
  int shown = scale;
  if (typmod >= 4) {
    const int precision = (typmod - 4) >> 16 & 0xffff;
    const int places = ((typmod - 4) & 0x7ff) ^ 1024;
    const int to_scale = places - 1024;
    if (to_scale < scale || to_scale > 60 || whole > precision - to_scale) return false;
    shown = to_scale;
  }
  // Digits of base 10,000, the last of which begins at a multiple of four places.
  constexpr std::uint64_t kPowers[] = {1, 10, 100, 1000};
  const int padding = (4 - scale % 4) % 4;
  value *= kPowers[padding];
  std::uint16_t digits[6];
  int count = 0;
  int lowest = -(scale + padding) / 4;  // the weight of the last digit
  while (value != 0 && value % 10000 == 0) {
    value /= 10000;
    ++lowest;
  }
  for (; value != 0; value /= 10000) digits[count++] = static_cast<std::uint16_t>(value % 10000);
  const int weight = count == 0 ? 0 : lowest + count - 1;
  const auto size = static_cast<std::uint32_t>(kVarHdrSz + 2 + 2 * static_cast<std::size_t>(count));
  char* const bytes = static_cast<char*>(cx.Allocate(size));
  const std::uint32_t header = size << 2;
  std::memcpy(bytes, &header, sizeof header);
  // NUMERIC_SHORT: its mark, the sign, the scale and the weight.
  const auto head = static_cast<std::uint16_t>(0x8000 | (negative && count > 0 ? 0x2000 : 0) |
                                               shown << 7 | (weight & 0x7f));
  std::memcpy(bytes + kVarHdrSz, &head, sizeof head);
  for (int i = 0; i < count; ++i)
    std::memcpy(bytes + kVarHdrSz + 2 + std::ptrdiff_t{2} * i, &digits[count - 1 - i], 2);
  out = PointerGetDatum(bytes);
  return true;
}

Result<ColumnInput> ColumnInput::Make(const AttributeRow& column, std::string_view search_path,
                                      ObjectLookup& objects, CatalogSource& source,
                                      MemoryContext& cx) {
  ColumnInput out;
  out.version_ = {source.info().server_version_num};
  out.base_ = column.atttypid;
  out.typmod_ = column.atttypmod;
  const TypeRows* rows = nullptr;
  if (FindTypeInfo(out.base_) == nullptr) {
    RELCACHE_ASSIGN(rows, objects.FindType(out.base_));
    if (rows != nullptr && rows->pg_type.typtype == 'd') {
      RELCACHE_ASSIGN(const DomainProgram domain, CompileDomain(out.base_, objects, cx));
      out.base_ = domain.base;
      out.typmod_ = domain.typmod;
      out.domain_ = domain.program;
      rows = nullptr;
      if (FindTypeInfo(out.base_) == nullptr) {
        RELCACHE_ASSIGN(rows, objects.FindType(out.base_));
      }
    }
  }
  out.form_ = rows != nullptr
                  ? ColumnFormOf(out.base_, rows->pg_type.typlen, rows->pg_type.typbyval)
                  : ColumnFormOf(out.base_);
  if (rows != nullptr && rows->pg_type.typtype == 'e') {
    auto labels = std::make_shared<std::unordered_map<std::string_view, Oid>>();
    for (const EnumRow& label : rows->enums) labels->emplace(label.enumlabel, label.oid);
    out.labels_ = std::move(labels);
    out.kind_ = Kind::kEnum;
    RELCACHE_ASSIGN(out.type_name_, NameUnder(*rows, search_path, objects));
    return out;
  }
  if (!HasInput(out.base_)) {
    RELCACHE_ASSIGN(const std::string name, FormatTypeOf(column.atttypid, -1, source));
    return Fail(NotSupported(Format("column \"{}\": input of TYPE {}", column.attname, name)));
  }
  switch (out.base_) {
    case kInt2Oid:
      out.kind_ = Kind::kInt2;
      break;
    case kInt4Oid:
      out.kind_ = Kind::kInt4;
      break;
    case kInt8Oid:
      out.kind_ = Kind::kInt8;
      break;
    case kNumericOid:
      out.kind_ = Kind::kNumeric;
      break;
    case kTextOid:
    case kVarcharOid:
      // As many bytes are as many characters at most.
      out.kind_ = Kind::kText;
      out.greatest_text_ =
          out.typmod_ >= 4 ? static_cast<std::size_t>(out.typmod_ - 4) : std::size_t{1} << 29;
      break;
    default:
      break;
  }
  return out;
}

Result<Datum> ColumnInput::One(std::string_view text, Scratch& scratch) const {
  if (kind_ == Kind::kEnum) {
    const auto label = labels_->find(text);
    if (label != labels_->end()) return ObjectIdGetDatum(label->second);
    return Fail(ErrorCode::kInvalidInput, "22P02",
                Format("invalid input value for enum {}: \"{}\"", type_name_, text));
  }
  return TypeInput(base_, typmod_, text, scratch.settings(), scratch.cx(), version_);
}

template <class T>
void ColumnInput::Integers(std::span<const CopyField> fields, const std::uint8_t* skip,
                           Scratch& scratch, ColumnValues& out, const FieldFailure& fail) const {
  auto* values = reinterpret_cast<T*>(out.values);
  for (std::size_t row = 0; row < fields.size(); ++row) {
    const CopyField& field = fields[row];
    std::int64_t value = 0;
    out.nulls[row] = 0;
    if (skip[row] == 0 && !field.is_null() && FastInteger(field.text(), value) &&
        value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max())
        [[likely]] {
      values[row] = static_cast<T>(value);
      continue;
    }
    values[row] = 0;
    if (skip[row] == 0 && !field.is_null()) {
      Result<Datum> slow = One(field.text(), scratch);
      if (slow) {
        values[row] = static_cast<T>(DatumGetInt64(*slow));
        continue;
      }
      fail(row, std::move(slow).error());
    }
    out.nulls[row] = 1;
    out.any_null = true;
  }
}

template <class Fast>
void ColumnInput::References(std::span<const CopyField> fields, const std::uint8_t* skip,
                             Scratch& scratch, ColumnValues& out, const FieldFailure& fail,
                             const Fast& fast) const {
  for (std::size_t row = 0; row < fields.size(); ++row) {
    const CopyField& field = fields[row];
    out.nulls[row] = 0;
    Datum value{};
    if (skip[row] == 0 && !field.is_null()) [[likely]] {
      if (fast(field.text(), value)) {
        StoreDatum(out.form, out.values, row, value);
        continue;
      }
      Result<Datum> slow = One(field.text(), scratch);
      if (slow) {
        StoreDatum(out.form, out.values, row, *slow);
        continue;
      }
      fail(row, std::move(slow).error());
    }
    StoreDatum(out.form, out.values, row, Datum{});
    out.nulls[row] = 1;
    out.any_null = true;
  }
}

void ColumnInput::Convert(std::span<const CopyField> fields, const std::uint8_t* skip,
                          Scratch& scratch, ColumnValues& out, const FieldFailure& fail) const {
  out.form = form_;
  out.type = base_;
  out.any_null = false;
  MemoryContext& cx = scratch.cx();
  switch (kind_) {
    case Kind::kInt2:
      Integers<std::int16_t>(fields, skip, scratch, out, fail);
      break;
    case Kind::kInt4:
      Integers<std::int32_t>(fields, skip, scratch, out, fail);
      break;
    case Kind::kInt8:
      Integers<std::int64_t>(fields, skip, scratch, out, fail);
      break;
    case Kind::kText:
      References(fields, skip, scratch, out, fail, [&](std::string_view text, Datum& value) {
        if (text.size() > greatest_text_) return false;
        value = MakeVarlena(text, cx);
        return true;
      });
      break;
    case Kind::kNumeric:
      References(fields, skip, scratch, out, fail, [&](std::string_view text, Datum& value) {
        return FastNumeric(text, typmod_, cx, value);
      });
      break;
    default:
      References(fields, skip, scratch, out, fail, [](std::string_view, Datum&) { return false; });
      break;
  }
  if (domain_ != nullptr) CheckDomain(fields.size(), skip, scratch, out, fail);
}

/// The constraints of a domain hold for NULL, too.
void ColumnInput::CheckDomain(std::size_t rows, const std::uint8_t* skip, Scratch& scratch,
                              ColumnValues& out, const FieldFailure& fail) const {
  const BatchColumn column = out.Column();
  const BatchResult result = EvaluateSlice(*domain_, {{&column, 1}, rows}, 0, rows, scratch);
  const std::vector<std::uint16_t> failed(result.failed.begin(), result.failed.end());
  for (const std::uint16_t row : failed) {
    if (skip[row] != 0) continue;
    const NullableDatum value = column.Get(row);
    const Result<NullableDatum> one = Evaluate(*domain_, {&value, 1}, scratch);
    if (!one) fail(row, one.error());
    out.nulls[row] = 1;
    out.any_null = true;
  }
}

}  // namespace relcache::internal
