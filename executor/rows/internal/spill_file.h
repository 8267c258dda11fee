// Rows that do not fit into memory: a temporary file without a name that consists of blocks with
// checksums. It is the part of PostgreSQL's BufFile (buffile.c) that joins and aggregates need.
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

/// A file of spill blocks. It is opened by the first write, and closed and deleted with the object.
/// Thread safety: one thread at a time.
/// Errors: kIo with SQLSTATE 53100 "could not write to temporary file: No space left on device";
/// 58030 for other system errors; XX001 for a block whose checksum is wrong. System calls that were
/// interrupted or incomplete are continued.
class SpillFile {
 public:
  explicit SpillFile(SpillOptions options);
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;
  ~SpillFile();

  /// The position and size of a block, including its head. bytes = 0 means no block.
  struct Block {
    std::int64_t offset = 0;
    std::uint32_t bytes = 0;
  };
  /// The head of a block: the checksum of the rest, and the position of the next block in the
  /// chain.
  struct Head {
    std::uint64_t checksum;
    std::int64_t next_offset;
    std::uint64_t next_bytes;
  };
  static constexpr std::size_t kHeadBytes = sizeof(Head);

  /// Appends a block. Its first kHeadBytes bytes are reserved for the head, which this function
  /// sets.
  Result<Block> Append(std::span<char> block);
  /// The same for bytes that have no room for a head in front; it takes two writes.
  Result<Block> AppendLong(std::span<const char> bytes);
  /// Stores in the head of a block which block follows it.
  Status Link(const Block& block, const Block& next);
  /// Reads a block with its head and returns the block that follows it.
  Result<Block> Read(const Block& block, char* bytes);

  bool open() const { return fd_ >= 0; }
  /// The bytes that were appended so far, including heads.
  std::uint64_t bytes_written() const { return static_cast<std::uint64_t>(end_); }

 private:
  Status Open();
  Status WriteAll(const char* bytes, std::size_t n, std::int64_t offset);
  Status ReadAll(char* bytes, std::size_t n, std::int64_t offset);

  SpillOptions options_;
  int fd_ = -1;
  std::int64_t end_ = 0;
};

/// Rows of one layout in a spill file, in the order in which they were added. They form a chain of
/// blocks that is linked on disk, so that a run of any length takes no memory.
class SpillRun {
 public:
  std::uint64_t rows() const { return rows_; }
  /// The bytes that the rows take in memory.
  std::uint64_t bytes() const { return bytes_ + rows_ * sizeof(StoredRow::next); }
  bool empty() const { return rows_ == 0; }

 private:
  friend class SpillWriter;
  friend class SpillReader;
  SpillFile::Block first_;
  SpillFile::Block last_;
  std::uint64_t rows_ = 0;
  std::uint64_t bytes_ = 0;
  std::size_t largest_ = 0;  ///< size of the largest block
};

/// Distributes rows over runs, with a buffer for each run.
///
/// The member `next` of a row has no meaning on disk. In a block, each row therefore begins with
/// its hash, and the address of the StoredRow is where a `next` in front of the hash would be: in
/// the last bytes of the previous row or of the block's head. Code that has such a row must not
/// touch its `next`.
class SpillWriter {
 public:
  /// The number of bytes by which a row is shorter on disk.
  static constexpr std::size_t kLeftOut = sizeof(StoredRow::next);
  static_assert(offsetof(StoredRow, next) == 0 && SpillFile::kHeadBytes >= kLeftOut);

  /// Allocates a buffer of `buffer_bytes` for each run in `buffers`, an AllocSet.
  SpillWriter(SpillFile& file, std::span<SpillRun> runs, std::size_t buffer_bytes,
              MemoryContext& buffers);

  /// The bytes that a writer takes from its context, without the heads of the context's blocks.
  static std::size_t BytesFor(std::size_t runs, std::size_t buffer_bytes) {
    return runs * (SpillFile::kHeadBytes + buffer_bytes + sizeof(Buffer));
  }

  /// Returns room for one row of this size in the run's buffer, or nullptr if the caller must
  /// Flush(run) first or, for a long row, use Add.
  StoredRow* TryAdd(std::size_t run, std::size_t size) {
    Buffer& buffer = buffers_[run];
    if (size - kLeftOut > buffer_bytes_ - buffer.used) return nullptr;
    char* at = buffer.block + SpillFile::kHeadBytes + buffer.used;
    buffer.used += size - kLeftOut;
    ++runs_[run].rows_;
    return reinterpret_cast<StoredRow*>(at - kLeftOut);
  }
  Status Flush(std::size_t run);
  /// Adds a copy of a row.
  Status Add(std::size_t run, const StoredRow* row, std::size_t size);
  /// Writes the selected rows of a batch, each to the run of the partition that its hash belongs
  /// to. For `matchable` see RowLayout::MarkUnmatchable; it may be nullptr.
  Status AddRows(RowLayout& layout, const ColumnBatch& batch,
                 std::span<const std::uint32_t> selection, const std::uint64_t* hashes,
                 const HashPartition& partition, const std::uint8_t* matchable);
  bool IsLong(std::size_t size) const { return size - kLeftOut > buffer_bytes_; }
  Status FlushAll();

 private:
  struct Buffer {
    char* block;  ///< room for the head, followed by rows
    std::size_t used;
  };
  /// Appends a block to a run.
  Status Chain(std::size_t run, const SpillFile::Block& block);

  SpillFile& file_;
  std::span<SpillRun> runs_;
  std::size_t buffer_bytes_;
  std::span<Buffer> buffers_;
  MemoryContext& buffers_cx_;
  std::vector<std::uint32_t> sizes_;
  std::vector<StoredRow*> rows_;
};

/// Reads the rows of a run, block by block.
class SpillReader {
 public:
  /// Allocates a buffer for the largest block in `cx`.
  SpillReader(SpillFile& file, const SpillRun& run, const RowLayout& layout, MemoryContext& cx);

  /// Fills `rows` with the next rows and returns their number, 0 at the end.
  /// Lifetime: the rows are valid until the next call.
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
