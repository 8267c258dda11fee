// The interfaces of a query plan: operators, which produce batches of rows one by one, and the
// conditions and expressions that they evaluate. A plan is a tree of operators (PostgreSQL's
// PlanState, execnodes.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "relcache/base/result.h"
#include "relcache/executor/batch/column_batch.h"
#include "relcache/executor/batch/column_type.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

struct PlanOperatorDescription;

/// A node of a plan. Each call of Next returns a batch of about a thousand rows, where PostgreSQL's
/// ExecProcNode returns one row.
/// Lifetime: owns its children and its memory.
/// Thread safety: one thread at a time.
class PlanOperator {
 public:
  PlanOperator() = default;
  PlanOperator(const PlanOperator&) = delete;
  PlanOperator& operator=(const PlanOperator&) = delete;
  virtual ~PlanOperator() = default;

  /// The types of the columns of every batch.
  virtual std::span<const ColumnType> columns() const = 0;
  /// The next batch, which has at least one row, or nullptr after the last one.
  /// Lifetime: the batch, and what its values point to, are valid until the next call.
  /// Errors: those that the class names. A call after an error returns nullptr, as one after
  /// the last batch does; an operator of your own has to do the same.
  virtual Result<const ColumnBatch*> Next() = 0;
  /// What ExplainPlan (explain.h) prints for this node. The default is a node named "Custom Scan"
  /// without inputs: an operator that has inputs must override it for them to be printed.
  virtual PlanOperatorDescription Describe() const;
};

using PlanOperatorPtr = std::unique_ptr<PlanOperator>;

/// A condition that is evaluated for batches. ProgramPredicate (program_operands.h) implements it
/// with a compiled expression.
/// Thread safety: one thread at a time.
class BatchPredicate {
 public:
  virtual ~BatchPredicate() = default;
  /// Evaluates the condition for the selected rows. `selected` has a byte for each row of the
  /// batch, 1 for a selected row and 0 for any other. The call clears the bytes of rows for which
  /// the condition is not true, and returns how many remain. Rows that are not selected raise no
  /// errors. `cx` is for temporary values; the operator that calls resets it before the next batch.
  /// Errors: those of the class.
  ///
  /// There is a byte for each row, rather than a list of row numbers, because the evaluator has
  /// this form: if all rows pass, which is the usual case, nothing else has to be written.
  virtual Result<std::size_t> Select(const ColumnBatch& batch, std::span<std::uint8_t> selected,
                                     MemoryContext& cx) = 0;
  /// The condition as text for ExplainPlan. `columns` are the names of the batch's columns.
  virtual std::string ToString(std::span<const std::string> columns) const;
};

/// A value that is computed for each row of a batch. ProgramExpression (program_operands.h)
/// implements it with a compiled expression.
/// Thread safety: one thread at a time.
class BatchExpression {
 public:
  virtual ~BatchExpression() = default;
  /// The type of the values.
  virtual const ColumnType& type() const = 0;
  /// The values for all rows of the batch.
  /// Lifetime: the arrays are allocated in `cx`, which is reset before the next batch, or are those
  /// of a column of the batch, or belong to this object and are valid until its next Evaluate.
  /// Errors: those of the class; a single row that fails fails the batch.
  virtual Result<BatchColumn> Evaluate(const ColumnBatch& batch, MemoryContext& cx) = 0;
  /// The value as text for ExplainPlan. `columns` are the names of the batch's columns.
  virtual std::string ToString(std::span<const std::string> columns) const;
};

/// What an operator has done so far, as PostgreSQL's EXPLAIN (ANALYZE) shows it. The counters are
/// updated once per batch and not once per row, so that they cost nothing measurable.
/// Thread safety: as the operator; read them between two calls of Next.
struct PlanOperatorCounters {
  /// The rows that were read from the input. A HashJoin counts the rows of its build side here and
  /// those of its probe side in HashJoinCounters::probe_rows.
  std::uint64_t rows_in = 0;
  /// The rows that were returned.
  std::uint64_t rows_out = 0;
  /// The largest size of the operator's memory contexts, and by how much it exceeded the limit (0
  /// if it did not). Both are counted only by operators with a memory limit.
  std::uint64_t peak_bytes = 0;
  std::uint64_t overrun_bytes = 0;
  /// The bytes that were written to temporary files.
  std::uint64_t spilled_bytes = 0;
  /// The number of passes, which PostgreSQL calls batches: 1 if nothing went to disk, otherwise one
  /// more for each partition that did.
  std::uint64_t passes = 1;
};

}  // namespace relcache
