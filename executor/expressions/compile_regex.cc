// Regular expressions. A pattern that is a constant is compiled with the program.
#include <algorithm>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/executor/expressions/internal/compiler.h"
#include "relcache/types/builtin_types.h"

namespace relcache {

bool Compiler::RegexLocaleOf(const RegexFunction& function, Oid collation, RegexLocale& out) {
  if (collation == kInvalidOid)
    return Fail(Error(ErrorCode::kInvalidInput, "42P22",
                      "could not determine which collation to use for regular expression"));
  CollationTraits traits;
  if (!TraitsOfCollation(collation, traits)) return false;
  if (!traits.deterministic)
    return Refuse("FUNCTION", NameOfFunction(function.oid) + " under collation " + traits.name);
  out = traits.regex;
  out.name = cx_.CopyString("under collation " + traits.name);
  return true;
}

bool Compiler::CompilePattern(std::span<const Value> values, RegexCall& call) {
  const RegexFunction& function = *call.function;
  if (function.kind == RegexFunction::Kind::kSimilar || !values[1].operand.is_constant())
    return true;
  std::string_view options;
  const bool has_options = function.options >= 0;
  if (has_options) {
    const Value& value = values[static_cast<std::size_t>(function.options)];
    if (!value.operand.is_constant()) return true;
    options = VarData(ConstantOf(value).value);
  }
  Result<const Regex*> regex =
      CompileRegexOf(function, VarData(ConstantOf(values[1]).value),
                     has_options ? &options : nullptr, call.locale, call.version, cx_);
  if (regex) {
    call.regex = *regex;
    return true;
  }
  if (regex.error().code != ErrorCode::kNotSupported) return true;
  return Fail(std::move(regex).error());
}

bool Compiler::RegexCallOf(const RegexFunction& function, Oid collation, RegexCall*& out) {
  out = cx_.New<RegexCall>();
  out->function = &function;
  out->version = version_;
  const bool makes_pattern = function.kind == RegexFunction::Kind::kSimilar;
  return makes_pattern || RegexLocaleOf(function, collation, out->locale);
}

bool Compiler::AnyOrAllRegex(const RegexFunction& function, const ScalarArrayOpExpr& node,
                             Value& out) {
  const BuiltinProc* proc = FindBuiltinProc(function.oid);
  if (proc == nullptr || proc->proargtypes.size() != 2 || proc->prorettype != kBoolOid)
    return Malformed("ANY or ALL by " + NameOfFunction(function.oid));
  RegexCall* call = nullptr;
  if (!RegexCallOf(function, node.inputcollid, call)) return false;

  const Mark mark = Here();
  out = {Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kBool, kBoolOid};
  Values values(1);
  if (!Expression((*node.args)[0], values[0]) || !CheckArgument(proc->proargtypes[0], values[0]))
    return false;
  bool found = false;
  if (!Elements((*node.args)[1], values, found)) return false;
  const std::string what = "FUNCTION " + NameOfFunction(function.oid);
  const std::span<const Value> arguments(values);
  const bool constant = found && AllConstant(arguments.subspan(1));
  if (!constant && !KnowsCaseOfAny(*call)) return false;
  if (!found) {
    if (!utf8_) return Fail(NotSupported(what + " over an array" + InEncoding()));
    if (!OverArray(node, proc->proargtypes[1], MatchOfAny(), PointerGetDatum(call), values, out))
      return false;
    return !AllConstant(values) || Fold(mark, out);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Oid type = proc->proargtypes[i == 0 ? 0 : 1];
    if (i > 0 && !CheckArgument(type, values[i])) return false;
    if (!utf8_ && !GuardText(type, values[i], what + InEncoding())) return false;
  }
  const std::span<const Value> all = values;
  Details& details =
      EmitDetailed(node.useOr ? Opcode::kAny : Opcode::kAll, out, constant ? all.first(1) : all);
  details.function = &MatchOfAny();
  details.third = PointerGetDatum(call);
  if (constant && !PatternsOf(*call, all.subspan(1), details)) return false;
  return !AllConstant(values) || Fold(mark, out);
}

bool Compiler::KnowsCaseOfAny(const RegexCall& call) {
  if (!call.function->ignore_case || !call.locale.case_unknown) return true;
  return Refuse("FUNCTION", NameOfFunction(call.function->oid) + " of any pattern " +
                                std::string(call.locale.name));
}

bool Compiler::PatternsOf(const RegexCall& call, std::span<const Value> values, Details& details) {
  const std::span<NullableDatum> texts = cx_.NewArray<NullableDatum>(values.size());
  const std::span<NullableDatum> known = cx_.NewArray<NullableDatum>(values.size());
  details.elements = texts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    texts[i] = ConstantOf(values[i]);
    known[i] = {};
  }
  const Function* kernel = details.function;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (texts[i].isnull) continue;
    RegexCall one = call;
    const Value both[] = {values[i], values[i]};
    if (!CompilePattern(both, one)) return false;
    if (one.regex == nullptr) return true;
    const KnownMatch match = MatchOfConstant(one, true);
    known[i] = {match.known, false};
    kernel = match.kernel;
  }
  details.function = kernel;
  details.elements = known;
  return true;
}

bool Compiler::CallRegex(const RegexFunction& function, Oid collation, const List* args,
                         Value& out) {
  const BuiltinProc* proc = FindBuiltinProc(function.oid);
  const std::size_t n = args == nullptr ? 0 : args->size();
  if (proc == nullptr) return Refuse("FUNCTION", NameOfFunction(function.oid));
  if (proc->proargtypes.size() != n)
    return Malformed(NameOfFunction(function.oid) + " with " + std::to_string(n) + " arguments");
  const bool makes_pattern = function.kind == RegexFunction::Kind::kSimilar;
  RegexCall* call = nullptr;
  if (!RegexCallOf(function, collation, call)) return false;
  Layout result;
  if (!LayoutOf(proc->prorettype, result)) return false;

  const Mark mark = Here();
  const Value dest{Operand(Operand::Space::kRegister, NewRegister()), FormOfBase(result),
                   proc->prorettype};
  Values values;
  bool null = false;
  for (std::size_t i = 0; i < n; ++i) {
    Value& value = values.emplace_back();
    if (!Part((*args)[i], value) || !CheckArgument(proc->proargtypes[i], value)) return false;
    null = null || (IsNullConstant(value) && (function.strict || i == 0));
  }
  if (null) {  // its value is known whatever the other arguments are
    BackTo(mark);
    out = ConstantNull(dest.form, dest.type);
    return true;
  }
  if (!utf8_) {
    const std::string what = "FUNCTION " + NameOfFunction(function.oid) + InEncoding();
    for (std::size_t i = 0; i < n; ++i)
      if (!GuardText(proc->proargtypes[i], values[i], what)) return false;
  }
  if (!CompilePattern(values, *call)) return false;
  if (!makes_pattern && !values[1].operand.is_constant() && !KnowsCaseOfAny(*call)) return false;
  out = dest;
  if (call->regex != nullptr && function.kind == RegexFunction::Kind::kMatch) {
    const KnownMatch match = MatchOfConstant(*call);
    const Value known = AddConstant({match.known, false}, ColumnForm::kDatum, kTextOid);
    Instruction& in = EmitCall(*match.kernel, dest.operand.index());
    in.args[0] = in.args[2] = values[0].operand;
    in.args[1] = known.operand;
  } else {
    EmitDetailed(Opcode::kRegex, dest, values).regex = call;
  }
  if (!AllPlanned(values)) return true;
  if (AllConstant(values)) return Fold(mark, out);
  out.printed = true;
  printed_matters_ = true;
  return true;
}

}  // namespace relcache
