// relcache catalog checks.
#include "relcache/tools/catalog_checks.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "relcache/base/internal/format.h"
#include "relcache/cache/relation_cache.h"
#include "relcache/catalog/internal/builtin.h"
#include "relcache/catalog/names.h"
#include "relcache/executor/expressions/cached_program.h"
#include "relcache/nodes/mutate.h"
#include "relcache/nodes/primnodes.h"
#include "relcache/nodes/read.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/tools/command.h"
#include "relcache/tools/json_line.h"
#include "relcache/tools/open_source.h"

namespace relcache::tools {
namespace {

enum class Kind : std::uint8_t {
  kCheck,
  kDomainCheck,
  kDefault,
  kDomainDefault,
  kGenerated,
  kIndexExpression,
  kIndexPredicate,
  kPartitionKey,
  kTriggerCondition,
};
constexpr std::array<const char*, 9> kKindNames = {
    "check",           "domain check",     "default",
    "domain default",  "generated column", "index expression",
    "index predicate", "partition key",    "trigger condition"};

/// What comes of compiling an expression.
enum class Verdict : std::uint8_t {
  kCompiles,
  /// PostgreSQL raises an error, too, before it evaluates the expression for any row, such as for a
  /// division by zero in a constant part. relcache raises the same.
  kRaises,
  kRefused,
  /// The tree is damaged.
  kUnreadable,
};
constexpr std::array<const char*, 4> kVerdictNames = {"compiles", "raises", "refused",
                                                      "unreadable"};

/// The same for several expressions, in the summary for people.
constexpr std::array<const char*, 4> kVerdictsOfMany = {"compile", "raise an error", "refused",
                                                        "unreadable"};

Verdict VerdictOf(const Result<const Program*>& program) {
  if (program) return Verdict::kCompiles;
  const Error& error = program.error();
  if (error.code == ErrorCode::kNotSupported || error.code == ErrorCode::kLimit)
    return Verdict::kRefused;
  const std::string_view state = error.sqlstate;
  // Internal errors and corrupted data are about the catalog.
  return state == "XX000" || state == "XX001" ? Verdict::kUnreadable : Verdict::kRaises;
}

/// What is not supported, without the words that all refusals begin with.
std::string ReasonOf(const Error& error) {
  constexpr std::string_view kPrefix = "not supported: ";
  const std::string_view message = error.message;
  return std::string(message.starts_with(kPrefix) ? message.substr(kPrefix.size()) : message);
}

class Report {
 public:
  Report(CatalogSource& source, bool json) : source_(source), json_(json) {}

  Status Relation(const RelationDescriptor& relation);
  /// Prints the numbers by kind and by reason.
  ExitStatus Summary() const;

 private:
  void Add(Kind kind, std::string_view object, std::string_view name,
           const Result<const Program*>& program);
  void Defaults(const RelationDescriptor& relation, const std::string& object);
  /// Each expression of a list, over rows of the relation.
  void List(Kind kind, const RelationDescriptor& relation, const std::string& object,
            std::string_view name, const ExpressionSlot* slot);
  /// The domains that a value of the type has to do with: itself, what it is based on, and the
  /// types of its elements and members. Each is reported once.
  Status DomainsOf(Oid type, MemoryContext& cx);
  void Domain(const TypeRows& domain, MemoryContext& cx);
  /// Compiles an expression of a domain, in which VALUE is a value of the type `base`.
  Result<const Program*> CompileForDomain(std::string_view text, const InputColumn& base,
                                          MemoryContext& cx);

  CatalogSource& source_;
  const bool json_;
  std::array<std::array<std::size_t, kVerdictNames.size()>, kKindNames.size()> counts_ = {};
  std::map<std::string, std::size_t> reasons_;
  std::set<Oid> types_;
};

void Report::Add(Kind kind, std::string_view object, std::string_view name,
                 const Result<const Program*>& program) {
  const Verdict verdict = VerdictOf(program);
  const char* const kind_name = kKindNames[static_cast<std::size_t>(kind)];
  const char* const verdict_name = kVerdictNames[static_cast<std::size_t>(verdict)];
  ++counts_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(verdict)];
  const std::string reason = program ? std::string() : ReasonOf(program.error());
  if (verdict == Verdict::kRefused) ++reasons_[reason];
  if (json_) {
    JsonLine line;
    line.String("object", object);
    line.String("kind", kind_name);
    line.String("name", name);
    line.String("result", verdict_name);
    if (!program) {
      line.String("reason", reason);
      line.String("sqlstate", program.error().sqlstate);
    }
    line.Print();
    return;
  }
  std::string text =
      Format("{}: {} {}: {}", object, kind_name, QuoteIdentifier(name), verdict_name);
  if (!program) text += ": " + reason;
  std::puts(text.c_str());
}

Status Report::Relation(const RelationDescriptor& relation) {
  // The expressions of an index are reported with its table, over whose rows they are.
  if (relation.relkind() == 'i' || relation.relkind() == 'I') return {};
  const std::string object = QuoteQualifiedIdentifier(relation.schema(), relation.name());
  for (const CheckConstraint& check : relation.checks())
    Add(Kind::kCheck, object, check.name(), ProgramOf(relation, check.expression()));
  Defaults(relation, object);
  for (const IndexDescriptor& index : relation.indexes()) {
    List(Kind::kIndexExpression, relation, object, index.name(), index.expressions());
    if (index.predicate() != nullptr)
      Add(Kind::kIndexPredicate, object, index.name(), ProgramOf(relation, *index.predicate()));
  }
  List(Kind::kPartitionKey, relation, object, relation.name(), relation.partition_key());
  for (const TriggerDescriptor& trigger : relation.triggers()) {
    if (trigger.when() != nullptr)
      Add(Kind::kTriggerCondition, object, trigger.name(), ProgramOf(relation, *trigger.when()));
  }
  const ContextPtr cx = Bump::CreateRoot("catalog checks");
  for (const AttributeRow& column : relation.attributes())
    if (!column.attisdropped) RELCACHE_TRY(DomainsOf(column.atttypid, *cx));
  return {};
}

void Report::Defaults(const RelationDescriptor& relation, const std::string& object) {
  for (const ColumnDefault& def : relation.defaults()) {
    const AttributeRow* column = relation.attribute(def.attnum());
    if (column == nullptr || column->attisdropped) continue;
    Add(column->attgenerated != '\0' ? Kind::kGenerated : Kind::kDefault, object, column->attname,
        ProgramOf(relation, def.expression()));
  }
}

void Report::List(Kind kind, const RelationDescriptor& relation, const std::string& object,
                  std::string_view name, const ExpressionSlot* slot) {
  if (slot == nullptr) return;
  const Result<const TreeImage*> tree = slot->Get();
  if (!tree) {
    Add(kind, object, name, Fail(tree.error()));
    return;
  }
  const auto* list = As<relcache::List>((*tree)->root());
  if (list == nullptr || std::ranges::find(*list, nullptr) != list->end()) {
    Add(kind, object, name, Fail(ErrorCode::kInvalidInput, "XX000", "not a list of expressions"));
    return;
  }
  for (const Node* expression : *list) {
    const ContextPtr cx = Bump::CreateRoot("catalog checks");
    SourceObjects objects(source_, *cx);
    Add(kind, object, name, CompileFor(relation, expression, objects, /*borrow=*/true, *cx));
  }
}

Status Report::DomainsOf(Oid type, MemoryContext& cx) {
  if (type == kInvalidOid || !types_.insert(type).second) return {};
  RELCACHE_ASSIGN(const TypeRows* rows, source_.LoadType(type, cx));
  if (rows == nullptr) return {};
  const TypeRow& row = rows->pg_type;
  RELCACHE_TRY(DomainsOf(row.typbasetype, cx));
  RELCACHE_TRY(DomainsOf(row.typelem, cx));
  if (rows->range != nullptr) RELCACHE_TRY(DomainsOf(rows->range->rngsubtype, cx));
  if (row.typtype == 'd') Domain(*rows, cx);
  if (row.typrelid == kInvalidOid) return {};
  RELCACHE_ASSIGN(const RelationRows* members, source_.LoadRelation(row.typrelid, cx));
  if (members == nullptr) return {};
  for (const AttributeRow& member : members->attributes)
    if (!member.attisdropped) RELCACHE_TRY(DomainsOf(member.atttypid, cx));
  return {};
}

void Report::Domain(const TypeRows& domain, MemoryContext& cx) {
  const TypeRow& row = domain.pg_type;
  const std::string object = QuoteQualifiedIdentifier(domain.nspname, row.typname);
  const InputColumn base = {row.typbasetype, row.typlen, row.typbyval};
  for (const ConstraintRow& check : domain.constraints)
    if (check.contype == 'c')
      Add(Kind::kDomainCheck, object, check.conname, CompileForDomain(check.conbin, base, cx));
  if (!row.typdefaultbin.empty())
    Add(Kind::kDomainDefault, object, row.typname, CompileForDomain(row.typdefaultbin, base, cx));
}

Result<const Program*> Report::CompileForDomain(std::string_view text, const InputColumn& base,
                                                MemoryContext& cx) {
  TreeOptions read;
  read.pg_version = source_.info().pg_version();
  RELCACHE_ASSIGN(const Node* tree, StringToNode(text, read, cx));
  if (tree == nullptr) return Fail(ErrorCode::kInvalidInput, "XX000", "malformed expression: none");
  const Node* over_row = MutateTree(
      *tree,
      [&](const Node& node) -> std::optional<Node*> {
        const auto* value = As<CoerceToDomainValue>(&node);
        if (value == nullptr) return std::nullopt;
        Var* var = MakeNode<Var>(cx);
        var->varno = 1;
        var->varattno = 1;
        var->vartype = value->typeId;
        var->vartypmod = value->typeMod;
        var->varcollid = value->collation;
        return var;
      },
      cx);
  SourceObjects objects(source_, cx);
  CompileOptions options;
  options.columns = {&base, 1};
  options.objects = &objects;
  return Compile(*over_row, options, cx);
}

ExitStatus Report::Summary() const {
  using Counts = std::array<std::size_t, kVerdictNames.size()>;
  Counts all = {};
  for (const Counts& counts : counts_)
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += counts[i];
  const bool fine = all[static_cast<std::size_t>(Verdict::kRefused)] == 0 &&
                    all[static_cast<std::size_t>(Verdict::kUnreadable)] == 0;
  // The most frequent ones first.
  std::vector<std::pair<std::string, std::size_t>> reasons(reasons_.begin(), reasons_.end());
  std::ranges::stable_sort(reasons, std::greater(), &std::pair<std::string, std::size_t>::second);
  if (json_) {
    JsonLine line;
    const auto members = [&](const Counts& counts) {
      for (std::size_t i = 0; i < counts.size(); ++i) line.Integer(kVerdictNames[i], counts[i]);
    };
    line.Object("summary", [&] {
      members(all);
      line.Object("kinds", [&] {
        for (std::size_t kind = 0; kind < counts_.size(); ++kind)
          line.Object(kKindNames[kind], [&] { members(counts_[kind]); });
      });
      line.Object("reasons", [&] {
        for (const auto& [reason, count] : reasons) line.Integer(reason, count);
      });
    });
    line.Print();
    return fine ? kExitFine : kExitViolations;
  }
  const auto print = [](const char* name, const Counts& counts) {
    std::size_t total = 0;
    std::string text;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      total += counts[i];
      if (counts[i] != 0) text += Format(", {} {}", counts[i], kVerdictsOfMany[i]);
    }
    if (total != 0) std::printf("%s: %zu%s\n", name, total, text.c_str());
  };
  std::puts("summary");
  for (std::size_t kind = 0; kind < counts_.size(); ++kind) print(kKindNames[kind], counts_[kind]);
  print("all expressions", all);
  if (!reasons.empty()) std::puts("refused, by reason");
  for (const auto& [reason, count] : reasons) std::printf("%6zu  %s\n", count, reason.c_str());
  return fine ? kExitFine : kExitViolations;
}

Result<ExitStatus> Run(const CatalogChecksOptions& options) {
  RELCACHE_ASSIGN(const std::unique_ptr<CatalogSource> source, OpenSource(options.source));
  const ContextPtr cx = Bump::CreateRoot("catalog checks");
  std::vector<Oid> oids;
  if (!options.relation.empty()) {
    RELCACHE_ASSIGN(const Oid oid, FindRelation(options.relation, *source));
    oids.push_back(oid);
  } else {
    RELCACHE_ASSIGN(const std::span<const RelationName> names, source->ListRelations(*cx));
    for (const RelationName& name : names) oids.push_back(name.oid);
  }
  RelationCache cache(*source);
  Report report(*source, options.json);
  for (const Oid oid : oids) {
    RELCACHE_ASSIGN(const RelationPin pin, cache.Open(oid));
    RELCACHE_TRY(report.Relation(*pin));
  }
  return report.Summary();
}

}  // namespace

int CatalogChecks(const CatalogChecksOptions& options) {
  const Result<ExitStatus> status = Run(options);
  if (status) return *status;
  std::fprintf(stderr, "relcache: %s\n", status.error().ToString().c_str());
  return kExitUsage;
}

}  // namespace relcache::tools
