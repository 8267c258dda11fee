// ProjectOperator computes values from each row of its input, like the SELECT list of a query
// (PostgreSQL's ExecProject).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "relcache/executor/plan/operator.h"

namespace relcache {

/// An expression that returns a column of the input unchanged. `column` is its index from 0, which
/// is not checked against the input, and `type` is the type of that column.
class ColumnReference : public BatchExpression {
 public:
  ColumnReference(std::size_t column, const ColumnType& type) : column_(column), type_(type) {}
  const ColumnType& type() const override { return type_; }
  Result<BatchColumn> Evaluate(const ColumnBatch& batch, MemoryContext&) override {
    return batch.columns[column_];
  }
  std::string ToString(std::span<const std::string> columns) const override {
    return columns[column_];
  }

 private:
  std::size_t column_;
  ColumnType type_;
};

/// Computes the columns of its result by one expression each. Memory that expressions allocate for
/// a batch is freed as a whole at the next call of Next.
/// Thread safety: one thread at a time.
/// Errors: those of the input and of the expressions.
class ProjectOperator : public PlanOperator {
 public:
  ProjectOperator(PlanOperatorPtr input, std::vector<std::unique_ptr<BatchExpression>> expressions);

  std::span<const ColumnType> columns() const override { return types_; }
  Result<const ColumnBatch*> Next() override;
  PlanOperatorDescription Describe() const override;
  const PlanOperatorCounters& counters() const { return counters_; }

 private:
  Result<const ColumnBatch*> Step();
  PlanOperatorPtr input_;
  std::vector<std::unique_ptr<BatchExpression>> expressions_;
  std::vector<ColumnType> types_;
  std::vector<BatchColumn> columns_;
  ContextPtr cx_;
  ColumnBatch batch_;
  PlanOperatorCounters counters_;
  bool failed_ = false;
};

}  // namespace relcache
