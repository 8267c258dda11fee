// Reads the rows of a chunk of a file in COPY's format: the fields of up to a thousand rows at a
// time, column by column, not yet converted to values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/copy/copy_options.h"
#include "relcache/copy/copy_splitter.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// A field of a file; `data` is nullptr for NULL.
struct CopyField {
  const char* data = nullptr;
  std::uint32_t size = 0;
  bool is_null() const { return data == nullptr; }
  std::string_view text() const { return {data, size}; }
};

/// A row that cannot be taken apart, or that is not text in its encoding.
struct CopyFault {
  std::uint16_t row = 0;
  Error error;
};

/// The fields of some rows.
/// Lifetime: fields point into the chunk or the reader; valid until the next call of Next.
struct CopyBatch {
  static constexpr std::size_t kRows = 1024;

  std::size_t rows = 0;
  /// For each row the number of fields that it has. Only as many are kept as were asked for.
  std::vector<std::uint32_t> field_counts;
  /// Whether each row has exactly the fields that were asked for, and no fault.
  bool all_complete = true;
  /// For each row the number of lines of the chunk before it.
  std::vector<std::uint64_t> lines;
  /// The bytes of each row, without its end.
  std::vector<std::string_view> raw;
  std::vector<CopyFault> faults;

  std::span<const CopyField> column(std::size_t i) const {
    return {fields_.data() + i * kRows, rows};
  }

 private:
  friend class CopyReader;
  std::vector<CopyField> fields_;
};

/// Reads chunks of one file, one after the other.
/// Thread safety: one thread at a time; several readers can read different chunks of a file.
class CopyReader {
 public:
  /// `columns` is the number of fields that are kept of each row.
  CopyReader(CopySyntax syntax, std::size_t columns);
  ~CopyReader();
  CopyReader(const CopyReader&) = delete;
  CopyReader& operator=(const CopyReader&) = delete;

  /// Begins with a chunk, which must live until the next call of Start.
  /// Cost: the structural index of the whole chunk.
  void Start(const CopyChunk& chunk);
  /// Reads the next rows of the chunk. Returns false if there are none.
  bool Next(CopyBatch& batch);
  /// Whether the end marker `\.` was read. What follows it, in the chunk and in later ones, is not
  /// part of the data.
  bool ended() const;
  /// The number of lines in the chunk, once all of it has been read.
  std::uint64_t lines() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Verifies the header line of a file (HEADER MATCH).
/// Errors: SQLSTATE 22P04 "wrong number of fields in header line: got 2, expected 3", `column name
/// mismatch in header line field 1: got "x", expected "a"`; those of taking the line apart.
Status CheckCopyHeader(const CopySplitter& splitter, const CopySyntax& syntax,
                       std::span<const std::string_view> columns);

}  // namespace relcache
