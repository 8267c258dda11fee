// ColumnType describes a column that plan operators pass to one another (PostgreSQL's
// Form_pg_attribute in a TupleDesc). This header also defines the usual size of a batch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "relcache/base/oid.h"
#include "relcache/base/result.h"
#include "relcache/executor/batch/column_batch.h"

namespace relcache {

/// The type and collation of a column, and what is needed to store its values. A collation is a set
/// of rules for comparing text.
struct ColumnType {
  Oid type = kInvalidOid;
  Oid collation = kInvalidOid;
  ColumnForm form = ColumnForm::kDatum;
  /// The columns of the same names in pg_type: length in bytes (-1 for variable length), whether
  /// values are passed by value, and alignment; see TypeInfo.
  std::int16_t typlen = -1;
  bool typbyval = false;
  char typalign = 'i';
};

/// The ColumnType of a built-in type.
/// Errors: kNotSupported for any other oid.
Result<ColumnType> ColumnTypeOf(Oid type, Oid collation = kInvalidOid);

/// The usual number of rows in a batch. A join may return up to twice as many.
inline constexpr std::size_t kBatchRows = 1024;

}  // namespace relcache
