// The rows of an input that make a condition true.
#pragma once

#include <memory>
#include <span>

#include "relcache/executor/plan/operator.h"

namespace relcache {

/// WHERE. A batch that passes whole is handed on as it is; of others the rows that pass are copied
/// together (their values; what they point to stays where it is).
/// Thread safety: one thread at a time. Errors: the input's and the condition's.
class FilterOperator : public PlanOperator {
 public:
  /// `condition` must outlive the filter.
  FilterOperator(PlanOperatorPtr input, BatchPredicate& condition);
  ~FilterOperator() override;

  std::span<const ColumnType> columns() const override { return input_->columns(); }
  Result<const ColumnBatch*> Next() override;

 private:
  struct Rows;

  PlanOperatorPtr input_;
  BatchPredicate& condition_;
  ContextPtr cx_;
  MemoryContext& condition_cx_;
  std::unique_ptr<Rows> rows_;
};

}  // namespace relcache
