// Running programs: on a row, and down a batch.
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

/// SQL's three truth values, and that there is none.
enum class TruthValue : std::uint8_t { kFalse, kTrue, kNull, kError };

/// What running programs needs beside them: the session's settings, registers, and a context for
/// values. One scratch serves any programs, one after the other.
/// Lifetime: results that are by reference live in `cx`, which the caller resets when it has used
/// them; registers and settings are the scratch's own and stay. `cx` must outlive it.
/// Thread safety: one thread at a time.
class Scratch {
 public:
  /// Rows that a batch is worked off in.
  static constexpr std::size_t kChunk = 1024;

  Scratch(SessionSettings settings, MemoryContext& cx);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  MemoryContext& cx() const { return *cx_; }
  /// Results go to another context from now on.
  void set_cx(MemoryContext& cx);
  const SessionSettings& settings() const& { return settings_; }
  const SessionSettings& settings() const&& = delete;
  /// What programs run under from now on: where rows are judged as of the current moment, once a
  /// transaction with its `now`.
  void set_settings(SessionSettings settings) { settings_ = std::move(settings); }

 private:
  friend class RowRun;
  friend class BatchRun;
  struct State;

  SessionSettings settings_;
  MemoryContext* cx_;
  std::unique_ptr<State> state_;
};

/// The value of an expression for a row. `row` has at least program.row_size() values.
/// Errors: what PostgreSQL raises for the row (division by zero ...).
Result<NullableDatum> Evaluate(const Program& program, DatumRow row, Scratch& scratch);

/// The truth of a boolean expression for a row. `error` is written for kError; nullptr: it is not
/// described.
TruthValue EvaluateBool(const Program& program, DatumRow row, Scratch& scratch, Error* error);

/// A column that a program computed.
struct BatchResult {
  /// Values and null bytes of the rows that were asked for. Lifetime: until the scratch is used
  /// again, or the batch goes.
  BatchColumn column;
  /// Rows without a value, ascending: evaluating one of them alone says why.
  std::span<const std::uint16_t> failed;
};

/// The values for rows first .. first + rows - 1 of a batch, at most Scratch::kChunk of them; row
/// numbers in the result count from `first`.
/// A failure is one row's: the others have their values.
BatchResult EvaluateChunk(const Program& program, const ColumnBatch& batch, std::size_t first,
                          std::size_t rows, Scratch& scratch);

/// The truth of a boolean expression for every row of a batch: verdicts[row].
void EvaluateBatch(const Program& program, const ColumnBatch& batch, Scratch& scratch,
                   std::span<TruthValue> verdicts);

}  // namespace relcache
