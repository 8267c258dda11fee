// The compiler's state and its steps, for the sources that make it up: compile.cc (calls,
// variables, constants), compile_logic.cc (AND, OR, CASE, COALESCE ...), compile_array.cc,
// compile_domain.cc, compile_types.cc (which types and collations may stand where), compile_text.cc
// (encodings and letter case).
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

/// A vector whose first N elements need no allocation.
template <class T, std::size_t N>
struct ShortVector : boost::container::small_vector<T, N> {
  using boost::container::small_vector<T, N>::small_vector;
  operator std::span<const T>() const { return {this->data(), this->size()}; }  // NOLINT
};

class Compiler {
 public:
  /// Texts of constants that settings of the session decide (OutputSettings) are computed when the
  /// program runs, or, if `fold_printed`, now: as the defaults have them, and the program then
  /// refuses to run under other settings. An error that comes of such a text is that of one session
  /// only, so that there is no program.
  Compiler(const CompileOptions& options, bool fold_printed, MemoryContext& cx)
      : options_(options),
        cx_(cx),
        utf8_(options.objects == nullptr || options.objects->info().server_encoding == "UTF8"),
        fold_printed_(fold_printed) {
    if (options.objects != nullptr) version_.num = options.objects->info().server_version_num;
  }

  Result<const Program*> Run(const Node& expression);
  /// Whether it would change what is raised, or when, that such texts are computed by the row: the
  /// program must be compiled with `fold_printed`.
  bool printed_matters() const { return printed_matters_; }

 private:
  /// What an expression compiled to.
  struct Value {
    Operand operand;
    /// Always that of what `type` is over: two values of one type have one form, wherever they come
    /// from, and so have the values that meet in one register.
    ColumnForm form = ColumnForm::kBool;
    Oid type = kInvalidOid;
    /// Computed by the row, though the server computes it before: see printed_matters.
    bool printed = false;
  };
  using Values = ShortVector<Value, 8>;
  /// A point to which code can be taken back.
  struct Mark {
    std::size_t size;
    std::uint32_t next_register;
    bool next_is_target;
  };
  /// How the values of a type lie in memory.
  struct Layout {
    /// The type itself, or what a domain is over.
    Oid base = kInvalidOid;
    std::int16_t typlen = 0;
    bool typbyval = false;
    char typalign = 'i';
  };
  // All steps: false means that error_ says why.

  /// Compiles any expression. Code for it is appended; a register that it needs for its value is
  /// the first it takes. A value that is a constant has no code: whoever drops a constant operand
  /// drops nothing that had to run.
  [[nodiscard]] bool Expression(const Node* node, Value& out);
  /// The same for a part that does nothing of consequence with what it prints.
  [[nodiscard]] bool Part(const Node* node, Value& out);
  bool Dispatch(const Node& node, Value& out);

  // compile.cc
  bool Variable(const Var& var, Value& out);
  /// The columns of the row that a Var names, and where their values begin.
  bool RowOf(const Var& var, std::span<const InputColumn>& columns, std::size_t& first);
  /// The expression of a virtual generated column of the first or the second row.
  bool Generated(const InputColumn& column, int row, Value& out);
  bool Constant(const Const& node, Value& out);
  bool Operator(Oid opno, Oid opfuncid, Oid collation, const List* args, Value& out);
  bool FunctionCall(const FuncExpr& node, Value& out);
  bool Call(const Function& function, Oid collation, const List* args, Value& out);
  bool SqlValue(const SQLValueFunction& node, Value& out);
  bool ViaIO(const CoerceViaIO& node, Value& out);
  /// Whether the server converts a constant so before the first row, and which settings decide what
  /// is between.
  bool IsImmutableViaIO(Oid from, Oid to, OutputSettings& by) const;
  /// Whether it is computed now, as far as such settings go.
  bool FoldsPrinted(const OutputSettings& by);
  bool Relabel(const Node* arg, Oid type, Value& out);
  bool CountNulls(const FuncExpr& node, bool nulls, Value& out);
  bool ResolveOperator(Oid opno, Oid opfuncid, Oid& function);
  /// The kernel of a function under a collation; types of its arguments are in `types`.
  bool ResolveFunction(Oid oid, Oid collation, const Function*& out);

  // compile_logic.cc
  bool AndOr(const BoolExpr& node, Value& out);
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
  /// How a pair of a comparison of rows is compared.
  bool PairComparison(Oid opno, Oid opfamily, Oid collation, const Value (&values)[2],
                      CompareFunction& compare);
  /// The two arguments of a comparison function.
  bool Pair(const List& args, const Function& function, Value (&values)[2]);
  bool IsCheap(std::size_t from) const;

  // compile_array.cc
  bool AnyOrAll(const ScalarArrayOpExpr& node, Value& out);
  bool MakeArray(const ArrayExpr& node, Value& out);
  bool CoerceArray(const ArrayCoerceExpr& node, Value& out);
  /// Appends the elements of an array that is written out or constant; `found` is false for any
  /// other.
  bool Elements(const Node* node, Values& out, bool& found);
  bool ElementOf(Oid array_type, ElementType& out);
  /// Whether PostgreSQL coerces a constant array with such an element before the first row.
  bool FoldsElements(const Node* elemexpr, const Value& element, bool& folds);

  // compile_domain.cc
  bool Domain(const CoerceToDomain& node, Value& out);
  /// What a domain and those that it is over demand, in the order in which it is asked.
  struct DomainDemands {
    bool not_null = false;
    ShortVector<const ConstraintRow*, 8> checks;
    bool any() const { return not_null || !checks.empty(); }
  };
  bool DemandsOf(Oid type, int depth, DomainDemands& out);
  bool DomainCheck(const ConstraintRow& check, const Details& name, const Value& value);
  /// What a message needs to name a type; the rest of `name` is left alone.
  bool NameForMessages(Oid type, Details& name);
  static void Named(Details& details, const Details& name);

  // compile_types.cc
  bool LayoutOf(Oid type, Layout& out);
  static ColumnForm FormOfBase(const Layout& layout) {
    return ColumnFormOf(layout.base, layout.typlen, layout.typbyval);
  }
  /// The same of a column or constant, whose type need not be known.
  bool FormOfColumn(const InputColumn& column, ColumnForm& out);
  /// Whether a value of one type can be read as another's without converting it.
  bool CheckReadable(Oid from, Oid to);
  /// Makes a value one of another type that it can be read as.
  bool ReadAs(Oid type, Value& value);
  /// The same of a function's declared argument type, which may be polymorphic.
  bool CheckArgument(Oid declared, const Value& value);
  bool CheckConst(const Const& node);
  bool TraitsOfCollation(Oid collation, CollationTraits& out);
  bool ComparisonOf(Oid type, Oid collation, CompareFunction& out);
  std::string NameOfType(Oid type);
  std::string NameOfFunction(Oid oid);

  // compile_text.cc
  /// Whether the database's encoding is one that a database can have.
  bool CheckEncoding();
  /// Whether a constant means the same in every encoding.
  bool CheckConstInEncoding(const Const& node);
  /// Has a call's text arguments stopped before they reach a function that would make something
  /// else of them than the server: characters outside ASCII in another encoding than UTF-8, or
  /// where the collation says what their letter case is. More values than the function takes are
  /// further second arguments.
  bool GuardArguments(const Function& function, Oid collation, std::span<Value> values);
  static bool TakesText(const BuiltinProc& proc);
  bool GuardText(Oid type, Value& value, const std::string& what);
  std::string InEncoding() const;

  // Emitting.
  std::uint32_t NewRegister();
  Mark Here() const { return {code_.size(), next_register_, next_is_target_}; }
  void BackTo(const Mark& mark);
  Instruction& Emit(Opcode op, ColumnForm form, std::uint32_t dest);
  /// A call whose arguments are still to be put in.
  Instruction& EmitCall(const Function& function, std::uint32_t dest);
  /// An instruction with the jump's target still open; its index.
  std::size_t EmitJump(Opcode op, Operand a, const Value* moved_to = nullptr);
  void LandHere(std::size_t jump);
  void Move(const Value& from, const Value& to);
  Details& EmitDetailed(Opcode op, const Value& dest, std::span<const Value> list);
  Value AddConstant(NullableDatum value, ColumnForm form, Oid type);
  /// The same value in a register: no part of the compiler takes it for a constant any more.
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
  /// The same, but for what is printed by the row.
  static bool AllPlanned(std::span<const Value> values);
  /// Runs the last instruction, whose operands are constants, and puts its value in its place.
  bool Fold(const Mark& mark, Value& out);

  bool Fail(Error error);
  bool Refuse(std::string_view kind, std::string_view what);
  bool Malformed(std::string_view what);

  const CompileOptions& options_;
  MemoryContext& cx_;
  /// In any other encoding, text outside ASCII is left alone: see GuardArguments.
  const bool utf8_;
  /// Whose functions the expression calls.
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
  /// What settings decide of what was folded.
  Details* printed_ = nullptr;
  /// Simplifies for the errors alone, in the server's order: no code will run.
  bool errors_alone_ = false;
  /// What CaseTestExpr and CoerceToDomainValue stand for.
  const Value* case_test_ = nullptr;
  const Value* domain_value_ = nullptr;
  /// Of which row the generated column is whose expression is being compiled; 0: none.
  int generated_in_ = 0;
};

}  // namespace relcache
