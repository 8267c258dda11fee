// What a program consists of. For the compiler and for what runs programs.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "relcache/base/oid.h"
#include "relcache/executor/batch/column_batch.h"
#include "relcache/executor/expressions/program.h"
#include "relcache/executor/functions/function.h"
#include "relcache/types/internal/array.h"
#include "relcache/types/type_ops.h"

namespace relcache {
namespace internal {

/// Where an instruction reads a value.
class Operand {
 public:
  enum class Space : std::uint8_t { kColumn, kConstant, kRegister };

  constexpr Operand() = default;
  constexpr Operand(Space space, std::uint32_t index)
      : bits_(index << kShift | static_cast<std::uint32_t>(space)) {}

  constexpr Space space() const { return static_cast<Space>(bits_ & kSpace); }
  constexpr std::uint32_t index() const { return bits_ >> kShift; }
  /// The value, in the arrays of values of each space.
  const NullableDatum& In(const NullableDatum* const (&spaces)[3]) const {
    const auto* first = reinterpret_cast<const std::byte*>(spaces[bits_ & kSpace]);
    return *reinterpret_cast<const NullableDatum*>(first + (bits_ & ~kSpace));
  }
  constexpr bool is_constant() const { return space() == Space::kConstant; }
  constexpr bool is_register() const { return space() == Space::kRegister; }
  /// The operand as a number, which a Program keeps.
  constexpr std::uint32_t bits() const { return bits_; }
  static constexpr Operand FromBits(std::uint32_t bits) {
    Operand operand;
    operand.bits_ = bits;
    return operand;
  }
  friend constexpr bool operator==(Operand, Operand) = default;

 private:
  /// The index as a distance in bytes, so that a look at the value is an addition.
  static constexpr int kShift = 4;
  static constexpr std::uint32_t kSpace = 3;
  static_assert(sizeof(NullableDatum) == 1 << kShift);
  std::uint32_t bits_ = 0;
};

}  // namespace internal

using internal::Operand;

/// a, b, c are the operands args[0..2]; r is the register dest.
enum class Opcode : std::uint8_t {
  // Hot: each has a loop of its own for batches.
  kCallTotal2,  ///< r = function(a, b), total and of two arguments; NULL if one is
  kCall,        ///< r = function(a, b, c), of any number of arguments; NULL if one is
  kMove,        ///< r = a
  kAnd,         ///< r = a AND b, three-valued
  kOr,          ///< r = a OR b
  kNot,         ///< r = NOT a
  kIsNull,      ///< r = a IS NULL
  kIsNotNull,   ///< r = a IS NOT NULL
  kIsTrue,      ///< r = a IS TRUE; and so on
  kIsNotTrue,
  kIsFalse,
  kIsNotFalse,
  // To a later instruction. With a register as dest: r = a first.
  kJump,
  kJumpIfFalse,
  kJumpIfTrue,
  kJumpIfNotTrue,  ///< false or NULL
  kJumpIfNull,
  kJumpIfNotNull,
  // With Details, whose list are the operands; a batch runs them row by row.
  kIsDistinct,  ///< r = list[0] IS DISTINCT FROM list[1], by details.function
  kNullIf,      ///< r = NULLIF(list[0], list[1])
  kGreatest,    ///< of list, by details.compare
  kLeast,
  kAny,  ///< r = list[0] function ANY (list[1], list[2] ...)
  kAll,
  kAnyOfArray,  ///< r = list[0] function ANY (list[1]), an array
  kAllOfArray,
  kMakeArray,    ///< r = ARRAY[list]
  kCoerceViaIO,  ///< r = input function of to_type(output function of from_type(list[0]))
  kNumNulls,     ///< how many of list are NULL
  kNumNonnulls,
  kCompare,        ///< r = compare(list[0], list[1]) as int4; NULL if either is
  kDefaultOutput,  ///< fails unless the settings in details.printed_by print as their defaults do
  kDomainNotNull,  ///< fails if list[0] is NULL
  kDomainCheck,    ///< fails if list[0] is false
};

constexpr bool IsJump(Opcode op) {
  return op >= Opcode::kJump && op <= Opcode::kJumpIfNotNull;
}
constexpr bool HasDetails(Opcode op) {
  return op >= Opcode::kIsDistinct;
}

/// Settings that decide how the output functions of some types print a value: those of real and
/// double precision, of bytea and of interval.
struct OutputSettings {
  bool extra_float_digits = false;
  bool bytea_output = false;
  bool interval_style = false;
  bool any() const { return extra_float_digits || bytea_output || interval_style; }
};

/// What the rarer instructions need.
struct Details {
  std::span<const Operand> list;
  /// Of each operand of the list: the form of its type.
  std::span<const ColumnForm> forms;
  /// Of kAny and kAll: the elements, where all are constants; then they are not in the list.
  std::span<const NullableDatum> elements;
  const Function* function = nullptr;
  CompareFunction compare = nullptr;
  Oid from_type = kInvalidOid;
  Oid to_type = kInvalidOid;
  std::int32_t to_typmod = -1;
  /// Of kDefaultOutput.
  OutputSettings printed_by;
  /// Of kCoerceViaIO: whose input and output functions.
  ServerVersion version;
  ElementType element;
  /// Of a domain's constraint: what its message names. The schema is part of it if search_path
  /// does not show the type, which is for the session to say; `namesakes` are the other schemas
  /// that have a type of the name.
  std::string_view type_schema;
  std::string_view type_name;
  std::span<const std::string_view> namesakes;
  std::string_view constraint_name;
};

inline constexpr std::uint32_t kNoRegister = std::numeric_limits<std::uint32_t>::max();

namespace internal {

struct Instruction {
  Opcode op = Opcode::kMove;
  /// Of the value in dest.
  ColumnForm form = ColumnForm::kBool;
  /// Some jump leads here.
  bool is_target = false;
  /// dest is written by several instructions, for different rows, which meet further down: true of
  /// every one of them that is reached when rows may have left with a value in dest.
  bool shares_dest = false;
  std::uint32_t dest = kNoRegister;
  Operand args[3];
  /// Of a jump: the instruction to go to, always further down.
  std::uint32_t target = 0;
  /// Of a call: function->row.
  RowKernel kernel = nullptr;
  union {
    const Function* function = nullptr;
    const Details* details;
  };
};
static_assert(sizeof(Instruction) == 40);

}  // namespace internal

using internal::Instruction;

inline std::span<const Instruction> Program::code() const {
  return {code_, code_size_};
}
inline Operand Program::result() const {
  return Operand::FromBits(result_);
}

}  // namespace relcache
