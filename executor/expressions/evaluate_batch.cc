// Runs programs on batches. Each instruction runs for all rows that have arrived at it. Rows that
// jump wait at the target, which is always a later instruction, and continue there together with
// the others. Therefore every row passes exactly the instructions that it would pass alone, and an
// error is raised for a row only if PostgreSQL would raise it.
#include <algorithm>
#include <cstring>
#include <utility>

#include "relcache/executor/expressions/evaluate.h"
#include "relcache/executor/expressions/internal/row_run.h"
#include "relcache/executor/expressions/internal/scratch_state.h"

namespace relcache {

/// All arrays are indexed by a row's position within the slice.
struct Scratch::State::Vectors {
  /// A register. Invariant: for every row that has written it in this slice and may still read it,
  /// either `nulls` is nullptr and the value is not NULL, or the row's byte in null_bytes says
  /// whether it is. The contents for other rows are left over from earlier slices, programs and
  /// branches and have no meaning. Only three functions change this state (BatchRun::NoNulls,
  /// NullsOfAll and NullsOfThese), so the invariant holds for all instructions:
  ///  - An instruction that does not share its dest is the only one that writes the value that is
  ///    read. All rows that may read it are current rows, so the state of the whole vector may be
  ///    set.
  ///  - An instruction that shares its dest (instruction.h) may set the state of the current rows
  ///    only. Other rows keep their values and null bytes; if their null bytes have not been
  ///    written yet, because `nulls` was nullptr, they are written first.
  /// The form of the values is not part of the state, since the compiler knows it for each operand.
  struct Vector {
    alignas(64) std::byte values[kSliceRows * sizeof(Datum)];
    alignas(64) std::uint8_t null_bytes[kSliceRows];
    /// null_bytes, or nullptr while no value is NULL.
    const std::uint8_t* nulls = nullptr;

    std::uint8_t* bools() { return reinterpret_cast<std::uint8_t*>(values); }
  };
  /// A constant, repeated for every row, so that kernels need not distinguish constants from
  /// columns.
  struct Repeated {
    Datum value{};
    ColumnForm form = ColumnForm::kBool;
    alignas(64) std::byte values[kSliceRows * sizeof(Datum)];
  };
  /// Kept for each argument separately, so that one constant of a call cannot replace another one.
  static constexpr std::size_t kRepeated = 16;

  std::vector<std::unique_ptr<Vector>> registers;
  std::unique_ptr<Repeated> repeated[Function::kMaxArgs][kRepeated];
  alignas(64) std::uint8_t all_null[kSliceRows];
  alignas(64) std::uint8_t flags[kSliceRows];
  std::uint16_t selection[kSliceRows];
  std::uint16_t without_nulls[kSliceRows];
  std::uint16_t failed[kSliceRows];
  /// The instruction at which a row continues.
  std::uint32_t resumes_at[kSliceRows];
  std::vector<NullableDatum> list;

  Vectors() { std::memset(all_null, 1, sizeof all_null); }
};

Scratch::State::State(const SessionSettings& settings, MemoryContext& cx) {
  fx.settings = &settings;
  fx.cx = &cx;
  fx.regexes = &regexes;
}

Scratch::State::~State() = default;

Scratch::Scratch(SessionSettings settings, MemoryContext& cx)
    : settings_(std::move(settings)), cx_(&cx), state_(std::make_unique<State>(settings_, cx)) {}

Scratch::~Scratch() = default;

void Scratch::set_cx(MemoryContext& cx) {
  cx_ = &cx;
  state_->fx.cx = &cx;
}

class BatchRun {
 public:
  BatchRun(const Program& program, const ColumnBatch& batch, std::size_t first, std::size_t rows,
           Scratch& scratch);
  BatchResult Run();

 private:
  using Vectors = Scratch::State::Vectors;
  using Vector = Vectors::Vector;
  struct View {
    const void* values = nullptr;
    const std::uint8_t* nulls = nullptr;

    bool isnull(std::size_t row) const {
      if (nulls == nullptr) return false;
      RELCACHE_DCHECK(nulls[row] <= 1);  // otherwise it was never written: see Poison
      return nulls[row] != 0;
    }
    bool is_true(std::size_t row) const {
      return !isnull(row) && static_cast<const std::uint8_t*>(values)[row] != 0;
    }
    bool is_false(std::size_t row) const {
      return !isnull(row) && static_cast<const std::uint8_t*>(values)[row] == 0;
    }
    NullableDatum Get(ColumnForm form, std::size_t row) const {
      if (isnull(row)) return {};
      return {LoadDatum(form, values, row), false};
    }
  };
  /// Where a row that failed continues: nowhere.
  static constexpr std::uint32_t kNever = kNoRegister;

  /// The values of an operand. `argument` is its position in the call.
  View Look(Operand operand, std::size_t argument = 0) const;
  const void* Repeat(Datum constant, ColumnForm form, std::size_t argument) const;
  Vector& Dest(const Instruction& in) const { return *v_.registers[in.dest]; }
  /// Whether rows that are elsewhere may have written dest and will read it.
  bool SharesWithOthers(const Instruction& in) const {
    return in.shares_dest && selection_ != nullptr;
  }
  // The next functions set which values of dest are NULL; see Vector. The operands of the
  // instruction must have been looked at before, because dest may be one of them.

  /// No value that is written for the current rows is NULL.
  void NoNulls(const Instruction& in, Vector& r) const;
  /// For an instruction that does not share its dest, or when all rows are here: the caller writes
  /// the null bytes of all rows.
  std::uint8_t* NullsOfAll(const Instruction& in, Vector& r) const;
  /// The caller writes the null bytes of the current rows and of no others.
  std::uint8_t* NullsOfThese(const Instruction& in, Vector& r) const;
  /// Like NoNulls and NullsOfAll; the values are NULL where those of `from`, another vector, are.
  void NullsLike(const Instruction& in, Vector& r, const View& from) const;
  static void Poison(Vector& r);
  static Vectors& VectorsOf(Scratch::State& state) {
    if (!state.vectors) state.vectors = std::make_unique<Vectors>();
    return *state.vectors;
  }

  /// Calls body(row) for the current rows.
  template <class Body>
  void ForRows(const Body& body) const {
    if (selection_ == nullptr) {
      for (std::size_t row = 0; row < rows_; ++row) body(row);
    } else {
      for (std::size_t i = 0; i < count_; ++i) body(selection_[i]);
    }
  }

  void Step(const Instruction& in);
  void Call(const Instruction& in);
  void AndOr(const Instruction& in);
  void Not(const Instruction& in);
  template <class IsSo>
  void Test(const Instruction& in, const IsSo& is_so);
  void Copy(const View& from, const Instruction& in);
  void Jump(const Instruction& in);
  void Detailed(const Instruction& in);
  bool AnyOfConstants(const Instruction& in);
  void Scatter();
  void Fail(std::size_t count);
  void Select(std::uint32_t at);

  const Program& program_;
  const ColumnBatch& batch_;
  const std::size_t first_;
  const std::size_t rows_;
  FunctionContext& fx_;
  Vectors& v_;
  /// The current rows: count_ of them, ascending. nullptr means all rows.
  const std::uint16_t* selection_ = nullptr;
  std::size_t count_;
  /// Whether some rows are elsewhere; resumes_at says where they continue.
  bool scattered_ = false;
};

BatchRun::BatchRun(const Program& program, const ColumnBatch& batch, std::size_t first,
                   std::size_t rows, Scratch& scratch)
    : program_(program),
      batch_(batch),
      first_(first),
      rows_(rows),
      fx_(scratch.state_->fx),
      v_(VectorsOf(*scratch.state_)),
      count_(rows) {
  while (v_.registers.size() < program.register_count())
    v_.registers.push_back(std::make_unique<Vector>());
  for (std::size_t i = 0; i < program.register_count(); ++i) {
    Vector& r = *v_.registers[i];
    r.nulls = nullptr;  // as long as this is so, no null bytes need to be read or merged
#ifdef RELCACHE_CHECKING
    Poison(r);
#endif
  }
  if (v_.list.size() < program.longest_list()) v_.list.resize(program.longest_list());
  fx_.error = nullptr;
  for (const Program::ColumnUse& use : program.columns()) {
    RELCACHE_CHECK_LT(use.index, batch.columns.size());
    const BatchColumn& column = batch.columns[use.index];
    RELCACHE_CHECK_EQ(WidthOf(column.form), WidthOf(use.form));
    RELCACHE_CHECK(column.values != nullptr || rows == 0);
  }
}

void BatchRun::Poison(Vector& r) {
  std::memset(r.values, 0xa5, sizeof r.values);
  std::memset(r.null_bytes, 0x5a, sizeof r.null_bytes);
}

inline void BatchRun::NoNulls(const Instruction& in, Vector& r) const {
  if (!SharesWithOthers(in)) {
    r.nulls = nullptr;
  } else if (r.nulls != nullptr) {
    ForRows([&](std::size_t row) { r.null_bytes[row] = 0; });
  }
}

inline std::uint8_t* BatchRun::NullsOfAll([[maybe_unused]] const Instruction& in, Vector& r) const {
  RELCACHE_DCHECK(!SharesWithOthers(in));
  r.nulls = r.null_bytes;
  return r.null_bytes;
}

inline void BatchRun::NullsLike(const Instruction& in, Vector& r, const View& from) const {
  if (from.nulls == nullptr) {
    NoNulls(in, r);
  } else {
    std::memcpy(NullsOfAll(in, r), from.nulls, rows_);
  }
}

inline std::uint8_t* BatchRun::NullsOfThese(const Instruction& in, Vector& r) const {
  if (r.nulls == nullptr && SharesWithOthers(in)) std::memset(r.null_bytes, 0, rows_);
  r.nulls = r.null_bytes;
  return r.null_bytes;
}

const void* BatchRun::Repeat(Datum constant, ColumnForm form, std::size_t argument) const {
  const std::uint64_t hash = static_cast<std::uint64_t>(constant) * 0x9e3779b97f4a7c15u >> 48;
  auto& slot = v_.repeated[argument][(hash + static_cast<std::size_t>(form)) % v_.kRepeated];
  if (slot && slot->value == constant && slot->form == form) return slot->values;
  if (!slot) slot = std::make_unique<Vectors::Repeated>();
  slot->value = constant;
  slot->form = form;
  for (std::size_t row = 0; row < Scratch::kSliceRows; ++row)
    StoreDatum(form, slot->values, row, constant);
  return slot->values;
}

BatchRun::View BatchRun::Look(Operand operand, std::size_t argument) const {
  const std::uint32_t index = operand.index();
  switch (operand.space()) {
    case Operand::Space::kColumn: {
      const BatchColumn& column = batch_.columns[index];
      const auto* bytes = static_cast<const std::byte*>(column.values);
      return {bytes + first_ * WidthOf(column.form),
              column.nulls != nullptr ? column.nulls + first_ : nullptr};
    }
    case Operand::Space::kConstant: {
      const NullableDatum& constant = program_.constants()[index];
      const ColumnForm form = program_.constant_forms()[index];
      return {Repeat(constant.value, form, argument), constant.isnull ? v_.all_null : nullptr};
    }
    case Operand::Space::kRegister:
      break;
  }
  const Vector& r = *v_.registers[index];
  return {r.values, r.nulls};
}

BatchResult BatchRun::Run() {
  const std::span<const Instruction> code = program_.code();
  const auto end = static_cast<std::uint32_t>(code.size());
  for (std::uint32_t at = 0; at < end; ++at) {
    const Instruction& in = code[at];
    if (in.is_target && scattered_) Select(at);
    if (count_ > 0) Step(in);
  }
  const View result = Look(program_.result());
  BatchResult out;
  out.column = {program_.result_type(), program_.result_form(), result.values, result.nulls};
  if (scattered_) {
    std::size_t failed = 0;
    for (std::size_t row = 0; row < rows_; ++row)
      if (v_.resumes_at[row] == kNever) v_.failed[failed++] = static_cast<std::uint16_t>(row);
    out.failed = {v_.failed, failed};
  }
  return out;
}

void BatchRun::Step(const Instruction& in) {
  if (HasDetails(in.op)) {
    if ((in.op != Opcode::kAny && in.op != Opcode::kAll) || !AnyOfConstants(in)) Detailed(in);
    return;
  }
  if (IsJump(in.op)) {
    Jump(in);
    return;
  }
  switch (in.op) {
    case Opcode::kCallTotal2:
    case Opcode::kCall:
      Call(in);
      break;
    case Opcode::kMove:
      Copy(Look(in.args[0]), in);
      break;
    case Opcode::kAnd:
    case Opcode::kOr:
      AndOr(in);
      break;
    case Opcode::kNot:
      Not(in);
      break;
    case Opcode::kIsNull:
      Test(in, [](const View& a, std::size_t row) { return a.isnull(row); });
      break;
    case Opcode::kIsNotNull:
      Test(in, [](const View& a, std::size_t row) { return !a.isnull(row); });
      break;
    case Opcode::kIsTrue:
      Test(in, [](const View& a, std::size_t row) { return a.is_true(row); });
      break;
    case Opcode::kIsNotTrue:
      Test(in, [](const View& a, std::size_t row) { return !a.is_true(row); });
      break;
    case Opcode::kIsFalse:
      Test(in, [](const View& a, std::size_t row) { return a.is_false(row); });
      break;
    default:
      Test(in, [](const View& a, std::size_t row) { return !a.is_false(row); });
      break;
  }
}

void BatchRun::Call(const Instruction& in) {
  const Function& function = *in.function;
  RELCACHE_DCHECK(!in.shares_dest);
  Vector& r = Dest(in);
  BatchCall call;
  call.result = r.values;
  call.result_nulls = r.null_bytes;
  call.failed = v_.failed;
  call.selection = selection_;
  call.rows = count_;
  const std::uint8_t* nulls[Function::kMaxArgs];
  std::size_t nullable = 0;
  for (std::size_t i = 0; i < function.nargs; ++i) {
    const View a = Look(in.args[i], i);
    call.args[i] = a.values;
    if (a.nulls != nullptr) nulls[nullable++] = a.nulls;
  }
  if (nullable > 0) {
    std::memcpy(v_.flags, nulls[0], rows_);
    for (std::size_t i = 1; i < nullable; ++i)
      for (std::size_t row = 0; row < rows_; ++row) v_.flags[row] |= nulls[i][row];
    std::memcpy(NullsOfAll(in, r), v_.flags, rows_);
    if (!function.total) {  // the kernel may fail on the undefined values of NULL rows
      std::size_t n = 0;
      ForRows([&](std::size_t row) {
        v_.without_nulls[n] = static_cast<std::uint16_t>(row);
        n += v_.flags[row] == 0 ? 1 : 0;
      });
      call.selection = v_.without_nulls;
      call.rows = n;
    }
  } else if (function.yields_null) {
    std::memset(NullsOfAll(in, r), 0, rows_);
  } else {
    NoNulls(in, r);
  }
  function.batch(call, fx_);
  if (call.failed_count > 0) Fail(call.failed_count);
}

void BatchRun::AndOr(const Instruction& in) {
  const View a = Look(in.args[0], 0);
  const View b = Look(in.args[1], 1);
  Vector& r = Dest(in);
  std::uint8_t* const out = r.bools();
  const auto* x = static_cast<const std::uint8_t*>(a.values);
  const auto* y = static_cast<const std::uint8_t*>(b.values);
  const bool is_and = in.op == Opcode::kAnd;
  if (a.nulls == nullptr && b.nulls == nullptr) {
    NoNulls(in, r);
    if (selection_ != nullptr) {
      ForRows([&](std::size_t row) { out[row] = is_and ? x[row] & y[row] : x[row] | y[row]; });
    } else if (is_and) {
      for (std::size_t row = 0; row < rows_; ++row) out[row] = x[row] & y[row];
    } else {
      for (std::size_t row = 0; row < rows_; ++row) out[row] = x[row] | y[row];
    }
    return;
  }
  std::uint8_t* const nulls = NullsOfThese(in, r);
  // false decides AND and true decides OR, even if the other operand is NULL. Otherwise a NULL
  // makes the result NULL.
  const std::uint8_t decides = is_and ? 0 : 1;
  ForRows([&](std::size_t row) {
    const bool x_null = a.isnull(row), y_null = b.isnull(row);
    const bool decided = (!x_null && x[row] == decides) || (!y_null && y[row] == decides);
    out[row] = decided ? decides : 1 - decides;
    nulls[row] = !decided && (x_null || y_null) ? 1 : 0;
  });
}

void BatchRun::Not(const Instruction& in) {
  RELCACHE_DCHECK(!in.shares_dest);
  const View a = Look(in.args[0]);
  Vector& r = Dest(in);
  std::uint8_t* const out = r.bools();
  const auto* x = static_cast<const std::uint8_t*>(a.values);
  ForRows([&](std::size_t row) { out[row] = x[row] ^ 1; });
  NullsLike(in, r, a);
}

template <class IsSo>
void BatchRun::Test(const Instruction& in, const IsSo& is_so) {
  const View a = Look(in.args[0]);
  Vector& r = Dest(in);
  std::uint8_t* const out = r.bools();
  ForRows([&](std::size_t row) { out[row] = is_so(a, row) ? 1 : 0; });
  NoNulls(in, r);
}

void BatchRun::Copy(const View& from, const Instruction& in) {
  Vector& r = Dest(in);
  WithWord(in.form, [&]<class Word>(Word) {
    const auto* source = static_cast<const Word*>(from.values);
    auto* out = reinterpret_cast<Word*>(r.values);
    ForRows([&](std::size_t row) { out[row] = source[row]; });
  });
  if (from.nulls == nullptr) {
    NoNulls(in, r);
  } else {
    std::uint8_t* const nulls = NullsOfThese(in, r);
    ForRows([&](std::size_t row) { nulls[row] = from.isnull(row) ? 1 : 0; });
  }
}

void BatchRun::Jump(const Instruction& in) {
  const View a = in.op == Opcode::kJump ? View{} : Look(in.args[0]);
  if (in.dest != kNoRegister) Copy(a, in);
  Scatter();
  // Rows that do not jump move to the front of the selection. It may be rewritten while it is read,
  // because the write position never passes the read position.
  std::size_t stay = 0;
  auto divide = [&](const auto& jumps) {
    ForRows([&](std::size_t row) {
      if (jumps(row)) {
        v_.resumes_at[row] = in.target;
      } else {
        v_.selection[stay++] = static_cast<std::uint16_t>(row);
      }
    });
  };
  switch (in.op) {
    case Opcode::kJumpIfFalse:
      divide([&](std::size_t row) { return a.is_false(row); });
      break;
    case Opcode::kJumpIfTrue:
      divide([&](std::size_t row) { return a.is_true(row); });
      break;
    case Opcode::kJumpIfNotTrue:
      divide([&](std::size_t row) { return !a.is_true(row); });
      break;
    case Opcode::kJumpIfNull:
      divide([&](std::size_t row) { return a.isnull(row); });
      break;
    case Opcode::kJumpIfNotNull:
      divide([&](std::size_t row) { return !a.isnull(row); });
      break;
    default:
      divide([](std::size_t) { return true; });
      break;
  }
  count_ = stay;
  selection_ = stay == rows_ ? nullptr : v_.selection;
}

bool BatchRun::AnyOfConstants(const Instruction& in) {
  const Details& details = *in.details;
  const Function& function = *details.function;
  // For few constants, one pass of the kernel over the batch per element is faster than a loop over
  // the elements per row. It requires a function that cannot fail, since it is called for rows that
  // were decided by an earlier element.
  if (!function.total || details.elements.empty() || in.shares_dest) return false;
  for (const NullableDatum& element : details.elements)
    if (element.isnull) return false;
  const View a = Look(details.list[0], 0);
  Vector& r = Dest(in);
  std::uint8_t* const out = r.bools();
  const bool any = in.op == Opcode::kAny;
  std::memset(out, any ? 0 : 1, rows_);
  BatchCall call;
  call.selection = selection_;
  call.rows = count_;
  call.args[0] = a.values;
  call.result = v_.flags;
  for (const NullableDatum& element : details.elements) {
    call.args[1] = Repeat(element.value, function.args[1], 1);
    function.batch(call, fx_);
    if (any) {
      ForRows([&](std::size_t row) { out[row] |= v_.flags[row]; });
    } else {
      ForRows([&](std::size_t row) { out[row] &= v_.flags[row]; });
    }
  }
  NullsLike(in, r, a);
  return true;
}

void BatchRun::Detailed(const Instruction& in) {
  const std::span<const Operand> operands = in.details->list;
  const std::span<const ColumnForm> forms = in.details->forms;
  std::vector<View> views;
  views.reserve(operands.size());
  // A list may have more constants than are kept in repeated form, so they are read as they are.
  for (const Operand operand : operands)
    views.push_back(operand.is_constant() ? View{} : Look(operand));
  const std::span<NullableDatum> list(v_.list.data(), operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i].is_constant()) list[i] = program_.constants()[operands[i].index()];
  std::uint8_t* const values = in.dest != kNoRegister ? Dest(in).bools() : nullptr;
  std::uint8_t* const nulls = in.dest != kNoRegister ? NullsOfThese(in, Dest(in)) : nullptr;
  std::size_t failed = 0;
  ForRows([&](std::size_t row) {
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (!operands[i].is_constant()) list[i] = views[i].Get(forms[i], row);
    NullableDatum value;
    if (!RunDetailed(in, list, value, fx_)) {
      v_.failed[failed++] = static_cast<std::uint16_t>(row);
    } else if (nulls != nullptr) {
      if (!value.isnull) StoreDatum(in.form, values, row, value.value);
      nulls[row] = value.isnull ? 1 : 0;
    }
  });
  if (failed > 0) Fail(failed);
}

void BatchRun::Scatter() {
  if (!std::exchange(scattered_, true)) std::fill_n(v_.resumes_at, rows_, 0);
}

void BatchRun::Fail(std::size_t count) {
  Scatter();
  for (std::size_t i = 0; i < count; ++i) v_.resumes_at[v_.failed[i]] = kNever;
  std::size_t stay = 0;
  ForRows([&](std::size_t row) {
    if (v_.resumes_at[row] != kNever) v_.selection[stay++] = static_cast<std::uint16_t>(row);
  });
  count_ = stay;
  selection_ = v_.selection;
}

void BatchRun::Select(std::uint32_t at) {
  std::size_t here = 0;
  for (std::size_t row = 0; row < rows_; ++row) {
    v_.selection[here] = static_cast<std::uint16_t>(row);
    here += v_.resumes_at[row] <= at ? 1 : 0;
  }
  count_ = here;
  selection_ = here == rows_ ? nullptr : v_.selection;
}

BatchResult EvaluateSlice(const Program& program, const ColumnBatch& batch, std::size_t first,
                          std::size_t rows, Scratch& scratch) {
  RELCACHE_CHECK_LE(rows, Scratch::kSliceRows);
  RELCACHE_CHECK_LE(first + rows, batch.rows);
  return BatchRun(program, batch, first, rows, scratch).Run();
}

void EvaluateBatch(const Program& program, const ColumnBatch& batch, Scratch& scratch,
                   std::span<TruthValue> verdicts) {
  RELCACHE_CHECK_LE(batch.rows, verdicts.size());
  RELCACHE_CHECK(program.result_form() == ColumnForm::kBool);
  for (std::size_t first = 0; first < batch.rows; first += Scratch::kSliceRows) {
    const std::size_t rows = std::min(Scratch::kSliceRows, batch.rows - first);
    const BatchResult result = EvaluateSlice(program, batch, first, rows, scratch);
    const auto* values = static_cast<const std::uint8_t*>(result.column.values);
    const std::uint8_t* nulls = result.column.nulls;
    TruthValue* out = verdicts.data() + first;
    static_assert(static_cast<int>(TruthValue::kFalse) == 0 &&
                  static_cast<int>(TruthValue::kTrue) == 1);
    if (nulls == nullptr) {
      std::memcpy(out, values, rows);
    } else {
      for (std::size_t row = 0; row < rows; ++row)
        out[row] = nulls[row] != 0 ? TruthValue::kNull : static_cast<TruthValue>(values[row]);
    }
    for (const std::uint16_t row : result.failed) out[row] = TruthValue::kError;
  }
}

}  // namespace relcache
