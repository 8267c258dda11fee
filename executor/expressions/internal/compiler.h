// The state and the steps of the compiler, shared by the sources that implement it: compile.cc
// (calls, variables, constants), compile_logic.cc (AND, OR, CASE, COALESCE ...), compile_array.cc,
// compile_domain.cc, compile_types.cc (which types and collations may be used where),
// compile_text.cc (encodings and letter case) and compile_regex.cc.
#pragma once

#include <boost/container/small_vector.hpp>
#include <string>
#include <string_view>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/executor/expressions/compile.h"
#include "relcache/executor/expressions/internal/collation.h"
#include "relcache/executor/expressions/internal/instruction.h"
#include "relcache/nodes/internal/stack_guard.h"
#include "relcache/nodes/primnodes.h"

namespace relcache {

/// A vector that stores its first N elements without an allocation.
template <class T, std::size_t N>
struct ShortVector : boost::container::small_vector<T, N> {
  using boost::container::small_vector<T, N>::small_vector;
  operator std::span<const T>() const { return {this->data(), this->size()}; }  // NOLINT
};

class Compiler {
 public:
  /// A cast to text of a constant can depend on session settings (OutputSettings). Without
  /// `fold_printed` such a cast is computed when the program runs. With `fold_printed` it is
  /// computed now, under the default settings, and the program refuses to run under others. If
  /// computing it fails, there is no program, because only a session with these settings would get
  /// the error.
  Compiler(const CompileOptions& options, bool fold_printed, MemoryContext& cx)
      : options_(options),
        cx_(cx),
        utf8_(options.objects == nullptr || options.objects->info().server_encoding == "UTF8"),
        fold_printed_(fold_printed) {
    if (options.objects != nullptr) version_.num = options.objects->info().server_version_num;
  }

  Result<const Program*> Run(const Node& expression);
  /// Whether computing these casts at run time could change which errors are raised, or when. Then
  /// the expression must be compiled with `fold_printed`.
  bool printed_matters() const { return printed_matters_; }

 private:
  /// The result of compiling a part.
  struct Value {
    Operand operand;
    /// The form of the type, or of its base type for a domain. Two values of one type therefore
    /// always have the same form, and so have all values that are written to one register.
    ColumnForm form = ColumnForm::kBool;
    Oid type = kInvalidOid;
    /// Computed at run time although the server computes it before the first row; see
    /// printed_matters.
    bool printed = false;
  };
  using Values = ShortVector<Value, 8>;
  /// A point to which the code can be truncated again.
  struct Mark {
    std::size_t size;
    std::uint32_t next_register;
    bool next_is_target;
  };
  /// The memory layout of a type's values.
  struct Layout {
    /// The type itself, or the base type of a domain.
    Oid base = kInvalidOid;
    std::int16_t typlen = 0;
    bool typbyval = false;
    char typalign = 'i';
  };
  // All steps return false after setting error_.

  /// Compiles an expression and appends its code. If the value needs a register, that is the first
  /// one the code takes. A value that is a constant has no code, so a caller that drops a constant
  /// operand drops nothing that has to run.
  [[nodiscard]] bool Expression(const Node* node, Value& out);
  /// The same for a part whose value is only passed on, so that out.printed may stay set.
  [[nodiscard]] bool Part(const Node* node, Value& out);
  bool Dispatch(const Node& node, Value& out);

  // compile.cc
  bool Variable(const Var& var, Value& out);
  /// The columns of the row that a Var refers to, and the index of the first value of that row.
  bool RowOf(const Var& var, std::span<const InputColumn>& columns, std::size_t& first);
  /// Compiles the expression of a virtual generated column of the first or the second row.
  bool Generated(const InputColumn& column, int row, Value& out);
  bool Constant(const Const& node, Value& out);
  bool Operator(Oid opno, Oid opfuncid, Oid collation, const List* args, Value& out);
  bool FunctionCall(const FuncExpr& node, Value& out);
  bool Call(const Function& function, const TextLocale* locale, Oid collation, const List* args,
            Value& out);
  bool SqlValue(const SQLValueFunction& node, Value& out);
  bool ViaIO(const CoerceViaIO& node, Value& out);
  /// Whether the server performs this conversion before the first row if the value is constant, and
  /// which settings affect the text in between.
  bool IsImmutableViaIO(Oid from, Oid to, OutputSettings& by) const;
  /// Whether a conversion that depends on these settings is computed now.
  bool FoldsPrinted(const OutputSettings& by);
  bool Relabel(const Node* arg, Oid type, Value& out);
  bool CountNulls(const FuncExpr& node, bool nulls, Value& out);
  bool ResolveOperator(Oid opno, Oid opfuncid, Oid& function);
  /// The kernel of a function under a collation. `locale` is what it takes behind its own
  /// arguments, nullptr if it takes none.
  bool ResolveFunction(Oid oid, Oid collation, const Function*& out, const TextLocale*& locale);
  /// The kernel of a function of equality, which takes none.
  bool ResolveEquality(Oid oid, Oid collation, const Function*& out);

  // compile_logic.cc
  bool AndOr(const BoolExpr& node, Value& out);
  void RemoveJump(std::size_t jump);
  void Combine(Opcode op, const Value& dest, const Value& left, const Value& right, bool jumped);
  bool Negation(const BoolExpr& node, Value& out);
  bool TestNull(const NullTest& node, Value& out);
  bool TestWholeRow(const NullTest& node, Value& out);
  bool TestBoolean(const BooleanTest& node, Value& out);
  bool Case(const CaseExpr& node, Value& out);
  bool Coalesce(const CoalesceExpr& node, Value& out);
  bool MinMax(const MinMaxExpr& node, Value& out);
  bool Distinct(const DistinctExpr& node, Value& out);
  bool NullIf(const NullIfExpr& node, Value& out);
  bool RowCompare(const RowCompareExpr& node, Value& out);
  bool PairByPair(const RowCompareExpr& node, Value& out);
  /// The comparison function for one pair of values in a comparison of rows.
  bool PairComparison(Oid opno, Oid opfamily, Oid collation, const Value (&values)[2],
                      Comparison& compare);
  /// Compiles the two arguments of a comparison.
  bool Pair(const List& args, const Function& function, Value (&values)[2]);
  bool IsCheap(std::size_t from) const;

  // compile_array.cc
  bool AnyOrAll(const ScalarArrayOpExpr& node, Value& out);
  /// Emits ANY or ALL over the elements of an array that is no constructor: `function` of the left
  /// side, which `values` has, and each element. `third` is its third argument, if it has one.
  bool OverArray(const ScalarArrayOpExpr& node, Oid element_type, const Function& function,
                 Datum third, Values& values, const Value& dest);
  bool MakeArray(const ArrayExpr& node, Value& out);
  bool CoerceArray(const ArrayCoerceExpr& node, Value& out);
  /// Appends the elements of an array constructor or constant. `found` is false for any other
  /// array.
  bool Elements(const Node* node, Values& out, bool& found);
  bool ElementOf(Oid array_type, ElementType& out);
  /// Whether PostgreSQL applies this element coercion to a constant array before the first row.
  bool FoldsElements(const Node* elemexpr, const Value& element, bool& folds);

  // compile_domain.cc
  bool Domain(const CoerceToDomain& node, Value& out);
  /// The constraints of a domain and of the domains that it is based on, in the order in which they
  /// are checked.
  struct DomainDemands {
    bool not_null = false;
    ShortVector<const ConstraintRow*, 8> checks;
    bool any() const { return not_null || !checks.empty(); }
  };
  bool DemandsOf(Oid type, int depth, DomainDemands& out);
  bool DomainCheck(const ConstraintRow& check, const Details& name, const Value& value);
  /// Sets the members of `name` that a message needs to print the type's name.
  bool NameForMessages(Oid type, Details& name);
  static void Named(Details& details, const Details& name);

  // compile_types.cc
  bool LayoutOf(Oid type, Layout& out);
  static ColumnForm FormOfBase(const Layout& layout) {
    return ColumnFormOf(layout.base, layout.typlen, layout.typbyval);
  }
  /// The same for a column or a constant, whose type need not be known.
  bool FormOfColumn(const InputColumn& column, ColumnForm& out);
  /// Whether a value of one type can be read as one of the other without a conversion.
  bool CheckReadable(Oid from, Oid to);
  /// Changes the type of a value to one that it can be read as.
  bool ReadAs(Oid type, Value& value);
  /// Whether a value can be read as the declared type of an argument, which may be polymorphic
  /// (anyarray ...).
  bool CheckArgument(Oid declared, const Value& value);
  bool CheckConst(const Const& node);
  bool TraitsOfCollation(Oid collation, CollationTraits& out);
  /// The locale of a collation whose letter case is known for all characters, or its order.
  bool LocaleOf(const CollationTraits& traits, const TextLocale*& out);
  bool ComparisonOf(Oid type, Oid collation, Comparison& out);
  std::string NameOfType(Oid type);
  std::string NameOfFunction(Oid oid);

  // compile_text.cc
  /// Whether the encoding is one that PostgreSQL allows for a database.
  bool CheckEncoding();
  /// Whether a constant means the same in every encoding.
  bool CheckConstInEncoding(const Const& node);
  /// Adds checks that stop text arguments which the function would treat differently from the
  /// server: characters outside of ASCII in an encoding other than UTF-8, or letters whose case
  /// depends on the collation. If there are more values than the function has arguments, the others
  /// are further second arguments (the elements of an array).
  bool GuardArguments(const Function& function, Oid collation, std::span<Value> values);
  static bool TakesText(const BuiltinProc& proc);
  bool GuardText(Oid type, Value& value, const std::string& what);
  std::string InEncoding() const;

  // compile_regex.cc
  /// ~ ANY and ~ ALL.
  bool AnyOrAllRegex(const RegexFunction& function, const ScalarArrayOpExpr& node, Value& out);
  /// Whether letter case is known for patterns that rows bring.
  bool KnowsCaseOfAny(const RegexCall& call);
  /// The elements of ANY or ALL that are constants: compiled expressions, or texts if one is in
  /// error, which is an error only of the rows that come to it.
  bool PatternsOf(const RegexCall& call, std::span<const Value> values, Details& details);
  /// What a call of the function runs under.
  bool RegexCallOf(const RegexFunction& function, Oid collation, RegexCall*& out);
  /// A call of ~ or of a regexp_ function.
  bool CallRegex(const RegexFunction& function, Oid collation, const List* args, Value& out);
  /// What regular expressions go by under a collation.
  bool RegexLocaleOf(const RegexFunction& function, Oid collation, RegexLocale& out);
  /// The expression of a call whose pattern and options are constants; `call.regex` stays empty if
  /// it is in error, which every row then raises.
  bool CompilePattern(std::span<const Value> values, RegexCall& call);

  // Emitting.
  std::uint32_t NewRegister();
  Mark Here() const { return {code_.size(), next_register_, next_is_target_}; }
  void BackTo(const Mark& mark);
  Instruction& Emit(Opcode op, ColumnForm form, std::uint32_t dest);
  /// Emits a call; the caller sets the arguments.
  Instruction& EmitCall(const Function& function, std::uint32_t dest);
  /// Emits a jump and returns its index. LandHere sets its target.
  std::size_t EmitJump(Opcode op, Operand a, const Value* moved_to = nullptr);
  void LandHere(std::size_t jump);
  void Move(const Value& from, const Value& to);
  Details& EmitDetailed(Opcode op, const Value& dest, std::span<const Value> list);
  Value AddConstant(NullableDatum value, ColumnForm form, Oid type);
  /// The same value in a register, so that no part of the compiler treats it as a constant any
  /// more.
  Value Opaque(const Value& value);
  Value ConstantBool(bool value) {
    return AddConstant({BoolGetDatum(value), false}, ColumnForm::kBool, 16);
  }
  Value ConstantNull(ColumnForm form, Oid type) { return AddConstant({}, form, type); }
  const NullableDatum& ConstantOf(const Value& v) const { return constants_[v.operand.index()]; }
  bool IsNullConstant(const Value& v) const {
    return v.operand.is_constant() && ConstantOf(v).isnull;
  }
  static bool AllConstant(std::span<const Value> values);
  /// The same, but values that are `printed` count as constants too.
  static bool AllPlanned(std::span<const Value> values);
  /// Runs the last instruction, whose operands are all constants, and replaces the code since
  /// `mark` by the result.
  bool Fold(const Mark& mark, Value& out);

  bool Fail(Error error);
  bool Refuse(std::string_view kind, std::string_view what);
  bool Malformed(std::string_view what);

  const CompileOptions& options_;
  MemoryContext& cx_;
  /// In other encodings, texts outside of ASCII are refused: see GuardArguments.
  const bool utf8_;
  /// The version of the server whose functions the expression calls.
  ServerVersion version_;
  Error error_;
  StackGuard stack_;
  ShortVector<Instruction, 16> code_;
  ShortVector<NullableDatum, 16> constants_;
  ShortVector<ColumnForm, 16> constant_forms_;
  ShortVector<Program::ColumnUse, 8> columns_;
  std::uint32_t next_register_ = 0;
  std::uint32_t register_count_ = 0;
  std::uint32_t longest_list_ = 0;
  bool next_is_target_ = false;
  const bool fold_printed_;
  bool printed_matters_ = false;
  /// The locales that were made.
  struct MadeLocale {
    TextLocale::Provider provider;
    bool order;
    std::string name;
    const TextLocale* locale;
  };
  ShortVector<MadeLocale, 1> locales_;
  /// The settings that affected folded constants.
  Details* printed_ = nullptr;
  /// Set while parts are compiled only to find the first error in the server's order; the code is
  /// discarded.
  bool errors_alone_ = false;
  /// The values that CaseTestExpr and CoerceToDomainValue refer to.
  const Value* case_test_ = nullptr;
  const Value* domain_value_ = nullptr;
  /// The row (1 or 2) of the generated column whose expression is being compiled, or 0.
  int generated_in_ = 0;
};

}  // namespace relcache
