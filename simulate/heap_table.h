// A table in memory, into which the simulated INSERT stores rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "relcache/catalog/rows.h"
#include "relcache/executor/batch/column_batch.h"
#include "relcache/executor/expressions/compile.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// Rows of the same columns in the order of insertion, with their data in a memory context of the
/// table.
/// Thread safety: one writer, or any number of readers.
class HeapTable {
 public:
  explicit HeapTable(std::span<const AttributeRow> attributes);
  HeapTable(const HeapTable&) = delete;
  HeapTable& operator=(const HeapTable&) = delete;

  /// Stores a copy of the row, including what its values point to.
  void Append(DatumRow row);
  /// Removes all rows.
  void Truncate();

  std::size_t size() const { return rows_.size() * kRowsPerBlock - free_; }
  std::size_t column_count() const { return columns_.size(); }
  /// A value. What it points to belongs to the table.
  NullableDatum Get(std::size_t row, std::size_t column) const;
  /// The bytes that the rows take.
  std::size_t bytes() const { return cx_->bytes_reserved(); }

 private:
  static constexpr std::size_t kRowsPerBlock = 256;

  std::vector<InputColumn> columns_;
  /// The size of a row: its values as words, followed by its null bytes, rounded up to a multiple
  /// of 8.
  std::size_t row_bytes_;
  bool any_by_reference_ = false;
  ContextPtr cx_;
  std::vector<std::byte*> rows_;
  /// The number of rows that still fit into the last block.
  std::size_t free_ = 0;
};

}  // namespace relcache
