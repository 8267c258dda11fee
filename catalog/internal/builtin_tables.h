// The shapes of the generated tables, and where they are. Read builtin.h instead.
#pragma once

#include "relcache/catalog/internal/builtin_rows.h"
#include "relcache/catalog/rows.h"

namespace relcache::internal {

/// What types/builtin_types.h leaves out of a built-in type's row.
struct BuiltinTypeExtra {
  Oid oid;
  Oid typrelid;
  Oid typinput;
  Oid typoutput;
  Oid typmodin;
  Oid typmodout;
  char typstorage;
};

struct BuiltinRange {
  Oid rngtypid;
  RangeRow row;
};

struct BuiltinCollation {
  Oid oid;
  std::string_view collname;
  char collprovider;
  bool collisdeterministic;
  std::int32_t collencoding;
  std::string_view collcollate;
  std::string_view collctype;
};

struct BuiltinOpclass {
  Oid oid;
  std::string_view opcname;
  std::string_view amname;
  Oid opcfamily;
  Oid opcintype;
  bool opcdefault;
  Oid opckeytype;
  std::span<const AmprocRow> amprocs;
};

// By oid (casts by source and target, keywords bytewise); the others index those by name.
std::span<const BuiltinProc> Procs();
std::span<const std::uint16_t> ProcsByName();
std::span<const BuiltinOperator> Operators();
std::span<const std::uint16_t> OperatorsByName();
std::span<const BuiltinCast> Casts();
std::span<const BuiltinTypeExtra> TypeExtras();
std::span<const BuiltinRange> Ranges();
std::span<const BuiltinCollation> Collations();
std::span<const BuiltinOpclass> Opclasses();
/// Keywords that an identifier must be quoted for.
std::span<const std::string_view> ReservedKeywords();

}  // namespace relcache::internal
