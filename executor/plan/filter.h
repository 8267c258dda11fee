// FilterOperator returns the rows of its input for which a condition is true. PostgreSQL has no
// such operator: each of its plan nodes evaluates a condition itself (ExecQual).
#pragma once

#include <memory>
#include <span>

#include "relcache/executor/plan/operator.h"

namespace relcache {

/// The WHERE of a plan. A batch that passes completely is returned as it is. Otherwise the values
/// of the rows that pass are copied into a new batch; the memory that Datums point to is not
/// copied.
/// Thread safety: one thread at a time.
/// Errors: those of the input and of the condition.
class FilterOperator : public PlanOperator {
 public:
  /// `condition` must outlive the filter.
  FilterOperator(PlanOperatorPtr input, BatchPredicate& condition);
  ~FilterOperator() override;

  std::span<const ColumnType> columns() const override { return input_->columns(); }
  Result<const ColumnBatch*> Next() override;
  PlanOperatorDescription Describe() const override;
  const PlanOperatorCounters& counters() const { return counters_; }

 private:
  struct Rows;

  Result<const ColumnBatch*> Step();

  PlanOperatorPtr input_;
  BatchPredicate& condition_;
  ContextPtr cx_;
  MemoryContext& condition_cx_;
  std::unique_ptr<Rows> rows_;
  PlanOperatorCounters counters_;
  bool failed_ = false;
};

}  // namespace relcache
