// The built-in types of PostgreSQL as a table: what the catalog pg_type says about each of them,
// and how their names are printed (format_type.c).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "relcache/base/oid.h"

namespace relcache {

// The oids of the types whose values relcache can read and compute with, under PostgreSQL's names
// (pg_type_d.h). int2, int4 and int8 are integers of 2, 4 and 8 bytes; bpchar is char(n), which is
// padded with blanks; "char" is a single byte; name is a text of at most 63 bytes, the type of
// identifiers; unknown is the type of a literal whose type was not yet resolved.
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

/// Oids of pg_collation that mean the same in every database (pg_collation.h): what the database
/// says, and the order of bytes by two names. All others are assigned when initdb creates the files
/// of a server.
inline constexpr Oid kDefaultCollationOid = 100;
inline constexpr Oid kCCollationOid = 950;
inline constexpr Oid kPosixCollationOid = 951;

/// The row of pg_type that describes a built-in type, with PostgreSQL's column names. The texts
/// live as long as the process.
struct TypeInfo {
  Oid oid;
  std::string_view typname;
  /// The size of a value in bytes. -1 means a value of variable length that begins with its length
  /// (a varlena, see datum.h), -2 a NUL-terminated string.
  std::int16_t typlen;
  /// Whether a Datum holds the value itself rather than its address.
  bool typbyval;
  /// The alignment of a stored value: 'c', 's', 'i' and 'd' stand for 1, 2, 4 and 8 bytes.
  char typalign;
  /// The kind of type: 'b' base, 'p' pseudo-type (such as anyelement), 'r' range, 'm' multirange.
  char typtype;
  /// The category that PostgreSQL uses to choose among overloaded functions, such as 'N' for
  /// numbers, and whether the type is preferred within it.
  char typcategory;
  bool typispreferred;
  /// The character between the elements in the text of an array of this type.
  char typdelim;
  /// The element type if values can be subscripted, otherwise kInvalidOid. Apart from arrays,
  /// PostgreSQL sets it for some types of fixed length, such as name and point.
  Oid typelem;
  /// The type of arrays of this type, or kInvalidOid.
  Oid typarray;
  /// The default collation (rules of text order) of the type, or kInvalidOid if it has none.
  Oid typcollation;
};

/// The row of a type, or nullptr if it is not built in.
/// Cost: a binary search.
const TypeInfo* FindTypeInfo(Oid type);

/// The same by name, as pg_type.typname has it ("int4", "_int4" for its array, "bpchar").
const TypeInfo* FindTypeInfo(std::string_view typname);

/// All rows, ordered by oid.
std::span<const TypeInfo> TypeInfos();

/// Whether the type is an array type proper: it has an element type and values of variable length.
bool IsArrayType(const TypeInfo& type);

/// The name of a built-in type as PostgreSQL's function format_type prints it: "integer",
/// "character varying(10)", "numeric(5,2)[]", "\"char\"". The typmod is what stands in parentheses
/// after a type's name, packed into one integer; -1 means none. For any other oid the result is
/// "???", which PostgreSQL prints for an unknown one.
std::string FormatType(Oid type, std::int32_t typmod = -1);

/// The name without a typmod, as error messages print it (format_type_be). It differs from
/// FormatType for char(n): "character" rather than "bpchar".
std::string FormatTypeName(Oid type);

}  // namespace relcache
