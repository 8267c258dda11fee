// PostgreSQL's built-in types: what pg_type says of them, and how format_type prints them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "relcache/base/oid.h"

namespace relcache {

// Oids of the types whose values this room knows, under PostgreSQL's names (pg_type_d.h).
inline constexpr Oid kBoolOid = 16;
inline constexpr Oid kByteaOid = 17;
inline constexpr Oid kCharOid = 18;
inline constexpr Oid kNameOid = 19;
inline constexpr Oid kInt8Oid = 20;
inline constexpr Oid kInt2Oid = 21;
inline constexpr Oid kInt4Oid = 23;
inline constexpr Oid kTextOid = 25;
inline constexpr Oid kOidOid = 26;
inline constexpr Oid kJsonOid = 114;
inline constexpr Oid kCidrOid = 650;
inline constexpr Oid kFloat4Oid = 700;
inline constexpr Oid kFloat8Oid = 701;
inline constexpr Oid kUnknownOid = 705;
inline constexpr Oid kInetOid = 869;
inline constexpr Oid kBpcharOid = 1042;
inline constexpr Oid kVarcharOid = 1043;
inline constexpr Oid kDateOid = 1082;
inline constexpr Oid kTimeOid = 1083;
inline constexpr Oid kTimestampOid = 1114;
inline constexpr Oid kTimestamptzOid = 1184;
inline constexpr Oid kIntervalOid = 1186;
inline constexpr Oid kTimetzOid = 1266;
inline constexpr Oid kNumericOid = 1700;
inline constexpr Oid kUuidOid = 2950;
inline constexpr Oid kJsonbOid = 3802;

/// A row of pg_type of a type that every database has, under PostgreSQL's column names.
struct TypeInfo {
  Oid oid;
  std::string_view typname;
  /// Bytes of a value; -1 with a varlena header, -2 a NUL-terminated string.
  std::int16_t typlen;
  bool typbyval;
  /// 'c', 's', 'i' or 'd': aligned to 1, 2, 4, 8.
  char typalign;
  /// 'b' base, 'p' pseudo, 'r' range, 'm' multirange.
  char typtype;
  char typcategory;
  bool typispreferred;
  char typdelim;
  /// The element type of an array (also of name, point ..., as in PostgreSQL), or kInvalidOid.
  Oid typelem;
  Oid typarray;
  Oid typcollation;
};

/// nullptr when `type` is not built in. Cost: a binary search.
const TypeInfo* FindTypeInfo(Oid type);

/// The same by pg_type.typname ("int4", "_int4", "bpchar").
const TypeInfo* FindTypeInfo(std::string_view typname);

/// All of them, by oid.
std::span<const TypeInfo> TypeInfos();

/// True of arrays proper: subscriptable, of variable length, with an element type.
bool IsArrayType(const TypeInfo& type);

/// What format_type(type, typmod) prints for a built-in type: "integer", "character varying(10)",
/// "numeric(5,2)[]", "\"char\"". Of another oid "???", as PostgreSQL does for an unknown one.
std::string FormatType(Oid type, std::int32_t typmod = -1);

/// The same without typmod, as messages name types (format_type_be): "character", where
/// FormatType(kBpcharOid) is "bpchar".
std::string FormatTypeName(Oid type);

}  // namespace relcache
