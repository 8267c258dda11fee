// Text in databases whose encoding is not UTF-8, and letter case outside of ASCII. The constants of
// a tree are in the database's encoding; rows are in it or in UTF-8, and nothing says which. ASCII
// is the same in all of these encodings. So an expression is evaluated as long as its texts are
// ASCII, and beyond that only where bytes are merely copied or compared for equality.
#include <algorithm>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/executor/expressions/internal/compiler.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

bool IsText(Oid type) {
  return type == kTextOid || type == kVarcharOid || type == kBpcharOid || type == kNameOid ||
         type == kCharOid;
}

/// Whether the text form of the type's values can contain characters outside of ASCII.
bool HoldsText(Oid type) {
  const TypeInfo* info = FindTypeInfo(type);
  if (info != nullptr && IsArrayType(*info)) type = info->typelem;
  return IsText(type) || type == kJsonOid || type == kJsonbOid;
}

}  // namespace

std::string Compiler::InEncoding() const {
  return utf8_ ? "" : " in encoding " + options_.objects->info().server_encoding;
}

bool Compiler::CheckEncoding() {
  return utf8_ || IsServerEncoding(options_.objects->info().server_encoding) ||
         Refuse("ENCODING", options_.objects->info().server_encoding);
}

bool Compiler::CheckConstInEncoding(const Const& node) {
  if (utf8_ || node.constisnull || (node.constbyval && node.constlen != 1)) return true;
  Layout layout;
  if (!LayoutOf(node.consttype, layout)) return false;
  bool ascii = true;
  if (IsText(layout.base)) {
    ascii = IsAsciiText(layout.base, node.constvalue);
  } else if (!HasInput(layout.base)) {
    // Any byte of a value of an unknown type may be text.
    ascii = std::ranges::all_of(node.bytes().substr(layout.typlen == -1 ? kVarHdrSz : 0),
                                [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  } else if (HoldsText(layout.base)) {
    const SessionSettings settings;
    const Result<std::string_view> text = TypeOutput(layout.base, node.constvalue, settings, cx_);
    if (!text) return Fail(text.error());
    ascii = std::ranges::all_of(*text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  }
  return ascii || Refuse("CONST", "of type " + NameOfType(node.consttype) +
                                      " with characters outside ASCII" + InEncoding());
}

bool Compiler::TakesText(const BuiltinProc& proc) {
  return std::any_of(proc.proargtypes.begin(), proc.proargtypes.end(), IsText);
}

bool Compiler::GuardArguments(const Function& function, Oid collation, std::span<Value> values) {
  const bool maps_case = DependsOnLetterCase(function.collation);
  if (values.empty() || (utf8_ ? !maps_case : function.text == TextUse::kBytes)) return true;
  const BuiltinProc* proc = FindBuiltinProc(function.oid);
  if (proc == nullptr || proc->proargtypes.empty() || !TakesText(*proc)) return true;
  std::string under;
  if (!utf8_) {
    // In a LIKE pattern only "_" depends on where characters begin; "%" and literals work on bytes.
    const auto no_underscore = [this](const Value& pattern) {
      return IsNullConstant(pattern) ||
             (pattern.operand.is_constant() &&
              VarData(ConstantOf(pattern).value).find('_') == std::string_view::npos);
    };
    if (function.text == TextUse::kPattern &&
        std::all_of(values.begin() + 1, values.end(), no_underscore))
      return true;
    under = InEncoding();
  } else {
    CollationTraits traits;
    if (!TraitsOfCollation(collation, traits)) return false;
    if (traits.letter_case == CollationTraits::LetterCase::kAsciiOnly) return true;
    under = " under collation " + traits.name;
  }
  const std::string what = "FUNCTION " + NameOfFunction(function.oid) + under;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Oid type = proc->proargtypes[std::min(i, proc->proargtypes.size() - 1)];
    if (!GuardText(type, values[i], what)) return false;
  }
  return true;
}

bool Compiler::GuardText(Oid type, Value& value, const std::string& what) {
  if (!IsText(type) || IsNullConstant(value)) return true;
  if (value.operand.is_constant())
    return IsAsciiText(type, ConstantOf(value).value) ||
           Fail(NotSupported("characters outside ASCII for " + what));
  // The value is known only at run time, so a call that checks it is put in front. Its second
  // argument is the text of the refusal.
  const Value why = AddConstant({MakeVarlena(what, cx_), false}, ColumnForm::kDatum, kTextOid);
  const Function& guard = AsciiGuard(type);
  const std::uint32_t passed = NewRegister();
  Instruction& call = EmitCall(guard, passed);
  call.args[0] = call.args[2] = value.operand;
  call.args[1] = why.operand;
  value.operand = Operand(Operand::Space::kRegister, passed);
  return true;
}

}  // namespace relcache
