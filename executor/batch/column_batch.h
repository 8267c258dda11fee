// Rows as the executor reads them: a span of values for one row, columns of arrays for many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "relcache/base/check.h"
#include "relcache/base/oid.h"
#include "relcache/types/datum.h"

namespace relcache {

/// How the values of a column lie in its array: the natural width of a by-value type, or one Datum
/// (a pointer) for any other.
enum class ColumnForm : std::uint8_t {
  kBool,    ///< std::uint8_t, 0 or 1
  kInt1,    ///< char: PostgreSQL's "char"
  kInt2,    ///< std::int16_t
  kInt4,    ///< std::int32_t: int4, date
  kOid,     ///< std::uint32_t: oid and its likes, every enum
  kInt8,    ///< std::int64_t: int8, money, time, timestamp, timestamptz
  kFloat4,  ///< float
  kFloat8,  ///< double
  kDatum,   ///< Datum: the address of the value's bytes
};

/// Bytes of one value of a form.
constexpr std::size_t WidthOf(ColumnForm form) {
  constexpr std::size_t kWidths[] = {1, 1, 2, 4, 4, 8, 4, 8, sizeof(Datum)};
  return kWidths[static_cast<std::size_t>(form)];
}

/// The form of a built-in type. `typlen` and `typbyval` decide for a type that is not built in (an
/// enum, a domain's base is the caller's to find).
ColumnForm ColumnFormOf(Oid type, std::int16_t typlen, bool typbyval);

/// The form of a type that is by value only if it is a built-in one: right for every type but
/// enums, whose form is kOid.
ColumnForm ColumnFormOf(Oid type);

/// One column of a batch.
/// Lifetime: both arrays are the owner's and must outlive the batch; what Datum values point to,
/// too. A value under a null byte is read by no function that could fail or follow a pointer, but
/// it must be initialized.
struct BatchColumn {
  Oid type = kInvalidOid;
  ColumnForm form = ColumnForm::kDatum;
  /// `rows` values of WidthOf(form) bytes, aligned to their width.
  const void* values = nullptr;
  /// 1 where the value is NULL, else 0; nullptr: the batch has no NULL in this column.
  const std::uint8_t* nulls = nullptr;

  template <class T>
  const T* data() const {
    RELCACHE_DCHECK(sizeof(T) == WidthOf(form));
    return static_cast<const T*>(values);
  }
  bool isnull(std::size_t row) const { return nulls != nullptr && nulls[row] != 0; }
  /// The value of a row in a word, as the row form has it.
  NullableDatum Get(std::size_t row) const;
};

/// Many rows, column by column. Column n of the relation (attnum n + 1) is columns[n]; a dropped
/// column has values == nullptr.
struct ColumnBatch {
  std::span<const BatchColumn> columns;
  std::size_t rows = 0;
};

/// One row: value n is that of attnum n + 1; a dropped column is NULL.
using DatumRow = std::span<const NullableDatum>;

/// The value at `row` of an array of this form, as a word.
inline Datum LoadDatum(ColumnForm form, const void* values, std::size_t row) {
  switch (form) {
    case ColumnForm::kBool:
      return BoolGetDatum(static_cast<const std::uint8_t*>(values)[row] != 0);
    case ColumnForm::kInt1:
      return CharGetDatum(static_cast<const char*>(values)[row]);
    case ColumnForm::kInt2:
      return Int16GetDatum(static_cast<const std::int16_t*>(values)[row]);
    case ColumnForm::kInt4:
      return Int32GetDatum(static_cast<const std::int32_t*>(values)[row]);
    case ColumnForm::kOid:
      return ObjectIdGetDatum(static_cast<const std::uint32_t*>(values)[row]);
    case ColumnForm::kInt8:
      return Int64GetDatum(static_cast<const std::int64_t*>(values)[row]);
    case ColumnForm::kFloat4:
      return Float4GetDatum(static_cast<const float*>(values)[row]);
    case ColumnForm::kFloat8:
      return Float8GetDatum(static_cast<const double*>(values)[row]);
    case ColumnForm::kDatum:
      break;
  }
  return static_cast<const Datum*>(values)[row];
}

/// Stores a word as the value at `row` of an array of this form.
inline void StoreDatum(ColumnForm form, void* values, std::size_t row, Datum value) {
  switch (form) {
    case ColumnForm::kBool:
      static_cast<std::uint8_t*>(values)[row] = DatumGetBool(value) ? 1 : 0;
      return;
    case ColumnForm::kInt1:
      static_cast<char*>(values)[row] = DatumGetChar(value);
      return;
    case ColumnForm::kInt2:
      static_cast<std::int16_t*>(values)[row] = DatumGetInt16(value);
      return;
    case ColumnForm::kInt4:
      static_cast<std::int32_t*>(values)[row] = DatumGetInt32(value);
      return;
    case ColumnForm::kOid:
      static_cast<std::uint32_t*>(values)[row] = DatumGetObjectId(value);
      return;
    case ColumnForm::kInt8:
      static_cast<std::int64_t*>(values)[row] = DatumGetInt64(value);
      return;
    case ColumnForm::kFloat4:
      static_cast<float*>(values)[row] = DatumGetFloat4(value);
      return;
    case ColumnForm::kFloat8:
      static_cast<double*>(values)[row] = DatumGetFloat8(value);
      return;
    case ColumnForm::kDatum:
      break;
  }
  static_cast<Datum*>(values)[row] = value;
}

inline NullableDatum BatchColumn::Get(std::size_t row) const {
  if (values == nullptr || isnull(row)) return {};
  return {LoadDatum(form, values, row), false};
}

}  // namespace relcache
