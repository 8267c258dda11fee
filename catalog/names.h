// Functions that print and read the names of catalog objects as PostgreSQL does in messages
// (format_type.c, regproc.c, namespace.c), including those of objects that are not built in.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "relcache/catalog/catalog_source.h"

namespace relcache {

/// The name of a type as format_type(type, typmod) prints it: "character varying(10)",
/// "shop.order_state[]". A type outside of pg_catalog and public is printed with its schema, as
/// under the default search_path. An unknown oid yields "???".
/// Cost: up to two look-ups in the source for a type that is not built in.
/// Errors: the source's.
Result<std::string> FormatTypeOf(Oid type, std::int32_t typmod, CatalogSource& source);

/// A function with its argument types, as PostgreSQL's type regprocedure prints it; the number if
/// the oid is unknown. The schema is printed as FormatTypeOf does.
/// Errors: the source's.
Result<std::string> FormatProcOf(Oid proc, CatalogSource& source);

/// The name of a kind of relation (ClassRow::relkind), such as "materialized view" for 'm'.
std::string RelationKindName(char relkind);

/// Whether a name that is written without a schema finds the object in `schema` (TypeIsVisible).
/// This is so if the schema is in search_path and none of `namesakes`, the schemas that contain an
/// object of the same name and kind, precedes it there. search_path is the list of schemas in which
/// names are looked up, in the form that SET takes; pg_catalog comes first unless the list contains
/// it. The entries "$user" (the schema that is named like the user) and pg_temp (the schema of the
/// session's temporary tables) are ignored, because the user and the session are not known here. If
/// the text is not a valid search_path, only pg_catalog is searched.
bool IsNameVisible(std::string_view search_path, std::string_view schema,
                   std::span<const std::string_view> namesakes);

/// The parts of a name that may have been written with a schema. Unquoted parts have been converted
/// to lower case.
struct SqlName {
  /// Empty if the name was written without a schema.
  std::string schema;
  std::string name;
};

/// Splits a name as SQL spells it, such as `shop."Orders"` (textToQualifiedNameList).
/// Errors: SQLSTATE 42602 "invalid name syntax", also for a name of more than two parts.
Result<SqlName> ParseQualifiedName(std::string_view text);

/// The oid of the relation that a text names; a name without a schema is looked up in public.
/// Errors: those of ParseQualifiedName; SQLSTATE 42P01 `relation "x" does not exist`; the source's.
Result<Oid> FindRelation(std::string_view text, CatalogSource& source);

}  // namespace relcache
