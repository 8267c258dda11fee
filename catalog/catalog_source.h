// CatalogSource is the interface through which relcache obtains catalog rows and learns of their
// changes. It takes the place of PostgreSQL's scans of the system catalogs (systable_beginscan) and
// of its invalidation messages (inval.c). Sources exist for snapshot files (json_catalog.h) and for
// rows that a program stores itself (memory_catalog.h).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/catalog/invalidation.h"
#include "relcache/catalog/rows.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// Facts about the server that hold for all rows of a source.
struct ServerInfo {
  /// PG_VERSION_NUM of the server that the rows and node trees come from: 150014 is PostgreSQL
  /// 15.14.
  std::int32_t server_version_num = 150000;
  /// The encoding of the database, with the name that pg_encoding_to_char prints. Constants in node
  /// trees are in this encoding. If it is not UTF8, rows are in it or in UTF-8, and expressions are
  /// evaluated only where that makes no difference (docs/text.md).
  std::string server_encoding = "UTF8";
  /// The default collation of the database (rules of text order, oid 100), as pg_database describes
  /// it. The provider is the library that implements it: 'c' for the C library, which uses
  /// datcollate and datctype; 'i' for ICU and 'b' for PostgreSQL itself, which use datlocale.
  char datlocprovider = 'c';
  std::string datcollate = "C";
  std::string datctype = "C";
  /// The column is called daticulocale up to PostgreSQL 16.
  std::string datlocale;
  /// From PostgreSQL 16 on: changes of ICU's order.
  std::string daticurules;
  std::string datcollversion;

  /// The major version, such as 15. It decides how node trees are read.
  int pg_version() const noexcept { return server_version_num / 10000; }
  /// Whether two texts are equal under the default collation only if their bytes are. PostgreSQL
  /// requires this of a default collation.
  static constexpr bool default_collation_is_deterministic() noexcept { return true; }
};

/// A relation in a listing: its oid, schema, name and kind (ClassRow::relkind).
struct RelationName {
  Oid oid = kInvalidOid;
  std::string_view nspname;
  std::string_view relname;
  char relkind = 'r';
};

/// Delivers catalog rows and reports when they change.
/// Lifetime: what a call delivers lies in `cx` and shares no memory with the source.
/// Thread safety: any thread may make any call at any time; each call needs a `cx` that no other
/// thread uses.
/// Errors: kSource when the source cannot deliver. `cx` may contain partial results then, but the
/// call has no other effect. It is not an error that an object does not exist. std::bad_alloc is
/// thrown.
/// Freshness: a call that begins after a listener was told of a change delivers the state after the
/// change. A call that was already running may deliver the state before it.
class CatalogSource {
 public:
  virtual ~CatalogSource() = default;

  /// Facts about the server. They do not change during the life of the source.
  /// Lifetime: the source's.
  virtual const ServerInfo& info() const noexcept = 0;

  /// Delivers each relation with all its rows, all as of one moment, in the order of `oids`. An
  /// element is nullptr if the relation does not exist. If an oid occurs twice, it is delivered
  /// twice.
  virtual Result<std::span<const RelationRows* const>> Load(std::span<const Oid> oids,
                                                            MemoryContext& cx) = 0;
  /// The oid of the relation with this name, or kInvalidOid. Both parts must be exactly as stored
  /// in the catalogs, without quotes and with the right case.
  virtual Result<Oid> LookupName(std::string_view nspname, std::string_view relname) = 0;
  /// All relations of the source, ordered by schema and name (byte by byte).
  virtual Result<std::span<const RelationName>> ListRelations(MemoryContext& cx) = 0;

  /// The schemas that contain a type with this name, in no particular order. The row types of
  /// relations count too. This decides whether PostgreSQL prints a type's name with its schema. A
  /// source that does not know returns none.
  virtual Result<std::span<const std::string_view>> SchemasOfType(std::string_view typname,
                                                                  MemoryContext& cx);

  /// These calls work like Load, for the objects that expressions and columns refer to. Every
  /// source knows PostgreSQL's built-in objects.
  virtual Result<std::span<const TypeRows* const>> LoadTypes(std::span<const Oid> oids,
                                                             MemoryContext& cx) = 0;
  virtual Result<std::span<const ProcRow* const>> LoadProcs(std::span<const Oid> oids,
                                                            MemoryContext& cx) = 0;
  virtual Result<std::span<const OperatorRow* const>> LoadOperators(std::span<const Oid> oids,
                                                                    MemoryContext& cx) = 0;
  virtual Result<std::span<const CollationRow* const>> LoadCollations(std::span<const Oid> oids,
                                                                      MemoryContext& cx) = 0;
  virtual Result<std::span<const OpclassRow* const>> LoadOpclasses(std::span<const Oid> oids,
                                                                   MemoryContext& cx) = 0;
  virtual Result<std::span<const NamespaceRow* const>> LoadNamespaces(std::span<const Oid> oids,
                                                                      MemoryContext& cx) = 0;

  /// Reports every change from now on to `listener`, until the InvalidationSubscription is
  /// destroyed or reset. A source of your own can own an InvalidationHub and pass the call to it.
  virtual InvalidationSubscription Subscribe(InvalidationListener listener) = 0;

  // The same for a single object; nullptr if it does not exist.
  Result<const RelationRows*> LoadRelation(Oid oid, MemoryContext& cx);
  Result<const TypeRows*> LoadType(Oid oid, MemoryContext& cx);
  Result<const ProcRow*> LoadProc(Oid oid, MemoryContext& cx);
  Result<const OperatorRow*> LoadOperator(Oid oid, MemoryContext& cx);
  Result<const CollationRow*> LoadCollation(Oid oid, MemoryContext& cx);
  Result<const OpclassRow*> LoadOpclass(Oid oid, MemoryContext& cx);
  Result<const NamespaceRow*> LoadNamespace(Oid oid, MemoryContext& cx);

 protected:
  CatalogSource() = default;
  CatalogSource(const CatalogSource&) = default;
  CatalogSource& operator=(const CatalogSource&) = default;
};

}  // namespace relcache
