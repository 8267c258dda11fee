// Groups by key: rows that are found or made, in a table with open addressing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "relcache/executor/rows/internal/key_columns.h"
#include "relcache/executor/rows/internal/row_store.h"

namespace relcache {

/// Stored rows, one for every different key; NULLs are equal. A row has the key columns first, the
/// layout's further columns (none so far) and its extra bytes, zeroed when the row is made.
/// Thread safety: one thread at a time. Errors: 54000, a row too long; std::bad_alloc.
class GroupTable {
 public:
  /// The rows and slots lie in children of `cx`. `layout` must outlive the table; its columns are
  /// the keys.
  GroupTable(std::span<const KeyType> keys, RowLayout& layout, std::size_t max_chunk_bytes,
             MemoryContext& cx);

  /// Finds for each selected row of `batch` (whose columns are the keys) its group, making it if
  /// there is none and `make` is true. groups[i] belongs to selection[i]; nullptr: none. If `made`
  /// is given, those rows whose group was made for them are appended to it.
  Status Find(const ColumnBatch& batch, std::span<const std::uint32_t> selection,
              const std::uint64_t* hashes, bool make, StoredRow** groups,
              std::vector<std::uint32_t>* made = nullptr);

  std::size_t groups() const { return rows_.rows(); }
  const RowStore& rows() const { return rows_; }
  /// What groups more, of these sizes, will add to the contexts at the most.
  std::size_t BytesToGrow(std::span<const std::uint32_t> sizes) const;

 private:
  static constexpr std::uint64_t kAddress = (std::uint64_t{1} << 48) - 1;
  static std::uint64_t TagOf(std::uint64_t hash) { return hash & ~kAddress; }
  std::size_t SlotsFor(std::size_t groups) const;
  void Grow(std::size_t slots);

  std::span<const KeyType> keys_;
  RowLayout& layout_;
  MemoryContext& slots_cx_;
  RowStore rows_;
  /// Address of a row in the low 48 bits, the hash's upper bits above; 0 is free.
  std::span<std::uint64_t> slots_;
  // Scratch of one batch: rows that are still looking, and where.
  std::vector<std::uint32_t> looking_;
  std::vector<std::uint64_t> places_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint32_t> new_rows_;
  std::vector<std::uint32_t> new_sizes_;
  std::vector<StoredRow*> new_groups_;
  std::vector<std::uint32_t> compare_at_;
  std::vector<std::uint32_t> compare_rows_;
  std::vector<const StoredRow*> compare_groups_;
  std::vector<std::uint8_t> equal_;
};

}  // namespace relcache
