// Runs compiled programs, on single rows and on batches. It corresponds to PostgreSQL's
// ExecEvalExpr and ExecInterpExpr, which know only single rows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "relcache/base/result.h"
#include "relcache/executor/batch/column_batch.h"
#include "relcache/executor/expressions/program.h"
#include "relcache/memory/memory_context.h"
#include "relcache/types/session_settings.h"

namespace relcache {

/// The truth values of SQL; kError means that the evaluation failed.
enum class TruthValue : std::uint8_t { kFalse, kTrue, kNull, kError };

/// What a thread needs to run programs: the session settings, registers, which are the places for
/// intermediate values, and a memory context for results. A scratch can be used for any programs,
/// one after the other (PostgreSQL's ExprContext).
/// Lifetime: results that are passed by reference lie in `cx`, which must outlive the scratch and
/// which the caller resets when it has used the results. Registers and settings remain.
/// Thread safety: one thread at a time.
class Scratch {
 public:
  /// The greatest number of rows of a slice. A batch is evaluated slice by slice.
  static constexpr std::size_t kSliceRows = 1024;

  Scratch(SessionSettings settings, MemoryContext& cx);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  MemoryContext& cx() const { return *cx_; }
  /// Changes the context for results; the new one must outlive the scratch too.
  void set_cx(MemoryContext& cx);
  const SessionSettings& settings() const& { return settings_; }
  const SessionSettings& settings() const&& = delete;
  /// Changes the settings under which programs run. A program that checks rows as of the present
  /// moment does this once per transaction, with a new `now`.
  void set_settings(SessionSettings settings) { settings_ = std::move(settings); }

 private:
  friend class RowRun;
  friend class BatchRun;
  struct State;

  SessionSettings settings_;
  MemoryContext* cx_;
  std::unique_ptr<State> state_;
};

/// The value of an expression for a row, which must have at least program.row_size() values; only
/// debug builds check this.
/// Lifetime: a value that is passed by reference lies in scratch.cx(), the row or the program.
/// Errors: those that PostgreSQL raises for the row, such as a division by zero.
Result<NullableDatum> Evaluate(const Program& program, DatumRow row, Scratch& scratch);

/// The truth value of a boolean expression for a row, which is passed as to Evaluate. If the result
/// is kError, `error` is set to the reason, unless it is nullptr.
TruthValue EvaluateBool(const Program& program, DatumRow row, Scratch& scratch, Error* error);

/// A column that a program has computed.
struct BatchResult {
  /// The values and null bytes of the requested rows.
  /// Lifetime: valid until the scratch is used again or the batch is gone.
  BatchColumn column;
  /// The rows for which the evaluation failed, in ascending order. Evaluating such a row alone
  /// yields the error, unless the expression reads the clock and has a value at the later moment.
  std::span<const std::uint16_t> failed;
};

/// Evaluates the rows first ... first + rows - 1 of a batch, at most Scratch::kSliceRows of them; a
/// larger number is a programmer error, at which the process stops. Row numbers in the result count
/// from `first`. If the evaluation fails for one row, the others have their values all the same.
BatchResult EvaluateSlice(const Program& program, const ColumnBatch& batch, std::size_t first,
                          std::size_t rows, Scratch& scratch);

/// The truth values of a boolean expression for all rows of a batch; `verdicts` must have at least
/// batch.rows elements, and the result of the program must be a boolean. Anything else is a
/// programmer error, at which the process stops.
void EvaluateBatch(const Program& program, const ColumnBatch& batch, Scratch& scratch,
                   std::span<TruthValue> verdicts);

}  // namespace relcache
