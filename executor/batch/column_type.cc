#include "relcache/executor/batch/column_type.h"

#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/types/builtin_types.h"

namespace relcache {

Result<ColumnType> ColumnTypeOf(Oid type, Oid collation) {
  const TypeInfo* info = FindTypeInfo(type);
  if (info == nullptr) return Fail(NotSupported(Format("TYPE {}", type)));
  ColumnType column;
  column.type = type;
  column.collation = collation == kInvalidOid ? info->typcollation : collation;
  column.form = ColumnFormOf(type, info->typlen, info->typbyval);
  column.typlen = info->typlen;
  column.typbyval = info->typbyval;
  column.typalign = info->typalign;
  return column;
}

}  // namespace relcache
