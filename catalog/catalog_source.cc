#include "relcache/catalog/catalog_source.h"

namespace relcache {
namespace {

template <class Row>
Result<const Row*> Only(Result<std::span<const Row* const>> rows) {
  if (!rows) return Fail(std::move(rows).error());
  return rows->front();
}

}  // namespace

Result<std::span<const std::string_view>> CatalogSource::SchemasOfType(std::string_view,
                                                                       MemoryContext&) {
  return std::span<const std::string_view>();
}

Result<const RelationRows*> CatalogSource::LoadRelation(Oid oid, MemoryContext& cx) {
  return Only(Load({&oid, 1}, cx));
}
Result<const TypeRows*> CatalogSource::LoadType(Oid oid, MemoryContext& cx) {
  return Only(LoadTypes({&oid, 1}, cx));
}
Result<const ProcRow*> CatalogSource::LoadProc(Oid oid, MemoryContext& cx) {
  return Only(LoadProcs({&oid, 1}, cx));
}
Result<const OperatorRow*> CatalogSource::LoadOperator(Oid oid, MemoryContext& cx) {
  return Only(LoadOperators({&oid, 1}, cx));
}
Result<const CollationRow*> CatalogSource::LoadCollation(Oid oid, MemoryContext& cx) {
  return Only(LoadCollations({&oid, 1}, cx));
}
Result<const OpclassRow*> CatalogSource::LoadOpclass(Oid oid, MemoryContext& cx) {
  return Only(LoadOpclasses({&oid, 1}, cx));
}
Result<const NamespaceRow*> CatalogSource::LoadNamespace(Oid oid, MemoryContext& cx) {
  return Only(LoadNamespaces({&oid, 1}, cx));
}

}  // namespace relcache
