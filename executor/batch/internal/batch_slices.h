// Helpers for batches of the size that operators work with. Internal to executor/.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "relcache/executor/batch/column_type.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// Divides a batch into batches of at most kBatchRows rows, without copying values.
class Slices {
 public:
  void Start(const ColumnBatch* batch) {
    batch_ = batch;
    at_ = 0;
  }
  const ColumnBatch* Next() {
    if (batch_ == nullptr || at_ == batch_->rows) return nullptr;
    if (at_ == 0 && batch_->rows <= kBatchRows) {
      at_ = batch_->rows;
      return batch_;
    }
    const std::size_t rows = std::min(kBatchRows, batch_->rows - at_);
    columns_.assign(batch_->columns.begin(), batch_->columns.end());
    for (BatchColumn& column : columns_) {
      if (column.values != nullptr)
        column.values = static_cast<const char*>(column.values) + at_ * WidthOf(column.form);
      if (column.nulls != nullptr) column.nulls += at_;
    }
    at_ += rows;
    slice_ = {columns_, rows};
    return &slice_;
  }

 private:
  const ColumnBatch* batch_ = nullptr;
  std::size_t at_ = 0;
  std::vector<BatchColumn> columns_;
  ColumnBatch slice_;
};

/// The arrays for a batch, which are allocated once and filled many times.
struct ColumnArrays {
  std::vector<BatchColumn> columns;
  std::vector<void*> values;
  std::vector<std::uint8_t*> nulls;

  void Make(std::span<const ColumnType> types, std::size_t rows, MemoryContext& cx) {
    for (const ColumnType& type : types) {
      // Zeroed, because a value under a NULL is not used but must be initialized.
      values.push_back(cx.AllocateZeroed(rows * WidthOf(type.form)));
      nulls.push_back(static_cast<std::uint8_t*>(cx.AllocateZeroed(rows)));
      columns.push_back({type.type, type.form, values.back(), nullptr});
    }
  }
};

/// Writes the numbers of the rows whose byte in `selected` is 1 (the others are 0) to `rows`, in
/// ascending order, and returns their number. `rows` must have room for all rows.
std::size_t RowNumbers(std::span<const std::uint8_t> selected, std::uint32_t* rows);

/// Copies the given rows of a column into arrays of the caller, which have the column's form and
/// room for these rows, and sets `out` to the resulting column.
void Gather(const BatchColumn& column, std::span<const std::uint32_t> rows, void* values,
            std::uint8_t* nulls, BatchColumn& out);
/// The same for rows in ascending order without repetition. Values of consecutive rows are copied
/// in one piece.
void GatherAscending(const BatchColumn& column, std::span<const std::uint32_t> rows, void* values,
                     std::uint8_t* nulls, BatchColumn& out);

}  // namespace relcache
