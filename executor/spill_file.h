// Rows that did not fit into memory: an unlinked temporary file of checksummed blocks (the part of
// PostgreSQL's BufFile that joins and aggregates need).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "relcache/executor/row_layout.h"

namespace relcache {

/// The calls to the operating system, so that a test can make them fail. Each returns what the
/// system call does, or -errno.
class FileLayer {
 public:
  virtual ~FileLayer() = default;
  /// Opens a file for reading and writing that has no name: it goes when it is closed.
  virtual int OpenTemporary(const std::string& directory);
  virtual ssize_t Write(int fd, const void* bytes, std::size_t n, std::int64_t offset);
  virtual ssize_t Read(int fd, void* bytes, std::size_t n, std::int64_t offset);
  virtual void Close(int fd);

  static FileLayer& System();
};

/// Where spill files go and how blocks are read and written.
struct SpillOptions {
  /// Empty: $TMPDIR, or /tmp.
  std::string directory;
  FileLayer* files = &FileLayer::System();
};

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

  /// Room in front of a block's bytes that Append and Read use for the checksum.
  static constexpr std::size_t kHeadBytes = sizeof(std::uint64_t);

  /// Appends a block, whose first kHeadBytes are this function's to fill; returns where it lies.
  Result<std::int64_t> Append(std::span<char> block);
  /// The same for bytes without room in front: in two writes.
  Result<std::int64_t> AppendLong(std::span<const char> bytes);
  /// Reads a block back, kHeadBytes included.
  Status Read(std::int64_t offset, std::span<char> block);

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

/// Rows of one layout that wait in a spill file, in the order they were added.
/// Lifetime: the list of its blocks lies in the context given to it. A value: copying shares.
class SpillRun {
 public:
  std::uint64_t rows() const { return rows_; }
  std::uint64_t bytes() const { return bytes_; }
  bool empty() const { return rows_ == 0; }
  /// The largest block: what a buffer to read it must hold.
  std::size_t largest_block() const { return largest_; }

 private:
  friend class SpillWriter;
  friend class SpillReader;
  struct Block {
    std::int64_t offset;
    std::uint32_t bytes;
  };
  struct Blocks {
    Blocks* next;
    std::uint32_t count;
    Block blocks[20];
  };
  Blocks* first_ = nullptr;
  Blocks* last_ = nullptr;
  std::uint64_t rows_ = 0;
  std::uint64_t bytes_ = 0;
  std::size_t largest_ = 0;
};

/// Distributes rows over runs, with a buffer for each.
class SpillWriter {
 public:
  /// `runs` buffers of `buffer_bytes` each, from `buffers`; lists of blocks from `lists`.
  SpillWriter(SpillFile& file, std::span<SpillRun> runs, std::size_t buffer_bytes,
              MemoryContext& buffers, MemoryContext& lists);

  /// Room for one row of this size in a run's buffer; nullptr: Flush(run) first (or AddLong).
  StoredRow* TryAdd(std::size_t run, std::size_t size) {
    Buffer& buffer = buffers_[run];
    if (size > buffer_bytes_ - buffer.used) return nullptr;
    char* at = buffer.block + SpillFile::kHeadBytes + buffer.used;
    buffer.used += size;
    ++runs_[run].rows_;
    return reinterpret_cast<StoredRow*>(at);
  }
  Status Flush(std::size_t run);
  /// Copies a row that lies elsewhere.
  Status Add(std::size_t run, const StoredRow* row, std::size_t size);
  bool IsLong(std::size_t size) const { return size > buffer_bytes_; }
  Status FlushAll();

 private:
  struct Buffer {
    char* block;  ///< room for the checksum, then rows
    std::size_t used;
  };
  void MakeRoomInList(std::size_t run);
  /// Notes a block of `bytes` bytes of rows at `offset`.
  void Note(std::size_t run, std::int64_t offset, std::size_t bytes);

  SpillFile& file_;
  std::span<SpillRun> runs_;
  std::size_t buffer_bytes_;
  std::span<Buffer> buffers_;
  MemoryContext& lists_;
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
  const SpillRun::Blocks* blocks_;
  std::uint32_t next_block_ = 0;
  char* buffer_ = nullptr;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

}  // namespace relcache
