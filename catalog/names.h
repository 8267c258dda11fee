// How PostgreSQL prints the names of catalog objects, also of those that are not built in.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "relcache/catalog/catalog_source.h"

namespace relcache {

/// What format_type(type, typmod) prints: "character varying(10)", "shop.order_state[]". A type
/// outside pg_catalog and public is qualified, as with the default search path. Of an unknown oid
/// "???". Cost: up to two look-ups in the source for a type that is not built in. Errors: the
/// source's.
Result<std::string> FormatTypeOf(Oid type, std::int32_t typmod, CatalogSource& source);

/// What regprocedure prints; of an unknown oid its number. Qualified as FormatTypeOf does.
Result<std::string> FormatProcOf(Oid proc, CatalogSource& source);

/// What a relation of a pg_class.relkind is called: "materialized view".
std::string RelationKindName(char relkind);

/// Whether a name that is written without its schema finds the object of that schema: the schema is
/// in search_path (as SET takes it; pg_catalog comes first unless it is named), and none of
/// `namesakes`, the schemas that have an object of the same name and kind, stands before it.
/// "$user" and pg_temp stand for no schema: who the user is, and whether it may use a schema, is
/// not known here. Of a text that is no search_path nothing but pg_catalog is found.
/// (TypeIsVisible.)
bool IsVisible(std::string_view search_path, std::string_view schema,
               std::span<const std::string_view> namesakes);

/// A possibly qualified name as SQL spells it, taken apart: unquoted parts folded to lower case.
struct QualifiedName {
  /// Empty if not given.
  std::string schema;
  std::string name;
};

/// Errors: 42602, "invalid name syntax" (textToQualifiedNameList); a name of more than two parts.
Result<QualifiedName> ParseQualifiedName(std::string_view text);

/// The relation that a text names; without schema in public. Errors: those of ParseQualifiedName;
/// 42P01, "relation \"x\" does not exist"; the source's.
Result<Oid> FindRelation(std::string_view text, CatalogSource& source);

}  // namespace relcache
