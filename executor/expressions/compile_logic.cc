// AND, OR, NOT, tests, CASE, COALESCE and the like: the constructs that decide which parts of an
// expression are evaluated. Constants are simplified in the same order as by PostgreSQL's
// eval_const_expressions, because the order decides which errors a statement raises.
#include <algorithm>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/executor/expressions/internal/compiler.h"
#include "relcache/executor/functions/function_tables.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

/// A part of at most so many instructions costs less than the jump around it: a mispredicted jump
/// for a row, and a selection of the remaining rows for a batch.
constexpr std::size_t kCheap = 4;
/// After so many cheap parts without a jump, the next part gets one all the same, so that a long
/// chain can still end early.
constexpr int kCheapInRow = 8;

}  // namespace

bool Compiler::IsCheap(std::size_t from) const {
  // A part that can raise an error is never cheap: it must not run for a row that the parts before
  // it have decided.
  if (code_.size() - from > kCheap || next_is_target_) return false;
  return std::all_of(code_.begin() + static_cast<std::ptrdiff_t>(from), code_.end(),
                     [](const Instruction& in) {
                       if (in.op == Opcode::kCall) return in.function->total;
                       return !IsJump(in.op) && !HasDetails(in.op);
                     });
}

// The instruction after the jump takes its place as the target of others.
void Compiler::RemoveJump(std::size_t jump) {
  const bool was_target = code_[jump].is_target;
  code_.erase(code_.begin() + static_cast<std::ptrdiff_t>(jump));
  if (!was_target) return;
  if (jump < code_.size()) {
    code_[jump].is_target = true;
  } else {
    next_is_target_ = true;
  }
}

void Compiler::Combine(Opcode op, const Value& dest, const Value& left, const Value& right,
                       bool jumped) {
  Instruction& in = Emit(op, ColumnForm::kBool, dest.operand.index());
  in.args[0] = left.operand;
  in.args[1] = right.operand;
  // Rows that jumped have their result in dest already; it must not be overwritten for them.
  in.shares_dest = jumped;
}

bool Compiler::AndOr(const BoolExpr& node, Value& out) {
  const bool is_and = node.boolop == BoolExprType::kAnd;
  const Opcode combine = is_and ? Opcode::kAnd : Opcode::kOr;
  const Opcode leave = is_and ? Opcode::kJumpIfFalse : Opcode::kJumpIfTrue;
  if (node.args == nullptr) return Malformed("AND or OR of nothing");

  const Mark mark = Here();
  const Value dest{Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kBool, kBoolOid};
  ShortVector<std::size_t, 8> jumps;
  Value sofar;
  bool any = false, null = false;
  int cheap_in_row = 0;
  for (const Node* arg : *node.args) {
    // A part that is expensive or may fail needs a jump around it. Whether it does is known only
    // after it was compiled, so the jump is emitted first and removed again if the part turns out
    // to be cheap or constant.
    const std::size_t jump = code_.size();
    const bool after_target = next_is_target_;
    if (any) {
      EmitJump(leave, sofar.operand, sofar.operand == dest.operand ? nullptr : &dest);
    }
    Value part;
    const std::uint32_t before = next_register_;
    if (!Expression(arg, part) || !CheckReadable(part.type, kBoolOid)) return false;
    if (part.operand.is_constant()) {
      const NullableDatum constant = ConstantOf(part);
      code_.resize(jump);
      next_is_target_ = after_target;
      next_register_ = before;
      if (constant.isnull) {
        null = true;
      } else if (DatumGetBool(constant.value) !=
                 is_and) {  // decides the result; the parts after it are not even simplified
        BackTo(mark);
        out = ConstantBool(!is_and);
        return true;
      }
      continue;
    }
    if (!any) {
      sofar = part;
      any = true;
      continue;
    }
    if (IsCheap(jump + 1) && cheap_in_row < kCheapInRow) {
      ++cheap_in_row;
      RemoveJump(jump);
    } else {
      cheap_in_row = 0;
      jumps.push_back(jump);
      sofar = dest;
    }
    Combine(combine, dest, sofar, part, !jumps.empty());
    sofar = dest;
    next_register_ = dest.operand.index() + 1;
  }
  if (!any) {
    BackTo(mark);
    out = null ? ConstantNull(ColumnForm::kBool, kBoolOid) : ConstantBool(is_and);
    return true;
  }
  // NULL constants are combined once at the end: they cannot decide, but turn true (for OR, false)
  // into NULL.
  if (null) {
    Combine(combine, dest, sofar, ConstantNull(ColumnForm::kBool, kBoolOid), !jumps.empty());
    sofar = dest;
  }
  for (const std::size_t jump : jumps) LandHere(jump);
  out = sofar;
  return true;
}

bool Compiler::Negation(const BoolExpr& node, Value& out) {
  if (node.args == nullptr || node.args->size() != 1)
    return Malformed("NOT of other than one part");
  const Value dest{Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kBool, kBoolOid};
  Value arg;
  if (!Expression((*node.args)[0], arg) || !CheckReadable(arg.type, kBoolOid)) return false;
  if (arg.operand.is_constant()) {
    const NullableDatum v = ConstantOf(arg);
    out =
        v.isnull ? ConstantNull(ColumnForm::kBool, kBoolOid) : ConstantBool(!DatumGetBool(v.value));
    return true;
  }
  Emit(Opcode::kNot, ColumnForm::kBool, dest.operand.index()).args[0] = arg.operand;
  out = dest;
  return true;
}

bool Compiler::TestNull(const NullTest& node, Value& out) {
  if (node.argisrow) return TestWholeRow(node, out);
  const bool is_null = node.nulltesttype == NullTestType::kIsNull;
  const Value dest{Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kBool, kBoolOid};
  Value arg;
  if (!Expression(node.arg, arg)) return false;
  if (arg.operand.is_constant()) {
    out = ConstantBool(ConstantOf(arg).isnull == is_null);
    return true;
  }
  Emit(is_null ? Opcode::kIsNull : Opcode::kIsNotNull, ColumnForm::kBool, dest.operand.index())
      .args[0] = arg.operand;
  out = dest;
  return true;
}

bool Compiler::TestWholeRow(const NullTest& node, Value& out) {
  const Var* var = As<Var>(static_cast<const Node*>(node.arg.get()));
  if (var == nullptr || var->varattno != 0) return Refuse("NODE", "NullTest of a composite value");
  std::span<const InputColumn> columns;
  std::size_t first = 0;
  if (!RowOf(*var, columns, first)) return false;
  // The test is true if it holds for every column; dropped columns do not count
  // (ExecEvalRowNullInt).
  const Opcode test =
      node.nulltesttype == NullTestType::kIsNull ? Opcode::kIsNull : Opcode::kIsNotNull;
  const Value dest{Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kBool, kBoolOid};
  const Operand one(Operand::Space::kRegister, NewRegister());
  Value sofar = ConstantBool(true);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const InputColumn& column = columns[i];
    if (column.dropped) continue;
    if (column.is_virtual)
      return Refuse("NODE", "NullTest of a row with a virtual generated column");
    Var attribute;
    attribute.tag = NodeTag::kVar;
    attribute.varno = var->varno;
    attribute.varattno = static_cast<AttrNumber>(i + 1);
    attribute.vartype = column.type;
    Value value;
    if (!Variable(attribute, value)) return false;
    Emit(test, ColumnForm::kBool, one.index()).args[0] = value.operand;
    Instruction& in = Emit(Opcode::kAnd, ColumnForm::kBool, dest.operand.index());
    in.args[0] = sofar.operand;
    in.args[1] = one;
    sofar = dest;
  }
  // The planner does not simplify this test, even for a row without columns.
  out = sofar.operand.is_constant() ? Opaque(sofar) : sofar;
  return true;
}

bool Compiler::TestBoolean(const BooleanTest& node, Value& out) {
  const Value dest{Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kBool, kBoolOid};
  Value arg;
  if (!Expression(node.arg, arg) || !CheckReadable(arg.type, kBoolOid)) return false;
  static constexpr Opcode kTests[] = {Opcode::kIsTrue,     Opcode::kIsNotTrue, Opcode::kIsFalse,
                                      Opcode::kIsNotFalse, Opcode::kIsNull,    Opcode::kIsNotNull};
  const Opcode test = kTests[static_cast<std::size_t>(node.booltesttype)];
  if (arg.operand.is_constant()) {
    const NullableDatum v = ConstantOf(arg);
    const bool is_true = !v.isnull && DatumGetBool(v.value);
    const bool is_false = !v.isnull && !DatumGetBool(v.value);
    out = ConstantBool(test == Opcode::kIsTrue       ? is_true
                       : test == Opcode::kIsNotTrue  ? !is_true
                       : test == Opcode::kIsFalse    ? is_false
                       : test == Opcode::kIsNotFalse ? !is_false
                       : test == Opcode::kIsNull     ? v.isnull
                                                     : !v.isnull);
    return true;
  }
  Emit(test, ColumnForm::kBool, dest.operand.index()).args[0] = arg.operand;
  out = dest;
  return true;
}

bool Compiler::Case(const CaseExpr& node, Value& out) {
  if (node.args == nullptr) return Malformed("CASE without WHEN");
  const Mark mark = Here();
  Layout layout;
  if (!LayoutOf(node.casetype, layout)) return false;
  const Value dest{Operand(Operand::Space::kRegister, NewRegister()), FormOfBase(layout),
                   node.casetype};
  Value arg;
  const Value* const outer = case_test_;
  if (node.arg) {
    if (!Expression(node.arg, arg)) return false;
  }
  // Only the conditions can refer to the value of CASE, and in a CASE without one they cannot refer
  // to that of an outer CASE. The results can refer to the outer one only if this CASE has none of
  // its own. PostgreSQL's ExecInitExprRec behaves like this.
  const Value* const in_conditions = node.arg ? &arg : nullptr;
  const Value* const in_results = node.arg ? nullptr : outer;

  ShortVector<std::size_t, 8> ends;
  // The result if none of the remaining conditions is true.
  const Node* otherwise = node.defresult;
  for (const Node* element : *node.args) {
    const CaseWhen* when = As<CaseWhen>(element);
    if (when == nullptr) return Malformed("CASE with other parts than WHEN");
    const std::uint32_t before = next_register_;
    Value condition;
    case_test_ = in_conditions;
    const bool compiled = Expression(when->expr, condition);
    case_test_ = in_results;
    if (!compiled || !CheckReadable(condition.type, kBoolOid)) return false;
    if (condition.operand.is_constant()) {
      const NullableDatum v = ConstantOf(condition);
      if (v.isnull || !DatumGetBool(v.value)) continue;
      otherwise = when->result;
      if (otherwise == nullptr) return Malformed("WHEN without a result");
      break;
    }
    const std::size_t next = EmitJump(Opcode::kJumpIfNotTrue, condition.operand);
    next_register_ = before;
    Value result;
    if (!Expression(when->result, result) || !CheckReadable(result.type, node.casetype))
      return false;
    Move(result, dest);
    ends.push_back(EmitJump(Opcode::kJump, condition.operand));
    next_register_ = before;
    LandHere(next);
  }
  if (ends.empty()) {  // no condition remains, so the code for the value of CASE goes too
    BackTo(mark);
    const bool ok = otherwise == nullptr ||
                    (Expression(otherwise, out) && CheckReadable(out.type, node.casetype));
    case_test_ = outer;
    if (otherwise == nullptr) out = ConstantNull(dest.form, dest.type);
    return ok;
  }
  Value always;
  if (otherwise == nullptr) {
    always = ConstantNull(dest.form, dest.type);
  } else if (!Expression(otherwise, always) || !CheckReadable(always.type, node.casetype)) {
    return false;
  }
  case_test_ = outer;
  Move(always, dest);
  for (const std::size_t end : ends) LandHere(end);
  out = dest;
  return true;
}

bool Compiler::Coalesce(const CoalesceExpr& node, Value& out) {
  if (node.args == nullptr) return Malformed("COALESCE of nothing");
  const Mark mark = Here();
  Layout layout;
  if (!LayoutOf(node.coalescetype, layout)) return false;
  const Value dest{Operand(Operand::Space::kRegister, NewRegister()), FormOfBase(layout),
                   node.coalescetype};
  ShortVector<std::size_t, 8> ends;
  Value last = ConstantNull(dest.form, dest.type);
  for (const Node* arg : *node.args) {
    const std::uint32_t before = next_register_;
    Value value;
    if (!Expression(arg, value) || !CheckReadable(value.type, node.coalescetype)) return false;
    if (value.operand.is_constant()) {
      if (ConstantOf(value).isnull) continue;
      if (ends.empty()) {
        BackTo(mark);
        out = value;
        return ReadAs(node.coalescetype, out);
      }
      last = value;  // the arguments after it are never evaluated
      break;
    }
    ends.push_back(EmitJump(Opcode::kJumpIfNotNull, value.operand, &dest));
    next_register_ = before;
  }
  if (ends.empty()) {
    BackTo(mark);
    out = last;
    return true;
  }
  if (!IsNullConstant(last))
    Move(last, dest);  // otherwise dest already has the last argument's NULL
  for (const std::size_t end : ends) LandHere(end);
  out = dest;
  return true;
}

bool Compiler::MinMax(const MinMaxExpr& node, Value& out) {
  if (node.args == nullptr) return Malformed("GREATEST or LEAST of nothing");
  const Mark mark = Here();
  Value dest{Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kBool, node.minmaxtype};
  Values values;
  for (const Node* arg : *node.args)
    if (Value& v = values.emplace_back();
        !Expression(arg, v) || !CheckReadable(v.type, node.minmaxtype))
      return false;
  Comparison compare;
  if (!ComparisonOf(node.minmaxtype, node.inputcollid, compare)) return false;
  Layout layout;
  if (!LayoutOf(node.minmaxtype, layout)) return false;
  dest.form = FormOfBase(layout);
  EmitDetailed(node.op == MinMaxOp::kGreatest ? Opcode::kGreatest : Opcode::kLeast, dest, values)
      .compare = compare;
  out = dest;
  return !AllConstant(values) || Fold(mark, out);
}

bool Compiler::Distinct(const DistinctExpr& node, Value& out) {
  Oid oid = kInvalidOid;
  const Function* function = nullptr;
  if (node.args == nullptr || node.args->size() != 2) return Malformed("IS DISTINCT FROM");
  if (node.opretset) return Refuse("NODE", "DistinctExpr of a set");
  if (!ResolveOperator(node.opno, node.opfuncid, oid) ||
      !ResolveEquality(oid, node.inputcollid, function))
    return false;
  const Mark mark = Here();
  const Value dest{Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kBool, kBoolOid};
  Value values[2];
  if (!Pair(*node.args, *function, values)) return false;
  out = dest;
  if (AllConstant(values)) {
    if (IsNullConstant(values[0]) || IsNullConstant(values[1])) {
      const bool distinct = IsNullConstant(values[0]) != IsNullConstant(values[1]);
      BackTo(mark);
      out = ConstantBool(distinct);
      return true;
    }
  }
  EmitDetailed(Opcode::kIsDistinct, dest, values).function = function;
  return !AllConstant(values) || function->provolatile != 'i' || Fold(mark, out);
}

bool Compiler::NullIf(const NullIfExpr& node, Value& out) {
  Oid oid = kInvalidOid;
  const Function* function = nullptr;
  if (node.args == nullptr || node.args->size() != 2) return Malformed("NULLIF");
  if (node.opretset) return Refuse("NODE", "NullIfExpr of a set");
  if (!ResolveOperator(node.opno, node.opfuncid, oid) ||
      !ResolveEquality(oid, node.inputcollid, function))
    return false;
  const Mark mark = Here();
  Value dest{Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kBool, kInvalidOid};
  Value values[2];
  if (!Pair(*node.args, *function, values)) return false;
  if (IsNullConstant(values[0]) || IsNullConstant(values[1])) {  // they cannot be equal
    if (values[0].operand.is_constant()) BackTo(mark);
    out = values[0];
    return true;
  }
  dest.form = values[0].form;
  dest.type = values[0].type;
  out = dest;
  EmitDetailed(Opcode::kNullIf, dest, values).function = function;
  return !AllConstant(values) || function->provolatile != 'i' || Fold(mark, out);
}

bool Compiler::Pair(const List& args, const Function& function, Value (&values)[2]) {
  const BuiltinProc* proc = FindBuiltinProc(function.oid);
  if (proc == nullptr || proc->proargtypes.size() != 2 || proc->prorettype != kBoolOid)
    return Malformed("a comparison by " + NameOfFunction(function.oid));
  for (std::size_t i = 0; i < 2; ++i)
    if (!Expression(args[i], values[i]) || !CheckArgument(proc->proargtypes[i], values[i]))
      return false;
  return GuardArguments(function, kInvalidOid, values);
}

namespace {

/// btint24cmp and the like. The values are converted to their types first, because the bits above
/// are not the sign if the value was read from an oid.
template <class A, class B>
int CompareIntegers(Datum a, Datum b) {
  const std::int64_t x = static_cast<A>(DatumGetInt64(a)), y = static_cast<B>(DatumGetInt64(b));
  return int{x > y} - int{x < y};
}
template <class A>
CompareFunction IntegerComparison(Oid right) {
  return right == kInt2Oid   ? CompareIntegers<A, std::int16_t>
         : right == kInt4Oid ? CompareIntegers<A, std::int32_t>
         : right == kInt8Oid ? CompareIntegers<A, std::int64_t>
                             : nullptr;
}
/// The comparison of two integer types, or nullptr if one is not an integer.
CompareFunction IntegerComparison(Oid left, Oid right) {
  return left == kInt2Oid   ? IntegerComparison<std::int16_t>(right)
         : left == kInt4Oid ? IntegerComparison<std::int32_t>(right)
         : left == kInt8Oid ? IntegerComparison<std::int64_t>(right)
                            : nullptr;
}
/// The oid of int4lt, int4le, int4ge or int4gt.
Oid SignTest(RowCompareType type) {
  switch (type) {
    case RowCompareType::kLt:
      return 66;
    case RowCompareType::kLe:
      return 149;
    case RowCompareType::kGe:
      return 150;
    case RowCompareType::kGt:
      return 147;
    default:
      return kInvalidOid;
  }
}

}  // namespace

bool Compiler::RowCompare(const RowCompareExpr& node, Value& out) {
  const Mark mark = Here();
  if (!errors_alone_) {
    if (PairByPair(node, out)) return true;
    if (error_.code == ErrorCode::kNotSupported) return false;
  }
  // PostgreSQL simplifies the whole left row before the right one, while PairByPair compiles pair
  // by pair. If that failed, the order of the parts decides which error comes first; so the parts
  // are compiled once more in PostgreSQL's order, only for their errors.
  const Error error = error_;
  const bool outer = std::exchange(errors_alone_, true);
  BackTo(mark);
  bool ok = true;
  for (const auto* args : {&node.largs, &node.rargs})
    if (*args)
      for (const Node* arg : **args) ok = ok && Expression(arg, out);
  errors_alone_ = outer;
  if (!ok) return false;
  if (!outer) return Fail(error);
  out = Opaque(ConstantNull(ColumnForm::kBool, kBoolOid));
  return true;
}

bool Compiler::PairComparison(Oid opno, Oid opfamily, Oid collation, const Value (&values)[2],
                              Comparison& compare) {
  // PostgreSQL calls the comparison function that the operator family has for the operator's types,
  // whichever of the family's operators this is. A family that users have made can order the same
  // types by another function, and is therefore refused.
  constexpr Oid kTextPatternOps = 2095, kBpcharPatternOps = 2097, kAnyArray = 2277, kAnyEnum = 3500;
  const BuiltinOperator* op = FindBuiltinOperator(opno);
  if (op == nullptr) {
    std::string name = std::to_string(opno);
    if (options_.objects != nullptr) {
      Result<const OperatorRow*> row = options_.objects->FindOperator(opno);
      if (!row) return Fail(std::move(row).error());
      if (*row != nullptr)
        name = std::string((*row)->oprname) + " (" + NameOfType((*row)->oprleft) + "," +
               NameOfType((*row)->oprright) + ")";
    }
    return Refuse("OPERATOR", name + " in a comparison of rows");
  }
  auto refuse = [&](const char* what) {
    return Refuse("OPERATOR", std::string(op->oprname) + " (" + NameOfType(op->oprleft) + "," +
                                  NameOfType(op->oprright) + ") in a comparison of rows" + what);
  };
  if (opfamily >= kFirstNormalObjectId)
    return refuse(" by an operator family that is not built in");
  if (opfamily == kTextPatternOps || opfamily == kBpcharPatternOps)
    return refuse(" by a pattern operator family");
  for (std::size_t i = 0; i < 2; ++i)
    if (!CheckArgument(i == 0 ? op->oprleft : op->oprright, values[i])) return false;
  compare.compare = IntegerComparison(op->oprleft, op->oprright);
  if (compare.compare != nullptr) return true;
  if (op->oprleft != op->oprright) return refuse(" of two types");
  const bool polymorphic = op->oprleft == kAnyArray || op->oprleft == kAnyEnum;
  const Oid type = polymorphic ? values[0].type : op->oprleft;
  return CheckReadable(values[1].type, values[0].type) && ComparisonOf(type, collation, compare);
}

bool Compiler::PairByPair(const RowCompareExpr& node, Value& out) {
  constexpr Oid kInt4Ne = 144;
  const std::size_t n = node.largs ? node.largs->size() : 0;
  if (n == 0 || !node.rargs || node.rargs->size() != n || !node.inputcollids ||
      node.inputcollids->size() != n || !node.opnos || node.opnos->size() != n ||
      !node.opfamilies || node.opfamilies->size() != n || SignTest(node.rctype) == kInvalidOid)
    return Malformed("a comparison of rows");
  // r receives the first comparison result that is not zero, or NULL as soon as a value is NULL. At
  // the end r is compared with zero.
  const Value dest{Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kBool, kBoolOid};
  const Value r{Operand(Operand::Space::kRegister, NewRegister()), ColumnForm::kInt4, kInt4Oid};
  const Operand differs(Operand::Space::kRegister, NewRegister());
  const Value zero = AddConstant({Int32GetDatum(0), false}, ColumnForm::kInt4, kInt4Oid);
  auto call = [&](Oid oid, std::uint32_t to) {
    Instruction& in = EmitCall(*FindFunction(oid), to);
    in.args[0] = in.args[2] = r.operand;
    in.args[1] = zero.operand;
  };
  ShortVector<std::size_t, 8> ends;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t before = next_register_;
    Value values[2];
    if (!Expression((*node.largs)[i], values[0]) || !Expression((*node.rargs)[i], values[1]))
      return false;
    Comparison compare;
    if (!PairComparison((*node.opnos)[i], (*node.opfamilies)[i], (*node.inputcollids)[i], values,
                        compare))
      return false;
    EmitDetailed(Opcode::kCompare, r, values).compare = compare;
    code_.back().shares_dest = true;
    next_register_ = before;
    if (i + 1 == n) break;
    ends.push_back(EmitJump(Opcode::kJumpIfNull, r.operand));
    call(kInt4Ne, differs.index());
    ends.push_back(EmitJump(Opcode::kJumpIfTrue, differs));
  }
  for (const std::size_t end : ends) LandHere(end);
  call(SignTest(node.rctype), dest.operand.index());
  out = dest;
  return true;
}

}  // namespace relcache
