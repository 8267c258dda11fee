// How the compiler emits instructions, evaluates them at once if all operands are constants, and
// reports errors.
#include <algorithm>
#include <utility>

#include "relcache/executor/expressions/internal/compiler.h"
#include "relcache/executor/expressions/internal/row_run.h"

namespace relcache {

std::uint32_t Compiler::NewRegister() {
  const std::uint32_t mine = next_register_++;
  register_count_ = std::max(register_count_, next_register_);
  return mine;
}

void Compiler::BackTo(const Mark& mark) {
  // Constants that were added since stay in the list. They cost 16 bytes each and need no
  // renumbering.
  code_.resize(mark.size);
  next_register_ = mark.next_register;
  next_is_target_ = mark.next_is_target;
}

Instruction& Compiler::Emit(Opcode op, ColumnForm form, std::uint32_t dest) {
  Instruction& in = code_.emplace_back();
  in.op = op;
  in.form = form;
  in.dest = dest;
  // The batch evaluator needs to know where jumps arrive: rows that jumped rejoin the others there.
  in.is_target = std::exchange(next_is_target_, false);
  return in;
}

Instruction& Compiler::EmitCall(const Function& function, std::uint32_t dest) {
  // The most frequent kind of call gets an opcode of its own, which needs no test for errors and no
  // loop over arguments.
  const bool simple = function.total && function.nargs == 2;
  Instruction& in = Emit(simple ? Opcode::kCallTotal2 : Opcode::kCall, function.result, dest);
  in.function = &function;
  in.kernel = function.row;
  return in;
}

std::size_t Compiler::EmitJump(Opcode op, Operand a, const Value* moved_to) {
  Instruction& in = Emit(op, moved_to != nullptr ? moved_to->form : ColumnForm::kBool,
                         moved_to != nullptr ? moved_to->operand.index() : kNoRegister);
  in.args[0] = a;
  in.shares_dest = moved_to != nullptr;
  return code_.size() - 1;
}

void Compiler::LandHere(std::size_t jump) {
  code_[jump].target = static_cast<std::uint32_t>(code_.size());
  next_is_target_ = true;
}

void Compiler::Move(const Value& from, const Value& to) {
  Instruction& in = Emit(Opcode::kMove, to.form, to.operand.index());
  in.args[0] = from.operand;
  in.shares_dest = true;
}

Details& Compiler::EmitDetailed(Opcode op, const Value& dest, std::span<const Value> list) {
  Details* details = cx_.New<Details>();
  std::span<Operand> operands = cx_.NewArray<Operand>(list.size());
  std::span<ColumnForm> forms = cx_.NewArray<ColumnForm>(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    operands[i] = list[i].operand;
    forms[i] = list[i].form;
  }
  details->list = operands;
  details->forms = forms;
  longest_list_ = std::max(longest_list_, static_cast<std::uint32_t>(list.size()));
  const bool has_dest = dest.operand.is_register();
  Emit(op, dest.form, has_dest ? dest.operand.index() : kNoRegister).details = details;
  return *details;
}

Compiler::Value Compiler::AddConstant(NullableDatum value, ColumnForm form, Oid type) {
  constants_.push_back(value);
  constant_forms_.push_back(form);
  return {Operand(Operand::Space::kConstant, static_cast<std::uint32_t>(constants_.size() - 1)),
          form, type};
}

Compiler::Value Compiler::Opaque(const Value& value) {
  Value out = value;
  out.operand = Operand(Operand::Space::kRegister, NewRegister());
  Emit(Opcode::kMove, out.form, out.operand.index()).args[0] = value.operand;
  return out;
}

bool Compiler::AllConstant(std::span<const Value> values) {
  return std::all_of(values.begin(), values.end(),
                     [](const Value& v) { return v.operand.is_constant(); });
}

bool Compiler::AllPlanned(std::span<const Value> values) {
  return std::all_of(values.begin(), values.end(),
                     [](const Value& v) { return v.operand.is_constant() || v.printed; });
}

bool Compiler::Fold(const Mark& mark, Value& out) {
  // Settings in which nothing is given: a function that needs one is not immutable and does not
  // arrive here.
  static const SessionSettings kNoSettings;
  // All operands are constants, so the last instruction can run alone, with register 0 as the only
  // one.
  Instruction in = code_.back();
  in.dest = 0;
  NullableDatum value;
  ShortVector<NullableDatum, 16> list(longest_list_);
  FunctionContext fx;
  fx.settings = &kNoSettings;
  fx.cx = &cx_;
  fx.error = &error_;
  if (!RowRun::Run({&in, 1}, nullptr, constants_.data(), &value, list.data(), fx)) return false;
  BackTo(mark);
  out = AddConstant(value, out.form, out.type);
  return true;
}

bool Compiler::Fail(Error error) {
  error_ = std::move(error);
  return false;
}

bool Compiler::Refuse(std::string_view kind, std::string_view what) {
  return Fail(NotSupported(std::string(kind) + " " + std::string(what)));
}

bool Compiler::Malformed(std::string_view what) {
  return Fail(
      Error(ErrorCode::kInvalidInput, "XX000", "malformed expression: " + std::string(what)));
}

}  // namespace relcache
