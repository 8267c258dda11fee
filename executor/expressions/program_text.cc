// Program::ToString: the instructions of a program as text for people.
#include <cstdio>
#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/executor/expressions/internal/instruction.h"
#include "relcache/executor/expressions/program.h"
#include "relcache/types/builtin_types.h"

namespace relcache {

namespace {

std::string_view NameOf(Opcode op) {
  switch (op) {
    case Opcode::kCallTotal2:
    case Opcode::kCall:
      return "call";
    case Opcode::kMove:
      return "move";
    case Opcode::kAnd:
      return "and";
    case Opcode::kOr:
      return "or";
    case Opcode::kNot:
      return "not";
    case Opcode::kIsNull:
      return "is_null";
    case Opcode::kIsNotNull:
      return "is_not_null";
    case Opcode::kIsTrue:
      return "is_true";
    case Opcode::kIsNotTrue:
      return "is_not_true";
    case Opcode::kIsFalse:
      return "is_false";
    case Opcode::kIsNotFalse:
      return "is_not_false";
    case Opcode::kJump:
      return "jump";
    case Opcode::kJumpIfFalse:
      return "jump_if_false";
    case Opcode::kJumpIfTrue:
      return "jump_if_true";
    case Opcode::kJumpIfNotTrue:
      return "jump_if_not_true";
    case Opcode::kJumpIfNull:
      return "jump_if_null";
    case Opcode::kJumpIfNotNull:
      return "jump_if_not_null";
    case Opcode::kIsDistinct:
      return "is_distinct";
    case Opcode::kNullIf:
      return "nullif";
    case Opcode::kGreatest:
      return "greatest";
    case Opcode::kLeast:
      return "least";
    case Opcode::kAny:
      return "any";
    case Opcode::kAll:
      return "all";
    case Opcode::kAnyOfArray:
      return "any_of_array";
    case Opcode::kAllOfArray:
      return "all_of_array";
    case Opcode::kMakeArray:
      return "make_array";
    case Opcode::kCoerceViaIO:
      return "coerce_via_io";
    case Opcode::kNumNulls:
      return "num_nulls";
    case Opcode::kNumNonnulls:
      return "num_nonnulls";
    case Opcode::kCompare:
      return "compare";
    case Opcode::kDefaultOutput:
      return "default_output";
    case Opcode::kDomainNotNull:
      return "domain_not_null";
    case Opcode::kDomainCheck:
      return "domain_check";
  }
  return "?";
}

/// The text of a value, as far as its form allows; a program does not record the exact type.
std::string ValueText(ColumnForm form, const NullableDatum& value) {
  if (value.isnull) return "null";
  switch (form) {
    case ColumnForm::kBool:
      return DatumGetBool(value.value) ? "true" : "false";
    case ColumnForm::kInt1:
      return std::to_string(static_cast<int>(DatumGetChar(value.value)));
    case ColumnForm::kInt2:
      return std::to_string(DatumGetInt16(value.value));
    case ColumnForm::kInt4:
      return std::to_string(DatumGetInt32(value.value));
    case ColumnForm::kOid:
      return std::to_string(DatumGetObjectId(value.value));
    case ColumnForm::kInt8:
      return std::to_string(DatumGetInt64(value.value));
    case ColumnForm::kFloat4:
    case ColumnForm::kFloat8: {
      char text[32];
      const double number = form == ColumnForm::kFloat4
                                ? static_cast<double>(DatumGetFloat4(value.value))
                                : DatumGetFloat8(value.value);
      std::snprintf(text, sizeof text, "%.17g", number);
      return text;
    }
    case ColumnForm::kDatum:
      break;
  }
  return "by reference";
}

class Writer {
 public:
  explicit Writer(const Program& program) : program_(program) {}

  std::string Text() {
    std::size_t at = 0;
    for (const Instruction& in : program_.code()) Line(at++, in);
    out_ += "result " + Name(program_.result()) + "\n";
    for (std::size_t c = 0; c < program_.constants().size(); ++c)
      out_ +=
          Format("k{} = {}\n", c, ValueText(program_.constant_forms()[c], program_.constants()[c]));
    return std::move(out_);
  }

 private:
  static std::string Name(Operand operand) {
    const char space = operand.is_constant() ? 'k' : operand.is_register() ? 'r' : 'c';
    return Format("{}{}", space, operand.index());
  }
  static int ArgumentsOf(const Instruction& in) {
    switch (in.op) {
      case Opcode::kCall:
      case Opcode::kCallTotal2:
        return in.function->nargs;
      case Opcode::kAnd:
      case Opcode::kOr:
        return 2;
      case Opcode::kJump:
        return in.dest == kNoRegister ? 0 : 1;
      default:
        return 1;
    }
  }
  void Line(std::size_t at, const Instruction& in) {
    char number[24];
    std::snprintf(number, sizeof number, "%3zu%c ", at, in.is_target ? ':' : ' ');
    out_ += number;
    if (in.dest != kNoRegister) out_ += Format("r{} = ", in.dest);
    out_ += NameOf(in.op);
    std::string_view separator = " ";
    const auto operand = [&](Operand one) {
      out_ += separator;
      out_ += Name(one);
      separator = ", ";
    };
    if (HasDetails(in.op)) {
      Describe(*in.details);
      for (const Operand one : in.details->list) operand(one);
      for (const NullableDatum& element : in.details->elements) {
        out_ += separator;
        out_ += ValueText(in.details->function->args[1], element);
        separator = ", ";
      }
    } else {
      if (in.op == Opcode::kCall || in.op == Opcode::kCallTotal2)
        out_ += std::string(" ") + in.function->name;
      for (int a = 0; a < ArgumentsOf(in); ++a) operand(in.args[a]);
    }
    if (IsJump(in.op)) out_ += Format(" -> {}", in.target);
    out_ += '\n';
  }
  void Describe(const Details& details) {
    if (details.function != nullptr) out_ += std::string(" ") + details.function->name;
    if (details.to_type != kInvalidOid) out_ += " to " + FormatType(details.to_type);
    if (!details.type_name.empty()) {
      out_ += " of ";
      out_ += details.type_name;
    }
    if (!details.constraint_name.empty()) {
      out_ += " constraint ";
      out_ += details.constraint_name;
    }
  }

  const Program& program_;
  std::string out_;
};

}  // namespace

std::string Program::ToString() const {
  return Writer(*this).Text();
}

}  // namespace relcache
