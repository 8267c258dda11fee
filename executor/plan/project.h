// Values computed from each row of an input.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "relcache/executor/plan/operator.h"

namespace relcache {

/// A column of the input, handed on as it is.
class ColumnReference : public BatchExpression {
 public:
  ColumnReference(std::size_t column, const ColumnType& type) : column_(column), type_(type) {}
  const ColumnType& type() const override { return type_; }
  Result<BatchColumn> Evaluate(const ColumnBatch& batch, MemoryContext&) override {
    return batch.columns[column_];
  }

 private:
  std::size_t column_;
  ColumnType type_;
};

/// The SELECT list. What expressions allocate for a batch is freed at the next one: one reset a
/// batch.
/// Thread safety: one thread at a time. Errors: the input's and the expressions'.
class ProjectOperator : public PlanOperator {
 public:
  ProjectOperator(PlanOperatorPtr input, std::vector<std::unique_ptr<BatchExpression>> expressions);

  std::span<const ColumnType> columns() const override { return types_; }
  Result<const ColumnBatch*> Next() override;

 private:
  PlanOperatorPtr input_;
  std::vector<std::unique_ptr<BatchExpression>> expressions_;
  std::vector<ColumnType> types_;
  std::vector<BatchColumn> columns_;
  ContextPtr cx_;
  ColumnBatch batch_;
};

}  // namespace relcache
