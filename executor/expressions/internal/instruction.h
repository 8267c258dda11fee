// The instructions and operands of which programs consist. For the compiler and the interpreters
// only.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "relcache/base/oid.h"
#include "relcache/executor/batch/column_batch.h"
#include "relcache/executor/expressions/program.h"
#include "relcache/executor/functions/function.h"
#include "relcache/executor/functions/functions_locale.h"
#include "relcache/executor/functions/regex_functions.h"
#include "relcache/types/internal/array.h"
#include "relcache/types/server_version.h"
#include "relcache/types/type_ops.h"

namespace relcache {
namespace internal {

/// The place from which an instruction reads a value.
class Operand {
 public:
  enum class Space : std::uint8_t { kColumn, kConstant, kRegister };

  constexpr Operand() = default;
  constexpr Operand(Space space, std::uint32_t index)
      : bits_(index << kShift | static_cast<std::uint32_t>(space)) {}

  constexpr Space space() const { return static_cast<Space>(bits_ & kSpace); }
  constexpr std::uint32_t index() const { return bits_ >> kShift; }
  /// The value, where `spaces` has the array of values of each space.
  const NullableDatum& In(const NullableDatum* const (&spaces)[3]) const {
    const auto* first = reinterpret_cast<const std::byte*>(spaces[bits_ & kSpace]);
    return *reinterpret_cast<const NullableDatum*>(first + (bits_ & ~kSpace));
  }
  constexpr bool is_constant() const { return space() == Space::kConstant; }
  constexpr bool is_register() const { return space() == Space::kRegister; }
  /// The operand as a number, the form in which a Program stores it.
  constexpr std::uint32_t bits() const { return bits_; }
  static constexpr Operand FromBits(std::uint32_t bits) {
    Operand operand;
    operand.bits_ = bits;
    return operand;
  }
  friend constexpr bool operator==(Operand, Operand) = default;

 private:
  /// The index is stored as a distance in bytes, so that reading the value takes only an addition.
  static constexpr int kShift = 4;
  static constexpr std::uint32_t kSpace = 3;
  static_assert(sizeof(NullableDatum) == 1 << kShift);
  std::uint32_t bits_ = 0;
};

}  // namespace internal

using internal::Operand;

/// What an instruction does. a, b and c are the operands args[0..2], and r is the register dest.
enum class Opcode : std::uint8_t {
  // The frequent ones; each has a loop of its own for batches.
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
  // Jumps to a later instruction. If dest is a register, r = a is executed first.
  kJump,
  kJumpIfFalse,
  kJumpIfTrue,
  kJumpIfNotTrue,  ///< false or NULL
  kJumpIfNull,
  kJumpIfNotNull,
  // These have Details, whose list contains the operands. A batch runs them row by row.
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
  kRegex,          ///< r = details.regex of list: ~ and the regexp_ functions
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

/// The settings that affect how the output functions of some types print a value: those for real
/// and double precision, for bytea and for interval.
struct OutputSettings {
  bool extra_float_digits = false;
  bool bytea_output = false;
  bool interval_style = false;
  bool any() const { return extra_float_digits || bytea_output || interval_style; }
};

/// How two values of a type are ordered.
struct Comparison {
  CompareFunction compare = nullptr;
  /// In place of it, if there is a locale.
  LocaleCompare in_locale = nullptr;
  const TextLocale* locale = nullptr;
};

/// What the less frequent instructions need.
struct Details {
  std::span<const Operand> list;
  /// The form of each operand of the list.
  std::span<const ColumnForm> forms;
  /// For kAny and kAll: the elements, if all are constants. Then they are not in the list.
  std::span<const NullableDatum> elements;
  const Function* function = nullptr;
  /// For kAny, kAll and those of an array: the third argument of the function, if it has one.
  Datum third{};
  const RegexCall* regex = nullptr;
  Comparison compare;
  Oid from_type = kInvalidOid;
  Oid to_type = kInvalidOid;
  std::int32_t to_typmod = -1;
  /// For kDefaultOutput.
  OutputSettings printed_by;
  /// For kCoerceViaIO: the version whose input and output functions are meant.
  ServerVersion version;
  ElementType element;
  /// For the constraint of a domain: what its message names. The message includes the schema if
  /// search_path does not make the type visible, which depends on the session; `namesakes` are the
  /// other schemas that have a type of this name.
  std::string_view type_schema;
  std::string_view type_name;
  std::span<const std::string_view> namesakes;
  std::string_view constraint_name;
};

inline constexpr std::uint32_t kNoRegister = std::numeric_limits<std::uint32_t>::max();

namespace internal {

struct Instruction {
  Opcode op = Opcode::kMove;
  /// The form of the value in dest.
  ColumnForm form = ColumnForm::kBool;
  /// Whether this is the target of a jump.
  bool is_target = false;
  /// Whether dest is also written by other instructions, for other rows, which come together
  /// further down. It is true for each of these instructions that is reached when rows may have
  /// left with a value in dest.
  bool shares_dest = false;
  std::uint32_t dest = kNoRegister;
  Operand args[3];
  /// For a jump: its target, which is always a later instruction.
  std::uint32_t target = 0;
  /// For a call: function->row.
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
