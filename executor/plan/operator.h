// What flows between operators: batches of columns, pulled one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "relcache/base/result.h"
#include "relcache/executor/batch/column_batch.h"
#include "relcache/executor/batch/column_type.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// One node of a plan: gives its rows batch by batch (PostgreSQL's ExecProcNode, a thousand rows at
/// a time).
/// Lifetime: owns its children and its memory. Thread safety: one thread at a time.
class PlanOperator {
 public:
  PlanOperator() = default;
  PlanOperator(const PlanOperator&) = delete;
  PlanOperator& operator=(const PlanOperator&) = delete;
  virtual ~PlanOperator() = default;

  /// The columns of every batch.
  virtual std::span<const ColumnType> columns() const = 0;
  /// The next batch, of at least one row; nullptr after the last. Lifetime: the batch, and what its
  /// values point to, until the next call. Errors: after one the operator only gives nullptr.
  virtual Result<const ColumnBatch*> Next() = 0;
};

using PlanOperatorPtr = std::unique_ptr<PlanOperator>;

/// A condition over a batch: the seam through which compiled expressions come into a plan.
class BatchPredicate {
 public:
  virtual ~BatchPredicate() = default;
  /// `selected` has a byte for every row of the batch, 1 for those that are asked about and 0 for
  /// the others. Clears those whose row does not make the condition true, and returns how many
  /// remain. What a row would raise that is not asked about is not raised. `cx` is reset after the
  /// batch.
  /// A byte for each row is what the evaluator has: rows that all pass, which is the rule, cost
  /// nothing beyond it, where a list of row numbers would have to be written.
  virtual Result<std::size_t> Select(const ColumnBatch& batch, std::span<std::uint8_t> selected,
                                     MemoryContext& cx) = 0;
};

/// A value computed from each row of a batch.
class BatchExpression {
 public:
  virtual ~BatchExpression() = default;
  virtual const ColumnType& type() const = 0;
  /// The values for all rows of the batch; arrays from `cx` (which lives until the next batch) or
  /// those of a column of the batch.
  virtual Result<BatchColumn> Evaluate(const ColumnBatch& batch, MemoryContext& cx) = 0;
};

/// What an operator did; the counters of EXPLAIN ANALYZE.
struct PlanOperatorCounters {
  std::uint64_t rows_in = 0;
  std::uint64_t rows_out = 0;
  /// The largest size of the operator's contexts at any time, and by how much that was above the
  /// limit (0: the limit was kept).
  std::uint64_t peak_bytes = 0;
  std::uint64_t overrun_bytes = 0;
  std::uint64_t spilled_bytes = 0;
  /// Parts that were worked on one after the other: 1 when nothing went to disk.
  std::uint64_t batches = 1;
};

}  // namespace relcache
