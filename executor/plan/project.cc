#include "relcache/executor/plan/project.h"

#include <utility>

#include "relcache/executor/plan/explain.h"

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
  if (failed_) return nullptr;
  failed_ = true;  // so that it is also set after an exception
  Result<const ColumnBatch*> batch = Step();
  failed_ = !batch;
  return batch;
}

Result<const ColumnBatch*> ProjectOperator::Step() {
  cx_->Reset();
  RELCACHE_ASSIGN(const ColumnBatch* batch, input_->Next());
  if (batch == nullptr) return nullptr;
  for (std::size_t e = 0; e < expressions_.size(); ++e) {
    RELCACHE_ASSIGN(columns_[e], expressions_[e]->Evaluate(*batch, *cx_));
  }
  batch_ = {columns_, batch->rows};
  counters_.rows_in += batch->rows;
  counters_.rows_out += batch->rows;
  return &batch_;
}

PlanOperatorDescription ProjectOperator::Describe() const {
  PlanOperatorDescription out{
      .name = "Project", .rows = counters_.rows_out, .details = {}, .inputs = {input_.get()}};
  const std::vector<std::string> columns = ColumnNames(input_->columns().size());
  std::vector<std::string> values;
  for (const auto& expression : expressions_) values.push_back(expression->ToString(columns));
  out.Add("Output", JoinTexts(values));
  return out;
}

}  // namespace relcache
