// The interpreter that runs programs on one row, and the instructions that a batch runs row by row
// too. For the sources of executor/expressions only.
#pragma once

#include <cstddef>
#include <span>

#include "relcache/executor/expressions/evaluate.h"
#include "relcache/executor/expressions/internal/instruction.h"

namespace relcache {

/// Runs instructions for one row.
class RowRun {
 public:
  /// Runs `code`, which reads `columns` and `constants` and writes `registers`, an array with room
  /// for the longest list at its end. Returns false after a failure, which fx describes.
  static bool Run(std::span<const Instruction> code, const NullableDatum* columns,
                  const NullableDatum* constants, NullableDatum* registers,
                  NullableDatum* list_room, FunctionContext& fx);
  /// Runs a program. Returns the address of its value, in the row, the program or the scratch;
  /// nullptr after a failure.
  static const NullableDatum* Run(const Program& program, DatumRow row, Scratch& scratch,
                                  Error* error);
};

/// Whether a jump of this kind is taken for a value.
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

/// Runs an instruction that has Details; `list` contains the values of its operands.
bool RunDetailed(const Instruction& instruction, std::span<const NullableDatum> list,
                 NullableDatum& out, FunctionContext& fx);

}  // namespace relcache
