// Where catalog rows come from: a server, a snapshot file, DDL, memory.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/catalog/invalidation.h"
#include "relcache/catalog/rows.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// What holds for every row of a source.
struct ServerInfo {
  /// PG_VERSION_NUM of the server whose rows and trees these are: 150014.
  std::int32_t server_version_num = 150000;
  /// pg_encoding_to_char's name: "UTF8". The constants in trees are in this encoding. Where it is
  /// another than UTF8, rows are in it or in UTF-8, and expressions are answered as far as that
  /// makes no difference (docs/text.md).
  std::string server_encoding = "UTF8";
  /// The default collation (oid 100), from pg_database. A provider of 'i' or 'b' goes by locale,
  /// 'c' by collate and ctype.
  char datlocprovider = 'c';
  std::string datcollate = "C";
  std::string datctype = "C";
  /// daticulocale until PostgreSQL 16.
  std::string datlocale;
  std::string datcollversion;

  /// The major version, which decides how trees are read: 15.
  int pg_version() const noexcept { return server_version_num / 10000; }
  /// Whether equal means bytewise equal under the default collation. PostgreSQL allows no other.
  static constexpr bool default_collation_is_deterministic() noexcept { return true; }
};

/// A relation in a listing.
struct RelationName {
  Oid oid = kInvalidOid;
  std::string_view nspname;
  std::string_view relname;
  char relkind = 'r';
};

/// Delivers catalog rows and says when they change.
/// Lifetime: what a call delivers lives in `cx` and shares nothing with the source.
/// Thread safety: all calls from any thread, several at once; `cx` is the caller's alone.
/// Errors: kSource when the source cannot deliver; then `cx` may hold garbage but nothing else is
/// lost. That something does not exist is no error. std::bad_alloc flies.
/// Freshness: a call that begins after a listener was told of a change sees the change; one that
/// was under way meanwhile may deliver the state before it.
class CatalogSource {
 public:
  virtual ~CatalogSource() = default;

  /// The same for the life of the source. Lifetime: the source's.
  virtual const ServerInfo& info() const noexcept = 0;

  /// Each relation whole, all as of one moment, in the order of `oids`; nullptr for one that does
  /// not exist. Every element is independent: one oid may come twice.
  virtual Result<std::span<const RelationRows* const>> Load(std::span<const Oid> oids,
                                                            MemoryContext& cx) = 0;
  /// The relation of that name, or kInvalidOid. Names are exact: not folded, not quoted.
  virtual Result<Oid> LookupName(std::string_view nspname, std::string_view relname) = 0;
  /// Every relation that the source knows, by schema and name (bytewise).
  virtual Result<std::span<const RelationName>> ListRelations(MemoryContext& cx) = 0;

  /// The schemas in which the source knows a type of that name, rows of relations included, in no
  /// order: what decides whether PostgreSQL names a type with its schema. A source that cannot tell
  /// gives none.
  virtual Result<std::span<const std::string_view>> SchemasOfType(std::string_view typname,
                                                                  MemoryContext& cx);

  /// As Load, for what expressions and columns name. PostgreSQL's built-in objects are known to
  /// every source.
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

  /// Tells `listener` of every change from now on, until the subscription goes.
  virtual Subscription Subscribe(InvalidationListener listener) = 0;

  // One object; nullptr when it does not exist.
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
