// PostgreSQL's built-in functions, operators, casts ... as data, so that a tree can be understood
// and printed without a server. Types themselves: types/builtin_types.h.
//
// Of PostgreSQL 15, made by scripts/make_builtin. Only objects with hand-assigned oids (below
// 10000) are here: those name the same thing in every database and later version. A snapshot of
// another version carries the rows of what its expressions name, and a source prefers those.
//
// Lifetime: of what is returned, the program's. Thread safety: all of it. Cost: look-ups are binary
// searches.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/catalog/rows.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// A row of pg_proc.
struct BuiltinProc {
  Oid oid;
  std::string_view proname;
  /// Input arguments.
  std::span<const Oid> proargtypes;
  Oid prorettype;
  Oid provariadic;
  /// 12 internal, 13 c, 14 sql.
  Oid prolang;
  char prokind;
  char provolatile;
  char proparallel;
  std::uint8_t pronargdefaults;
  bool proisstrict;
  bool proretset;
  bool proleakproof;
};

/// nullptr when there is none.
const BuiltinProc* FindBuiltinProc(Oid oid);
std::span<const BuiltinProc> BuiltinProcs();
/// By oid.
std::vector<const BuiltinProc*> BuiltinProcsNamed(std::string_view proname);

/// As regprocedure prints a function with pg_catalog in the search path: "int4ge(integer,integer)",
/// "\"overlaps\"(...)". An unknown oid as its number.
std::string FormatProc(Oid oid);

/// A row of pg_operator.
struct BuiltinOperator {
  Oid oid;
  std::string_view oprname;
  char oprkind;
  bool oprcanmerge;
  bool oprcanhash;
  Oid oprleft;
  Oid oprright;
  Oid oprresult;
  Oid oprcom;
  Oid oprnegate;
  Oid oprcode;
};

const BuiltinOperator* FindBuiltinOperator(Oid oid);
/// kInvalidOid as left for a prefix operator.
const BuiltinOperator* FindBuiltinOperator(std::string_view oprname, Oid left, Oid right);
std::span<const BuiltinOperator> BuiltinOperators();
std::vector<const BuiltinOperator*> BuiltinOperatorsNamed(std::string_view oprname);
/// As regoperator prints it: ">(integer,integer)", "-(NONE,integer)".
std::string FormatOperator(Oid oid);

/// A row of pg_cast. castfunc is 0 for castmethod 'b' (binary coercible) and 'i' (by text).
struct BuiltinCast {
  Oid castsource;
  Oid casttarget;
  Oid castfunc;
  /// 'e' explicit only, 'a' also in assignment, 'i' also implied.
  char castcontext;
  char castmethod;
};

const BuiltinCast* FindBuiltinCast(Oid source, Oid target);
std::span<const BuiltinCast> BuiltinCasts();

// Rows of built-in objects as a source delivers them, made in cx; nullptr when there is none.
const TypeRows* BuiltinTypeRows(Oid oid, MemoryContext& cx);
const ProcRow* BuiltinProcRow(Oid oid, MemoryContext& cx);
const OperatorRow* BuiltinOperatorRow(Oid oid, MemoryContext& cx);
const CollationRow* BuiltinCollationRow(Oid oid, MemoryContext& cx);
const OpclassRow* BuiltinOpclassRow(Oid oid, MemoryContext& cx);
const NamespaceRow* BuiltinNamespaceRow(Oid oid, MemoryContext& cx);

/// The name as SQL must spell it: in double quotes if it is not a plain lower-case identifier or is
/// a keyword that is not unreserved (quote_identifier).
std::string QuoteIdentifier(std::string_view name);
/// schema.name, each quoted as needed; only the name if the schema is empty
/// (quote_qualified_identifier).
std::string QuoteQualifiedIdentifier(std::string_view schema, std::string_view name);

}  // namespace relcache
