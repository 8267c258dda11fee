// ExportCatalog.
#include "relcache/catalog/internal/catalog_rows.h"

#include <map>
#include <set>
#include <vector>

#include "relcache/nodes/dependencies.h"

namespace relcache {
namespace {

/// What has been named, and what of that is still to be loaded.
class Closure {
 public:
  void Type(Oid oid) { Add(types, oid); }
  void Proc(Oid oid) { Add(procs, oid); }
  void Opclass(Oid oid) { Add(opclasses, oid); }
  void Collation(Oid oid) { Add(collations, oid); }
  void Namespace(Oid oid) { Add(namespaces, oid); }
  void Operator(Oid oid) { Add(operators, oid); }
  void Tree(std::string_view text) {
    named_.clear();
    ScanDependencies(text, named_);
    for (const auto& [kind, oid] : named_) {
      switch (kind) {
        case ObjectKind::kType:
          Type(oid);
          break;
        case ObjectKind::kFunction:
          Proc(oid);
          break;
        case ObjectKind::kOperator:
          Operator(oid);
          break;
        case ObjectKind::kCollation:
          Collation(oid);
          break;
        default:
          break;  // relations are exported by name; the others have no rows in a snapshot
      }
    }
  }

  struct Objects {
    std::set<Oid> known;
    std::vector<Oid> waiting;
  };
  Objects types, procs, operators, collations, opclasses, namespaces;

 private:
  static void Add(Objects& objects, Oid oid) {
    if (oid != kInvalidOid && objects.known.insert(oid).second) objects.waiting.push_back(oid);
  }
  std::vector<NamedObject> named_;
};

void Follow(const RelationRows& rows, Closure& closure) {
  closure.Namespace(rows.pg_class.relnamespace);
  closure.Type(rows.pg_class.reloftype);
  closure.Tree(rows.pg_class.relpartbound);
  for (const AttributeRow& row : rows.attributes) {
    if (!row.attisdropped) closure.Type(row.atttypid);
    closure.Collation(row.attcollation);
  }
  for (const ConstraintRow& row : rows.constraints) {
    closure.Tree(row.conbin);
    for (const Oid oid : row.conexclop) closure.Operator(oid);
  }
  for (const AttrdefRow& row : rows.attrdefs) closure.Tree(row.adbin);
  for (const IndexRow& row : rows.indexes) {
    closure.Tree(row.indexprs);
    closure.Tree(row.indpred);
    for (const Oid oid : row.indclass) closure.Opclass(oid);
  }
  for (const TriggerRow& row : rows.triggers) {
    closure.Proc(row.tgfoid);
    closure.Tree(row.tgqual);
  }
  for (const RewriteRow& row : rows.rules) {
    closure.Tree(row.ev_qual);
    closure.Tree(row.ev_action);
  }
  for (const PolicyRow& row : rows.policies) {
    closure.Tree(row.polqual);
    closure.Tree(row.polwithcheck);
  }
  for (const StatisticExtRow& row : rows.statistics) closure.Tree(row.stxexprs);
  if (rows.partitioned_table != nullptr) {
    closure.Tree(rows.partitioned_table->partexprs);
    for (const Oid oid : rows.partitioned_table->partclass) closure.Opclass(oid);
  }
}

void Follow(const TypeRows& rows, Closure& closure) {
  closure.Namespace(rows.pg_type.typnamespace);
  closure.Type(rows.pg_type.typelem);
  closure.Type(rows.pg_type.typbasetype);
  closure.Collation(rows.pg_type.typcollation);
  closure.Tree(rows.pg_type.typdefaultbin);
  for (const ConstraintRow& row : rows.constraints) closure.Tree(row.conbin);
  if (rows.range != nullptr) {
    closure.Type(rows.range->rngsubtype);
    closure.Type(rows.range->rngmultitypid);
    closure.Opclass(rows.range->rngsubopc);
  }
}

void Follow(const ProcRow& row, Closure& closure) {
  closure.Namespace(row.pronamespace);
  closure.Type(row.prorettype);
  for (const Oid oid : row.proargtypes) closure.Type(oid);
  for (const Oid oid : row.proallargtypes) closure.Type(oid);
  closure.Tree(row.proargdefaults);
  closure.Tree(row.prosqlbody);
}

void Follow(const OperatorRow& row, Closure& closure) {
  closure.Namespace(row.oprnamespace);
  for (const Oid oid : {row.oprleft, row.oprright, row.oprresult}) closure.Type(oid);
  closure.Proc(row.oprcode);
}

void Follow(const CollationRow& row, Closure& closure) {
  closure.Namespace(row.collnamespace);
}

void Follow(const OpclassRow& row, Closure& closure) {
  closure.Namespace(row.opcnamespace);
  closure.Type(row.opcintype);
  closure.Type(row.opckeytype);
  for (const AmprocRow& proc : row.amprocs) closure.Proc(proc.amproc);
}

void Follow(const NamespaceRow&, Closure&) {}

/// Loads what is waiting of one kind, keeps it by oid, and follows what it names. True: there was
/// something.
template <class Row, class Load>
Result<bool> Round(Closure::Objects& objects, std::map<Oid, Row>& loaded, Closure& closure,
                   Load&& load) {
  if (objects.waiting.empty()) return false;
  const std::vector<Oid> oids = std::exchange(objects.waiting, {});
  RELCACHE_ASSIGN(const std::span<const Row* const> rows, load(std::span<const Oid>(oids)));
  for (std::size_t i = 0; i < oids.size(); ++i) {
    if (rows[i] == nullptr)
      continue;  // named but not there: the snapshot says no more than the source
    loaded.emplace(oids[i], *rows[i]);
    Follow(*rows[i], closure);
  }
  return true;
}

template <class Row>
std::span<const Row> InContext(const std::map<Oid, Row>& loaded, MemoryContext& cx) {
  const std::span<Row> rows = cx.NewArray<Row>(loaded.size());
  std::size_t i = 0;
  for (const auto& [oid, row] : loaded) rows[i++] = row;
  return rows;
}

}  // namespace

Result<CatalogRows> ExportCatalog(CatalogSource& source, MemoryContext& cx) {
  CatalogRows out;
  out.format = kSnapshotFormat;
  out.format_version = kSnapshotFormatVersion;
  const ServerInfo& info = source.info();
  out.server = {info.server_version_num,
                cx.CopyString(info.server_encoding),
                info.datlocprovider,
                cx.CopyString(info.datcollate),
                cx.CopyString(info.datctype),
                cx.CopyString(info.datlocale),
                cx.CopyString(info.daticurules),
                cx.CopyString(info.datcollversion)};

  RELCACHE_ASSIGN(const std::span<const RelationName> names, source.ListRelations(cx));
  std::vector<Oid> oids;
  for (const RelationName& name : names) oids.push_back(name.oid);
  RELCACHE_ASSIGN(const std::span<const RelationRows* const> loaded, source.Load(oids, cx));
  Closure closure;
  const std::span<RelationRows> relations = cx.NewArray<RelationRows>(loaded.size());
  std::size_t n = 0;
  for (const RelationRows* relation : loaded) {
    if (relation == nullptr) continue;  // dropped between the listing and the load
    relations[n++] = *relation;
    Follow(*relation, closure);
  }
  out.relations = relations.first(n);

  std::map<Oid, TypeRows> types;
  std::map<Oid, ProcRow> procs;
  std::map<Oid, OperatorRow> operators;
  std::map<Oid, CollationRow> collations;
  std::map<Oid, OpclassRow> opclasses;
  std::map<Oid, NamespaceRow> namespaces;
  for (bool more = true; more;) {
    more = false;
    const auto round = [&](Closure::Objects& objects, auto& rows, auto load) -> Status {
      RELCACHE_ASSIGN(const bool any, Round(objects, rows, closure, load));
      more |= any;
      return {};
    };
    RELCACHE_TRY(round(closure.types, types, [&](auto o) { return source.LoadTypes(o, cx); }));
    RELCACHE_TRY(round(closure.procs, procs, [&](auto o) { return source.LoadProcs(o, cx); }));
    RELCACHE_TRY(
        round(closure.operators, operators, [&](auto o) { return source.LoadOperators(o, cx); }));
    RELCACHE_TRY(round(closure.collations, collations,
                       [&](auto o) { return source.LoadCollations(o, cx); }));
    RELCACHE_TRY(
        round(closure.opclasses, opclasses, [&](auto o) { return source.LoadOpclasses(o, cx); }));
    RELCACHE_TRY(round(closure.namespaces, namespaces,
                       [&](auto o) { return source.LoadNamespaces(o, cx); }));
  }
  out.types = InContext(types, cx);
  out.procs = InContext(procs, cx);
  out.operators = InContext(operators, cx);
  out.collations = InContext(collations, cx);
  out.opclasses = InContext(opclasses, cx);
  out.namespaces = InContext(namespaces, cx);
  return out;
}

}  // namespace relcache
