// Aggregate functions: what they return, and their transition states in stored rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "relcache/executor/aggregate/hash_aggregate.h"
#include "relcache/executor/plan/operator.h"
#include "relcache/executor/rows/internal/row_layout.h"
#include "relcache/types/type_ops.h"

namespace relcache {

/// A piece of what an array_agg has collected for a group.
struct ArrayChunk {
  ArrayChunk* next;
  std::uint32_t count;
  std::uint32_t capacity;
  NullableDatum* elements() { return reinterpret_cast<NullableDatum*>(this + 1); }
};

/// One aggregate over one argument type, with PostgreSQL's result type and arithmetic.
///
/// Its state is `state_bytes()` bytes inside a group's row, all zero at first; what does not fit
/// there lies in a context that is passed in, an AllocSet.
///
///     count(any)            int8
///     sum(int2, int4)       int8, in 64 bits
///     sum(int8)             numeric, in 128 bits
///     sum(float4, float8)   float4, float8
///     avg(int2, int4, int8) numeric, from 128 bits
///     avg(float4, float8)   float8
///     sum, avg(numeric)     numeric
///     min, max              the type itself (of varchar: text)
///     array_agg             the array type, NULLs included, in the order of the input
class Aggregate {
 public:
  /// `count_rows`: count(*), whose argument does not matter.
  /// Errors: kNotSupported "not supported: sum(boolean)".
  static Result<Aggregate> Make(AggregateFunction function, const ColumnType& argument);
  static Aggregate CountRows();

  const ColumnType& result_type() const { return result_; }
  std::size_t state_bytes() const { return state_bytes_; }
  /// Whether the state grows with the number of values (array_agg).
  bool grows() const { return kind_ == Kind::kArrayAgg; }
  /// Whether a part of the state lies outside of the group's row.
  bool has_outside() const { return outside_; }
  bool counts_rows() const { return kind_ == Kind::kCountRows; }

  /// Takes value selection[i] of the column into the state at offset `at` of groups[i].
  /// Errors: 22003 "value out of range: overflow".
  Status Update(const BatchColumn& column, std::span<const std::uint32_t> selection,
                StoredRow* const* groups, std::size_t at, MemoryContext& states);
  /// The results of many groups; what is not in the states is in cx.
  Result<BatchColumn> Finish(std::span<StoredRow* const> groups, std::size_t at,
                             MemoryContext& cx) const;

  /// What taking the value in may add to the states' context, at the most but for blocks' ends.
  std::size_t Growth(const NullableDatum& value) const;
  /// Bytes that a group's state has outside of its row.
  std::size_t OutsideBytes(const StoredRow* group, std::size_t at) const;
  /// What an array_agg has collected for a group so far: in pieces, in order; and in one piece, in
  /// cx.
  static ArrayChunk* Elements(const StoredRow* group, std::size_t at);
  static std::span<NullableDatum> CollectElements(const StoredRow* group, std::size_t at,
                                                  MemoryContext& cx);
  /// A state that is to go on elsewhere: the row's bytes can be copied, and this is what has to be
  /// known besides. Of an array_agg there is nothing: its elements have to be taken in again.
  std::string_view SaveOutside(const StoredRow* group, std::size_t at) const;
  /// Makes a state of the copied bytes, with what was saved.
  void RestoreOutside(StoredRow* group, std::size_t at, std::string_view saved,
                      MemoryContext& states) const;

 private:
  enum class Kind : std::uint8_t {
    kCountRows,
    kCount,
    kSumInteger,  ///< int8 result
    kSumWide,     ///< numeric result, from integers
    kAvgInteger,
    kSumFloat4,
    kSumFloat8,
    kAvgFloat,
    kSumNumeric,
    kAvgNumeric,
    kMin,
    kMax,
    kArrayAgg,
  };
  Status UpdateFloats(const BatchColumn& column, std::span<const std::uint32_t> selection,
                      StoredRow* const* groups, std::size_t at) const;
  Status UpdateNumerics(const BatchColumn& column, std::span<const std::uint32_t> selection,
                        StoredRow* const* groups, std::size_t at, MemoryContext& states) const;
  void UpdateExtremes(const BatchColumn& column, std::span<const std::uint32_t> selection,
                      StoredRow* const* groups, std::size_t at, MemoryContext& states) const;
  void UpdateArrays(const BatchColumn& column, std::span<const std::uint32_t> selection,
                    StoredRow* const* groups, std::size_t at, MemoryContext& states) const;
  Result<NullableDatum> FinishOne(char* state, MemoryContext& cx) const;

  Kind kind_ = Kind::kCountRows;
  ColumnType argument_;
  ColumnType result_;
  std::size_t state_bytes_ = 0;
  bool outside_ = false;
  const TypeOps* ops_ = nullptr;
};

}  // namespace relcache
