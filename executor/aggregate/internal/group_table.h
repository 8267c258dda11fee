// A table of groups by key, with open addressing (PostgreSQL's TupleHashTable).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "relcache/executor/rows/internal/key_columns.h"
#include "relcache/executor/rows/internal/row_store.h"

namespace relcache {

/// Stored rows, one for each different key, where NULL is equal to NULL. A row has the key columns
/// and the layout's extra bytes, which are zeroed when the row is made.
/// Thread safety: one thread at a time.
/// Errors: SQLSTATE 54000 if a row is too long; std::bad_alloc.
class GroupTable {
 public:
  /// Allocates rows and slots in children of `cx`. `layout` must outlive the table; its columns are
  /// the keys.
  GroupTable(std::span<const KeyType> keys, RowLayout& layout, std::size_t max_chunk_bytes,
             MemoryContext& cx);

  /// Finds the group of each selected row of `batch`, whose first columns are the keys. If there is
  /// none and `make` is true, makes it. groups[i] belongs to selection[i] and is nullptr if there
  /// is no group. If `made` is given, the rows for which a group was made are appended to it.
  Status Find(const ColumnBatch& batch, std::span<const std::uint32_t> selection,
              const std::uint64_t* hashes, bool make, StoredRow** groups,
              std::vector<std::uint32_t>* made = nullptr);

  std::size_t groups() const { return rows_.rows(); }
  const RowStore& rows() const { return rows_; }
  /// The most bytes that further groups of these sizes can add to the contexts.
  std::size_t BytesToGrow(std::span<const std::uint32_t> sizes) const;

 private:
  static std::uint64_t TagOf(std::uint64_t hash) { return hash & ~kRowAddressBits; }
  std::size_t SlotsFor(std::size_t groups) const;
  void Grow(std::size_t slots);

  std::span<const KeyType> keys_;
  RowLayout& layout_;
  MemoryContext& slots_cx_;
  RowStore rows_;
  /// Tagged rows whose tags are the upper bits of their hashes; 0 is a free slot.
  std::span<std::uint64_t> slots_;
  // Scratch for one batch: the rows that are still searching, and the slots where they are.
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
