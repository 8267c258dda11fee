// A table in memory: where the insert node puts rows.
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

/// Rows of one shape, in the order they came, their bytes in a context of the table's own.
/// Thread safety: one writer, or any number of readers.
class HeapTable {
 public:
  explicit HeapTable(std::span<const AttributeRow> attributes);
  HeapTable(const HeapTable&) = delete;
  HeapTable& operator=(const HeapTable&) = delete;

  /// Stores a copy of the row, what its values point to included.
  void Append(DatumRow row);
  /// Takes all rows away.
  void Truncate();

  std::size_t size() const { return rows_.size() * kRowsPerBlock - free_; }
  std::size_t column_count() const { return columns_.size(); }
  /// A value; what it points to is the table's.
  NullableDatum Get(std::size_t row, std::size_t column) const;
  /// Bytes that the rows take.
  std::size_t bytes() const { return cx_->bytes_reserved(); }

 private:
  static constexpr std::size_t kRowsPerBlock = 256;

  std::vector<InputColumn> columns_;
  /// A row: its values as words, then its null bytes, up to a multiple of 8.
  std::size_t row_bytes_;
  bool any_by_reference_ = false;
  ContextPtr cx_;
  std::vector<std::byte*> rows_;
  /// Rows that the last block has room for.
  std::size_t free_ = 0;
};

}  // namespace relcache
