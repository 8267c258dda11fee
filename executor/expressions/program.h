// An expression compiled: a flat array of instructions over columns, constants and registers
// (PostgreSQL's ExprState). One program runs on rows and on batches.
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

/// A compiled expression. Made by Compile (compile.h), run by what evaluate.h declares.
/// Lifetime: that of the context it was made in, and, where the compiler was allowed to borrow, of
/// the tree. Thread safety: const, run by any number of threads at once.
class Program {
 public:
  std::span<const NullableDatum> constants() const { return constants_; }
  std::span<const ColumnForm> constant_forms() const { return constant_forms_; }
  ColumnForm result_form() const { return result_form_; }
  Oid result_type() const { return result_type_; }
  std::uint32_t register_count() const { return register_count_; }
  /// The longest list of any Details.
  std::uint32_t longest_list() const { return longest_list_; }

  struct ColumnUse {
    std::uint32_t index = 0;
    ColumnForm form = ColumnForm::kDatum;
  };
  /// The columns it reads, ascending.
  std::span<const ColumnUse> columns() const { return columns_; }
  /// A row must have at least so many values.
  std::size_t row_size() const { return columns_.empty() ? 0 : columns_.back().index + 1; }

  /// The instructions, one a line, for people: `0  r0 = call int4gt c0, k0`. c0 is the first value
  /// of the row, k0 a constant, r0 a register; a colon marks where jumps lead. The constants
  /// follow, in the words that their form allows. Not a format to be parsed.
  std::string ToString() const;

  /// The instructions, and where the value stands at the end: internal/instruction.h.
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
