// The types of the columns that flow between operators, and how many rows flow at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "relcache/base/oid.h"
#include "relcache/base/result.h"
#include "relcache/executor/batch/column_batch.h"

namespace relcache {

/// The type of a column that flows between operators, with what its storage needs to be known.
struct ColumnType {
  Oid type = kInvalidOid;
  Oid collation = kInvalidOid;
  ColumnForm form = ColumnForm::kDatum;
  /// PostgreSQL's typlen, typbyval and typalign.
  std::int16_t typlen = -1;
  bool typbyval = false;
  char typalign = 'i';
};

/// The ColumnType of a built-in type. Errors: kNotSupported for an oid that is not one of them.
Result<ColumnType> ColumnTypeOf(Oid type, Oid collation = kInvalidOid);

/// Rows that an operator makes at a time, at the most twice as many in a join's output.
inline constexpr std::size_t kBatchRows = 1024;

}  // namespace relcache
