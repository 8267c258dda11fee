// Rows from JSON and to JSON, by their declared columns.
#pragma once

#include <string>

#include "relcache/base/result.h"
#include "relcache/catalog/internal/catalog_rows.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

struct JsonLimits;  // json_catalog.h

/// Reads a snapshot (docs/json_catalog_format.md). Checks what can be said of each row by itself:
/// its columns, their types and ranges. Lifetime: what is returned lives in cx. Errors:
/// kInvalidInput or kLimit; `place` is "line:column: path.to[0].field", `offset` the byte. Any text
/// gives rows or an error; the depth of recursion does not depend on it.
Result<CatalogRows> ReadCatalogJson(std::string_view text, const JsonLimits& limits,
                                    MemoryContext& cx);

/// The error of something at `path` ("relations[3].pg_class"), with the place it has in `text`.
Error ErrorAt(std::string_view text, std::string_view path, Error error);

/// Writes what ReadCatalogJson reads, a row a line; optional columns that hold their default are
/// left out. Errors: kInvalidInput when a string is not UTF-8 or a number not finite.
Result<std::string> CatalogToJson(const CatalogRows& rows);
/// One relation, as it stands in a snapshot.
Result<std::string> RelationToJson(const RelationRows& rows);
/// One type, likewise.
Result<std::string> TypeToJson(const TypeRows& rows);

}  // namespace relcache
