#include "relcache/executor/cached_program.h"

#include "relcache/nodes/tree_image.h"

namespace relcache {
namespace {

/// Answers from the source; the entry that is built then depends on what was asked.
class EntryObjects final : public ObjectLookup {
 public:
  EntryObjects(CatalogSource& source, DerivedBuild& build) : source_(source), build_(build) {}

  Result<const TypeRows*> FindType(Oid oid) override {
    build_.DependsOn(InvalidationKind::kType, oid);
    return source_.LoadType(oid, build_.cx());
  }
  Result<const ProcRow*> FindProc(Oid oid) override {
    build_.DependsOn(InvalidationKind::kFunction, oid);
    return source_.LoadProc(oid, build_.cx());
  }
  Result<const OperatorRow*> FindOperator(Oid oid) override {
    build_.DependsOn(InvalidationKind::kOperator, oid);
    return source_.LoadOperator(oid, build_.cx());
  }
  Result<const CollationRow*> FindCollation(Oid oid) override {
    build_.DependsOn(InvalidationKind::kCollation, oid);
    return source_.LoadCollation(oid, build_.cx());
  }
  const ServerInfo& info() const override { return source_.info(); }

 private:
  CatalogSource& source_;
  DerivedBuild& build_;
};

/// The rows that a stored expression is over.
Status RowsOf(const RelationDescriptor& relation, const ExpressionSlot& slot,
              CompileOptions& options, MemoryContext& cx) {
  const std::span<const InputColumn> columns = InputColumnsOf(relation.attributes(), cx);
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
  options.columns = InputColumnsOf(relation.attributes(), cx);
  return CompileWith(options, relation, tree, objects, borrow, cx);
}

Result<const Program*> ProgramOf(const RelationDescriptor& relation, const ExpressionSlot& slot,
                                 CatalogSource& source) {
  return slot.Derived<Program>(
      0, [&](const TreeImage& tree, DerivedBuild& build) -> Result<const Program*> {
        EntryObjects objects(source, build);
        CompileOptions options;
        if (Status rows = RowsOf(relation, slot, options, build.cx()); !rows)
          return Fail(std::move(rows).error().At(slot.place()));
        Result<const Program*> program =
            CompileWith(options, relation, tree.root(), objects, /*borrow=*/true, build.cx());
        if (!program) return Fail(std::move(program).error().At(slot.place()));
        return program;
      });
}

}  // namespace relcache
