// A whole catalog as rows: what a snapshot file holds, and how any source is copied into one.
#pragma once

#include "relcache/catalog/catalog_source.h"
#include "relcache/catalog/internal/row_columns.h"

namespace relcache {

/// ServerInfo as a row.
struct ServerRow {
  std::int32_t server_version_num = 0;
  std::string_view server_encoding;
  char datlocprovider = 'c';
  std::string_view datcollate;
  std::string_view datctype;
  std::string_view datlocale;
  std::string_view daticurules;
  std::string_view datcollversion;
};

struct CatalogRows {
  /// kSnapshotFormat.
  std::string_view format;
  std::int32_t format_version = 0;
  ServerRow server;
  std::span<const NamespaceRow> namespaces;
  std::span<const RelationRows> relations;
  std::span<const TypeRows> types;
  std::span<const ProcRow> procs;
  std::span<const OperatorRow> operators;
  std::span<const CollationRow> collations;
  std::span<const OpclassRow> opclasses;
};

inline constexpr std::string_view kSnapshotFormat = "relcache catalog";
inline constexpr std::int32_t kSnapshotFormatVersion = 1;

/// Everything that a source has: all relations, as of one moment, and the objects that they name.
/// Lifetime: in cx. Cost: one Load of all relations, then rounds of look-ups until nothing new is
/// named. Errors: the source's.
Result<CatalogRows> ExportCatalog(CatalogSource& source, MemoryContext& cx);

// clang-format off
RELCACHE_COLUMNS(ServerRow,
    Must("server_version_num", &R::server_version_num), Must("server_encoding", &R::server_encoding),
    May("datlocprovider", &R::datlocprovider), Must("datcollate", &R::datcollate),
    Must("datctype", &R::datctype), May("datlocale", &R::datlocale),
    May("daticurules", &R::daticurules), May("datcollversion", &R::datcollversion));

RELCACHE_COLUMNS(CatalogRows,
    Must("format", &R::format), Must("format_version", &R::format_version),
    Must("server", &R::server), May("pg_namespace", &R::namespaces),
    Must("relations", &R::relations), May("types", &R::types), May("pg_proc", &R::procs),
    May("pg_operator", &R::operators), May("pg_collation", &R::collations),
    May("pg_opclass", &R::opclasses));
// clang-format on

}  // namespace relcache
