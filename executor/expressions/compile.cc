// The compiler: variables, constants and calls. It does in one pass over the tree what PostgreSQL
// does in two, eval_const_expressions and ExecInitExpr.
//
// A server simplifies an expression before the first row, and errors of that step (1/0 in a
// constant part) are raised even if the part would never be reached. The compiler therefore visits
// the parts in the planner's order and evaluates a call at once when all its operands are
// constants.
#include "relcache/executor/expressions/compile.h"

#include <algorithm>

#include "relcache/base/internal/format.h"
#include "relcache/catalog/internal/builtin.h"
#include "relcache/executor/expressions/internal/compiler.h"
#include "relcache/executor/expressions/internal/row_run.h"
#include "relcache/executor/functions/function_tables.h"
#include "relcache/executor/functions/kernel.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/date_time/timestamp.h"
#include "relcache/types/type_io.h"

namespace relcache {

std::span<const InputColumn> InputColumnsOf(std::span<const AttributeRow> attributes,
                                            MemoryContext& cx) {
  std::span<InputColumn> out = cx.NewArray<InputColumn>(attributes.size());
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const AttributeRow& a = attributes[i];
    out[i] = {a.atttypid, a.attlen, a.attbyval, a.attisdropped, a.attgenerated == 'v'};
  }
  return out;
}

Result<const Program*> Compile(const Node& expression, const CompileOptions& options,
                               MemoryContext& cx) {
  // Casts to text of constants whose text depends on session settings are left to the run time at
  // first, because a program serves many sessions. Only if that would change which errors are
  // raised, or when, the expression is compiled again with the texts that the default settings
  // give; such a program refuses to run under other settings.
  Compiler compiler(options, false, cx);
  Result<const Program*> program = compiler.Run(expression);
  if (!compiler.printed_matters()) return program;
  return Compiler(options, true, cx).Run(expression);
}

namespace {

template <class T>
std::span<const T> Keep(std::span<const T> values, MemoryContext& cx) {
  std::span<T> out = cx.NewArray<T>(values.size());
  std::copy(values.begin(), values.end(), out.begin());
  return out;
}

std::string NamesOf(const OutputSettings& settings) {
  std::string out = settings.extra_float_digits ? "extra_float_digits" : "";
  if (settings.bytea_output) out += out.empty() ? "bytea_output" : " and bytea_output";
  if (settings.interval_style) out += out.empty() ? "IntervalStyle" : " and IntervalStyle";
  return out;
}

}  // namespace

Result<const Program*> Compiler::Run(const Node& expression) {
  if (!version_.is_known())
    return relcache::Fail(NotSupported(Format("expressions of PostgreSQL {}", version_.major())));
  Value value;
  // The first instruction, so that nothing else runs under other settings than the defaults.
  if (fold_printed_) printed_ = &EmitDetailed(Opcode::kDefaultOutput, Value{}, {});
  if (!CheckEncoding() || !Part(&expression, value)) {
    if (printed_ != nullptr && printed_->printed_by.any() &&
        // With another setting the text, and so the error, could be a different one, and a cached
        // error would be given to sessions that the server would not give it to.
        error_.code != ErrorCode::kNotSupported)
      Refuse("NODE", "CoerceViaIO of a constant whose text " + NamesOf(printed_->printed_by) +
                         " decides, before the first row");
    return relcache::Fail(std::move(error_));
  }
  Program* program = cx_.New<Program>();
  const std::span<const Instruction> code = Keep<Instruction>(code_, cx_);
  program->code_ = code.data();
  program->code_size_ = code.size();
  program->constants_ = Keep<NullableDatum>(constants_, cx_);
  program->constant_forms_ = Keep<ColumnForm>(constant_forms_, cx_);
  std::sort(columns_.begin(), columns_.end(),
            [](const auto& a, const auto& b) { return a.index < b.index; });
  program->columns_ = Keep<Program::ColumnUse>(columns_, cx_);
  program->result_ = value.operand.bits();
  program->result_form_ = value.form;
  program->result_type_ = value.type;
  program->register_count_ = register_count_;
  program->longest_list_ = longest_list_;
  return program;
}

bool Compiler::Expression(const Node* node, Value& out) {
  if (!Part(node, out)) return false;
  // A caller that uses Expression rather than Part may decide something by the value (which branch
  // is taken, whether an error is raised), and the server knows the value before the first row.
  printed_matters_ = printed_matters_ || std::exchange(out.printed, false);
  return true;
}

bool Compiler::Part(const Node* node, Value& out) {
  if (node == nullptr) return Malformed("an expression without a part that it needs");
  if (!stack_.ok()) return Fail(Error(ErrorCode::kLimit, "54001", "stack depth limit exceeded"));
  // Registers are allocated like a stack: a part takes its result register first and everything
  // above it for its own parts, and all but the result are free again when the part is compiled.
  // Few registers suffice then, which matters for batches, where each is an array.
  const std::uint32_t mine = next_register_;
  const std::size_t before = code_.size();
  const bool ok = Dispatch(*node, out);
  next_register_ = mine;
  // The value is known, but code before it still has to run (it may raise an error). Moved into a
  // register, the value does not count as a constant, so that no caller drops the code with it.
  if (ok && out.operand.is_constant() && code_.size() != before) out = Opaque(out);
  if (ok && out.operand.is_register() && out.operand.index() >= mine)
    next_register_ = out.operand.index() + 1;
  return ok;
}

bool Compiler::Dispatch(const Node& node, Value& out) {
  switch (node.tag) {
    case NodeTag::kVar:
      return Variable(static_cast<const Var&>(node), out);
    case NodeTag::kConst:
      return Constant(static_cast<const Const&>(node), out);
    case NodeTag::kOpExpr: {
      const auto& op = static_cast<const OpExpr&>(node);
      if (op.opretset) return Refuse("NODE", "OpExpr of a set");
      return Operator(op.opno, op.opfuncid, op.inputcollid, op.args, out);
    }
    case NodeTag::kFuncExpr:
      return FunctionCall(static_cast<const FuncExpr&>(node), out);
    case NodeTag::kBoolExpr: {
      const auto& logic = static_cast<const BoolExpr&>(node);
      return logic.boolop == BoolExprType::kNot ? Negation(logic, out) : AndOr(logic, out);
    }
    case NodeTag::kNullTest:
      return TestNull(static_cast<const NullTest&>(node), out);
    case NodeTag::kBooleanTest:
      return TestBoolean(static_cast<const BooleanTest&>(node), out);
    case NodeTag::kRelabelType: {
      const auto& relabel = static_cast<const RelabelType&>(node);
      return Relabel(relabel.arg, relabel.resulttype, out);
    }
    case NodeTag::kCollateExpr:
      return Part(static_cast<const CollateExpr&>(node).arg, out);
    case NodeTag::kScalarArrayOpExpr:
      return AnyOrAll(static_cast<const ScalarArrayOpExpr&>(node), out);
    case NodeTag::kCaseExpr:
      return Case(static_cast<const CaseExpr&>(node), out);
    case NodeTag::kCaseTestExpr:
      if (case_test_ == nullptr) return Malformed("a CaseTestExpr outside of CASE");
      out = *case_test_;
      return ReadAs(static_cast<const CaseTestExpr&>(node).typeId, out);
    case NodeTag::kCoalesceExpr:
      return Coalesce(static_cast<const CoalesceExpr&>(node), out);
    case NodeTag::kMinMaxExpr:
      return MinMax(static_cast<const MinMaxExpr&>(node), out);
    case NodeTag::kNullIfExpr:
      return NullIf(static_cast<const NullIfExpr&>(node), out);
    case NodeTag::kDistinctExpr:
      return Distinct(static_cast<const DistinctExpr&>(node), out);
    case NodeTag::kArrayExpr:
      return MakeArray(static_cast<const ArrayExpr&>(node), out);
    case NodeTag::kArrayCoerceExpr:
      return CoerceArray(static_cast<const ArrayCoerceExpr&>(node), out);
    case NodeTag::kCoerceViaIO:
      return ViaIO(static_cast<const CoerceViaIO&>(node), out);
    case NodeTag::kCoerceToDomain:
      return Domain(static_cast<const CoerceToDomain&>(node), out);
    case NodeTag::kCoerceToDomainValue:
      if (domain_value_ == nullptr) return Malformed("a CoerceToDomainValue outside of a domain");
      out = *domain_value_;
      return ReadAs(static_cast<const CoerceToDomainValue&>(node).typeId, out);
    case NodeTag::kRowCompareExpr:
      return RowCompare(static_cast<const RowCompareExpr&>(node), out);
    case NodeTag::kSQLValueFunction:
      return SqlValue(static_cast<const SQLValueFunction&>(node), out);
    default:
      return Refuse("NODE", NodeTypeName(node.tag));
  }
}

bool Compiler::RowOf(const Var& var, std::span<const InputColumn>& columns, std::size_t& first) {
  if (var.varlevelsup != 0) return Refuse("NODE", "Var of an outer query");
  if (var.varreturningtype != VarReturningType::kDefault)
    return Refuse("NODE", "Var of OLD or NEW in RETURNING");
  if (var.varnullingrels) return Refuse("NODE", "Var that an outer join may make NULL");
  bool second = var.varno == 2 && !options_.second_columns.empty();
  // The expression of a generated column always calls its own row number 1, also when the column
  // was reached through the second row.
  if (generated_in_ != 0) second = generated_in_ == 2 && var.varno == 1;
  if (var.varno != 1 && (!second || generated_in_ != 0))
    return Refuse("NODE", Format("Var of range table entry {}", var.varno));
  columns = second ? options_.second_columns : options_.columns;
  first = second ? options_.columns.size() : 0;
  return true;
}

bool Compiler::Variable(const Var& var, Value& out) {
  constexpr AttrNumber kTableOidAttribute = -6;
  std::span<const InputColumn> columns;
  std::size_t first = 0;
  if (!RowOf(var, columns, first)) return false;
  if (var.varattno == kTableOidAttribute && options_.tableoid != kInvalidOid) {
    // To the planner tableoid is a column, so it folds nothing that depends on it, although the
    // value is known here.
    out = Opaque(
        AddConstant({ObjectIdGetDatum(options_.tableoid), false}, ColumnForm::kOid, kOidOid));
    return true;
  }
  if (var.varattno == 0) return Refuse("NODE", "Var of the whole row");
  if (var.varattno < 0) {
    static constexpr std::string_view kNames[] = {"ctid", "xmin", "cmin",
                                                  "xmax", "cmax", "tableoid"};
    const auto i = static_cast<std::size_t>(-(var.varattno + 1));
    return Refuse("NODE", "Var of a system column" +
                              (i < std::size(kNames) ? ": " + std::string(kNames[i]) : ""));
  }
  const auto number = static_cast<std::size_t>(var.varattno);
  if (number > columns.size())
    return Malformed(Format("a Var of column {} of {}", number, columns.size()));
  const std::size_t index = first + number - 1;
  // The check that PostgreSQL makes when an expression first runs (CheckVarSlotCompatibility), with
  // its messages. A stored tree can be older than a change of its table.
  const InputColumn& column = columns[number - 1];
  if (column.dropped || column.type != var.vartype) {
    const std::string which = Format("attribute {} of type record has ", var.varattno);
    if (column.dropped)
      return Fail(Error(ErrorCode::kInvalidInput, "42703", which + "been dropped"));
    return Fail(Error(ErrorCode::kInvalidInput, "42804", which + "wrong type")
                    .WithDetail("Table has type " + NameOfType(column.type) +
                                ", but query expects " + NameOfType(var.vartype) + "."));
  }
  if (column.is_virtual) return Generated(column, var.varno, out);
  out.operand = Operand(Operand::Space::kColumn, static_cast<std::uint32_t>(index));
  if (!FormOfColumn(column, out.form)) return false;
  out.type = column.type;
  for (const Program::ColumnUse& use : columns_)
    if (use.index == index) return true;
  columns_.push_back({static_cast<std::uint32_t>(index), out.form});
  return true;
}

bool Compiler::Generated(const InputColumn& column, int row, Value& out) {
  if (generated_in_ != 0) return Malformed("a generated column that refers to another one");
  if (column.generated == nullptr) return Refuse("NODE", "Var of a virtual generated column");
  generated_in_ = row;
  // The column's expression is a tree of its own: a CASE or domain around the Var is not visible in
  // it.
  const Value* const case_test = std::exchange(case_test_, nullptr);
  const Value* const domain_value = std::exchange(domain_value_, nullptr);
  const bool ok = Expression(column.generated, out) && CheckReadable(out.type, column.type);
  generated_in_ = 0;
  case_test_ = case_test;
  domain_value_ = domain_value;
  return ok;
}

bool Compiler::Constant(const Const& node, Value& out) {
  if (!CheckConst(node) || !CheckConstInEncoding(node)) return false;
  ColumnForm form;
  if (!FormOfColumn({node.consttype, node.constlen, node.constbyval}, form)) return false;
  if (node.constisnull) {
    out = ConstantNull(form, node.consttype);
    return true;
  }
  const Datum value = options_.borrow
                          ? node.constvalue
                          : CopyDatum(node.constvalue, node.constbyval, node.constlen, cx_);
  out = AddConstant({value, false}, form, node.consttype);
  return true;
}

bool Compiler::ResolveOperator(Oid opno, Oid opfuncid, Oid& function) {
  // The function is looked up in the operator's row and not taken from the tree, because
  // PostgreSQL's reader sets opfuncid to zero for the same reason: a stored tree must not depend on
  // which function the operator had once.
  if (const BuiltinOperator* op = FindBuiltinOperator(opno)) {
    function = op->oprcode;
    return true;
  }
  if (options_.objects != nullptr) {
    Result<const OperatorRow*> row = options_.objects->FindOperator(opno);
    if (!row) return Fail(std::move(row).error());
    if (*row != nullptr) {
      function = (*row)->oprcode;
      return true;
    }
  }
  function = opfuncid;
  return function != kInvalidOid || Refuse("OPERATOR", std::to_string(opno));
}

namespace {

/// What the server cannot do if it does not know which collation to use.
std::string PurposeOf(const Function& function) {
  switch (function.collation) {
    case CollationUse::kLetterCase:
    case CollationUse::kWords:
      return std::string(function.name) + "() function";
    case CollationUse::kCaselessMatch:
      return "ILIKE";
    default:
      return function.text == TextUse::kPattern ? "LIKE" : "string comparison";
  }
}

bool IsKnown(CollationUse use, const CollationTraits& traits) {
  switch (use) {
    case CollationUse::kOrder:
      return traits.bytewise;
    case CollationUse::kLetterCase:
    case CollationUse::kCaselessMatch:
      return traits.letter_case != CollationTraits::LetterCase::kUnknown;
    case CollationUse::kWords:
      return traits.letter_case != CollationTraits::LetterCase::kUnknown && traits.plain_words;
    default:
      return true;
  }
}

}  // namespace

bool Compiler::ResolveFunction(Oid oid, Oid collation, const Function*& out,
                               const TextLocale*& locale) {
  locale = nullptr;
  out = FindFunction(oid, version_);
  if (out == nullptr) return Refuse("FUNCTION", NameOfFunction(oid));
  // A function that depends on a collation is used only if this collation is known to give the same
  // as the kernel: by being deterministic for equality, bytewise for order, or of known letter
  // case. Otherwise there may be a kernel that is given the locale.
  const CollationUse use = out->collation;
  if (use == CollationUse::kNone || use == CollationUse::kBytes) return true;
  if (collation == kInvalidOid) {
    // Until 17, LIKE asks for no collation.
    if (out->text == TextUse::kPattern && version_.major() < 18) return true;
    return Fail(Error(ErrorCode::kInvalidInput, "42P22",
                      "could not determine which collation to use for " + PurposeOf(*out)));
  }
  CollationTraits traits;
  if (!TraitsOfCollation(collation, traits)) return false;
  const bool cases = DependsOnLetterCase(use);
  const bool needs_determinism = use == CollationUse::kEquality || use == CollationUse::kOrder ||
                                 use == CollationUse::kCaselessMatch;
  if (!needs_determinism || traits.deterministic) {
    const bool plain = cases ? traits.letter_case == CollationTraits::LetterCase::kAsciiOnly
                             : IsKnown(use, traits);
    if (plain) return true;
    const bool by_locale = cases ? traits.provider.has_value() : traits.icu_order;
    const Function* const of_locale = by_locale ? FindLocaleFunction(oid) : nullptr;
    if (of_locale != nullptr) {
      out = of_locale;
      return LocaleOf(traits, locale);
    }
    if (IsKnown(use, traits)) return true;
  }
  return Refuse("FUNCTION", NameOfFunction(oid) + " under collation " + traits.name);
}

bool Compiler::ResolveEquality(Oid oid, Oid collation, const Function*& out) {
  const TextLocale* locale = nullptr;
  return ResolveFunction(oid, collation, out, locale) &&
         (locale == nullptr || Malformed("equality by " + NameOfFunction(oid)));
}

bool Compiler::Operator(Oid opno, Oid opfuncid, Oid collation, const List* args, Value& out) {
  Oid oid = kInvalidOid;
  const Function* function = nullptr;
  if (!ResolveOperator(opno, opfuncid, oid)) return false;
  if (const RegexFunction* regex = FindRegexFunction(oid))
    return CallRegex(*regex, collation, args, out);
  const TextLocale* locale = nullptr;
  return ResolveFunction(oid, collation, function, locale) &&
         Call(*function, locale, collation, args, out);
}

bool Compiler::FunctionCall(const FuncExpr& node, Value& out) {
  constexpr Oid kNumNulls = 438, kNumNonnulls = 440;
  if (node.funcid == kNumNonnulls || node.funcid == kNumNulls)
    return CountNulls(node, node.funcid == kNumNulls, out);
  if (node.funcretset) return Refuse("FUNCTION", NameOfFunction(node.funcid) + " of a set");
  if (const RegexFunction* regex = FindRegexFunction(node.funcid))
    return CallRegex(*regex, node.inputcollid, node.args, out) && ReadAs(node.funcresulttype, out);
  const Function* function = nullptr;
  const TextLocale* locale = nullptr;
  return ResolveFunction(node.funcid, node.inputcollid, function, locale) &&
         Call(*function, locale, node.inputcollid, node.args, out) &&
         ReadAs(node.funcresulttype, out);
}

bool Compiler::Call(const Function& function, const TextLocale* locale, Oid collation,
                    const List* args, Value& out) {
  const std::size_t n = args == nullptr ? 0 : args->size();
  if (n + (locale != nullptr ? 1 : 0) != function.nargs)
    return Malformed(Format("{} with {} arguments", NameOfFunction(function.oid), n));
  const BuiltinProc* proc = FindBuiltinProc(function.oid);
  if (proc == nullptr || proc->proargtypes.size() != n)
    return Refuse("FUNCTION", NameOfFunction(function.oid));

  const Mark mark = Here();
  Value dest{Operand(Operand::Space::kRegister, NewRegister()), function.result, proc->prorettype};
  Value values[Function::kMaxArgs];
  bool null = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (!Part((*args)[i], values[i]) || !CheckArgument(proc->proargtypes[i], values[i]))
      return false;
    null = null || IsNullConstant(values[i]);
  }
  if (null) {  // strict; not before all arguments are compiled, since their errors count
    BackTo(mark);
    out = ConstantNull(dest.form, dest.type);
    return true;
  }
  if (!GuardArguments(function, collation, {values, n})) return false;
  // Unused argument places repeat the first argument. The interpreter can then test all three for
  // NULL without looking at the number of arguments.
  const Operand filler = n > 0 ? values[0].operand : ConstantBool(true).operand;
  if (locale != nullptr)
    values[n] = AddConstant({PointerGetDatum(locale), false}, ColumnForm::kDatum, kTextOid);
  Instruction& call = EmitCall(function, dest.operand.index());
  for (std::size_t i = 0; i < std::size(call.args); ++i)
    call.args[i] = i < function.nargs ? values[i].operand : filler;
  out = dest;
  // Only immutable functions are folded; the result of a stable one may differ in the next
  // statement.
  if (function.provolatile != 'i' || !AllPlanned({values, n})) return true;
  if (AllConstant({values, n})) return Fold(mark, out);
  out.printed = true;
  printed_matters_ = printed_matters_ || function.fails || function.yields_null;
  return true;
}

bool Compiler::CountNulls(const FuncExpr& node, bool nulls, Value& out) {
  if (node.funcvariadic || node.args == nullptr)
    return Refuse("FUNCTION", NameOfFunction(node.funcid) + " of VARIADIC");
  const Mark mark = Here();
  const Value dest{Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kInt4, kInt4Oid};
  Values values;
  for (const Node* arg : *node.args)
    if (!Expression(arg, values.emplace_back())) return false;
  EmitDetailed(nulls ? Opcode::kNumNulls : Opcode::kNumNonnulls, dest, values);
  out = dest;
  return !AllConstant(values) || Fold(mark, out);
}

bool Compiler::Relabel(const Node* arg, Oid type, Value& out) {
  return Part(arg, out) && ReadAs(type, out);
}

namespace {

Fault CurrentDate(const SessionSettings& settings, Date& out) {
  if (!settings.now) return Fault::kMomentNotGiven;
  return TimestamptzToDate(*settings.now, settings, out);
}
Fault CurrentTimestampOf(std::int32_t typmod, const SessionSettings& settings, TimestampTz& out) {
  if (!settings.now) return Fault::kMomentNotGiven;
  out = TimestampCoerce(*settings.now, typmod);
  return Fault::kNone;
}
Fault LocalTimestampOf(std::int32_t typmod, const SessionSettings& settings, Timestamp& out) {
  if (!settings.now) return Fault::kMomentNotGiven;
  const Fault fault = TimestamptzToTimestamp(*settings.now, settings, out);
  if (fault == Fault::kNone) out = TimestampCoerce(out, typmod);
  return fault;
}

/// Whether the input or output function of a type is immutable according to pg_proc. It is not for
/// types that depend on session settings (dates and times, money), look names up in the catalogs
/// (reg* types), or call the function of an element type (arrays).
bool HasImmutableIo(Oid type, bool input) {
  constexpr Oid kMoneyOid = 790, kXmlOid = 142, kAclItemOid = 1033;
  switch (type) {
    case kTimeOid:
    case kTimetzOid:
    case kXmlOid:
      return !input;
    case kDateOid:
    case kTimestampOid:
    case kTimestamptzOid:
    case kIntervalOid:
    case kMoneyOid:
    case kAclItemOid:
      return false;
    default:
      break;
  }
  const TypeInfo* info = FindTypeInfo(type);
  return info != nullptr && info->typtype == 'b' && !IsArrayType(*info) &&
         !info->typname.starts_with("reg");
}

/// The session settings that affect what an immutable output function prints. The server evaluates
/// such functions when it plans a statement, under the settings of that moment, whereas a program
/// outlives the session.
OutputSettings PrintedBy(Oid type) {
  return {.extra_float_digits = type == kFloat4Oid || type == kFloat8Oid,
          .bytea_output = type == kByteaOid,
          .interval_style = type == kIntervalOid};
}

}  // namespace

bool Compiler::IsImmutableViaIO(Oid from, Oid to, OutputSettings& by) const {
  by = PrintedBy(from);
  // interval_out became stable in version 15.
  const bool output = from == kIntervalOid ? version_.major() < 15 : HasImmutableIo(from, false);
  return output && HasImmutableIo(to, true);
}

bool Compiler::FoldsPrinted(const OutputSettings& by) {
  if (!by.any()) return true;
  if (!fold_printed_) return false;
  OutputSettings& all = printed_->printed_by;
  all.extra_float_digits |= by.extra_float_digits;
  all.bytea_output |= by.bytea_output;
  all.interval_style |= by.interval_style;
  return true;
}

bool Compiler::ViaIO(const CoerceViaIO& node, Value& out) {
  const Mark mark = Here();
  const Operand dest(Operand::Space::kRegister, NewRegister());
  Value value;
  if (!Expression(node.arg, value)) return false;
  Layout from, to;
  if (!LayoutOf(value.type, from) || !LayoutOf(node.resulttype, to)) return false;
  if (!HasInput(from.base) || !HasInput(to.base) || to.base != node.resulttype)
    return Refuse("NODE", "CoerceViaIO from " + NameOfType(value.type) + " to " +
                              NameOfType(node.resulttype));
  out = {dest, FormOfBase(to), node.resulttype};
  if (IsNullConstant(value)) {  // both functions are strict
    BackTo(mark);
    out = ConstantNull(out.form, out.type);
    return true;
  }
  if (!utf8_) {
    const std::string what = "CoerceViaIO from " + NameOfType(value.type) + " to " +
                             NameOfType(node.resulttype) + InEncoding();
    // The input of json and jsonb turns \u escapes into characters of the database's encoding.
    if (to.base == kJsonOid || to.base == kJsonbOid) return Refuse("NODE", what);
    if (!GuardText(from.base, value, "NODE " + what)) return false;
  }
  Details& details = EmitDetailed(Opcode::kCoerceViaIO, out, {&value, 1});
  details.from_type = from.base;
  details.to_type = to.base;
  details.version = version_;
  if (!AllConstant({&value, 1})) return true;
  OutputSettings by;
  if (!IsImmutableViaIO(from.base, to.base, by)) return true;
  if (FoldsPrinted(by)) return Fold(mark, out);
  out.printed = true;
  // A conversion that can fail must happen before the first row as on the server; one that cannot
  // fail may just as well happen later.
  const bool total = !by.interval_style &&
                     (to.base == kTextOid || to.base == kVarcharOid || to.base == kBpcharOid);
  printed_matters_ = printed_matters_ || !total;
  return true;
}

namespace {

/// The function's name as SQL spells it.
std::string_view NameOf(SQLValueFunctionOp op) {
  static constexpr std::string_view kNames[] = {
      "current_date",         "current_time",    "current_time(n)", "current_timestamp",
      "current_timestamp(n)", "localtime",       "localtime(n)",    "localtimestamp",
      "localtimestamp(n)",    "current_role",    "current_user",    "user",
      "session_user",         "current_catalog", "current_schema"};
  const auto i = static_cast<std::size_t>(op);
  return i < std::size(kNames) ? kNames[i] : "of another kind";
}

}  // namespace

bool Compiler::SqlValue(const SQLValueFunction& node, Value& out) {
  static constexpr Function kCurrentDate =
      kernel::Kernel<CurrentDate>(0, "current_date", CollationUse::kNone, 's');
  static constexpr Function kCurrentTimestamp =
      kernel::Kernel<CurrentTimestampOf>(0, "current_timestamp", CollationUse::kNone, 's');
  static constexpr Function kLocalTimestamp =
      kernel::Kernel<LocalTimestampOf>(0, "localtimestamp", CollationUse::kNone, 's');
  const Function* function = nullptr;
  Oid type = kInvalidOid;
  switch (node.op) {
    case SQLValueFunctionOp::kCurrentDate:
      function = &kCurrentDate;
      type = kDateOid;
      break;
    case SQLValueFunctionOp::kCurrentTimestamp:
    case SQLValueFunctionOp::kCurrentTimestampN:
      function = &kCurrentTimestamp;
      type = kTimestamptzOid;
      break;
    case SQLValueFunctionOp::kLocaltimestamp:
    case SQLValueFunctionOp::kLocaltimestampN:
      function = &kLocalTimestamp;
      type = kTimestampOid;
      break;
    default:
      return Refuse("SQLVALUEFUNCTION", NameOf(node.op));
  }
  out = {Operand(Operand::Space::kRegister, NewRegister()), function->result, type};
  const Value typmod =
      AddConstant({Int32GetDatum(node.typmod), false}, ColumnForm::kInt4, kInt4Oid);
  Instruction& call = EmitCall(*function, out.operand.index());
  std::fill(std::begin(call.args), std::end(call.args), typmod.operand);
  return true;
}

}  // namespace relcache
