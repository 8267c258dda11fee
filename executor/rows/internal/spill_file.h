// Rows that did not fit into memory: an unlinked temporary file of checksummed blocks (the part of
// PostgreSQL's BufFile that joins and aggregates need).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "relcache/executor/rows/internal/hash_partition.h"
#include "relcache/executor/rows/internal/row_layout.h"
#include "relcache/executor/rows/spill_options.h"

namespace relcache {

/// A file of blocks; opened at the first write, closed and gone with the object.
/// Thread safety: one thread at a time.
/// Errors: 53100 "could not write to temporary file: No space left on device" (kIo); other errno
/// with 58030; XX001 for a block whose checksum is wrong. An interrupted or short call goes on.
class SpillFile {
 public:
  explicit SpillFile(SpillOptions options);
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;
  ~SpillFile();

  /// Where a block lies, head included; bytes = 0: nowhere.
  struct Block {
    std::int64_t offset = 0;
    std::uint32_t bytes = 0;
  };
  /// What a block begins with: the checksum of the rest, and which block comes after it.
  struct Head {
    std::uint64_t checksum;
    std::int64_t next_offset;
    std::uint64_t next_bytes;
  };
  static constexpr std::size_t kHeadBytes = sizeof(Head);

  /// Appends a block, whose head is this function's to fill.
  Result<Block> Append(std::span<char> block);
  /// The same for bytes without room for a head in front: in two writes.
  Result<Block> AppendLong(std::span<const char> bytes);
  /// Notes in a block's head which one comes after it.
  Status Link(const Block& block, const Block& next);
  /// Reads a block back, head included, and says which one comes after it.
  Result<Block> Read(const Block& block, char* bytes);

  bool open() const { return fd_ >= 0; }
  /// Bytes appended so far, checksums included.
  std::uint64_t bytes_written() const { return static_cast<std::uint64_t>(end_); }

 private:
  Status Open();
  Status WriteAll(const char* bytes, std::size_t n, std::int64_t offset);
  Status ReadAll(char* bytes, std::size_t n, std::int64_t offset);

  SpillOptions options_;
  int fd_ = -1;
  std::int64_t end_ = 0;
};

/// Rows of one layout that wait in a spill file, in the order they were added: a chain of blocks,
/// linked on disk, so that a run of any length takes no memory.
class SpillRun {
 public:
  std::uint64_t rows() const { return rows_; }
  /// What the rows take in memory.
  std::uint64_t bytes() const { return bytes_ + rows_ * sizeof(StoredRow::next); }
  bool empty() const { return rows_ == 0; }

 private:
  friend class SpillWriter;
  friend class SpillReader;
  SpillFile::Block first_;
  SpillFile::Block last_;
  std::uint64_t rows_ = 0;
  std::uint64_t bytes_ = 0;
  std::size_t largest_ = 0;  ///< block
};

/// Distributes rows over runs, with a buffer for each.
///
/// A row's `next` means nothing on disk, so in a block each row begins with its hash, and its
/// address is where a `next` before that would lie: in the end of the row before, or in the
/// block's head. Whoever has such a row must not touch its `next`.
class SpillWriter {
 public:
  /// What a row is shorter on disk.
  static constexpr std::size_t kLeftOut = sizeof(StoredRow::next);
  static_assert(offsetof(StoredRow, next) == 0 && SpillFile::kHeadBytes >= kLeftOut);

  /// `runs` buffers of `buffer_bytes` each, from `buffers`, an AllocSet.
  SpillWriter(SpillFile& file, std::span<SpillRun> runs, std::size_t buffer_bytes,
              MemoryContext& buffers);

  /// What a writer takes from its context, but for heads of blocks.
  static std::size_t BytesFor(std::size_t runs, std::size_t buffer_bytes) {
    return runs * (SpillFile::kHeadBytes + buffer_bytes + sizeof(Buffer));
  }

  /// Room for one row of this size in a run's buffer; nullptr: Flush(run) first (or AddLong).
  StoredRow* TryAdd(std::size_t run, std::size_t size) {
    Buffer& buffer = buffers_[run];
    if (size - kLeftOut > buffer_bytes_ - buffer.used) return nullptr;
    char* at = buffer.block + SpillFile::kHeadBytes + buffer.used;
    buffer.used += size - kLeftOut;
    ++runs_[run].rows_;
    return reinterpret_cast<StoredRow*>(at - kLeftOut);
  }
  Status Flush(std::size_t run);
  /// Copies a row that lies elsewhere.
  Status Add(std::size_t run, const StoredRow* row, std::size_t size);
  /// Writes the selected rows of a batch, each to the run of its hash's partition. `matchable` as
  /// in RowLayout::MarkUnmatchable, or nullptr.
  Status AddRows(RowLayout& layout, const ColumnBatch& batch,
                 std::span<const std::uint32_t> selection, const std::uint64_t* hashes,
                 const HashPartition& partition, const std::uint8_t* matchable);
  bool IsLong(std::size_t size) const { return size - kLeftOut > buffer_bytes_; }
  Status FlushAll();

 private:
  struct Buffer {
    char* block;  ///< room for the head, then rows
    std::size_t used;
  };
  /// Puts a block at the end of a run.
  Status Chain(std::size_t run, const SpillFile::Block& block);

  SpillFile& file_;
  std::span<SpillRun> runs_;
  std::size_t buffer_bytes_;
  std::span<Buffer> buffers_;
  MemoryContext& buffers_cx_;
  std::vector<std::uint32_t> sizes_;
  std::vector<StoredRow*> rows_;
};

/// Reads a run block by block, giving its rows.
class SpillReader {
 public:
  /// A buffer for the largest block comes from `cx`.
  SpillReader(SpillFile& file, const SpillRun& run, const RowLayout& layout, MemoryContext& cx);

  /// The next rows, at most as many as `rows` holds; their number, 0 at the end. Lifetime: the rows
  /// until the next call.
  Result<std::size_t> Next(std::span<StoredRow*> rows);

 private:
  SpillFile& file_;
  const RowLayout& layout_;
  SpillFile::Block next_;
  char* buffer_ = nullptr;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

}  // namespace relcache
