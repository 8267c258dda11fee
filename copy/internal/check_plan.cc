// Prepares the verification of rows.
#include "relcache/copy/internal/check_plan.h"

#include <algorithm>
#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/executor/expressions/cached_program.h"
#include "relcache/nodes/columns.h"
#include "relcache/nodes/equal.h"
#include "relcache/nodes/nodes.h"
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
    RELCACHE_TRY(GeneratedFromKnown());
    RELCACHE_TRY(Constraints(relation_, {}, plan_.table));
    if (relation_.pg_class().relispartition) {
      RELCACHE_TRY(KeysAboveAreKnown());
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
    Skip(error.ToString());
    return {};
  }
  /// Says it once, though many partitions are alike.
  void Skip(std::string what) {
    if (std::ranges::find(plan_.skipped, what) == plan_.skipped.end())
      plan_.skipped.push_back(std::move(what));
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
    plan_.knowledge.resize(relation_.attributes().size(), Knowledge::kValue);
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
    RELCACHE_ASSIGN(const BaseType base, FindBaseType(column.atttypid, objects_));
    return ColumnFormOf(base.oid, column.attlen, column.attbyval);
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
    plan_.knowledge[Index(column.attnum)] = Knowledge::kNothing;
    return Unsupported(std::move(program).error());
  }

  /// A generated column cannot be computed from a default that is not known. PostgreSQL has no
  /// generated columns over other ones.
  Status GeneratedFromKnown() {
    for (const ComputedColumn& generated : plan_.generated) {
      const AttributeRow* const from = UnknownColumn(*generated.program, {});
      if (from == nullptr) continue;
      plan_.knowledge[Index(generated.attnum)] = Knowledge::kNothing;
      RELCACHE_TRY(Unsupported(Depends(
          Format("generated column \"{}\"", plan_.column(generated.attnum).attname), *from)));
    }
    std::erase_if(plan_.generated, [&](const ComputedColumn& generated) {
      return plan_.knowledge[Index(generated.attnum)] != Knowledge::kValue;
    });
    return {};
  }

  /// Whether the value comes from nextval, which is never NULL, perhaps cast to a smaller integer.
  static Result<bool> IsOfSequence(const ColumnDefault& value) {
    constexpr Oid kNextval = 1574, kInt8ToInt4 = 480, kInt8ToInt2 = 714;
    RELCACHE_ASSIGN(const TreeImage* image, value.expression().Get());
    const auto* call = As<FuncExpr>(image->root());
    if (call != nullptr && (call->funcid == kInt8ToInt4 || call->funcid == kInt8ToInt2) &&
        call->args != nullptr && call->args->size() == 1)
      call = As<FuncExpr>((*call->args)[0]);
    return call != nullptr && call->funcid == kNextval;
  }

  /// A default that cannot be computed here leaves a column whose value is not known.
  Status Default(const AttributeRow& column) {
    if (column.attidentity != '\0') {
      plan_.knowledge[Index(column.attnum)] = Knowledge::kNotNull;
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
    RELCACHE_ASSIGN(const bool of_sequence, IsOfSequence(*value));
    plan_.knowledge[Index(column.attnum)] = of_sequence ? Knowledge::kNotNull : Knowledge::kNothing;
    return {};
  }

  /// The default of a type, for a column without one of its own.
  Status TypeDefault(const AttributeRow& column) {
    if (FindTypeInfo(column.atttypid) != nullptr) return {};
    RELCACHE_ASSIGN(const TypeRows* rows, objects_.FindType(column.atttypid));
    if (rows != nullptr &&
        (!rows->pg_type.typdefaultbin.empty() || !rows->pg_type.typdefault.empty()))
      plan_.knowledge[Index(column.attnum)] = Knowledge::kNothing;
    return {};
  }

  void SetColumns() {
    plan_.is_set.resize(relation_.attributes().size());
    for (const FileColumn& column : plan_.file_columns) plan_.is_set[Index(column.attnum)] = true;
    for (const ComputedColumn& column : plan_.defaults) plan_.is_set[Index(column.attnum)] = true;
    for (const ComputedColumn& column : plan_.generated) plan_.is_set[Index(column.attnum)] = true;
  }

  /// The column of the table that a column of a leaf has its values from; `columns` is
  /// PartitionRouter::Leaf::columns, or empty.
  const AttributeRow& Source(std::size_t index, std::span<const AttrNumber> columns) const {
    return relation_.attributes()[columns.empty() ? index : Index(columns[index])];
  }
  Knowledge Of(const AttributeRow& column) const { return plan_.knowledge[Index(column.attnum)]; }

  /// The first column that a program reads and whose value is not known, or nullptr.
  const AttributeRow* UnknownColumn(const Program& program,
                                    std::span<const AttrNumber> columns) const {
    for (const Program::ColumnUse& use : program.columns()) {
      const AttributeRow& column = Source(use.index, columns);
      if (Of(column) != Knowledge::kValue) return &column;
    }
    return nullptr;
  }
  Error Depends(std::string_view what, const AttributeRow& column) const {
    return NotSupported(
        Format("{}, which depends on the default of column \"{}\"", what, column.attname));
  }

  /// The constraints of the table or of a leaf, which has its values from `columns` of the table.
  Status Constraints(const RelationDescriptor& relation, std::span<const AttrNumber> columns,
                     KnownConstraints& out) {
    RELCACHE_ASSIGN(const RelationConstraints* all, ChecksOf(relation, plan_.options.unsupported));
    for (const RefusedConstraint& refused : all->refused) Skip(refused.reason.Get().ToString());
    const auto not_null = [&](AttrNumber attnum) {
      return Format("NOT NULL of column \"{}\"", relation.attribute(attnum)->attname);
    };
    for (const AttrNumber attnum : all->not_null) {
      const AttributeRow& column = Source(Index(attnum), columns);
      if (Of(column) == Knowledge::kValue) out.not_null.push_back(attnum);
      if (Of(column) == Knowledge::kNothing)
        RELCACHE_TRY(Unsupported(Depends(not_null(attnum), column)));
    }
    for (const PreparedNotNull& one : all->virtual_not_null) {
      if (const AttributeRow* column = UnknownColumn(*one.program, columns)) {
        RELCACHE_TRY(Unsupported(Depends(not_null(one.attnum), *column)));
      } else {
        out.virtual_not_null.push_back(one);
      }
    }
    for (const PreparedCheck& check : all->checks) {
      if (const AttributeRow* column = UnknownColumn(*check.program, columns)) {
        RELCACHE_TRY(Unsupported(Depends(Format("CHECK constraint \"{}\"", check.name), *column)));
      } else {
        out.checks.push_back(check);
      }
    }
    out.constraints = *all;
    out.constraints.refused = {};
    out.constraints.not_null = out.not_null;
    out.constraints.virtual_not_null = out.virtual_not_null;
    out.constraints.checks = out.checks;
    return {};
  }

  /// The partition that a row without one of the keys belongs to is not known. Columns have the
  /// same names in all tables of a tree of partitions.
  Status KeyIsKnown(const RelationDescriptor& table) {
    if (table.partitioned_table() == nullptr) return {};
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
      if (own != nullptr && Of(*own) != Knowledge::kValue)
        return Fail(Depends(Format("partition key of relation \"{}\"", table.name()), *own));
    }
    return {};
  }

  static constexpr int kLevels = 100;

  Status KeysAboveAreKnown() {
    RELCACHE_ASSIGN(RelationPin at, cache_.Open(relation_.oid()));
    for (int depth = 0; at->pg_class().relispartition && !at->parents().empty(); ++depth) {
      if (depth > kLevels) return {};  // PartitionConstraint::Make has the error
      RELCACHE_ASSIGN(at, cache_.Open(at->parents()[0].inhparent));
      RELCACHE_TRY(KeyIsKnown(*at));
    }
    return {};
  }

  Status KeysBelowAreKnown(const RelationDescriptor& table, int depth) {
    if (depth > kLevels) return {};  // PartitionRouter::Make has the error
    RELCACHE_TRY(KeyIsKnown(table));
    for (const InheritsRow& child : table.children()) {
      RELCACHE_ASSIGN(const RelationPin pin, cache_.Open(child.inhrelid));
      RELCACHE_TRY(KeysBelowAreKnown(*pin, depth + 1));
    }
    return {};
  }

  Status Leaves() {
    RELCACHE_TRY(KeysBelowAreKnown(relation_, 0));
    RELCACHE_ASSIGN(plan_.router, PartitionRouter::Make(cache_, relation_.oid()));
    for (const PartitionRouter::Leaf& leaf : plan_.router->leaves()) {
      RELCACHE_TRY(Triggers(*leaf.relation));
      RELCACHE_TRY(GeneratedAlike(leaf));
      LeafChecks& checks = plan_.leaves.emplace_back();
      RELCACHE_TRY(Constraints(*leaf.relation, leaf.columns, checks.known));
      checks.covered = IsCovered(leaf, checks.known.constraints);
    }
    return {};
  }

  /// PostgreSQL computes the generated columns of a row by the expressions of its partition, which
  /// may be others than those of the table from 16 on. Here they are computed once for all.
  Status GeneratedAlike(const PartitionRouter::Leaf& leaf) {
    for (const AttributeRow& column : leaf.relation->attributes()) {
      if (column.attisdropped || column.attgenerated != 's') continue;
      const ColumnDefault* const own = leaf.relation->default_of(column.attnum);
      const ColumnDefault* const of_table =
          relation_.default_of(Source(Index(column.attnum), leaf.columns).attnum);
      bool alike = own != nullptr && of_table != nullptr;
      if (alike) {
        RELCACHE_ASSIGN(const TreeImage* image, own->expression().Get());
        RELCACHE_ASSIGN(const TreeImage* expected, of_table->expression().Get());
        const Node* tree = image->root();
        if (!leaf.columns.empty()) {
          RELCACHE_ASSIGN(tree, ReplaceColumns(*tree, leaf.columns, *plan_.cx));
        }
        alike = Equal(tree, expected->root());
      }
      if (!alike)
        RELCACHE_TRY(Unsupported(NotSupported(
            Format("generated column \"{}\" of relation \"{}\", whose expression is not that of "
                   "relation \"{}\"",
                   column.attname, leaf.relation->name(), relation_.name()))));
    }
    return {};
  }

  /// Whether a leaf has the columns of the table in the same places and no constraint besides.
  bool IsCovered(const PartitionRouter::Leaf& leaf, const RelationConstraints& constraints) const {
    if (!leaf.columns.empty() || !constraints.virtual_not_null.empty() ||
        constraints.virtual_not_null_error != nullptr || constraints.checks_error != nullptr)
      return false;
    if (!std::ranges::equal(constraints.not_null, plan_.table.not_null)) return false;
    return std::ranges::equal(leaf.relation->checks(), relation_.checks(),
                              [](const CheckConstraint& a, const CheckConstraint& b) {
                                return a.name() == b.name() && a.text() == b.text();
                              });
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
