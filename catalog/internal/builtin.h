// PostgreSQL's built-in functions, operators and casts as data, so that a tree can be compiled and
// printed without a server. Types are in types/builtin_types.h.
//
// The tables come from PostgreSQL 15 and are made by scripts/make_builtin. They contain only
// objects with oids that were assigned by hand (below 10000), since these identify the same object
// in every database and in later versions. A snapshot of another version has the rows of the
// objects that its expressions refer to, and a source prefers those.
//
// Lifetime: what is returned lives as long as the program.
// Thread safety: any thread may make any call.
// Cost: a look-up is a binary search.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/catalog/internal/builtin_rows.h"
#include "relcache/catalog/rows.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// nullptr when there is none.
const BuiltinProc* FindBuiltinProc(Oid oid);
std::span<const BuiltinProc> BuiltinProcs();
/// All functions with this name, ordered by oid.
std::vector<const BuiltinProc*> BuiltinProcsNamed(std::string_view proname);

/// A function as the type regprocedure prints it if pg_catalog is in the search_path:
/// "int4ge(integer,integer)", "\"overlaps\"(...)". An unknown oid is printed as a number.
std::string FormatProc(Oid oid);

const BuiltinOperator* FindBuiltinOperator(Oid oid);
/// For a prefix operator, `left` is kInvalidOid.
const BuiltinOperator* FindBuiltinOperator(std::string_view oprname, Oid left, Oid right);
std::span<const BuiltinOperator> BuiltinOperators();
std::vector<const BuiltinOperator*> BuiltinOperatorsNamed(std::string_view oprname);
/// An operator as the type regoperator prints it: ">(integer,integer)", "-(NONE,integer)".
std::string FormatOperator(Oid oid);

const BuiltinCast* FindBuiltinCast(Oid source, Oid target);
std::span<const BuiltinCast> BuiltinCasts();

// The rows of built-in objects in the form that sources deliver, made in cx; nullptr if there is
// none.
const TypeRows* BuiltinTypeRows(Oid oid, MemoryContext& cx);
const ProcRow* BuiltinProcRow(Oid oid, MemoryContext& cx);
const OperatorRow* BuiltinOperatorRow(Oid oid, MemoryContext& cx);
const CollationRow* BuiltinCollationRow(Oid oid, MemoryContext& cx);
const OpclassRow* BuiltinOpclassRow(Oid oid, MemoryContext& cx);
const NamespaceRow* BuiltinNamespaceRow(Oid oid, MemoryContext& cx);

/// The name as SQL must spell it: in double quotes unless it is a lower-case identifier and not a
/// keyword that needs quotes (quote_identifier).
std::string QuoteIdentifier(std::string_view name);
/// "schema.name", each part with quotes if necessary; only the name if the schema is empty
/// (quote_qualified_identifier).
std::string QuoteQualifiedIdentifier(std::string_view schema, std::string_view name);

}  // namespace relcache
