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

}  // namespace

Result<const Program*> CompileFor(const RelationDescriptor& relation, const Node* tree,
                                  ObjectLookup& objects, bool borrow, MemoryContext& cx) {
  if (tree == nullptr) return Fail(ErrorCode::kInvalidInput, "XX000", "malformed expression: none");
  CompileOptions options;
  options.columns = InputColumnsOf(relation.attributes(), cx);
  options.objects = &objects;
  options.borrow = borrow;
  options.tableoid = relation.oid();
  return Compile(*tree, options, cx);
}

Result<const Program*> ProgramOf(const RelationDescriptor& relation, const ExpressionSlot& slot,
                                 CatalogSource& source) {
  return slot.Derived<Program>(
      0, [&](const TreeImage& tree, DerivedBuild& build) -> Result<const Program*> {
        EntryObjects objects(source, build);
        Result<const Program*> program =
            CompileFor(relation, tree.root(), objects, /*borrow=*/true, build.cx());
        if (!program) return Fail(std::move(program).error().At(slot.place()));
        return program;
      });
}

}  // namespace relcache
