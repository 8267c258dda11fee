// The interpreter of programs for one row, and the instructions that a batch too runs row by row.
// For the executor's own sources.
#pragma once

#include <cstddef>
#include <span>

#include "relcache/executor/expressions/evaluate.h"
#include "relcache/executor/expressions/internal/instruction.h"

namespace relcache {

/// Runs instructions for one row.
class RowRun {
 public:
  /// Runs `code`, which reads `columns` and `constants` and writes `registers` (with room for the
  /// longest list behind them). False: fx says why.
  static bool Run(std::span<const Instruction> code, const NullableDatum* columns,
                  const NullableDatum* constants, NullableDatum* registers,
                  NullableDatum* list_room, FunctionContext& fx);
  /// Runs a program; its value, in the row, the program or the scratch, or nullptr.
  static const NullableDatum* Run(const Program& program, DatumRow row, Scratch& scratch,
                                  Error* error);
};

/// Whether a jump of this kind is taken on a value.
constexpr bool JumpTaken(Opcode op, const NullableDatum& value) {
  switch (op) {
    case Opcode::kJumpIfFalse:
      return !value.isnull && !DatumGetBool(value.value);
    case Opcode::kJumpIfTrue:
      return !value.isnull && DatumGetBool(value.value);
    case Opcode::kJumpIfNotTrue:
      return value.isnull || !DatumGetBool(value.value);
    case Opcode::kJumpIfNull:
      return value.isnull;
    case Opcode::kJumpIfNotNull:
      return !value.isnull;
    default:
      return true;
  }
}

/// Runs one instruction that has Details, `list` being the values of its operands.
bool RunDetailed(const Instruction& instruction, std::span<const NullableDatum> list,
                 NullableDatum& out, FunctionContext& fx);

}  // namespace relcache
