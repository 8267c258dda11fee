// Program is a compiled expression: an array of instructions over columns, constants and registers
// (PostgreSQL's ExprState). The same program runs on rows and on batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "relcache/base/oid.h"
#include "relcache/executor/batch/column_batch.h"

namespace relcache {

namespace internal {
class Operand;
struct Instruction;
}  // namespace internal

/// A compiled expression. Compile (compile.h) makes it, and the functions in evaluate.h run it.
/// Lifetime: that of the memory context in which it was made and, if the compiler was allowed to
/// borrow from it, of the tree.
/// Thread safety: const; any number of threads may run it at once.
class Program {
 public:
  /// The constants, and the form in which each is stored.
  std::span<const NullableDatum> constants() const { return constants_; }
  std::span<const ColumnForm> constant_forms() const { return constant_forms_; }
  /// The form and the type of the result.
  ColumnForm result_form() const { return result_form_; }
  Oid result_type() const { return result_type_; }
  /// The number of intermediate values for which a Scratch needs a place.
  std::uint32_t register_count() const { return register_count_; }
  /// The length of the longest operand list of an instruction.
  std::uint32_t longest_list() const { return longest_list_; }

  /// A column that the program reads, by its index in the row, from 0.
  struct ColumnUse {
    std::uint32_t index = 0;
    ColumnForm form = ColumnForm::kDatum;
  };
  /// The columns that the program reads, in ascending order.
  std::span<const ColumnUse> columns() const { return columns_; }
  /// The number of values that a row must have at least.
  std::size_t row_size() const { return columns_.empty() ? 0 : columns_.back().index + 1; }

  /// The instructions as text for people, one in each line: `0  r0 = call int4gt c0, k0`. c0 is the
  /// first value of the row, k0 a constant and r0 a register; a colon marks the targets of jumps.
  /// The constants follow, as far as their form can be printed. The format may change.
  std::string ToString() const;
  /// The expression on one line, for people: `int4gt(c0, 5) AND (c1 IS NOT NULL)`. `columns` are
  /// the names of the row's values; those beyond are called c0, c1 ... as above. A program whose
  /// jumps are more than those of AND and OR (CASE, COALESCE ...) is given by its instructions,
  /// separated by semicolons.
  std::string ToExpression(std::span<const std::string> columns = {}) const;

  /// The instructions, and the operand that holds the value at the end. Their types are internal
  /// (internal/instruction.h, which is not installed).
  std::span<const internal::Instruction> code() const;
  internal::Operand result() const;

 private:
  friend class Compiler;
  const internal::Instruction* code_ = nullptr;
  std::size_t code_size_ = 0;
  std::span<const NullableDatum> constants_;
  std::span<const ColumnForm> constant_forms_;
  std::span<const ColumnUse> columns_;
  std::uint32_t result_ = 0;
  ColumnForm result_form_ = ColumnForm::kBool;
  Oid result_type_ = kInvalidOid;
  std::uint32_t register_count_ = 0;
  std::uint32_t longest_list_ = 0;
};

}  // namespace relcache
