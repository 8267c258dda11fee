#include "relcache/catalog/json_catalog.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>

#include "relcache/base/internal/format.h"
#include "relcache/catalog/internal/builtin.h"
#include "relcache/catalog/internal/row_copy.h"
#include "relcache/catalog/internal/row_order.h"
#include "relcache/types/builtin_types.h"

#include "relcache/catalog/internal/json_rows.h"

namespace relcache {
namespace {

Result<std::string> ReadFile(const std::string& path, std::size_t max_bytes) {
  const auto fail = [&](const char* what) {
    const int error = errno;
    return Fail(Error(ErrorCode::kIo, error == ENOENT ? "58P01" : "58030",
                      std::string(what) + ": " + std::strerror(error))
                    .At(path));
  };
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) return fail("could not open file");
  std::string text;
  char buffer[65536];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, n);
    if (text.size() > max_bytes) break;  // the reader will refuse it
  }
  if (std::ferror(file.get()) != 0) return fail("could not read file");
  return text;
}

Error Contradiction(std::string message) {
  return Error(ErrorCode::kInvalidInput, "XX001", std::move(message));
}

std::string Element(const char* array, std::size_t i, const char* rest = "") {
  return std::string(array) + "[" + std::to_string(i) + "]" + rest;
}

/// Whether PostgreSQL assigned the oid automatically while it created its catalogs. Such objects,
/// for instance the row type of a catalog, exist in every database although neither a snapshot nor
/// the built-in tables contain them.
bool IsSystemOid(Oid oid) {
  return oid < kFirstUnpinnedObjectId;
}

/// The schemas by oid: those that are listed, and those that rows mention.
class Schemas {
 public:
  /// Returns false if the oid is known under another name.
  bool Add(Oid oid, std::string_view name) {
    const auto [entry, added] = names_.emplace(oid, name);
    return added || entry->second == name;
  }
  const std::map<Oid, std::string_view>& names() const { return names_; }

 private:
  std::map<Oid, std::string_view> names_;
};

/// Builds the tables of a catalog from rows. It stops at the first contradiction.
template <class Tables>
class Assembler {
 public:
  Assembler(const CatalogRows& rows, std::shared_ptr<MemoryContext> owner, Tables& tables)
      : rows_(rows), owner_(std::move(owner)), tables_(tables) {}

  /// The path of the row that an error concerns.
  const std::string& path() const { return path_; }

  Status Run() {
    for (std::size_t i = 0; i < rows_.namespaces.size(); ++i) {
      path_ = Element("pg_namespace", i);
      RELCACHE_TRY(AddSchema(rows_.namespaces[i].oid, rows_.namespaces[i].nspname));
    }
    RELCACHE_TRY(AddTypes());
    RELCACHE_TRY(AddObjects("pg_proc", rows_.procs, tables_.procs, &ProcRow::pronamespace));
    RELCACHE_TRY(
        AddObjects("pg_operator", rows_.operators, tables_.operators, &OperatorRow::oprnamespace));
    RELCACHE_TRY(AddObjects("pg_collation", rows_.collations, tables_.collations,
                            &CollationRow::collnamespace));
    RELCACHE_TRY(
        AddObjects("pg_opclass", rows_.opclasses, tables_.opclasses, &OpclassRow::opcnamespace));
    RELCACHE_TRY(AddRelations());
    RELCACHE_TRY(CheckReferences());
    for (const auto& [oid, name] : schemas_.names()) {
      NamespaceRow& row = *owner_->New<NamespaceRow>();
      row = {oid, name};
      tables_.namespaces.emplace(oid, Share(row));
    }
    return {};
  }

 private:
  template <class Row>
  std::shared_ptr<const Row> Share(const Row& row) const {
    return {owner_, &row};
  }

  Status AddSchema(Oid oid, std::string_view name) {
    if (oid == kInvalidOid || name.empty())
      return Fail(Contradiction("a schema without oid or name"));
    if (!schemas_.Add(oid, name)) {
      return Fail(Contradiction(
          Format("schema {} is called \"{}\" elsewhere", oid, schemas_.names().at(oid))));
    }
    return {};
  }

  Status AddTypes() {
    for (std::size_t i = 0; i < rows_.types.size(); ++i) {
      path_ = Element("types", i, ".pg_type");
      TypeRows& type = *owner_->New<TypeRows>(rows_.types[i]);
      SortRows(type, *owner_);
      RELCACHE_TRY(ValidateTypeRows(type));
      RELCACHE_TRY(AddSchema(type.pg_type.typnamespace, type.nspname));
      if (!tables_.types.emplace(type.pg_type.oid, Share(type)).second) {
        return Fail(Contradiction(Format("type {} is there twice", type.pg_type.oid)));
      }
    }
    return {};
  }

  template <class Row, class Table>
  Status AddObjects(const char* name, std::span<const Row> rows, Table& table, Oid Row::*schema) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      path_ = Element(name, i);
      if (rows[i].oid == kInvalidOid) return Fail(Contradiction("oid is 0"));
      RELCACHE_TRY(AddSchema(rows[i].*schema, rows[i].nspname));
      if (!table.emplace(rows[i].oid, Share(rows[i])).second) {
        return Fail(Contradiction(Format("oid {} is there twice", rows[i].oid)));
      }
    }
    return {};
  }

  Status AddRelations() {
    for (std::size_t i = 0; i < rows_.relations.size(); ++i) {
      path_ = Element("relations", i, ".pg_class");
      RelationRows& relation = *owner_->New<RelationRows>(rows_.relations[i]);
      SortRows(relation, *owner_);
      RELCACHE_TRY(ValidateRelationRows(relation));
      RELCACHE_TRY(AddSchema(relation.pg_class.relnamespace, relation.nspname));
      if (tables_.relations.contains(relation.pg_class.oid)) {
        return Fail(Contradiction(Format("relation {} is there twice", relation.pg_class.oid)));
      }
      RELCACHE_TRY(tables_.Put(Share(relation)));
    }
    return {};
  }

  bool TypeIsKnown(Oid oid) const {
    return tables_.types.contains(oid) || FindTypeInfo(oid) != nullptr || IsSystemOid(oid);
  }

  /// Checks the references of rows to other rows.
  Status CheckReferences() {
    for (std::size_t i = 0; i < rows_.relations.size(); ++i) {
      const RelationRows& relation = rows_.relations[i];
      for (std::size_t j = 0; j < relation.attributes.size(); ++j) {
        const AttributeRow& column = relation.attributes[j];
        if (column.attisdropped || TypeIsKnown(column.atttypid)) continue;
        path_ = Element("relations", i, ".") + Element("pg_attribute", j, ".atttypid");
        return Fail(Contradiction(Format("there is no type {}", column.atttypid)));
      }
      for (std::size_t j = 0; j < relation.parents.size(); ++j) {
        if (tables_.relations.contains(relation.parents[j].inhparent)) continue;
        path_ = Element("relations", i, ".") + Element("pg_inherits", j, ".inhparent");
        return Fail(
            Contradiction(Format("there is no relation {}", relation.parents[j].inhparent)));
      }
      const PartitionedTableRow* key = relation.partitioned_table;
      if (key != nullptr && key->partdefid != kInvalidOid &&
          !tables_.relations.contains(key->partdefid)) {
        path_ = Element("relations", i, ".pg_partitioned_table.partdefid");
        return Fail(Contradiction(Format("there is no relation {}", key->partdefid)));
      }
    }
    for (std::size_t i = 0; i < rows_.types.size(); ++i) {
      const TypeRow& type = rows_.types[i].pg_type;
      if (type.typbasetype == kInvalidOid || TypeIsKnown(type.typbasetype)) continue;
      path_ = Element("types", i, ".pg_type.typbasetype");
      return Fail(Contradiction(Format("there is no type {}", type.typbasetype)));
    }
    return CheckInheritance();
  }

  /// Checks that no relation is its own ancestor. Relations whose parents have all been removed are
  /// removed, again and again; what remains is part of a cycle or below one.
  Status CheckInheritance() {
    std::map<Oid, std::size_t> parents_left;
    std::vector<Oid> free;
    for (const RelationRows& relation : rows_.relations) {
      parents_left[relation.pg_class.oid] = relation.parents.size();
      if (relation.parents.empty()) free.push_back(relation.pg_class.oid);
    }
    while (!free.empty()) {
      const Oid oid = free.back();
      free.pop_back();
      for (const InheritsRow& child : tables_.relations.at(oid).children)
        if (--parents_left.at(child.inhrelid) == 0) free.push_back(child.inhrelid);
    }
    for (std::size_t i = 0; i < rows_.relations.size(); ++i) {
      if (parents_left.at(rows_.relations[i].pg_class.oid) == 0) continue;
      path_ = Element("relations", i, ".pg_inherits");
      return Fail(ErrorCode::kInvalidInput, "42P07", "circular inheritance not allowed");
    }
    return {};
  }

  const CatalogRows& rows_;
  std::shared_ptr<MemoryContext> owner_;
  Tables& tables_;
  Schemas schemas_;
  std::string path_;
};

ServerInfo InfoOf(const ServerRow& row) {
  ServerInfo info;
  info.server_version_num = row.server_version_num;
  info.server_encoding = row.server_encoding;
  info.datlocprovider = row.datlocprovider;
  info.datcollate = row.datcollate;
  info.datctype = row.datctype;
  info.datlocale = row.datlocale;
  info.daticurules = row.daticurules;
  info.datcollversion = row.datcollversion;
  return info;
}

/// Adds an invalidation for each object that is in only one of the tables or differs between them.
template <class Table>
void CompareTables(const Table& before, const Table& after, InvalidationKind kind,
                   std::vector<Invalidation>& changes) {
  for (const auto& [oid, row] : before) {
    const auto found = after.find(oid);
    if (found == after.end() || !EqualRows(*row, *found->second)) changes.push_back({kind, oid});
  }
  for (const auto& [oid, row] : after) {
    if (!before.contains(oid)) changes.push_back({kind, oid});
  }
}

}  // namespace

JsonCatalog::JsonCatalog(Snapshot snapshot, std::string path, const JsonLimits& limits)
    : StoredCatalog(std::move(snapshot.info)), path_(std::move(path)), limits_(limits) {
  tables() = std::move(snapshot.tables);
}

Result<JsonCatalog::Snapshot> JsonCatalog::Read(std::string_view text, std::string_view name,
                                                const JsonLimits& limits) {
  const std::shared_ptr<MemoryContext> owner(Bump::CreateRoot("catalog snapshot"));
  auto rows = ReadCatalogJson(text, limits, *owner);
  if (!rows) return Fail(std::move(rows).error().At(name));
  Snapshot snapshot;
  snapshot.info = InfoOf(rows->server);
  if (snapshot.info.server_version_num < 100000 || snapshot.info.server_version_num > 990000) {
    return Fail(
        ErrorAt(text, "server.server_version_num",
                NotSupported(Format("server_version_num {}", snapshot.info.server_version_num)))
            .At(name));
  }
  Assembler assembler(*rows, owner, snapshot.tables);
  if (Status status = assembler.Run(); !status) {
    return Fail(ErrorAt(text, assembler.path(), std::move(status).error()).At(name));
  }
  return snapshot;
}

Result<std::unique_ptr<JsonCatalog>> JsonCatalog::Parse(std::string_view text,
                                                        std::string_view name,
                                                        const JsonLimits& limits) {
  RELCACHE_ASSIGN(Snapshot snapshot, Read(text, name, limits));
  return std::unique_ptr<JsonCatalog>(new JsonCatalog(std::move(snapshot), std::string(), limits));
}

Result<std::unique_ptr<JsonCatalog>> JsonCatalog::Open(const std::string& path,
                                                       const JsonLimits& limits) {
  RELCACHE_ASSIGN(const std::string text, ReadFile(path, limits.max_bytes));
  RELCACHE_ASSIGN(Snapshot snapshot, Read(text, path, limits));
  return std::unique_ptr<JsonCatalog>(new JsonCatalog(std::move(snapshot), path, limits));
}

Status JsonCatalog::Reload() {
  if (path_.empty()) return Fail(NotSupported("reloading a snapshot that came from memory"));
  RELCACHE_ASSIGN(const std::string text, ReadFile(path_, limits_.max_bytes));
  RELCACHE_ASSIGN(Snapshot snapshot, Read(text, path_, limits_));
  const ServerInfo& before = info();
  const ServerInfo& after = snapshot.info;
  if (after.server_version_num != before.server_version_num ||
      after.server_encoding != before.server_encoding || after.datcollate != before.datcollate ||
      after.datctype != before.datctype || after.datlocprovider != before.datlocprovider ||
      after.datlocale != before.datlocale) {
    return Fail(NotSupported("reloading a snapshot of another server").At(path_));
  }
  std::vector<Invalidation> changes;
  Tables old;  // destroyed after the lock is released
  {
    const sync::MutexLock lock(mutex());
    const std::uint64_t version = tables().version + 1;
    for (auto& [oid, relation] : snapshot.tables.relations) {
      const auto found = tables().relations.find(oid);
      const bool same = found != tables().relations.end() &&
                        EqualRows(*found->second.rows, *relation.rows) &&
                        internal::EqualValues(std::span<const InheritsRow>(found->second.children),
                                              std::span<const InheritsRow>(relation.children));
      relation.version = same ? found->second.version : version;
      if (!same) changes.push_back({InvalidationKind::kRelation, oid});
    }
    for (const auto& [oid, relation] : tables().relations) {
      if (!snapshot.tables.relations.contains(oid)) {
        changes.push_back({InvalidationKind::kRelation, oid});
      }
    }
    snapshot.tables.version = version;
    CompareTables(tables().types, snapshot.tables.types, InvalidationKind::kType, changes);
    CompareTables(tables().procs, snapshot.tables.procs, InvalidationKind::kFunction, changes);
    CompareTables(tables().operators, snapshot.tables.operators, InvalidationKind::kOperator,
                  changes);
    CompareTables(tables().collations, snapshot.tables.collations, InvalidationKind::kCollation,
                  changes);
    CompareTables(tables().namespaces, snapshot.tables.namespaces, InvalidationKind::kNamespace,
                  changes);
    old = std::exchange(tables(), std::move(snapshot.tables));
  }
  hub().Publish(changes);
  return {};
}

}  // namespace relcache
