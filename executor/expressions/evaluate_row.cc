#include <utility>

#include "relcache/executor/expressions/evaluate.h"
#include "relcache/executor/expressions/internal/row_run.h"
#include "relcache/executor/expressions/internal/scratch_state.h"

namespace relcache {
namespace {

using Outcome = FunctionContext::Outcome;

/// Handles a function's report that it has no value. Returns false if it failed.
[[gnu::cold, gnu::noinline]] bool TakeOutcome(NullableDatum& r, FunctionContext& fx) {
  r = {};
  return std::exchange(fx.outcome, Outcome::kValue) != Outcome::kFailed;
}

constexpr bool IsFalse(const NullableDatum& v) {
  return !v.isnull & !DatumGetBool(v.value);
}
constexpr bool IsTrue(const NullableDatum& v) {
  return !v.isnull & DatumGetBool(v.value);
}

}  // namespace

bool RowRun::Run(std::span<const Instruction> code, const NullableDatum* columns,
                 const NullableDatum* constants, NullableDatum* registers, NullableDatum* list_room,
                 FunctionContext& fx) {
  const NullableDatum* const spaces[] = {columns, constants, registers};
  auto value = [&](Operand operand) -> const NullableDatum& { return operand.In(spaces); };
  const Instruction* const first = code.data();
  const Instruction* const end = first + code.size();
  for (const Instruction* at = first; at != end;) {
    const Instruction& in = *at++;
    switch (in.op) {
      case Opcode::kCallTotal2: {
        const NullableDatum& a = value(in.args[0]);
        const NullableDatum& b = value(in.args[1]);
        NullableDatum& r = registers[in.dest];
        if (a.isnull | b.isnull) {
          r = {};
        } else {
          r = {in.kernel(a.value, b.value, Datum{}, fx), false};
        }
        break;
      }
      case Opcode::kCall: {
        // The operands of missing arguments repeat an existing one, so all three can be tested.
        const NullableDatum& a = value(in.args[0]);
        const NullableDatum& b = value(in.args[1]);
        const NullableDatum& c = value(in.args[2]);
        NullableDatum& r = registers[in.dest];
        if (a.isnull | b.isnull | c.isnull) {
          r = {};
        } else {
          r = {in.kernel(a.value, b.value, c.value, fx), false};
          if (fx.outcome != Outcome::kValue && !TakeOutcome(r, fx)) return false;
        }
        break;
      }
      case Opcode::kMove:
        registers[in.dest] = value(in.args[0]);
        break;
      // Without branches, which would be mispredicted: the operands are values already.
      case Opcode::kAnd: {
        const NullableDatum& a = value(in.args[0]);
        const NullableDatum& b = value(in.args[1]);
        const bool a_is_false = IsFalse(a), b_is_false = IsFalse(b);
        const bool is_false = a_is_false | b_is_false;
        const bool is_null = (!is_false) & (a.isnull | b.isnull);
        registers[in.dest] = {BoolGetDatum(!is_false), is_null};
        break;
      }
      case Opcode::kOr: {
        const NullableDatum& a = value(in.args[0]);
        const NullableDatum& b = value(in.args[1]);
        const bool a_is_true = IsTrue(a), b_is_true = IsTrue(b);
        const bool is_true = a_is_true | b_is_true;
        const bool is_null = (!is_true) & (a.isnull | b.isnull);
        registers[in.dest] = {BoolGetDatum(is_true), is_null};
        break;
      }
      case Opcode::kNot: {
        const NullableDatum a = value(in.args[0]);
        registers[in.dest] = {BoolGetDatum(!DatumGetBool(a.value)), a.isnull};
        break;
      }
      case Opcode::kIsNull:
        registers[in.dest] = {BoolGetDatum(value(in.args[0]).isnull), false};
        break;
      case Opcode::kIsNotNull:
        registers[in.dest] = {BoolGetDatum(!value(in.args[0]).isnull), false};
        break;
      case Opcode::kIsTrue:
        registers[in.dest] = {BoolGetDatum(IsTrue(value(in.args[0]))), false};
        break;
      case Opcode::kIsNotTrue:
        registers[in.dest] = {BoolGetDatum(!IsTrue(value(in.args[0]))), false};
        break;
      case Opcode::kIsFalse:
        registers[in.dest] = {BoolGetDatum(IsFalse(value(in.args[0]))), false};
        break;
      case Opcode::kIsNotFalse:
        registers[in.dest] = {BoolGetDatum(!IsFalse(value(in.args[0]))), false};
        break;
      case Opcode::kJump:
      case Opcode::kJumpIfFalse:
      case Opcode::kJumpIfTrue:
      case Opcode::kJumpIfNotTrue:
      case Opcode::kJumpIfNull:
      case Opcode::kJumpIfNotNull: {
        const NullableDatum a = value(in.args[0]);
        if (in.dest != kNoRegister) registers[in.dest] = a;
        if (JumpTaken(in.op, a)) at = first + in.target;
        break;
      }
      default: {
        const std::span<const Operand> operands = in.details->list;
        for (std::size_t i = 0; i < operands.size(); ++i) list_room[i] = value(operands[i]);
        NullableDatum r;
        if (!RunDetailed(in, {list_room, operands.size()}, r, fx)) return false;
        if (in.dest != kNoRegister) registers[in.dest] = r;
        break;
      }
    }
  }
  return true;
}

inline const NullableDatum* RowRun::Run(const Program& program, DatumRow row, Scratch& scratch,
                                        Error* error) {
  RELCACHE_DCHECK(row.size() >= program.row_size());
  FunctionContext& fx = scratch.state_->fx;
  fx.error = error;
  NullableDatum* const registers = scratch.state_->Registers(program);
  const NullableDatum* const constants = program.constants().data();
  if (!Run(program.code(), row.data(), constants, registers, registers + program.register_count(),
           fx)) [[unlikely]]
    return nullptr;
  const NullableDatum* const spaces[] = {row.data(), constants, registers};
  return &program.result().In(spaces);
}

Result<NullableDatum> Evaluate(const Program& program, DatumRow row, Scratch& scratch) {
  Error error;
  const NullableDatum* value = RowRun::Run(program, row, scratch, &error);
  if (value == nullptr) return Fail(std::move(error));
  return *value;
}

TruthValue EvaluateBool(const Program& program, DatumRow row, Scratch& scratch, Error* error) {
  const NullableDatum* value = RowRun::Run(program, row, scratch, error);
  if (value == nullptr) return TruthValue::kError;
  if (value->isnull) return TruthValue::kNull;
  return DatumGetBool(value->value) ? TruthValue::kTrue : TruthValue::kFalse;
}

}  // namespace relcache
