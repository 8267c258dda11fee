// Compiled expressions as the conditions and values of a plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "relcache/base/oid.h"
#include "relcache/base/result.h"
#include "relcache/executor/expressions/evaluate.h"
#include "relcache/executor/expressions/program.h"
#include "relcache/executor/plan/operator.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// A compiled condition: what a FilterOperator takes as its WHERE, and a join as the rest of its ON
/// clause. Over a join's pairs of rows it is a program of two rows
/// (CompileOptions::second_columns): the probe side's columns first, the build side's behind them.
/// Lifetime: the program must outlive it (hold the pin of the cache entry that it came from).
/// Thread safety: one thread at a time.
class ProgramPredicate final : public BatchPredicate {
 public:
  /// The program's result must be a boolean.
  ProgramPredicate(const Program& program, SessionSettings settings);

  /// Rows for which the condition is NULL do not pass. Errors: what PostgreSQL raises for the first
  /// of the rows selected that has no value; rows that are not selected raise nothing.
  Result<std::size_t> Select(const ColumnBatch& batch, std::span<std::uint8_t> selected,
                             MemoryContext& cx) override;

 private:
  const Program& program_;
  ContextPtr cx_;
  Scratch scratch_;
};

/// A compiled value: one column of a ProjectOperator. As a key of a join or of a grouping, project
/// it and name its column.
/// Lifetime and thread safety: as ProgramPredicate.
class ProgramExpression final : public BatchExpression {
 public:
  /// `collation` is that of the result; kInvalidOid: the type's own. Errors: kNotSupported for a
  /// result whose type is not built in, since a program does not say how long its values are.
  static Result<std::unique_ptr<BatchExpression>> Create(const Program& program,
                                                         SessionSettings settings,
                                                         Oid collation = kInvalidOid);

  const ColumnType& type() const override { return type_; }
  /// Errors: what PostgreSQL raises for the first row that has no value.
  Result<BatchColumn> Evaluate(const ColumnBatch& batch, MemoryContext& cx) override;

 private:
  ProgramExpression(const Program& program, SessionSettings settings, const ColumnType& type);

  const Program& program_;
  ColumnType type_;
  ContextPtr cx_;
  Scratch scratch_;
};

}  // namespace relcache
