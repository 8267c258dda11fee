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

bool Compiler::CallRegex(const RegexFunction& function, Oid collation, const List* args,
                         Value& out) {
  const BuiltinProc* proc = FindBuiltinProc(function.oid);
  const std::size_t n = args == nullptr ? 0 : args->size();
  if (proc == nullptr) return Refuse("FUNCTION", NameOfFunction(function.oid));
  if (proc->proargtypes.size() != n)
    return Malformed(NameOfFunction(function.oid) + " with " + std::to_string(n) + " arguments");
  RegexCall* call = cx_.New<RegexCall>();
  call->function = &function;
  call->version = version_;
  const bool makes_pattern = function.kind == RegexFunction::Kind::kSimilar;
  if (!makes_pattern && !RegexLocaleOf(function, collation, call->locale)) return false;
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
  out = dest;
  if (call->regex != nullptr && function.kind == RegexFunction::Kind::kMatch) {
    const Value known = AddConstant({PointerGetDatum(call), false}, ColumnForm::kDatum, kTextOid);
    Instruction& match = EmitCall(MatchOfConstant(function), dest.operand.index());
    match.args[0] = match.args[2] = values[0].operand;
    match.args[1] = known.operand;
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
