// Aggregate functions: their result types, and their states in stored rows (PostgreSQL's
// pg_aggregate).
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

/// A piece of the values that an array_agg has collected for a group.
struct ArrayChunk {
  ArrayChunk* next;
  std::uint32_t count;
  std::uint32_t capacity;
  NullableDatum* elements() { return reinterpret_cast<NullableDatum*>(this + 1); }
};

/// An aggregate for one argument type, with PostgreSQL's result type and arithmetic.
///
/// Its state takes `state_bytes()` bytes in the row of a group, all zero in the beginning. What
/// does not fit there lies in a context that the caller passes, an AllocSet.
///
///     count(any)            int8
///     sum(int2, int4)       int8, in 64 bits
///     sum(int8)             numeric, in 128 bits
///     sum(float4, float8)   float4, float8
///     avg(int2, int4, int8) numeric, from 128 bits
///     avg(float4, float8)   float8
///     sum, avg(numeric)     numeric
///     min, max              the type itself (text for varchar)
///     array_agg             the array type, including NULLs, in the order of the input
class Aggregate {
 public:
  /// Makes the aggregate for an argument type.
  /// Errors: kNotSupported "not supported: sum(boolean)".
  static Result<Aggregate> Make(AggregateFunction function, const ColumnType& argument);
  static Aggregate CountRows();

  const ColumnType& result_type() const { return result_; }
  std::size_t state_bytes() const { return state_bytes_; }
  /// Whether the state grows with the number of values (array_agg).
  bool grows() const { return kind_ == Kind::kArrayAgg; }
  /// Whether a part of the state lies outside of the row of the group.
  bool has_outside() const { return outside_; }
  bool counts_rows() const { return kind_ == Kind::kCountRows; }

  /// Updates the state at offset `at` of groups[i] with value selection[i] of the column.
  /// Errors: SQLSTATE 22003 "value out of range: overflow".
  Status Update(const BatchColumn& column, std::span<const std::uint32_t> selection,
                StoredRow* const* groups, std::size_t at, MemoryContext& states);
  /// The results of many groups. What is not part of the states is allocated in cx.
  Result<BatchColumn> Finish(std::span<StoredRow* const> groups, std::size_t at,
                             MemoryContext& cx) const;

  /// The most bytes that this value can add to the context of the states, apart from unused ends of
  /// blocks.
  std::size_t Growth(const NullableDatum& value) const;
  /// The bytes of a group's state that lie outside of its row.
  std::size_t OutsideBytes(const StoredRow* group, std::size_t at) const;
  /// The values that an array_agg has collected for a group: in pieces, in order; and as one array
  /// in cx.
  static ArrayChunk* Elements(const StoredRow* group, std::size_t at);
  static std::span<NullableDatum> CollectElements(const StoredRow* group, std::size_t at,
                                                  MemoryContext& cx);
  /// Saves what has to be known in addition to the state bytes of the row, so that the state can be
  /// restored elsewhere. For an array_agg nothing is saved; its elements must be added again.
  std::string_view SaveOutside(const StoredRow* group, std::size_t at) const;
  /// Restores a state from the copied bytes and what was saved.
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
