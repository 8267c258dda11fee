// Prepares the verification of rows.
#include "relcache/copy/internal/check_plan.h"

#include <algorithm>
#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/executor/expressions/cached_program.h"
#include "relcache/nodes/columns.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/types/builtin_types.h"

namespace relcache::internal {
namespace {

/// The bits of pg_trigger.tgtype.
constexpr int kRowTrigger = 1, kBeforeTrigger = 2, kInsertTrigger = 4;

class Planner {
 public:
  Planner(RelationCache& cache, const CopyColumns& columns, CheckPlan& plan)
      : cache_(cache),
        columns_(columns),
        plan_(plan),
        relation_(*plan.pin),
        objects_(relation_.source(), *plan.cx) {}

  Status Run() {
    const ServerInfo& info = relation_.source().info();
    if (info.server_encoding != "UTF8" && info.server_encoding != "SQL_ASCII")
      return Fail(NotSupported("rows for a database in the ENCODING " + info.server_encoding));
    RELCACHE_TRY(Triggers(relation_));
    RELCACHE_TRY(FileColumns());
    RELCACHE_TRY(OtherColumns());
    RELCACHE_TRY(Constraints());
    if (relation_.pg_class().relispartition) {
      RELCACHE_ASSIGN(plan_.partition, PartitionConstraint::Make(cache_, relation_.oid()));
    }
    SetColumns();
    return relation_.relkind() == 'p' ? Leaves() : Status();
  }

 private:
  /// What is not supported ends the preparation, unless it is to be skipped.
  Status Unsupported(Error error) {
    const bool refusal = error.code == ErrorCode::kNotSupported || error.code == ErrorCode::kLimit;
    if (!refusal || plan_.options.unsupported == UnsupportedConstraints::kFail)
      return Fail(std::move(error));
    plan_.skipped.push_back(error.ToString());
    return {};
  }

  /// A trigger that runs before a row is inserted can change the row, or leave it out.
  Status Triggers(const RelationDescriptor& relation) {
    constexpr int kBits = kRowTrigger | kBeforeTrigger | kInsertTrigger;
    for (const TriggerDescriptor& trigger : relation.triggers()) {
      const TriggerRow& row = trigger.row();
      const bool fires = row.tgenabled == 'O' || row.tgenabled == 'A';
      if (fires && (row.tgtype & kBits) == kBits)
        RELCACHE_TRY(Unsupported(NotSupported(Format(
            "BEFORE INSERT trigger \"{}\" of relation \"{}\"", row.tgname, relation.name()))));
    }
    return {};
  }

  Status FileColumns() {
    plan_.unknown.resize(relation_.attributes().size());
    plan_.forms.resize(relation_.attributes().size(), ColumnForm::kDatum);
    for (std::size_t i = 0; i < columns_.attnums.size(); ++i) {
      FileColumn column;
      column.attnum = columns_.attnums[i];
      column.force_null = columns_.force_null[i];
      column.force_not_null = columns_.force_not_null[i];
      RELCACHE_ASSIGN(column.input, ColumnInput::Make(plan_.column(column.attnum),
                                                      plan_.options.settings.search_path, objects_,
                                                      relation_.source(), *plan_.cx));
      plan_.forms[Index(column.attnum)] = column.input.form();
      plan_.file_columns.push_back(std::move(column));
    }
    return {};
  }

  static std::size_t Index(AttrNumber attnum) { return static_cast<std::size_t>(attnum) - 1; }

  Status OtherColumns() {
    for (const AttributeRow& column : relation_.attributes()) {
      if (column.attisdropped || column.attgenerated == 'v' ||
          std::ranges::find(columns_.attnums, column.attnum) != columns_.attnums.end())
        continue;
      RELCACHE_ASSIGN(plan_.forms[Index(column.attnum)], FormOf(column));
      if (column.attgenerated == 's') {
        RELCACHE_TRY(Generated(column));
      } else {
        RELCACHE_TRY(Default(column));
      }
    }
    return {};
  }

  Result<ColumnForm> FormOf(const AttributeRow& column) {
    Oid type = column.atttypid;
    constexpr int kDomainsOverDomains = 32;
    for (int i = 0; i < kDomainsOverDomains && FindTypeInfo(type) == nullptr; ++i) {
      RELCACHE_ASSIGN(const TypeRows* rows, objects_.FindType(type));
      if (rows == nullptr || rows->pg_type.typtype != 'd') break;
      type = rows->pg_type.typbasetype;
    }
    return ColumnFormOf(type, column.attlen, column.attbyval);
  }

  Status Generated(const AttributeRow& column) {
    const ColumnDefault* value = relation_.default_of(column.attnum);
    if (value == nullptr)
      return Fail(ErrorCode::kInvalidInput, "XX000",
                  Format("no generation expression found for column number {} of table \"{}\"",
                         column.attnum, relation_.name()));
    Result<const Program*> program = ProgramOf(relation_, value->expression());
    if (program) {
      plan_.generated.push_back({column.attnum, *program});
      return {};
    }
    plan_.unknown[Index(column.attnum)] = true;
    return Unsupported(std::move(program).error());
  }

  /// A default that cannot be computed here leaves a column whose value is not known.
  Status Default(const AttributeRow& column) {
    if (column.attidentity != '\0') {
      plan_.unknown[Index(column.attnum)] = true;
      return {};
    }
    const ColumnDefault* value = relation_.default_of(column.attnum);
    if (value == nullptr) return TypeDefault(column);
    Result<const Program*> program = ProgramOf(relation_, value->expression());
    if (program) {
      Scratch scratch(plan_.options.settings, *plan_.cx);
      const Result<NullableDatum> once = Evaluate(**program, {}, scratch);
      if (once || once.error().code != ErrorCode::kNotSupported) {
        plan_.defaults.push_back({column.attnum, *program});
        return {};
      }
    } else if (program.error().code != ErrorCode::kNotSupported) {
      return Fail(std::move(program).error());
    }
    plan_.unknown[Index(column.attnum)] = true;
    return {};
  }

  /// The default of a domain, for a column without one of its own.
  Status TypeDefault(const AttributeRow& column) {
    if (FindTypeInfo(column.atttypid) != nullptr) return {};
    RELCACHE_ASSIGN(const TypeRows* rows, objects_.FindType(column.atttypid));
    if (rows != nullptr && !rows->pg_type.typdefaultbin.empty())
      plan_.unknown[Index(column.attnum)] = true;
    return {};
  }

  void SetColumns() {
    plan_.is_set.resize(relation_.attributes().size());
    for (const FileColumn& column : plan_.file_columns) plan_.is_set[Index(column.attnum)] = true;
    for (const ComputedColumn& column : plan_.defaults) plan_.is_set[Index(column.attnum)] = true;
    for (const ComputedColumn& column : plan_.generated) plan_.is_set[Index(column.attnum)] = true;
  }

  /// The first column that a program reads and whose value is not known, or nullptr.
  const AttributeRow* UnknownColumn(const Program& program) const {
    for (const Program::ColumnUse& use : program.columns())
      if (plan_.unknown[use.index]) return &relation_.attributes()[use.index];
    return nullptr;
  }
  Error Depends(std::string_view what, const AttributeRow& column) const {
    return NotSupported(
        Format("{}, which depends on the default of column \"{}\"", what, column.attname));
  }

  Status Constraints() {
    RELCACHE_ASSIGN(const RelationConstraints* all, ChecksOf(relation_, plan_.options.unsupported));
    plan_.constraints = *all;
    for (const RefusedConstraint& refused : all->refused)
      plan_.skipped.push_back(refused.reason.Get().ToString());
    plan_.constraints.refused = {};
    // A default that is not known comes from a sequence, as a rule, and is no NULL then.
    for (const AttrNumber attnum : all->not_null)
      if (!plan_.unknown[Index(attnum)]) plan_.not_null.push_back(attnum);
    for (const PreparedCheck& check : all->checks) {
      if (const AttributeRow* column = UnknownColumn(*check.program)) {
        RELCACHE_TRY(Unsupported(Depends(Format("CHECK constraint \"{}\"", check.name), *column)));
      } else {
        plan_.checks.push_back(check);
      }
    }
    std::erase_if(plan_.generated, [&](const ComputedColumn& generated) {
      const bool depends = UnknownColumn(*generated.program) != nullptr;
      if (depends) plan_.unknown[Index(generated.attnum)] = true;
      return depends;
    });
    plan_.constraints.not_null = plan_.not_null;
    plan_.constraints.checks = plan_.checks;
    return {};
  }

  /// A row without one of its keys cannot be routed.
  Status KeysAreKnown(const RelationDescriptor& table, int depth) {
    constexpr int kLevels = 100;
    if (table.partitioned_table() == nullptr || depth > kLevels) return {};
    std::vector<AttrNumber> used(table.partitioned_table()->partattrs.begin(),
                                 table.partitioned_table()->partattrs.end());
    if (table.partition_key() != nullptr) {
      RELCACHE_ASSIGN(const TreeImage* image, table.partition_key()->Get());
      const std::vector<AttrNumber> columns = CollectColumns(image->root());
      used.insert(used.end(), columns.begin(), columns.end());
    }
    for (const AttrNumber attnum : used) {
      const AttributeRow* column = table.attribute(attnum);
      const AttributeRow* own = column != nullptr ? relation_.attribute(column->attname) : nullptr;
      if (own != nullptr && plan_.unknown[Index(own->attnum)])
        return Fail(Depends(Format("partition key of relation \"{}\"", table.name()), *own));
    }
    for (const InheritsRow& child : table.children()) {
      RELCACHE_ASSIGN(const RelationPin pin, cache_.Open(child.inhrelid));
      RELCACHE_TRY(KeysAreKnown(*pin, depth + 1));
    }
    return {};
  }

  Status Leaves() {
    RELCACHE_TRY(KeysAreKnown(relation_, 0));
    RELCACHE_ASSIGN(plan_.router, PartitionRouter::Make(cache_, relation_.oid()));
    for (const PartitionRouter::Leaf& leaf : plan_.router->leaves()) {
      RELCACHE_TRY(Triggers(*leaf.relation));
      RELCACHE_ASSIGN(const RelationConstraints* constraints,
                      ChecksOf(*leaf.relation, plan_.options.unsupported));
      plan_.leaves.push_back({constraints, IsCovered(leaf, *constraints)});
    }
    return {};
  }

  /// Whether a leaf has the columns of the table in the same places and no constraint besides.
  bool IsCovered(const PartitionRouter::Leaf& leaf, const RelationConstraints& constraints) const {
    if (!leaf.columns.empty() || !constraints.virtual_not_null.empty()) return false;
    if (!std::ranges::equal(constraints.not_null, ChecksNotNull())) return false;
    const std::span<const CheckConstraint> own = leaf.relation->checks();
    const std::span<const CheckConstraint> table = relation_.checks();
    return std::ranges::equal(own, table, [](const CheckConstraint& a, const CheckConstraint& b) {
      return a.name() == b.name() && a.text() == b.text();
    });
  }
  std::span<const AttrNumber> ChecksNotNull() const {
    const auto all = ChecksOf(relation_, plan_.options.unsupported);
    return all ? (*all)->not_null : std::span<const AttrNumber>();
  }

  RelationCache& cache_;
  const CopyColumns& columns_;
  CheckPlan& plan_;
  const RelationDescriptor& relation_;
  SourceObjects objects_;
};

}  // namespace

Status MakeCheckPlan(RelationCache& cache, Oid relation, const CopyColumns& columns,
                     const RowCheckOptions& options, CheckPlan& plan) {
  RELCACHE_ASSIGN(plan.pin, cache.Open(relation));
  plan.options = options;
  plan.null_text = columns.null_text;
  return Planner(cache, columns, plan).Run();
}

}  // namespace relcache::internal
