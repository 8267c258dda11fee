#include "relcache/types/builtin_types.h"

#include <algorithm>

#include "relcache/base/internal/format.h"
#include "relcache/types/internal/numeric.h"

namespace relcache {
namespace {

// pg_type of PostgreSQL 15 where oid < 10000 and typtype in ('b', 'p', 'r', 'm'), by oid: the oids
// that PostgreSQL assigns by hand and never changes. Columns as in TypeInfo.
// clang-format off
constexpr TypeInfo kTypes[] = {
    {16, "bool", 1, true, 'c', 'b', 'B', true, ',', 0, 1000, 0},
    {17, "bytea", -1, false, 'i', 'b', 'U', false, ',', 0, 1001, 0},
    {18, "char", 1, true, 'c', 'b', 'Z', false, ',', 0, 1002, 0},
    {19, "name", 64, false, 'c', 'b', 'S', false, ',', 18, 1003, 950},
    {20, "int8", 8, true, 'd', 'b', 'N', false, ',', 0, 1016, 0},
    {21, "int2", 2, true, 's', 'b', 'N', false, ',', 0, 1005, 0},
    {22, "int2vector", -1, false, 'i', 'b', 'A', false, ',', 21, 1006, 0},
    {23, "int4", 4, true, 'i', 'b', 'N', false, ',', 0, 1007, 0},
    {24, "regproc", 4, true, 'i', 'b', 'N', false, ',', 0, 1008, 0},
    {25, "text", -1, false, 'i', 'b', 'S', true, ',', 0, 1009, 100},
    {26, "oid", 4, true, 'i', 'b', 'N', true, ',', 0, 1028, 0},
    {27, "tid", 6, false, 's', 'b', 'U', false, ',', 0, 1010, 0},
    {28, "xid", 4, true, 'i', 'b', 'U', false, ',', 0, 1011, 0},
    {29, "cid", 4, true, 'i', 'b', 'U', false, ',', 0, 1012, 0},
    {30, "oidvector", -1, false, 'i', 'b', 'A', false, ',', 26, 1013, 0},
    {32, "pg_ddl_command", 8, true, 'd', 'p', 'P', false, ',', 0, 0, 0},
    {114, "json", -1, false, 'i', 'b', 'U', false, ',', 0, 199, 0},
    {142, "xml", -1, false, 'i', 'b', 'U', false, ',', 0, 143, 0},
    {143, "_xml", -1, false, 'i', 'b', 'A', false, ',', 142, 0, 0},
    {194, "pg_node_tree", -1, false, 'i', 'b', 'Z', false, ',', 0, 0, 100},
    {199, "_json", -1, false, 'i', 'b', 'A', false, ',', 114, 0, 0},
    {269, "table_am_handler", 4, true, 'i', 'p', 'P', false, ',', 0, 0, 0},
    {271, "_xid8", -1, false, 'd', 'b', 'A', false, ',', 5069, 0, 0},
    {325, "index_am_handler", 4, true, 'i', 'p', 'P', false, ',', 0, 0, 0},
    {600, "point", 16, false, 'd', 'b', 'G', false, ',', 701, 1017, 0},
    {601, "lseg", 32, false, 'd', 'b', 'G', false, ',', 600, 1018, 0},
    {602, "path", -1, false, 'd', 'b', 'G', false, ',', 0, 1019, 0},
    {603, "box", 32, false, 'd', 'b', 'G', false, ';', 600, 1020, 0},
    {604, "polygon", -1, false, 'd', 'b', 'G', false, ',', 0, 1027, 0},
    {628, "line", 24, false, 'd', 'b', 'G', false, ',', 701, 629, 0},
    {629, "_line", -1, false, 'd', 'b', 'A', false, ',', 628, 0, 0},
    {650, "cidr", -1, false, 'i', 'b', 'I', false, ',', 0, 651, 0},
    {651, "_cidr", -1, false, 'i', 'b', 'A', false, ',', 650, 0, 0},
    {700, "float4", 4, true, 'i', 'b', 'N', false, ',', 0, 1021, 0},
    {701, "float8", 8, true, 'd', 'b', 'N', true, ',', 0, 1022, 0},
    {705, "unknown", -2, false, 'c', 'p', 'X', false, ',', 0, 0, 0},
    {718, "circle", 24, false, 'd', 'b', 'G', false, ',', 0, 719, 0},
    {719, "_circle", -1, false, 'd', 'b', 'A', false, ',', 718, 0, 0},
    {774, "macaddr8", 8, false, 'i', 'b', 'U', false, ',', 0, 775, 0},
    {775, "_macaddr8", -1, false, 'i', 'b', 'A', false, ',', 774, 0, 0},
    {790, "money", 8, true, 'd', 'b', 'N', false, ',', 0, 791, 0},
    {791, "_money", -1, false, 'd', 'b', 'A', false, ',', 790, 0, 0},
    {829, "macaddr", 6, false, 'i', 'b', 'U', false, ',', 0, 1040, 0},
    {869, "inet", -1, false, 'i', 'b', 'I', true, ',', 0, 1041, 0},
    {1000, "_bool", -1, false, 'i', 'b', 'A', false, ',', 16, 0, 0},
    {1001, "_bytea", -1, false, 'i', 'b', 'A', false, ',', 17, 0, 0},
    {1002, "_char", -1, false, 'i', 'b', 'A', false, ',', 18, 0, 0},
    {1003, "_name", -1, false, 'i', 'b', 'A', false, ',', 19, 0, 950},
    {1005, "_int2", -1, false, 'i', 'b', 'A', false, ',', 21, 0, 0},
    {1006, "_int2vector", -1, false, 'i', 'b', 'A', false, ',', 22, 0, 0},
    {1007, "_int4", -1, false, 'i', 'b', 'A', false, ',', 23, 0, 0},
    {1008, "_regproc", -1, false, 'i', 'b', 'A', false, ',', 24, 0, 0},
    {1009, "_text", -1, false, 'i', 'b', 'A', false, ',', 25, 0, 100},
    {1010, "_tid", -1, false, 'i', 'b', 'A', false, ',', 27, 0, 0},
    {1011, "_xid", -1, false, 'i', 'b', 'A', false, ',', 28, 0, 0},
    {1012, "_cid", -1, false, 'i', 'b', 'A', false, ',', 29, 0, 0},
    {1013, "_oidvector", -1, false, 'i', 'b', 'A', false, ',', 30, 0, 0},
    {1014, "_bpchar", -1, false, 'i', 'b', 'A', false, ',', 1042, 0, 100},
    {1015, "_varchar", -1, false, 'i', 'b', 'A', false, ',', 1043, 0, 100},
    {1016, "_int8", -1, false, 'd', 'b', 'A', false, ',', 20, 0, 0},
    {1017, "_point", -1, false, 'd', 'b', 'A', false, ',', 600, 0, 0},
    {1018, "_lseg", -1, false, 'd', 'b', 'A', false, ',', 601, 0, 0},
    {1019, "_path", -1, false, 'd', 'b', 'A', false, ',', 602, 0, 0},
    {1020, "_box", -1, false, 'd', 'b', 'A', false, ';', 603, 0, 0},
    {1021, "_float4", -1, false, 'i', 'b', 'A', false, ',', 700, 0, 0},
    {1022, "_float8", -1, false, 'd', 'b', 'A', false, ',', 701, 0, 0},
    {1027, "_polygon", -1, false, 'd', 'b', 'A', false, ',', 604, 0, 0},
    {1028, "_oid", -1, false, 'i', 'b', 'A', false, ',', 26, 0, 0},
    {1033, "aclitem", 12, false, 'i', 'b', 'U', false, ',', 0, 1034, 0},
    {1034, "_aclitem", -1, false, 'i', 'b', 'A', false, ',', 1033, 0, 0},
    {1040, "_macaddr", -1, false, 'i', 'b', 'A', false, ',', 829, 0, 0},
    {1041, "_inet", -1, false, 'i', 'b', 'A', false, ',', 869, 0, 0},
    {1042, "bpchar", -1, false, 'i', 'b', 'S', false, ',', 0, 1014, 100},
    {1043, "varchar", -1, false, 'i', 'b', 'S', false, ',', 0, 1015, 100},
    {1082, "date", 4, true, 'i', 'b', 'D', false, ',', 0, 1182, 0},
    {1083, "time", 8, true, 'd', 'b', 'D', false, ',', 0, 1183, 0},
    {1114, "timestamp", 8, true, 'd', 'b', 'D', false, ',', 0, 1115, 0},
    {1115, "_timestamp", -1, false, 'd', 'b', 'A', false, ',', 1114, 0, 0},
    {1182, "_date", -1, false, 'i', 'b', 'A', false, ',', 1082, 0, 0},
    {1183, "_time", -1, false, 'd', 'b', 'A', false, ',', 1083, 0, 0},
    {1184, "timestamptz", 8, true, 'd', 'b', 'D', true, ',', 0, 1185, 0},
    {1185, "_timestamptz", -1, false, 'd', 'b', 'A', false, ',', 1184, 0, 0},
    {1186, "interval", 16, false, 'd', 'b', 'T', true, ',', 0, 1187, 0},
    {1187, "_interval", -1, false, 'd', 'b', 'A', false, ',', 1186, 0, 0},
    {1231, "_numeric", -1, false, 'i', 'b', 'A', false, ',', 1700, 0, 0},
    {1263, "_cstring", -1, false, 'i', 'b', 'A', false, ',', 2275, 0, 0},
    {1266, "timetz", 12, false, 'd', 'b', 'D', false, ',', 0, 1270, 0},
    {1270, "_timetz", -1, false, 'd', 'b', 'A', false, ',', 1266, 0, 0},
    {1560, "bit", -1, false, 'i', 'b', 'V', false, ',', 0, 1561, 0},
    {1561, "_bit", -1, false, 'i', 'b', 'A', false, ',', 1560, 0, 0},
    {1562, "varbit", -1, false, 'i', 'b', 'V', true, ',', 0, 1563, 0},
    {1563, "_varbit", -1, false, 'i', 'b', 'A', false, ',', 1562, 0, 0},
    {1700, "numeric", -1, false, 'i', 'b', 'N', false, ',', 0, 1231, 0},
    {1790, "refcursor", -1, false, 'i', 'b', 'U', false, ',', 0, 2201, 0},
    {2201, "_refcursor", -1, false, 'i', 'b', 'A', false, ',', 1790, 0, 0},
    {2202, "regprocedure", 4, true, 'i', 'b', 'N', false, ',', 0, 2207, 0},
    {2203, "regoper", 4, true, 'i', 'b', 'N', false, ',', 0, 2208, 0},
    {2204, "regoperator", 4, true, 'i', 'b', 'N', false, ',', 0, 2209, 0},
    {2205, "regclass", 4, true, 'i', 'b', 'N', false, ',', 0, 2210, 0},
    {2206, "regtype", 4, true, 'i', 'b', 'N', false, ',', 0, 2211, 0},
    {2207, "_regprocedure", -1, false, 'i', 'b', 'A', false, ',', 2202, 0, 0},
    {2208, "_regoper", -1, false, 'i', 'b', 'A', false, ',', 2203, 0, 0},
    {2209, "_regoperator", -1, false, 'i', 'b', 'A', false, ',', 2204, 0, 0},
    {2210, "_regclass", -1, false, 'i', 'b', 'A', false, ',', 2205, 0, 0},
    {2211, "_regtype", -1, false, 'i', 'b', 'A', false, ',', 2206, 0, 0},
    {2249, "record", -1, false, 'd', 'p', 'P', false, ',', 0, 2287, 0},
    {2275, "cstring", -2, false, 'c', 'p', 'P', false, ',', 0, 1263, 0},
    {2276, "any", 4, true, 'i', 'p', 'P', false, ',', 0, 0, 0},
    {2277, "anyarray", -1, false, 'd', 'p', 'P', false, ',', 0, 0, 0},
    {2278, "void", 4, true, 'i', 'p', 'P', false, ',', 0, 0, 0},
    {2279, "trigger", 4, true, 'i', 'p', 'P', false, ',', 0, 0, 0},
    {2280, "language_handler", 4, true, 'i', 'p', 'P', false, ',', 0, 0, 0},
    {2281, "internal", 8, true, 'd', 'p', 'P', false, ',', 0, 0, 0},
    {2283, "anyelement", 4, true, 'i', 'p', 'P', false, ',', 0, 0, 0},
    {2287, "_record", -1, false, 'd', 'p', 'P', false, ',', 2249, 0, 0},
    {2776, "anynonarray", 4, true, 'i', 'p', 'P', false, ',', 0, 0, 0},
    {2949, "_txid_snapshot", -1, false, 'd', 'b', 'A', false, ',', 2970, 0, 0},
    {2950, "uuid", 16, false, 'c', 'b', 'U', false, ',', 0, 2951, 0},
    {2951, "_uuid", -1, false, 'i', 'b', 'A', false, ',', 2950, 0, 0},
    {2970, "txid_snapshot", -1, false, 'd', 'b', 'U', false, ',', 0, 2949, 0},
    {3115, "fdw_handler", 4, true, 'i', 'p', 'P', false, ',', 0, 0, 0},
    {3220, "pg_lsn", 8, true, 'd', 'b', 'U', false, ',', 0, 3221, 0},
    {3221, "_pg_lsn", -1, false, 'd', 'b', 'A', false, ',', 3220, 0, 0},
    {3310, "tsm_handler", 4, true, 'i', 'p', 'P', false, ',', 0, 0, 0},
    {3361, "pg_ndistinct", -1, false, 'i', 'b', 'Z', false, ',', 0, 0, 100},
    {3402, "pg_dependencies", -1, false, 'i', 'b', 'Z', false, ',', 0, 0, 100},
    {3500, "anyenum", 4, true, 'i', 'p', 'P', false, ',', 0, 0, 0},
    {3614, "tsvector", -1, false, 'i', 'b', 'U', false, ',', 0, 3643, 0},
    {3615, "tsquery", -1, false, 'i', 'b', 'U', false, ',', 0, 3645, 0},
    {3642, "gtsvector", -1, false, 'i', 'b', 'U', false, ',', 0, 3644, 0},
    {3643, "_tsvector", -1, false, 'i', 'b', 'A', false, ',', 3614, 0, 0},
    {3644, "_gtsvector", -1, false, 'i', 'b', 'A', false, ',', 3642, 0, 0},
    {3645, "_tsquery", -1, false, 'i', 'b', 'A', false, ',', 3615, 0, 0},
    {3734, "regconfig", 4, true, 'i', 'b', 'N', false, ',', 0, 3735, 0},
    {3735, "_regconfig", -1, false, 'i', 'b', 'A', false, ',', 3734, 0, 0},
    {3769, "regdictionary", 4, true, 'i', 'b', 'N', false, ',', 0, 3770, 0},
    {3770, "_regdictionary", -1, false, 'i', 'b', 'A', false, ',', 3769, 0, 0},
    {3802, "jsonb", -1, false, 'i', 'b', 'U', false, ',', 0, 3807, 0},
    {3807, "_jsonb", -1, false, 'i', 'b', 'A', false, ',', 3802, 0, 0},
    {3831, "anyrange", -1, false, 'd', 'p', 'P', false, ',', 0, 0, 0},
    {3838, "event_trigger", 4, true, 'i', 'p', 'P', false, ',', 0, 0, 0},
    {3904, "int4range", -1, false, 'i', 'r', 'R', false, ',', 0, 3905, 0},
    {3905, "_int4range", -1, false, 'i', 'b', 'A', false, ',', 3904, 0, 0},
    {3906, "numrange", -1, false, 'i', 'r', 'R', false, ',', 0, 3907, 0},
    {3907, "_numrange", -1, false, 'i', 'b', 'A', false, ',', 3906, 0, 0},
    {3908, "tsrange", -1, false, 'd', 'r', 'R', false, ',', 0, 3909, 0},
    {3909, "_tsrange", -1, false, 'd', 'b', 'A', false, ',', 3908, 0, 0},
    {3910, "tstzrange", -1, false, 'd', 'r', 'R', false, ',', 0, 3911, 0},
    {3911, "_tstzrange", -1, false, 'd', 'b', 'A', false, ',', 3910, 0, 0},
    {3912, "daterange", -1, false, 'i', 'r', 'R', false, ',', 0, 3913, 0},
    {3913, "_daterange", -1, false, 'i', 'b', 'A', false, ',', 3912, 0, 0},
    {3926, "int8range", -1, false, 'd', 'r', 'R', false, ',', 0, 3927, 0},
    {3927, "_int8range", -1, false, 'd', 'b', 'A', false, ',', 3926, 0, 0},
    {4072, "jsonpath", -1, false, 'i', 'b', 'U', false, ',', 0, 4073, 0},
    {4073, "_jsonpath", -1, false, 'i', 'b', 'A', false, ',', 4072, 0, 0},
    {4089, "regnamespace", 4, true, 'i', 'b', 'N', false, ',', 0, 4090, 0},
    {4090, "_regnamespace", -1, false, 'i', 'b', 'A', false, ',', 4089, 0, 0},
    {4096, "regrole", 4, true, 'i', 'b', 'N', false, ',', 0, 4097, 0},
    {4097, "_regrole", -1, false, 'i', 'b', 'A', false, ',', 4096, 0, 0},
    {4191, "regcollation", 4, true, 'i', 'b', 'N', false, ',', 0, 4192, 0},
    {4192, "_regcollation", -1, false, 'i', 'b', 'A', false, ',', 4191, 0, 0},
    {4451, "int4multirange", -1, false, 'i', 'm', 'R', false, ',', 0, 6150, 0},
    {4532, "nummultirange", -1, false, 'i', 'm', 'R', false, ',', 0, 6151, 0},
    {4533, "tsmultirange", -1, false, 'd', 'm', 'R', false, ',', 0, 6152, 0},
    {4534, "tstzmultirange", -1, false, 'd', 'm', 'R', false, ',', 0, 6153, 0},
    {4535, "datemultirange", -1, false, 'i', 'm', 'R', false, ',', 0, 6155, 0},
    {4536, "int8multirange", -1, false, 'd', 'm', 'R', false, ',', 0, 6157, 0},
    {4537, "anymultirange", -1, false, 'd', 'p', 'P', false, ',', 0, 0, 0},
    {4538, "anycompatiblemultirange", -1, false, 'd', 'p', 'P', false, ',', 0, 0, 0},
    {4600, "pg_brin_bloom_summary", -1, false, 'i', 'b', 'Z', false, ',', 0, 0, 100},
    {4601, "pg_brin_minmax_multi_summary", -1, false, 'i', 'b', 'Z', false, ',', 0, 0, 100},
    {5017, "pg_mcv_list", -1, false, 'i', 'b', 'Z', false, ',', 0, 0, 100},
    {5038, "pg_snapshot", -1, false, 'd', 'b', 'U', false, ',', 0, 5039, 0},
    {5039, "_pg_snapshot", -1, false, 'd', 'b', 'A', false, ',', 5038, 0, 0},
    {5069, "xid8", 8, true, 'd', 'b', 'U', false, ',', 0, 271, 0},
    {5077, "anycompatible", 4, true, 'i', 'p', 'P', false, ',', 0, 0, 0},
    {5078, "anycompatiblearray", -1, false, 'd', 'p', 'P', false, ',', 0, 0, 0},
    {5079, "anycompatiblenonarray", 4, true, 'i', 'p', 'P', false, ',', 0, 0, 0},
    {5080, "anycompatiblerange", -1, false, 'd', 'p', 'P', false, ',', 0, 0, 0},
    {6150, "_int4multirange", -1, false, 'i', 'b', 'A', false, ',', 4451, 0, 0},
    {6151, "_nummultirange", -1, false, 'i', 'b', 'A', false, ',', 4532, 0, 0},
    {6152, "_tsmultirange", -1, false, 'd', 'b', 'A', false, ',', 4533, 0, 0},
    {6153, "_tstzmultirange", -1, false, 'd', 'b', 'A', false, ',', 4534, 0, 0},
    {6155, "_datemultirange", -1, false, 'i', 'b', 'A', false, ',', 4535, 0, 0},
    {6157, "_int8multirange", -1, false, 'd', 'b', 'A', false, ',', 4536, 0, 0},
};
// clang-format on

std::string Parenthesized(std::int64_t n) {
  return Format("({})", n);
}

constexpr std::int32_t kVarHeader = 4;

// An interval's typmod holds which fields are kept, a bit mask by field number, and the precision.
std::string PrintIntervalTypmod(std::int32_t typmod) {
  constexpr auto bit = [](int field) { return 1 << field; };
  constexpr int month = bit(1), year = bit(2), day = bit(3), hour = bit(10), minute = bit(11),
                second = bit(12);
  struct Fields {
    int mask;
    const char* text;
  };
  static constexpr Fields kFields[] = {
      {year, " year"},
      {month, " month"},
      {day, " day"},
      {hour, " hour"},
      {minute, " minute"},
      {second, " second"},
      {year | month, " year to month"},
      {day | hour, " day to hour"},
      {day | hour | minute, " day to minute"},
      {day | hour | minute | second, " day to second"},
      {hour | minute, " hour to minute"},
      {hour | minute | second, " hour to second"},
      {minute | second, " minute to second"},
  };
  std::string out;
  const int fields = (typmod >> 16) & 0x7fff;
  const int precision = typmod & 0xffff;
  for (const Fields& f : kFields)
    if (f.mask == fields) out = f.text;
  if (precision != 0xffff) out += Parenthesized(precision);
  return out;
}

std::string PrintTypmod(Oid type, std::int32_t typmod) {
  switch (type) {
    case kBpcharOid:
    case kVarcharOid:
      return typmod > kVarHeader ? Parenthesized(typmod - kVarHeader) : "";
    case kNumericOid:
      return Format("({},{})", NumericTypmodPrecision(typmod), NumericTypmodScale(typmod));
    case kIntervalOid:
      return PrintIntervalTypmod(typmod);
    default:
      return Parenthesized(typmod);
  }
}

struct SqlName {
  Oid type;
  const char* before;  // the typmod stands between `before` and `after`
  const char* after;
  bool takes_typmod = true;
};

// Types that SQL names otherwise than pg_type does.
constexpr SqlName kSqlNames[] = {
    {kBoolOid, "boolean", "", false},
    {kInt8Oid, "bigint", "", false},
    {kInt2Oid, "smallint", "", false},
    {kInt4Oid, "integer", "", false},
    {kFloat4Oid, "real", "", false},
    {kFloat8Oid, "double precision", "", false},
    {kBpcharOid, "character", ""},
    {kVarcharOid, "character varying", ""},
    {kTimeOid, "time", " without time zone"},
    {kTimestampOid, "timestamp", " without time zone"},
    {kTimestamptzOid, "timestamp", " with time zone"},
    {kIntervalOid, "interval", ""},
    {kTimetzOid, "time", " with time zone"},
    {1560, "bit", ""},
    {1562, "bit varying", ""},
    {kNumericOid, "numeric", ""},
};

std::string FormatElement(const TypeInfo& type, std::int32_t typmod, bool typmod_given) {
  const bool has_typmod = typmod >= 0;
  // CHARACTER and BIT without length mean one character or bit, so a type without typmod goes by
  // its own name.
  const bool by_own_name =
      typmod_given && !has_typmod && (type.oid == kBpcharOid || type.oid == 1560);
  if (type.oid == 1560 && by_own_name) return "\"bit\"";
  if (!by_own_name) {
    for (const SqlName& name : kSqlNames)
      if (name.type == type.oid)
        return name.before +
               (has_typmod && name.takes_typmod ? PrintTypmod(type.oid, typmod) : std::string()) +
               name.after;
  }
  // Keywords are quoted.
  std::string out(type.typname);
  if (out == "char" || out == "any") out = "\"" + out + "\"";
  if (has_typmod) out += PrintTypmod(type.oid, typmod);
  return out;
}

std::string TypeText(Oid oid, std::int32_t typmod, bool typmod_given) {
  if (oid == kInvalidOid) return "-";
  const TypeInfo* type = FindTypeInfo(oid);
  if (type == nullptr) return "???";
  if (!IsArrayType(*type)) return FormatElement(*type, typmod, typmod_given);
  const TypeInfo* element = FindTypeInfo(type->typelem);
  if (element == nullptr) return std::string(type->typname);
  return FormatElement(*element, typmod, typmod_given) + "[]";
}

}  // namespace

const TypeInfo* FindTypeInfo(Oid type) {
  const auto* found = std::ranges::lower_bound(kTypes, type, {}, &TypeInfo::oid);
  return found != std::end(kTypes) && found->oid == type ? found : nullptr;
}

const TypeInfo* FindTypeInfo(std::string_view typname) {
  const auto* found = std::ranges::find(kTypes, typname, &TypeInfo::typname);
  return found != std::end(kTypes) ? found : nullptr;
}

std::span<const TypeInfo> TypeInfos() {
  return kTypes;
}

bool IsArrayType(const TypeInfo& type) {
  // int2vector and oidvector are arrays inside but go by their own names.
  return type.typname.front() == '_' && type.typelem != kInvalidOid;
}

std::string FormatType(Oid type, std::int32_t typmod) {
  return TypeText(type, typmod, true);
}

std::string FormatTypeName(Oid type) {
  return TypeText(type, -1, false);
}

}  // namespace relcache
