// The layout of rows in hash tables and spill files: each row is one piece of memory that contains
// its values. It corresponds to PostgreSQL's MinimalTuple (htup_details.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "relcache/executor/batch/column_type.h"

namespace relcache {

/// The head of every stored row.
struct StoredRow {
  /// The next row of the hash chain: an address in the low 48 bits and tags above. Only HashTable
  /// reads and writes it, and spill files leave it out.
  std::uint64_t next;
  std::uint64_t hash;
};

/// How rows with certain columns lie in memory:
///
///     StoredRow | fixed-width values, widest first | size, offsets | flags and null bits | data
///
/// Values that PostgreSQL passes by reference lie in the row itself, and their Datums point into
/// the row, so that reading them copies nothing. All parts are at constant offsets, except for the
/// second and later columns of variable length, whose offsets are stored in the row. The length of
/// a row is a multiple of eight, and rows are aligned to eight.
class RowLayout {
 public:
  /// The maximal size of a row in bytes, a little below PostgreSQL's MaxAllocSize.
  static constexpr std::size_t kMaxRowBytes = 0x3fffff00;

  /// Each row gets `extra` bytes in addition to the columns, zeroed by Write, for the states of
  /// aggregates.
  explicit RowLayout(std::span<const ColumnType> columns, std::size_t extra = 0);

  std::size_t columns() const { return fields_.size(); }
  const ColumnType& type(std::size_t column) const { return fields_[column].type; }
  /// The offset of a column's value. The value is always there if the type is passed by value or
  /// has a fixed length, and for the first column of variable length; later ones have an offset in
  /// each row.
  std::size_t offset(std::size_t column) const { return fields_[column].offset; }
  std::size_t extra_offset() const { return extra_offset_; }
  /// Whether a row with a NULL in this column has been written.
  bool has_nulls(std::size_t column) const { return fields_[column].has_nulls; }
  /// The size of a row if all rows have the same size, otherwise 0.
  std::size_t uniform_size() const { return variable_ ? 0 : fixed_size_; }

  std::size_t SizeOf(const StoredRow* row) const {
    if (!variable_) return fixed_size_;
    std::uint32_t size;
    std::memcpy(&size, Bytes(row) + size_offset_, sizeof size);
    return size;
  }

  /// Computes the size of each selected row of a batch.
  /// Errors: SQLSTATE 54000 if a row is too long.
  Status Measure(const ColumnBatch& batch, std::span<const std::uint32_t> selection,
                 std::uint32_t* sizes) const;
  /// Writes the selected rows to `rows`, each of which has the measured size. Leaves `next` unset.
  void Write(const ColumnBatch& batch, std::span<const std::uint32_t> selection,
             const std::uint64_t* hashes, const std::uint32_t* sizes, StoredRow* const* rows);
  /// Reads a column of many rows into `values`, an array of the column's form. Returns whether a
  /// value is NULL; `nulls` is written only then.
  bool Read(std::size_t column, std::span<const StoredRow* const> rows, void* values,
            std::uint8_t* nulls) const;

  bool isnull(const StoredRow* row, std::size_t column) const {
    const std::size_t bit = column + kFlagBits;
    return (static_cast<unsigned char>(Bytes(row)[bits_offset_ + bit / 8]) >> (bit % 8) & 1) != 0;
  }
  Datum value(const StoredRow* row, std::size_t column) const;

  // Two flags that a join sets in its rows: the row found a match, and the row cannot match because
  // a key is NULL.
  bool matched(const StoredRow* row) const { return (Bytes(row)[bits_offset_] & 1) != 0; }
  void SetMatched(StoredRow* row) const { Bytes(row)[bits_offset_] |= 1; }
  bool unmatchable(const StoredRow* row) const { return (Bytes(row)[bits_offset_] & 2) != 0; }
  void SetUnmatchable(StoredRow* row) const { Bytes(row)[bits_offset_] |= 2; }
  /// Marks those of the selected rows for which matchable[row] is 0.
  void MarkUnmatchable(std::span<const std::uint32_t> selection, const std::uint8_t* matchable,
                       StoredRow* const* rows) const {
    for (std::size_t i = 0; i < selection.size(); ++i)
      if (matchable[selection[i]] == 0) SetUnmatchable(rows[i]);
  }

 private:
  static constexpr std::size_t kFlagBits = 2;
  enum class Storage : std::uint8_t { kValue, kFixed, kVarlena };
  struct Field {
    ColumnType type;
    Storage storage = Storage::kValue;
    bool has_nulls = false;
    std::uint32_t offset = 0;         ///< of the value, or of the first varlena
    std::uint32_t offset_offset = 0;  ///< for later varlenas: where the row stores their offset
    std::uint32_t align = 4;
  };
  static const char* Bytes(const StoredRow* row) { return reinterpret_cast<const char*>(row); }
  static char* Bytes(StoredRow* row) { return reinterpret_cast<char*>(row); }
  void WriteVariable(const ColumnBatch& batch, std::span<const std::uint32_t> selection,
                     StoredRow* const* rows) const;

  std::vector<Field> fields_;
  std::vector<std::uint32_t> variable_fields_;
  bool variable_ = false;
  std::uint32_t extra_offset_ = 0;
  std::uint32_t extra_bytes_ = 0;
  std::uint32_t size_offset_ = 0;
  std::uint32_t bits_offset_ = 0;
  std::uint32_t bits_bytes_ = 0;
  std::uint32_t fixed_size_ =
      0;  ///< the row's size if uniform; otherwise the offset after the bits
};

}  // namespace relcache
