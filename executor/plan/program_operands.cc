#include "relcache/executor/plan/program_operands.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace relcache {

namespace {

/// A batch says only that a row has no value; the row alone says why.
Error ErrorOf(const Program& program, const ColumnBatch& batch, std::size_t row, Scratch& scratch) {
  std::vector<NullableDatum> values(program.row_size());
  for (const Program::ColumnUse& use : program.columns())
    values[use.index] = batch.columns[use.index].Get(row);
  Result<NullableDatum> value = relcache::Evaluate(program, values, scratch);
  // It may have one by now, where a clock is read.
  if (value)
    return Error(ErrorCode::kEvaluation, "XX000", "a row of a batch could not be computed");
  return std::move(value.error());
}

bool AllTrue(std::span<const Verdict> verdicts) {
  std::uint8_t others = 0;
  for (const Verdict verdict : verdicts)
    others |= static_cast<std::uint8_t>(verdict) ^ static_cast<std::uint8_t>(Verdict::kTrue);
  return others == 0;
}

}  // namespace

ProgramPredicate::ProgramPredicate(const Program& program, SessionSettings settings)
    : program_(program),
      cx_(AllocSet::CreateRoot("plan condition")),
      scratch_(std::move(settings), *cx_) {
  RELCACHE_CHECK(program.result_form() == ColumnForm::kBool);
}

Result<std::size_t> ProgramPredicate::Select(const ColumnBatch& batch,
                                             std::span<std::uint32_t> selection,
                                             MemoryContext& cx) {
  RELCACHE_CHECK_LE(program_.row_size(), batch.columns.size());
  scratch_.set_cx(cx);
  verdicts_.resize(batch.rows);
  EvaluateBatch(program_, batch, scratch_, verdicts_);
  // Most conditions are true of most rows, and what is kept whole need not be looked through.
  if (AllTrue(verdicts_)) return selection.size();
  std::size_t kept = 0;
  // Written before it is known whether the row passes: no jump that depends on the data.
  for (const std::uint32_t row : selection) {
    const Verdict verdict = verdicts_[row];
    if (verdict == Verdict::kError) [[unlikely]]
      return Fail(ErrorOf(program_, batch, row, scratch_));
    selection[kept] = row;
    kept += verdict == Verdict::kTrue ? 1 : 0;
  }
  return kept;
}

Result<std::unique_ptr<BatchExpression>> ProgramExpression::Create(const Program& program,
                                                                   SessionSettings settings,
                                                                   Oid collation) {
  RELCACHE_ASSIGN(const ColumnType type, ColumnTypeOf(program.result_type(), collation));
  return std::unique_ptr<BatchExpression>(
      new ProgramExpression(program, std::move(settings), type));
}

ProgramExpression::ProgramExpression(const Program& program, SessionSettings settings,
                                     const ColumnType& type)
    : program_(program),
      type_(type),
      cx_(AllocSet::CreateRoot("plan value")),
      scratch_(std::move(settings), *cx_) {
  RELCACHE_CHECK(program.result_form() == type.form);
}

Result<Column> ProgramExpression::Evaluate(const ColumnBatch& batch, MemoryContext& cx) {
  RELCACHE_CHECK_LE(program_.row_size(), batch.columns.size());
  scratch_.set_cx(cx);
  const std::size_t width = WidthOf(type_.form);
  char* values = nullptr;
  std::uint8_t* nulls = nullptr;
  for (std::size_t first = 0; first < batch.rows; first += Scratch::kChunk) {
    const std::size_t rows = std::min(Scratch::kChunk, batch.rows - first);
    const BatchResult result = EvaluateChunk(program_, batch, first, rows, scratch_);
    if (!result.failed.empty()) [[unlikely]]
      return Fail(ErrorOf(program_, batch, first + result.failed.front(), scratch_));
    if (rows == batch.rows) return result.column;
    // A join's output is larger than what a program works off at a time.
    if (values == nullptr) {
      values = static_cast<char*>(cx.Allocate(batch.rows * width));
      nulls = static_cast<std::uint8_t*>(cx.AllocateZeroed(batch.rows));
    }
    std::memcpy(values + first * width, result.column.values, rows * width);
    if (result.column.nulls != nullptr) std::memcpy(nulls + first, result.column.nulls, rows);
  }
  return Column{type_.type, type_.form, values, nulls};
}

}  // namespace relcache
