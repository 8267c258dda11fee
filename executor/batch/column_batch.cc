#include "relcache/executor/batch/column_batch.h"

namespace relcache {

ColumnForm ColumnFormOf(Oid type, std::int16_t typlen, bool typbyval) {
  switch (type) {
    case 16:  // bool
      return ColumnForm::kBool;
    case 18:  // "char"
      return ColumnForm::kInt1;
    case 21:  // int2
      return ColumnForm::kInt2;
    case 23:    // int4
    case 1082:  // date
      return ColumnForm::kInt4;
    case 20:    // int8
    case 790:   // money
    case 1083:  // time
    case 1114:  // timestamp
    case 1184:  // timestamptz
      return ColumnForm::kInt8;
    case 700:  // float4
      return ColumnForm::kFloat4;
    case 701:  // float8
      return ColumnForm::kFloat8;
    default:
      break;
  }
  if (!typbyval) return ColumnForm::kDatum;
  switch (typlen) {
    case 1:
      return ColumnForm::kInt1;
    case 2:
      return ColumnForm::kInt2;
    case 4:
      return ColumnForm::kOid;
    default:
      return ColumnForm::kInt8;
  }
}

ColumnForm ColumnFormOf(Oid type) {
  switch (type) {
    case 24:    // regproc
    case 26:    // oid
    case 28:    // xid
    case 29:    // cid
    case 2202:  // regprocedure
    case 2203:  // regoper
    case 2204:  // regoperator
    case 2205:  // regclass
    case 2206:  // regtype
    case 3734:  // regconfig
    case 3769:  // regdictionary
    case 4089:  // regnamespace
    case 4096:  // regrole
    case 4191:  // regcollation
      return ColumnForm::kOid;
    default:
      return ColumnFormOf(type, -1, false);
  }
}

}  // namespace relcache
