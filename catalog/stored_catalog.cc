#include "relcache/catalog/stored_catalog.h"

#include <algorithm>
#include <string>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/catalog/internal/row_copy.h"

namespace relcache {

std::vector<InheritsRow>& StoredCatalog::Tables::ChildrenOf(Oid parent) {
  const auto found = relations.find(parent);
  return found == relations.end() ? orphans[parent] : found->second.children;
}

void StoredCatalog::Tables::Unlink(const RelationRows& rows) noexcept {
  for (const InheritsRow& row : rows.parents) {
    const auto is_this = [&](const InheritsRow& child) {
      return child.inhrelid == rows.pg_class.oid;
    };
    if (const auto parent = relations.find(row.inhparent); parent != relations.end()) {
      std::erase_if(parent->second.children, is_this);
      parent->second.version = version;
    } else if (const auto orphaned = orphans.find(row.inhparent); orphaned != orphans.end()) {
      std::erase_if(orphaned->second, is_this);
    }
  }
}

// All allocations are done before anything is changed, so that a failure changes nothing.
Result<std::vector<Invalidation>> StoredCatalog::Tables::Put(Shared<RelationRows> rows) {
  const Oid oid = rows->pg_class.oid;
  const std::pair name(rows->nspname, rows->pg_class.relname);
  if (const auto holder = names.find(name); holder != names.end() && holder->second != oid) {
    return Fail(ErrorCode::kInvalidInput, "42P07",
                "relation \"" + std::string(rows->pg_class.relname) + "\" already exists");
  }
  const auto before = relations.find(oid);
  std::vector<Invalidation> changed = {{InvalidationKind::kRelation, oid}};
  const auto changes = [&](const RelationRows& of) {
    for (const InheritsRow& row : of.parents) {
      const Invalidation change{InvalidationKind::kRelation, row.inhparent};
      if (std::ranges::find(changed, change) == changed.end()) changed.push_back(change);
    }
  };
  const bool fresh = before == relations.end();
  if (!fresh) changes(*before->second.rows);
  changes(*rows);
  for (const InheritsRow& row : rows->parents) {
    std::vector<InheritsRow>& children = ChildrenOf(row.inhparent);
    children.reserve(children.size() + rows->parents.size());
  }
  std::map<std::pair<std::string_view, std::string_view>, Oid> new_name = {{name, oid}};
  std::unordered_map<Oid, Relation> new_relation;
  if (fresh) {
    new_relation.try_emplace(oid);
    relations.reserve(relations.size() + 1);
  }

  ++version;
  if (fresh) {
    relations.insert(new_relation.extract(oid));
  } else {
    Unlink(*before->second.rows);
    names.erase({before->second.rows->nspname, before->second.rows->pg_class.relname});
  }
  names.insert(new_name.extract(new_name.begin()));
  Relation& relation = relations.at(oid);
  if (const auto orphaned = orphans.find(oid); orphaned != orphans.end()) {
    relation.children = std::move(orphaned->second);
    orphans.erase(orphaned);
  }
  relation.version = version;
  relation.rows = std::move(rows);
  for (const InheritsRow& row : relation.rows->parents) {
    std::vector<InheritsRow>& children = ChildrenOf(row.inhparent);
    children.insert(std::ranges::upper_bound(children, row.inhrelid, {}, &InheritsRow::inhrelid),
                    row);
    const auto parent = relations.find(row.inhparent);
    if (parent != relations.end()) parent->second.version = version;
  }
  return changed;
}

std::vector<Invalidation> StoredCatalog::Tables::Drop(Oid oid) {
  const auto found = relations.find(oid);
  if (found == relations.end()) return {};
  std::vector<Invalidation> changed = {{InvalidationKind::kRelation, oid}};
  for (const InheritsRow& row : found->second.rows->parents) {
    changed.push_back({InvalidationKind::kRelation, row.inhparent});
  }
  if (!found->second.children.empty()) orphans.try_emplace(oid);

  ++version;
  Relation relation = std::move(found->second);
  names.erase({relation.rows->nspname, relation.rows->pg_class.relname});
  relations.erase(found);
  if (!relation.children.empty()) orphans.at(oid) = std::move(relation.children);
  Unlink(*relation.rows);
  return changed;
}

Status StoredCatalog::BeforeDelivery(std::size_t, Oid) {
  return {};
}

Result<std::span<const RelationRows* const>> StoredCatalog::Load(std::span<const Oid> oids,
                                                                 MemoryContext& cx) {
  std::vector<Relation> chosen(oids.size());
  {
    const sync::SharedLock lock(mutex_);
    for (std::size_t i = 0; i < oids.size(); ++i) {
      const auto found = tables_.relations.find(oids[i]);
      if (found != tables_.relations.end()) chosen[i] = found->second;
    }
  }
  const std::span delivered = cx.NewArray<const RelationRows*>(oids.size());
  for (std::size_t i = 0; i < oids.size(); ++i) {
    RELCACHE_TRY(BeforeDelivery(i, oids[i]));
    if (chosen[i].rows == nullptr) continue;
    RelationRows rows = *chosen[i].rows;
    rows.version = chosen[i].version;
    rows.children = chosen[i].children;
    delivered[i] = cx.New<RelationRows>(CopyRow(rows, cx));
  }
  return delivered;
}

Result<Oid> StoredCatalog::LookupName(std::string_view nspname, std::string_view relname) {
  const sync::SharedLock lock(mutex_);
  const auto found = tables_.names.find(std::pair(nspname, relname));
  return found == tables_.names.end() ? kInvalidOid : found->second;
}

Result<std::span<const std::string_view>> StoredCatalog::SchemasOfType(std::string_view typname,
                                                                       MemoryContext& cx) {
  const auto has_type = [this](char relkind) {
    // Sequences had a row type up to PostgreSQL 13.
    return std::string_view("rpvmfc").find(relkind) != std::string_view::npos ||
           (relkind == 'S' && info_.pg_version() < 14);
  };
  std::vector<std::string_view> schemas;
  const sync::SharedLock lock(mutex_);
  for (const auto& [oid, type] : tables_.types)
    if (type->pg_type.typname == typname) schemas.push_back(type->nspname);
  for (const auto& [oid, space] : tables_.namespaces) {
    const auto found = tables_.names.find(std::pair(space->nspname, typname));
    if (found != tables_.names.end() &&
        has_type(tables_.relations.at(found->second).rows->pg_class.relkind))
      schemas.push_back(space->nspname);
  }
  const std::span<std::string_view> kept = cx.NewArray<std::string_view>(schemas.size());
  for (std::size_t i = 0; i < schemas.size(); ++i) kept[i] = cx.CopyString(schemas[i]);
  return kept;
}

Result<std::span<const RelationName>> StoredCatalog::ListRelations(MemoryContext& cx) {
  const sync::SharedLock lock(mutex_);
  const std::span list = cx.NewArray<RelationName>(tables_.names.size());
  std::size_t i = 0;
  for (const auto& [name, oid] : tables_.names) {
    list[i++] = {oid, cx.CopyString(name.first), cx.CopyString(name.second),
                 tables_.relations.at(oid).rows->pg_class.relkind};
  }
  return list;
}

template <class Row, class Builtin>
Result<std::span<const Row* const>> StoredCatalog::LoadFrom(
    const std::unordered_map<Oid, Shared<Row>> Tables::*table, std::span<const Oid> oids,
    Builtin&& builtin, MemoryContext& cx) {
  std::vector<Shared<Row>> chosen(oids.size());
  {
    const sync::SharedLock lock(mutex_);
    for (std::size_t i = 0; i < oids.size(); ++i) {
      const auto found = (tables_.*table).find(oids[i]);
      if (found != (tables_.*table).end()) chosen[i] = found->second;
    }
  }
  const std::span delivered = cx.NewArray<const Row*>(oids.size());
  for (std::size_t i = 0; i < oids.size(); ++i) {
    delivered[i] =
        chosen[i] == nullptr ? builtin(oids[i], cx) : cx.New<Row>(CopyRow(*chosen[i], cx));
  }
  return delivered;
}

Result<std::span<const TypeRows* const>> StoredCatalog::LoadTypes(std::span<const Oid> oids,
                                                                  MemoryContext& cx) {
  return LoadFrom(&Tables::types, oids, BuiltinTypeRows, cx);
}
Result<std::span<const ProcRow* const>> StoredCatalog::LoadProcs(std::span<const Oid> oids,
                                                                 MemoryContext& cx) {
  return LoadFrom(&Tables::procs, oids, BuiltinProcRow, cx);
}
Result<std::span<const OperatorRow* const>> StoredCatalog::LoadOperators(std::span<const Oid> oids,
                                                                         MemoryContext& cx) {
  return LoadFrom(&Tables::operators, oids, BuiltinOperatorRow, cx);
}
Result<std::span<const CollationRow* const>> StoredCatalog::LoadCollations(
    std::span<const Oid> oids, MemoryContext& cx) {
  return LoadFrom(&Tables::collations, oids, BuiltinCollationRow, cx);
}
Result<std::span<const OpclassRow* const>> StoredCatalog::LoadOpclasses(std::span<const Oid> oids,
                                                                        MemoryContext& cx) {
  return LoadFrom(&Tables::opclasses, oids, BuiltinOpclassRow, cx);
}
Result<std::span<const NamespaceRow* const>> StoredCatalog::LoadNamespaces(
    std::span<const Oid> oids, MemoryContext& cx) {
  return LoadFrom(&Tables::namespaces, oids, BuiltinNamespaceRow, cx);
}

}  // namespace relcache
