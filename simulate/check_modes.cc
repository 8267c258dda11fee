#include "relcache/simulate/check_modes.h"

#include <functional>

#include "relcache/executor/internal/prepare_checks.h"
#include "relcache/nodes/read.h"
#include "relcache/nodes/tree_image.h"

namespace relcache {
namespace {

/// Adds the time from here to the end of the block.
class Stage {
 public:
  Stage(StageTimes* times, std::uint64_t StageTimes::*stage)
      : times_(times), stage_(stage), begin_(times != nullptr ? times->Read() : 0) {}
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() {
    if (times_ != nullptr) times_->*stage_ += times_->Read() - begin_;
  }

 private:
  StageTimes* times_;
  std::uint64_t StageTimes::*stage_;
  std::uint64_t begin_;
};

/// A check's tree, as the mode gets it.
Result<const Node*> TreeOf(const RelationDescriptor& relation, const CheckConstraint& check,
                           CheckMode mode, StageTimes* times, MemoryContext& cx) {
  if (mode == CheckMode::kReparse) {
    const Stage stage(times, &StageTimes::parse);
    TreeOptions options;
    options.pg_version = relation.pg_version();
    return StringToNode(check.text(), options, cx);
  }
  RELCACHE_ASSIGN(const TreeImage* image, check.expression().Get());
  if (mode != CheckMode::kCopy) return image->root();
  const Stage stage(times, &StageTimes::copy);
  return CopyTree(*image, cx);
}

}  // namespace

const char* CheckModeName(CheckMode mode) {
  switch (mode) {
    case CheckMode::kNone:
      return "none";
    case CheckMode::kReparse:
      return "reparse";
    case CheckMode::kCopy:
      return "copy";
    case CheckMode::kCached:
      return "cached";
    case CheckMode::kCompiled:
      return "compiled";
  }
  return "";
}

Result<const RelationConstraints*> PrepareChecks(const RelationDescriptor& relation, CheckMode mode,
                                                 MemoryContext& cx, StageTimes* times,
                                                 UnsupportedConstraints unsupported) {
  if (mode == CheckMode::kNone) return nullptr;
  if (mode == CheckMode::kCompiled) return ChecksOf(relation, unsupported);
  SourceObjects objects(relation.source(), cx);
  const auto compile = [&](const CheckConstraint& check) -> Result<const Program*> {
    RELCACHE_ASSIGN(const Node* const tree, TreeOf(relation, check, mode, times, cx));
    const Stage stage(times, &StageTimes::compile);
    return CompileFor(relation, tree, objects, /*borrow=*/true, cx);
  };
  return internal::MakeRelationConstraints(
      relation, unsupported,
      [&](const CheckConstraint& check) -> Result<const Program*> {
        Result<const Program*> made = compile(check);
        if (!made && made.error().place.empty())
          return Fail(std::move(made).error().At(check.expression().place()));
        return made;
      },
      cx);
}

}  // namespace relcache
