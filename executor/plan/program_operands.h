// ProgramPredicate and ProgramExpression let the operators of a plan evaluate compiled expressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "relcache/base/oid.h"
#include "relcache/base/result.h"
#include "relcache/executor/expressions/evaluate.h"
#include "relcache/executor/expressions/program.h"
#include "relcache/executor/plan/operator.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// A compiled condition, for the WHERE of a FilterOperator or the further condition of a HashJoin.
/// For a join, the program is compiled over two rows (CompileOptions::second_columns): the columns
/// of the probe side, followed by those of the build side.
/// Lifetime: the program must outlive it; hold the pin of the cache entry that it came from.
/// Thread safety: one thread at a time.
class ProgramPredicate final : public BatchPredicate {
 public:
  /// It is a programmer error if the result of the program is not a boolean; the process stops.
  ProgramPredicate(const Program& program, SessionSettings settings);

  /// Rows for which the condition is NULL do not pass.
  /// Errors: what PostgreSQL raises for the first selected row whose evaluation fails.
  Result<std::size_t> Select(const ColumnBatch& batch, std::span<std::uint8_t> selected,
                             MemoryContext& cx) override;
  std::string ToString(std::span<const std::string> columns) const override {
    return program_.ToExpression(columns);
  }

 private:
  const Program& program_;
  ContextPtr cx_;
  Scratch scratch_;
};

/// A compiled expression as one column of a ProjectOperator. To join or group by an expression,
/// project it first and use its column.
/// Lifetime and thread safety: as ProgramPredicate.
class ProgramExpression final : public BatchExpression {
 public:
  /// `collation` is the collation of the result; kInvalidOid means that of the type.
  /// Errors: kNotSupported for a result whose type is not built in, because a program does not know
  /// the length of its values.
  static Result<std::unique_ptr<BatchExpression>> Create(const Program& program,
                                                         SessionSettings settings,
                                                         Oid collation = kInvalidOid);

  const ColumnType& type() const override { return type_; }
  /// Lifetime: the arrays are valid until the next Evaluate or the next batch, and values that are
  /// passed by reference lie in `cx`.
  /// Errors: what PostgreSQL raises for the first row whose evaluation fails.
  Result<BatchColumn> Evaluate(const ColumnBatch& batch, MemoryContext& cx) override;
  std::string ToString(std::span<const std::string> columns) const override {
    return program_.ToExpression(columns);
  }

 private:
  ProgramExpression(const Program& program, SessionSettings settings, const ColumnType& type);

  const Program& program_;
  ColumnType type_;
  ContextPtr cx_;
  Scratch scratch_;
};

}  // namespace relcache
