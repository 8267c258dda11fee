// The two forms in which the executor reads rows. A DatumRow is one row, a span of NullableDatum
// (PostgreSQL's TupleTableSlot). A ColumnBatch is many rows, with an array for each column;
// PostgreSQL has nothing like it. types/datum.h explains Datum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "relcache/base/check.h"
#include "relcache/base/oid.h"
#include "relcache/types/datum.h"

namespace relcache {

/// The form of the values in a column's array: the natural C++ type for a type that PostgreSQL
/// passes by value, and a Datum with the address for any other type.
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

/// The size in bytes of one value of this form.
constexpr std::size_t WidthOf(ColumnForm form) {
  constexpr std::size_t kWidths[] = {1, 1, 2, 4, 4, 8, 4, 8, sizeof(Datum)};
  return kWidths[static_cast<std::size_t>(form)];
}

/// Calls f with a zero of the unsigned type that is as wide as values of the form. It is meant for
/// loops that move values without interpreting them.
template <class F>
void WithWord(ColumnForm form, F f) {
  switch (WidthOf(form)) {
    case 1:
      return f(std::uint8_t{});
    case 2:
      return f(std::uint16_t{});
    case 4:
      return f(std::uint32_t{});
    default:
      return f(std::uint64_t{});
  }
}

/// The form of a type. For a type that is not built in, `typlen` and `typbyval` decide; for a
/// domain, pass its base type.
ColumnForm ColumnFormOf(Oid type, std::int16_t typlen, bool typbyval);

/// The form of a type if all types that are passed by value are built in. This is correct for all
/// types except enums, whose form is kOid.
ColumnForm ColumnFormOf(Oid type);

/// One column of a batch.
/// Lifetime: the arrays belong to the caller and must outlive the batch, and so must the memory
/// that Datums point to. The value under a null byte must be initialized, although no function uses
/// it that could fail or follow a pointer.
struct BatchColumn {
  Oid type = kInvalidOid;
  ColumnForm form = ColumnForm::kDatum;
  /// An array of as many values as the batch has rows, each WidthOf(form) bytes long and aligned to
  /// its width.
  const void* values = nullptr;
  /// An array with a byte for each row: 1 if the value is NULL, otherwise 0. nullptr means that the
  /// column has no NULL in this batch.
  const std::uint8_t* nulls = nullptr;

  /// The array. T must be as wide as the form, which only debug builds check.
  template <class T>
  const T* data() const {
    RELCACHE_DCHECK(sizeof(T) == WidthOf(form));
    return static_cast<const T*>(values);
  }
  bool isnull(std::size_t row) const { return nulls != nullptr && nulls[row] != 0; }
  /// The value of a row as a Datum.
  NullableDatum Get(std::size_t row) const;
};

/// Many rows, column by column. columns[n] is the column with attnum (column number) n + 1. A
/// dropped column has values == nullptr.
struct ColumnBatch {
  std::span<const BatchColumn> columns;
  std::size_t rows = 0;
};

/// One row. Element n is the value of the column with attnum n + 1; a dropped column is NULL.
using DatumRow = std::span<const NullableDatum>;

/// Reads the value at index `row` of an array of this form.
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

/// Stores a value at index `row` of an array of this form.
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
