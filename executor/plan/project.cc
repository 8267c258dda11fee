#include "relcache/executor/plan/project.h"

#include <utility>

namespace relcache {

ProjectOperator::ProjectOperator(PlanOperatorPtr input,
                                 std::vector<std::unique_ptr<BatchExpression>> expressions)
    : input_(std::move(input)),
      expressions_(std::move(expressions)),
      columns_(expressions_.size()),
      cx_(AllocSet::CreateRoot("project")) {
  for (const auto& expression : expressions_) types_.push_back(expression->type());
}

Result<const ColumnBatch*> ProjectOperator::Next() {
  cx_->Reset();
  RELCACHE_ASSIGN(const ColumnBatch* batch, input_->Next());
  if (batch == nullptr) return nullptr;
  for (std::size_t e = 0; e < expressions_.size(); ++e) {
    RELCACHE_ASSIGN(columns_[e], expressions_[e]->Evaluate(*batch, *cx_));
  }
  batch_ = {columns_, batch->rows};
  return &batch_;
}

}  // namespace relcache
