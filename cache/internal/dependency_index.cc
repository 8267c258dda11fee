#include "relcache/cache/internal/dependency_index.h"

#include <algorithm>
#include <optional>

#include "relcache/nodes/dependencies.h"

namespace relcache {

namespace {

std::optional<InvalidationKind> KindOf(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kType:
      return InvalidationKind::kType;
    case ObjectKind::kFunction:
      return InvalidationKind::kFunction;
    case ObjectKind::kOperator:
      return InvalidationKind::kOperator;
    case ObjectKind::kCollation:
      return InvalidationKind::kCollation;
    default:
      return std::nullopt;  // a change of these does not change a meaning, or is reported for the
                            // relation itself
  }
}

void Add(InvalidationKind kind, Oid oid, std::vector<EntryDependency>& found) {
  if (oid != kInvalidOid) found.push_back({kind, oid});
}

}  // namespace

void CollectDependencies(const RelationRows& rows, std::vector<EntryDependency>& found) {
  const auto types = [&](Oid oid) { Add(InvalidationKind::kType, oid, found); };
  const auto functions = [&](Oid oid) { Add(InvalidationKind::kFunction, oid, found); };
  const auto operators = [&](Oid oid) { Add(InvalidationKind::kOperator, oid, found); };
  const auto collations = [&](Oid oid) { Add(InvalidationKind::kCollation, oid, found); };
  std::vector<NamedObject> named;
  const auto text = [&](std::string_view tree) {
    named.clear();
    ScanDependencies(tree, named);
    for (const auto& [object, oid] : named) {
      if (const auto kind = KindOf(object)) Add(*kind, oid, found);
    }
  };

  Add(InvalidationKind::kNamespace, rows.pg_class.relnamespace, found);
  types(rows.pg_class.reloftype);
  text(rows.pg_class.relpartbound);
  for (const AttributeRow& row : rows.attributes) {
    types(row.atttypid);
    collations(row.attcollation);
  }
  for (const ConstraintRow& row : rows.constraints) {
    for (const auto& list : {row.conpfeqop, row.conppeqop, row.conffeqop, row.conexclop}) {
      std::ranges::for_each(list, operators);
    }
    text(row.conbin);
  }
  for (const AttrdefRow& row : rows.attrdefs) text(row.adbin);
  for (const IndexRow& row : rows.indexes) {
    std::ranges::for_each(row.indcollation, collations);
    text(row.indexprs);
    text(row.indpred);
  }
  for (const TriggerRow& row : rows.triggers) {
    functions(row.tgfoid);
    text(row.tgqual);
  }
  for (const RewriteRow& row : rows.rules) {
    text(row.ev_qual);
    text(row.ev_action);
  }
  for (const PolicyRow& row : rows.policies) {
    text(row.polqual);
    text(row.polwithcheck);
  }
  if (rows.partitioned_table != nullptr) {
    std::ranges::for_each(rows.partitioned_table->partcollation, collations);
    text(rows.partitioned_table->partexprs);
  }
  for (const StatisticExtRow& row : rows.statistics) text(row.stxexprs);

  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

}  // namespace relcache
