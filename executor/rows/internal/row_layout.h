// Rows as hash tables and spill files keep them: one piece of memory a row, values in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "relcache/executor/batch/column_type.h"

namespace relcache {

/// What every stored row begins with.
struct StoredRow {
  /// The next row of the chain: an address in the low 48 bits, tags above. HashTable's: no other
  /// code reads or writes it, and spill files leave it out.
  std::uint64_t next;
  std::uint64_t hash;
};

/// How rows of some columns lie in memory (what a MinimalTuple is to PostgreSQL):
///
///     StoredRow | fixed-width values, widest first | size, offsets | flags and null bits | data
///
/// Values that PostgreSQL passes by reference lie in the row itself, so that a Datum of one points
/// into the row and reading it out copies nothing. The row's parts are found by constants, but for
/// the second and later columns of variable length, whose offsets it holds. A row is a multiple of
/// eight bytes long and aligned to eight.
class RowLayout {
 public:
  /// A row may not be longer (PostgreSQL's MaxAllocSize).
  static constexpr std::size_t kMaxRowBytes = 0x3fffff00;

  /// `extra` bytes, zeroed by Write, lie in each row besides the columns (states of aggregates).
  explicit RowLayout(std::span<const ColumnType> columns, std::size_t extra = 0);

  std::size_t columns() const { return fields_.size(); }
  const ColumnType& type(std::size_t column) const { return fields_[column].type; }
  /// Where a column's value lies: of a by-value or fixed-length type, or of the first of variable
  /// length, that is all there is to know.
  std::size_t offset(std::size_t column) const { return fields_[column].offset; }
  std::size_t extra_offset() const { return extra_offset_; }
  /// Whether a row with a NULL in the column has been written or announced.
  bool has_nulls(std::size_t column) const { return fields_[column].has_nulls; }
  /// The size when all rows have the same, else 0.
  std::size_t uniform_size() const { return variable_ ? 0 : fixed_size_; }

  std::size_t SizeOf(const StoredRow* row) const {
    if (!variable_) return fixed_size_;
    std::uint32_t size;
    std::memcpy(&size, Bytes(row) + size_offset_, sizeof size);
    return size;
  }

  /// The bytes that each selected row of a batch will take. Errors: 54000, a row is too long.
  Status Measure(const ColumnBatch& batch, std::span<const std::uint32_t> selection,
                 std::uint32_t* sizes) const;
  /// Writes the selected rows to `rows`, each of them of the size measured, but for `next`.
  void Write(const ColumnBatch& batch, std::span<const std::uint32_t> selection,
             const std::uint64_t* hashes, const std::uint32_t* sizes, StoredRow* const* rows);
  /// Reads a column of many rows into `values` (of the column's form). Returns whether any is NULL;
  /// only then are `nulls` written.
  bool Read(std::size_t column, std::span<const StoredRow* const> rows, void* values,
            std::uint8_t* nulls) const;

  bool isnull(const StoredRow* row, std::size_t column) const {
    const std::size_t bit = column + kFlagBits;
    return (static_cast<unsigned char>(Bytes(row)[bits_offset_ + bit / 8]) >> (bit % 8) & 1) != 0;
  }
  Datum value(const StoredRow* row, std::size_t column) const;

  // Two marks that a join puts on its rows.
  bool matched(const StoredRow* row) const { return (Bytes(row)[bits_offset_] & 1) != 0; }
  void SetMatched(StoredRow* row) const { Bytes(row)[bits_offset_] |= 1; }
  bool unmatchable(const StoredRow* row) const { return (Bytes(row)[bits_offset_] & 2) != 0; }
  void SetUnmatchable(StoredRow* row) const { Bytes(row)[bits_offset_] |= 2; }
  /// Marks the rows of those selected for which matchable[row] is 0.
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
    std::uint32_t offset = 0;         ///< of the value, or of the first varlena's bytes
    std::uint32_t offset_offset = 0;  ///< later varlenas: where the row holds their offset
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
  std::uint32_t fixed_size_ = 0;  ///< uniform rows: all of it; else the offset behind the bits
};

}  // namespace relcache
