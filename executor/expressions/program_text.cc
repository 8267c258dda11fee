// Program::ToString: the instructions of a program as text for people.
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

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
    case Opcode::kRegex:
      return "regular_expression";
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
      std::snprintf(text, sizeof text, "%.17g", number);  // 17 digits identify any double
      return text;
    }
    case ColumnForm::kDatum:
      break;
  }
  return "by reference";
}

/// What an operand is called: c0, k0, r0, or the name that its column was given.
std::string NameOf(Operand operand, std::span<const std::string> columns = {}) {
  const std::uint32_t index = operand.index();
  if (operand.space() == Operand::Space::kColumn && index < columns.size()) return columns[index];
  const char space = operand.is_constant() ? 'k' : operand.is_register() ? 'r' : 'c';
  return space + std::to_string(index);
}

/// A program as one expression: the text of every register, made as the registers are written.
class Expression {
 public:
  Expression(const Program& program, std::span<const std::string> columns)
      : program_(program), columns_(columns), registers_(program.register_count()) {}

  /// None if the program is not one expression.
  std::optional<std::string> Text() {
    for (const Instruction& in : program_.code())
      if (!Take(in)) return {};
    return Of(program_.result());
  }

 private:
  struct Piece {
    std::string text;
    /// kAnd or kOr: several conditions that are joined by it; kNot: something that must stand in
    /// parentheses within anything else; else it may stand anywhere.
    Opcode kind = Opcode::kMove;
  };

  bool Take(const Instruction& in) {
    switch (in.op) {
      case Opcode::kCallTotal2:
      case Opcode::kCall:
        return Put(in, in.function->name + List({in.args, in.function->nargs}));
      case Opcode::kMove:
        registers_[in.dest] = PieceOf(in.args[0]);
        return true;
      case Opcode::kAnd:
      case Opcode::kOr:
        return Join(in);
      case Opcode::kNot:
        return Put(in, "NOT " + Inner(in.args[0]), Opcode::kNot);
      case Opcode::kIsNull:
        return Test(in, " IS NULL");
      case Opcode::kIsNotNull:
        return Test(in, " IS NOT NULL");
      case Opcode::kIsTrue:
        return Test(in, " IS TRUE");
      case Opcode::kIsNotTrue:
        return Test(in, " IS NOT TRUE");
      case Opcode::kIsFalse:
        return Test(in, " IS FALSE");
      case Opcode::kIsNotFalse:
        return Test(in, " IS NOT FALSE");
      case Opcode::kJumpIfFalse:
      case Opcode::kJumpIfTrue:
        return LeavesAndOr(in);
      case Opcode::kIsDistinct:
        return Put(in,
                   Inner(in.details->list[0]) + " IS DISTINCT FROM " + Inner(in.details->list[1]),
                   Opcode::kNot);
      case Opcode::kNullIf:
        return Put(in, "NULLIF" + List(in.details->list));
      case Opcode::kGreatest:
        return Put(in, "GREATEST" + List(in.details->list));
      case Opcode::kLeast:
        return Put(in, "LEAST" + List(in.details->list));
      case Opcode::kAny:
      case Opcode::kAnyOfArray:
        return Put(in, Quantified(*in.details, "ANY "));
      case Opcode::kAll:
      case Opcode::kAllOfArray:
        return Put(in, Quantified(*in.details, "ALL "));
      case Opcode::kMakeArray:
        return Put(in, "ARRAY[" + Of(in.details->list) + "]");
      case Opcode::kCoerceViaIO:
        return Put(
            in, "CAST(" + Of(in.details->list[0]) + " AS " + FormatType(in.details->to_type) + ")");
      case Opcode::kNumNulls:
        return Put(in, "num_nulls" + List(in.details->list));
      case Opcode::kNumNonnulls:
        return Put(in, "num_nonnulls" + List(in.details->list));
      default:
        return false;
    }
  }

  bool Put(const Instruction& in, std::string text, Opcode kind = Opcode::kMove) {
    if (in.dest == kNoRegister) return false;
    registers_[in.dest] = {std::move(text), kind};
    return true;
  }
  bool Test(const Instruction& in, const char* what) {
    return Put(in, Inner(in.args[0]) + what, Opcode::kNot);
  }
  bool Join(const Instruction& in) {
    const auto part = [&](Operand operand) {
      const Piece piece = PieceOf(operand);
      return piece.kind == in.op ? piece.text : Inner(operand);
    };
    return Put(in,
               part(in.args[0]) + (in.op == Opcode::kAnd ? " AND " : " OR ") + Inner(in.args[1]),
               in.op);
  }
  /// Around the rest of an AND or OR that is decided: what the jump leads to is the end of it, and
  /// the expression is the same without.
  bool LeavesAndOr(const Instruction& in) {
    const Opcode op = in.op == Opcode::kJumpIfFalse ? Opcode::kAnd : Opcode::kOr;
    const std::uint32_t decided =
        in.dest != kNoRegister || !in.args[0].is_register() ? in.dest : in.args[0].index();
    const Instruction& last = program_.code()[in.target - 1];
    if (decided == kNoRegister || last.op != op || last.dest != decided) return false;
    registers_[decided] = PieceOf(in.args[0]);
    return true;
  }

  Piece PieceOf(Operand operand) const {
    if (operand.is_register()) return registers_[operand.index()];
    if (operand.is_constant()) {
      const std::uint32_t index = operand.index();
      const ColumnForm form = program_.constant_forms()[index];
      const NullableDatum& value = program_.constants()[index];
      if (value.isnull || form != ColumnForm::kDatum) return {ValueText(form, value)};
    }
    return {relcache::NameOf(operand, columns_)};
  }
  std::string Of(Operand operand) const { return PieceOf(operand).text; }
  std::string Inner(Operand operand) const {
    const Piece piece = PieceOf(operand);
    return piece.kind == Opcode::kMove ? piece.text : "(" + piece.text + ")";
  }
  std::string Of(std::span<const Operand> operands) const {
    std::string out;
    const char* separator = "";
    for (const Operand operand : operands) {
      out += separator + Of(operand);
      separator = ", ";
    }
    return out;
  }
  std::string List(std::span<const Operand> operands) const { return "(" + Of(operands) + ")"; }
  std::string Quantified(const Details& details, const char* quantifier) const {
    std::string out = details.function->name;
    out += "(" + Of(details.list[0]) + ", " + quantifier;
    if (details.elements.empty()) return out + List(details.list.subspan(1)) + ")";
    const char* separator = "(";
    for (const NullableDatum& element : details.elements) {
      out += separator + ValueText(details.function->args[1], element);
      separator = ", ";
    }
    return out + "))";
  }

  const Program& program_;
  std::span<const std::string> columns_;
  std::vector<Piece> registers_;
};

class Writer {
 public:
  explicit Writer(const Program& program) : program_(program) {}

  std::string Text() {
    std::size_t at = 0;
    for (const Instruction& in : program_.code()) Line(at++, in);
    out_ += "result " + relcache::NameOf(program_.result()) + "\n";
    for (std::size_t c = 0; c < program_.constants().size(); ++c)
      out_ +=
          Format("k{} = {}\n", c, ValueText(program_.constant_forms()[c], program_.constants()[c]));
    return std::move(out_);
  }

 private:
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
      out_ += relcache::NameOf(one);
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

std::string Program::ToExpression(std::span<const std::string> columns) const {
  if (std::optional<std::string> text = Expression(*this, columns).Text()) return *std::move(text);
  // Its instructions: the lines of ToString without what aligns them, and what its columns are
  // called where that is not c0, c1 ...
  std::string out;
  for (const char c : ToString()) {
    if (c == '\n') {
      out += "; ";
    } else if (c != ' ' || (!out.empty() && out.back() != ' ')) {
      out += c;
    }
  }
  if (!out.empty()) out.resize(out.size() - 2);
  for (const ColumnUse& use : columns_)
    if (const std::string plain = "c" + std::to_string(use.index);
        use.index < columns.size() && columns[use.index] != plain)
      out += "; " + plain + " = " + columns[use.index];
  return out;
}

}  // namespace relcache
