#include "relcache/executor/plan/program_operands.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace relcache {

namespace {

/// The error of a row for which a batch had no value. A batch only reports which rows failed;
/// evaluating the row alone gives the reason.
Error ErrorOf(const Program& program, const ColumnBatch& batch, std::size_t row, Scratch& scratch) {
  std::vector<NullableDatum> values(program.row_size());
  for (const Program::ColumnUse& use : program.columns())
    values[use.index] = batch.columns[use.index].Get(row);
  Result<NullableDatum> value = relcache::Evaluate(program, values, scratch);
  // It may succeed now if the expression reads the clock.
  if (value)
    return Error(ErrorCode::kEvaluation, "XX000", "a row of a batch could not be computed");
  return std::move(value.error());
}

// The loops over the bytes of a slice work on words of eight bytes. Sums of bytes are kept in the
// bytes of a word, none of which can overflow within a slice; a sum of a wider type would have to
// widen every byte first.
using Word = std::uint64_t;
static_assert(Scratch::kSliceRows / sizeof(Word) <= 255);

Word LoadWord(const std::uint8_t* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

std::size_t SumOfBytes(Word word) {
  constexpr Word kEven = 0x00ff00ff00ff00ff;
  return ((word & kEven) + (word >> 8 & kEven)) * 0x0001000100010001 >> 48;
}

/// Clears the bytes of `selected` for rows whose value is false or NULL, and returns how many
/// remain.
template <bool kNulls>
std::size_t KeepTrue(std::uint8_t* selected, const std::uint8_t* values, const std::uint8_t* nulls,
                     std::size_t rows) {
  const std::size_t in_words = rows / sizeof(Word) * sizeof(Word);
  Word counts = 0;
  for (std::size_t row = 0; row < in_words; row += sizeof(Word)) {
    Word left = LoadWord(selected + row) & LoadWord(values + row);
    if constexpr (kNulls) left &= ~LoadWord(nulls + row);
    std::memcpy(selected + row, &left, sizeof left);
    counts += left;
  }
  std::size_t kept = SumOfBytes(counts);
  for (std::size_t row = in_words; row < rows; ++row) {
    selected[row] &= values[row];
    if constexpr (kNulls) selected[row] &= nulls[row] ^ 1;
    kept += selected[row];
  }
  return kept;
}

}  // namespace

ProgramPredicate::ProgramPredicate(const Program& program, SessionSettings settings)
    : program_(program),
      cx_(AllocSet::CreateRoot("plan condition")),
      scratch_(std::move(settings), *cx_) {
  RELCACHE_CHECK(program.result_form() == ColumnForm::kBool);
}

Result<std::size_t> ProgramPredicate::Select(const ColumnBatch& batch,
                                             std::span<std::uint8_t> selected, MemoryContext& cx) {
  RELCACHE_CHECK_LE(program_.row_size(), batch.columns.size());
  RELCACHE_CHECK_EQ(selected.size(), batch.rows);
  scratch_.set_cx(cx);
  std::size_t kept = 0;
  for (std::size_t first = 0; first < batch.rows; first += Scratch::kSliceRows) {
    const std::size_t rows = std::min(Scratch::kSliceRows, batch.rows - first);
    const BatchResult result = EvaluateSlice(program_, batch, first, rows, scratch_);
    for (const std::uint16_t row : result.failed)
      if (selected[first + row] != 0) return Fail(ErrorOf(program_, batch, first + row, scratch_));
    const auto* values = static_cast<const std::uint8_t*>(result.column.values);
    std::uint8_t* const slice = selected.data() + first;
    kept += result.column.nulls == nullptr
                ? KeepTrue<false>(slice, values, nullptr, rows)
                : KeepTrue<true>(slice, values, result.column.nulls, rows);
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

Result<BatchColumn> ProgramExpression::Evaluate(const ColumnBatch& batch, MemoryContext& cx) {
  RELCACHE_CHECK_LE(program_.row_size(), batch.columns.size());
  scratch_.set_cx(cx);
  const std::size_t width = WidthOf(type_.form);
  char* values = nullptr;
  std::uint8_t* nulls = nullptr;
  for (std::size_t first = 0; first < batch.rows; first += Scratch::kSliceRows) {
    const std::size_t rows = std::min(Scratch::kSliceRows, batch.rows - first);
    const BatchResult result = EvaluateSlice(program_, batch, first, rows, scratch_);
    if (!result.failed.empty()) [[unlikely]]
      return Fail(ErrorOf(program_, batch, first + result.failed.front(), scratch_));
    if (rows == batch.rows) return result.column;
    // The output of a join can have more rows than a program evaluates at a time.
    if (values == nullptr) {
      values = static_cast<char*>(cx.Allocate(batch.rows * width));
      nulls = static_cast<std::uint8_t*>(cx.AllocateZeroed(batch.rows));
    }
    std::memcpy(values + first * width, result.column.values, rows * width);
    if (result.column.nulls != nullptr) std::memcpy(nulls + first, result.column.nulls, rows);
  }
  return BatchColumn{type_.type, type_.form, values, nulls};
}

}  // namespace relcache
