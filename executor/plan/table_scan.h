// MemoryTable holds rows in memory, and TableScan is the plan operator that reads them
// (PostgreSQL's nodeSeqscan.c).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "relcache/executor/plan/operator.h"

namespace relcache {

/// Rows in memory, column by column, in a memory context of the table's own.
/// Lifetime: values are copied into the table.
/// Thread safety: one thread while rows are appended, then any number of readers.
/// Errors: std::bad_alloc.
class MemoryTable {
 public:
  explicit MemoryTable(std::vector<ColumnType> columns);

  std::span<const ColumnType> columns() const { return types_; }
  std::size_t rows() const { return rows_; }
  /// The bytes that the table's memory contexts have reserved.
  std::size_t bytes() const { return cx_->total_bytes_reserved(); }

  /// Makes room for this number of rows at once.
  void Reserve(std::size_t rows);
  /// Appends a row. It is a programmer error if the row does not have exactly one value for each
  /// column; the process stops. Values that are passed by reference are copied.
  void Append(std::span<const NullableDatum> row);
  /// Sets `columns`, which must have an element for each column, to the rows from `first` up to,
  /// but not including, `first + n`. It is a programmer error if the table does not have these
  /// rows.
  /// Lifetime: valid until the next Append.
  void Slice(std::size_t first, std::size_t n, std::span<BatchColumn> columns) const;

 private:
  struct Array {
    char* values = nullptr;
    std::uint8_t* nulls = nullptr;
    bool any_null = false;
  };
  void Grow(std::size_t rows);
  Datum Copy(const ColumnType& type, Datum value);

  std::vector<ColumnType> types_;
  ContextPtr cx_;
  MemoryContext& values_cx_;
  std::vector<Array> arrays_;
  std::size_t rows_ = 0;
  std::size_t capacity_ = 0;
};

/// Returns the rows of a table in their order, without copying them.
class TableScan : public PlanOperator {
 public:
  /// `table` must outlive the scan and must not change meanwhile. `batch_rows` is the number of
  /// rows in a batch, at least 1.
  explicit TableScan(const MemoryTable& table, std::size_t batch_rows = kBatchRows);

  std::span<const ColumnType> columns() const override { return table_.columns(); }
  Result<const ColumnBatch*> Next() override;
  PlanOperatorDescription Describe() const override;

 private:
  const MemoryTable& table_;
  std::size_t batch_rows_;
  std::size_t at_ = 0;
  std::vector<BatchColumn> columns_;
  ColumnBatch batch_;
};

}  // namespace relcache
