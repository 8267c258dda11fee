// op ANY, op ALL and arrays. `x IN (1, 2, 3)` is stored as op ANY over an array. The array is not
// built: its elements become operands, or a constant list, because building it for every row would
// cost more than the comparisons.
#include <algorithm>
#include <optional>
#include <vector>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/executor/expressions/internal/compiler.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

/// The lengths and lower bounds of the dimensions of an array constructor or constant. nullopt if
/// they are not known, if the parts of the array do not match, or if there are too many dimensions.
std::optional<std::vector<int>> ShapeOf(const Node* node, int dimensions_left) {
  if (dimensions_left < 0) return std::nullopt;  // also bounds the recursion
  for (;;) {
    if (const auto* relabel = As<RelabelType>(node))
      node = relabel->arg;
    else if (const auto* coerce = As<ArrayCoerceExpr>(node))
      node = coerce->arg;
    else
      break;
  }
  std::vector<int> shape;
  if (const auto* constant = As<Const>(node)) {
    if (constant->constisnull || constant->constbyval || constant->constlen != -1 ||
        constant->bytes().size() < kVarHdrSz ||
        VarData(constant->constvalue).size() != constant->bytes().size() - kVarHdrSz)
      return std::nullopt;
    const Result<ArrayHead> head = ArrayHead::Of(constant->constvalue);
    if (!head || head->ndim() > dimensions_left) return std::nullopt;
    for (int i = 0; i < head->ndim(); ++i)
      shape.insert(shape.end(), {head->length(i), head->lower_bound(i)});
    return shape;
  }
  const auto* array = As<ArrayExpr>(node);
  if (array == nullptr) return std::nullopt;
  const std::size_t n = array->elements ? array->elements->size() : 0;
  for (std::size_t i = 0; array->multidims && i < n; ++i) {
    const auto part = ShapeOf((*array->elements)[i], dimensions_left - 1);
    if (!part || (i > 0 && *part != shape)) return std::nullopt;
    shape = *part;
  }
  if (n == 0 || (array->multidims && shape.empty())) return shape;
  if (dimensions_left < 1) return std::nullopt;
  shape.insert(shape.begin(), {static_cast<int>(n), 1});
  return shape;
}

}  // namespace

bool Compiler::ElementOf(Oid array_type, ElementType& out) {
  Layout layout;
  if (!LayoutOf(array_type, layout)) return false;
  Oid element = kInvalidOid;
  if (const TypeInfo* info = FindTypeInfo(layout.base)) {
    if (IsArrayType(*info)) element = info->typelem;
  } else if (options_.objects != nullptr) {
    // A type with elements but an input function of its own (say, of an extension) need not have
    // the layout of an array.
    constexpr Oid kArrayIn = 750;
    const Result<const TypeRows*> rows = options_.objects->FindType(layout.base);
    const Oid typinput = rows && *rows != nullptr ? (*rows)->pg_type.typinput : kInvalidOid;
    if (rows && *rows != nullptr && (*rows)->pg_type.typlen == -1 &&
        (typinput == kInvalidOid || typinput == kArrayIn))
      element = (*rows)->pg_type.typelem;
  }
  if (element == kInvalidOid)
    return Malformed("type " + NameOfType(array_type) + " where an array is expected");
  if (!LayoutOf(element, layout)) return false;
  out = {element, layout.typlen, layout.typbyval, layout.typalign};
  return true;
}

bool Compiler::FoldsElements(const Node* elemexpr, const Value& element, bool& folds) {
  // eval_const_expressions folds an ArrayCoerceExpr only if the element's coercion contains no
  // function that is not immutable. Which functions the coercion calls is known after compiling it,
  // so it is compiled for an opaque element and the code is examined and discarded.
  const Mark mark = Here();
  const Value probe = Opaque(element);
  const Value* const outer = std::exchange(case_test_, &probe);
  Value unused;
  const bool ok = Expression(elemexpr, unused);
  case_test_ = outer;
  if (!ok) return false;
  folds = true;
  for (std::size_t i = mark.size; i < code_.size(); ++i) {
    const Instruction& in = code_[i];
    if (in.op == Opcode::kCall || in.op == Opcode::kCallTotal2)
      folds = folds && in.function->provolatile == 'i';
    if (OutputSettings by; in.op == Opcode::kCoerceViaIO) {
      const bool immutable = IsImmutableViaIO(in.details->from_type, in.details->to_type, by);
      const bool now = immutable && FoldsPrinted(by);
      printed_matters_ = printed_matters_ || (immutable && !now);
      folds = folds && now;
    }
    // PostgreSQL would treat a domain below other coercions differently, but no cast produces such
    // a tree.
    if (in.op == Opcode::kDomainNotNull || in.op == Opcode::kDomainCheck) folds = false;
  }
  BackTo(mark);
  return true;
}

bool Compiler::Elements(const Node* node, Values& out, bool& found) {
  found = true;
  if (const auto* relabel = As<RelabelType>(node)) return Elements(relabel->arg, out, found);
  if (const auto* array = As<ArrayExpr>(node)) {
    if (!array->elements) return true;
    if (array->multidims) {
      // At run time the server raises an error if the inner arrays differ in their dimensions.
      if (!ShapeOf(array, ArrayHead::kMaxDimensions))
        return Refuse("NODE", "ArrayExpr of arrays that may differ in their dimensions");
    }
    for (const Node* element : *array->elements) {
      if (array->multidims) {
        if (!Elements(element, out, found)) return false;
        if (!found) return Refuse("NODE", "ArrayExpr of arrays");
        continue;
      }
      Value value;
      if (!Expression(element, value) || !CheckReadable(value.type, array->element_typeid))
        return false;
      out.push_back(value);
    }
    return true;
  }
  if (const auto* coerce = As<ArrayCoerceExpr>(node); coerce != nullptr && coerce->elemexpr) {
    const std::size_t first = out.size();
    if (!Elements(coerce->arg, out, found)) return false;
    if (!found || out.size() == first) return true;
    const std::span<const Value> elements(out);
    bool folds = AllConstant(elements.subspan(first));
    if (folds && !FoldsElements(coerce->elemexpr, out[first], folds)) return false;
    const Value* const outer = case_test_;
    for (std::size_t i = first; i < out.size(); ++i) {
      const Value element = folds || !out[i].operand.is_constant() ? out[i] : Opaque(out[i]);
      case_test_ = &element;
      const bool ok = Expression(coerce->elemexpr, out[i]);
      case_test_ = outer;
      if (!ok) return false;
    }
    return true;
  }
  if (const auto* constant = As<Const>(node); constant != nullptr && !constant->constisnull) {
    Value array;
    ElementType type;
    if (!Constant(*constant, array) || !ElementOf(constant->consttype, type)) return false;
    Result<ArrayHead> head = ArrayHead::Of(ConstantOf(array).value);
    if (!head) return Fail(std::move(head).error());
    if (!CheckReadable(head->element_type(), type.oid)) return false;
    Result<std::span<const NullableDatum>> elements = head->Elements(type, cx_);
    if (!elements) return Fail(std::move(elements).error());
    ColumnForm form;
    if (!FormOfColumn({type.oid, type.typlen, type.typbyval}, form)) return false;
    for (const NullableDatum& element : *elements)
      out.push_back(AddConstant(element, form, type.oid));
    return true;
  }
  found = false;
  return true;
}

bool Compiler::AnyOrAll(const ScalarArrayOpExpr& node, Value& out) {
  Oid oid = kInvalidOid;
  const Function* function = nullptr;
  if (!node.args || node.args->size() != 2) return Malformed("ANY or ALL");
  if (!ResolveOperator(node.opno, node.opfuncid, oid)) return false;
  if (const RegexFunction* regex = FindRegexFunction(oid)) return AnyOrAllRegex(*regex, node, out);
  const TextLocale* locale = nullptr;
  if (!ResolveFunction(oid, node.inputcollid, function, locale)) return false;
  const BuiltinProc* proc = FindBuiltinProc(oid);
  if (proc == nullptr || proc->proargtypes.size() != 2 || proc->prorettype != kBoolOid)
    return Malformed("ANY or ALL by " + NameOfFunction(oid));

  const Mark mark = Here();
  const Value dest{Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kBool, kBoolOid};
  out = dest;
  Values values(1);
  if (!Expression((*node.args)[0], values[0]) || !CheckArgument(proc->proargtypes[0], values[0]))
    return false;
  bool found = false;
  if (!Elements((*node.args)[1], values, found)) return false;
  const bool immutable = function->provolatile == 'i';
  if (found) {
    if (!GuardArguments(*function, node.inputcollid, {values.data(), values.size()})) return false;
    const std::span<const Value> all = values;
    const std::span<const Value> elements = all.subspan(1);
    for (const Value& element : elements)
      if (!CheckArgument(proc->proargtypes[1], element)) return false;
    const bool constant = AllConstant(elements);
    Details& details =
        EmitDetailed(node.useOr ? Opcode::kAny : Opcode::kAll, dest, constant ? all.first(1) : all);
    details.function = function;
    details.third = PointerGetDatum(locale);
    if (constant) {
      std::span<NullableDatum> kept = cx_.NewArray<NullableDatum>(elements.size());
      for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = ConstantOf(elements[i]);
      details.elements = kept;
    }
    return !immutable || !AllConstant(values) || Fold(mark, out);
  }
  if (!utf8_ && function->text != TextUse::kBytes && TakesText(*proc))
    return Refuse("FUNCTION", NameOfFunction(oid) + " over an array" + InEncoding());
  if (DependsOnLetterCase(function->collation)) {  // of the elements only ASCII would be known
    CollationTraits traits;
    if (!TraitsOfCollation(node.inputcollid, traits)) return false;
    if (traits.letter_case != CollationTraits::LetterCase::kAsciiOnly)
      return Refuse("FUNCTION",
                    NameOfFunction(oid) + " over an array under collation " + traits.name);
  }
  if (!OverArray(node, proc->proargtypes[1], *function, PointerGetDatum(locale), values, dest))
    return false;
  return !immutable || !AllConstant(values) || Fold(mark, out);
}

bool Compiler::OverArray(const ScalarArrayOpExpr& node, Oid element_type, const Function& function,
                         Datum third, Values& values, const Value& dest) {
  Value& array = values.emplace_back();
  ElementType element;
  if (!Expression((*node.args)[1], array) || !ElementOf(array.type, element)) return false;
  const Value as_element{Operand(), ColumnFormOf(element.oid, element.typlen, element.typbyval),
                         element.oid};
  if (!CheckArgument(element_type, as_element)) return false;
  Details& details =
      EmitDetailed(node.useOr ? Opcode::kAnyOfArray : Opcode::kAllOfArray, dest, values);
  details.function = &function;
  details.third = third;
  details.element = element;
  return true;
}

bool Compiler::MakeArray(const ArrayExpr& node, Value& out) {
  if (node.multidims) return Refuse("NODE", "ArrayExpr of arrays");
  const Mark mark = Here();
  const Value dest{Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kDatum,
                   node.array_typeid};
  ElementType element;
  if (!ElementOf(node.array_typeid, element)) return false;
  Values values;
  bool found = false;
  if (!Elements(&node, values, found)) return false;
  for (const Value& v : values)
    if (!CheckReadable(v.type, element.oid)) return false;
  EmitDetailed(Opcode::kMakeArray, dest, values).element = element;
  out = dest;
  return !AllConstant(values) || Fold(mark, out);
}

bool Compiler::CoerceArray(const ArrayCoerceExpr& node, Value& out) {
  // A cast that does not change the elements does not change the array either.
  const Node* element = node.elemexpr;
  while (const auto* relabel = As<RelabelType>(element)) element = relabel->arg;
  if (IsA<CaseTestExpr>(element)) return Relabel(node.arg, node.resulttype, out);

  const Mark mark = Here();
  const Value dest{Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kDatum,
                   node.resulttype};
  ElementType type;
  if (!ElementOf(node.resulttype, type)) return false;
  // The result is built as an array of one dimension with the lower bound 1, so any other array is
  // refused.
  const Node* from = node.arg;
  while (const auto* relabel = As<RelabelType>(from)) from = relabel->arg;
  if (const auto* constant = As<Const>(from)) {
    ElementType of;
    if (!CheckConst(*constant) || !ElementOf(constant->consttype, of)) return false;
    if (constant->constisnull) {
      ColumnForm form;
      if (!FormOfColumn({of.oid, of.typlen, of.typbyval}, form)) return false;
      bool folds = false;
      if (!FoldsElements(node.elemexpr, ConstantNull(form, of.oid), folds)) return false;
      out = ConstantNull(dest.form, dest.type);
      if (!folds) out = Opaque(out);
      return true;
    }
    const Result<ArrayHead> head = ArrayHead::Of(constant->constvalue);
    if (!head) return Fail(head.error());
    if (head->ndim() > 1 || (head->ndim() == 1 && head->lower_bound(0) != 1))
      return Refuse("NODE", "ArrayCoerceExpr of an array with dimensions of its own");
  } else if (const auto* array = As<ArrayExpr>(from); array != nullptr && array->multidims) {
    return Refuse("NODE", "ArrayCoerceExpr of an array with dimensions of its own");
  }
  Values values;
  bool found = false;
  if (!Elements(&node, values, found)) return false;
  if (!found) return Refuse("NODE", "ArrayCoerceExpr of each element of a variable");
  for (const Value& v : values)
    if (!CheckReadable(v.type, type.oid)) return false;
  EmitDetailed(Opcode::kMakeArray, dest, values).element = type;
  out = dest;
  return !AllConstant(values) || Fold(mark, out);
}

}  // namespace relcache
