#include "relcache/executor/expressions/cached_program.h"

#include <algorithm>

#include "relcache/base/internal/format.h"
#include "relcache/nodes/primnodes.h"
#include "relcache/nodes/tree_image.h"

namespace relcache {
namespace {

/// The columns of a relation; virtual generated columns have their expressions.
Result<std::span<const InputColumn>> ColumnsOf(const RelationDescriptor& relation,
                                               MemoryContext& cx) {
  const std::span<const InputColumn> plain = InputColumnsOf(relation.attributes(), cx);
  if (std::ranges::none_of(plain, &InputColumn::is_virtual)) return plain;
  const std::span<InputColumn> columns = cx.NewArray<InputColumn>(plain.size());
  std::ranges::copy(plain, columns.begin());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].is_virtual || columns[i].dropped) continue;
    const auto attnum = static_cast<AttrNumber>(i + 1);
    const ColumnDefault* column = relation.default_of(attnum);
    if (column == nullptr)
      return Fail(ErrorCode::kInvalidInput, "XX000",
                  Format("no generation expression found for column number {} of table \"{}\"",
                         attnum, relation.name()));
    RELCACHE_ASSIGN(const TreeImage* tree, column->expression().Get());
    columns[i].generated = tree->root();
  }
  return columns;
}

/// Sets in `options` the columns of the rows that a stored expression refers to; refuses
/// expressions over other rows.
Status RowsOf(const RelationDescriptor& relation, const ExpressionSlot& slot,
              CompileOptions& options, MemoryContext& cx) {
  RELCACHE_ASSIGN(const std::span<const InputColumn> columns, ColumnsOf(relation, cx));
  auto refuse = [&](std::string_view why) {
    return Fail(NotSupported("EXPRESSION " + std::string(ExpressionColumn(slot.kind())) +
                             std::string(why)));
  };
  switch (slot.kind()) {
    case ExpressionKind::kTriggerWhen:
      for (const TriggerDescriptor& trigger : relation.triggers()) {
        if (trigger.when() != &slot) continue;
        const WhenRows rows = WhenRowsOf(trigger.row());
        if (rows.old_row) options.columns = columns;
        if (rows.new_row) options.second_columns = columns;
      }
      return {};
    case ExpressionKind::kRuleQual:
    case ExpressionKind::kRuleAction:
      return refuse(" of a rule, which is over the rows of a query");
    case ExpressionKind::kIndexExpressions:
    case ExpressionKind::kPartitionKey:
    case ExpressionKind::kStatistics:
      return refuse(": it is a list");
    case ExpressionKind::kPartitionBound:
      return refuse(": it is a bound");
    case ExpressionKind::kIndexPredicate:
      if (relation.relkind() == 'i' || relation.relkind() == 'I')
        return refuse(" of an index by itself: it is over the rows of the table");
      break;
    default:
      break;
  }
  options.columns = columns;
  return {};
}

Result<const Program*> CompileWith(CompileOptions& options, const RelationDescriptor& relation,
                                   const Node* tree, ObjectLookup& objects, bool borrow,
                                   MemoryContext& cx) {
  if (tree == nullptr) return Fail(ErrorCode::kInvalidInput, "XX000", "malformed expression: none");
  options.objects = &objects;
  options.borrow = borrow;
  options.tableoid = relation.oid();
  return Compile(*tree, options, cx);
}

}  // namespace

WhenRows WhenRowsOf(const TriggerRow& trigger) {
  constexpr int kRow = 1, kInsert = 4, kDelete = 8;
  const bool row = (trigger.tgtype & kRow) != 0;
  return {row && (trigger.tgtype & kInsert) == 0, row && (trigger.tgtype & kDelete) == 0};
}

Result<const Program*> CompileFor(const RelationDescriptor& relation, const Node* tree,
                                  ObjectLookup& objects, bool borrow, MemoryContext& cx) {
  CompileOptions options;
  RELCACHE_ASSIGN(options.columns, ColumnsOf(relation, cx));
  return CompileWith(options, relation, tree, objects, borrow, cx);
}

Result<const Program*> ProgramOf(const RelationDescriptor& relation, const ExpressionSlot& slot) {
  return slot.Derived<Program>(
      0, [&](const TreeImage& tree, DerivedBuild& build) -> Result<const Program*> {
        SourceObjects objects(relation.source(), build.cx(), &build);
        CompileOptions options;
        if (Status rows = RowsOf(relation, slot, options, build.cx()); !rows)
          return Fail(std::move(rows).error().At(slot.place()));
        Result<const Program*> program =
            CompileWith(options, relation, tree.root(), objects, /*borrow=*/true, build.cx());
        if (!program) return Fail(std::move(program).error().At(slot.place()));
        return program;
      });
}

Result<const Program*> HasValueProgram(const RelationDescriptor& relation, AttrNumber attnum) {
  constexpr std::uint64_t kHasValue = 1;
  const ColumnDefault* column = relation.default_of(attnum);
  if (column == nullptr)
    return Fail(NotSupported("NOT NULL of a virtual generated column without its expression: " +
                             std::string(relation.attribute(attnum)->attname)));
  return column->expression().Derived<Program>(
      kHasValue, [&](const TreeImage&, DerivedBuild& build) -> Result<const Program*> {
        SourceObjects objects(relation.source(), build.cx(), &build);
        Var* var = MakeNode<Var>(build.cx());
        var->varno = 1;
        var->varattno = attnum;
        var->vartype = relation.attribute(attnum)->atttypid;
        NullTest* test = MakeNode<NullTest>(build.cx());
        test->arg = var;
        test->nulltesttype = NullTestType::kIsNotNull;
        Result<const Program*> program =
            CompileFor(relation, test, objects, /*borrow=*/true, build.cx());
        if (!program) return Fail(std::move(program).error().At(column->expression().place()));
        return program;
      });
}

}  // namespace relcache
