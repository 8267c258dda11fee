#include "relcache/executor/rows/internal/spill_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/executor/rows/internal/block_checksum.h"

namespace relcache {
namespace {

// A call that is interrupted so often in a row without progress is treated as failed, so that
// frequent signals cannot keep the loop going forever.
constexpr int kMaxInterrupts = 100;

std::string ErrnoText(int number) {
  return std::generic_category().message(number);
}

tl::unexpected<Error> IoError(const char* what, int number) {
  const bool full = number == ENOSPC || number == EDQUOT || number == EFBIG;
  return Fail(ErrorCode::kIo, full ? "53100" : "58030",
              std::string("could not ") + what + " temporary file: " + ErrnoText(number));
}

std::string TemporaryDirectory(const std::string& wanted) {
  if (!wanted.empty()) return wanted;
  const char* environment = std::getenv("TMPDIR");
  return environment != nullptr && *environment != '\0' ? environment : "/tmp";
}

}  // namespace

int SpillFileLayer::OpenTemporary(const std::string& directory) {
#ifdef O_TMPFILE
  const int fd = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
    return fd >= 0 ? fd : -errno;
#endif
  // The file system does not support files without a name. The name exists only between these two
  // calls, so no crash can leave a file behind for long.
  std::string path = directory + "/relcache.XXXXXX";
  const int named = ::mkostemp(path.data(), O_CLOEXEC);
  if (named < 0) return -errno;
  if (::unlink(path.c_str()) != 0) {
    const int number = errno;
    ::close(named);
    return -number;
  }
  return named;
}

ssize_t SpillFileLayer::Write(int fd, const void* bytes, std::size_t n, std::int64_t offset) {
  const ssize_t written = ::pwrite(fd, bytes, n, offset);
  return written >= 0 ? written : -errno;
}

ssize_t SpillFileLayer::Read(int fd, void* bytes, std::size_t n, std::int64_t offset) {
  const ssize_t got = ::pread(fd, bytes, n, offset);
  return got >= 0 ? got : -errno;
}

void SpillFileLayer::Close(int fd) {
  ::close(fd);
}

SpillFileLayer& SpillFileLayer::System() {
  static SpillFileLayer system;
  return system;
}

SpillFile::SpillFile(SpillOptions options) : options_(std::move(options)) {}

SpillFile::~SpillFile() {
  if (fd_ >= 0) options_.files->Close(fd_);
}

Status SpillFile::WriteAll(const char* bytes, std::size_t n, std::int64_t offset) {
  int interrupts = 0;
  while (n > 0) {
    const ssize_t written = options_.files->Write(fd_, bytes, n, offset);
    if (written == -EINTR && ++interrupts < kMaxInterrupts) continue;
    if (written < 0) return IoError("write to", static_cast<int>(-written));
    // A write of nothing without an error is treated as a full device, as PostgreSQL does.
    if (written == 0) return IoError("write to", ENOSPC);
    interrupts = 0;
    bytes += written;
    n -= static_cast<std::size_t>(written);
    offset += written;
  }
  return {};
}

Status SpillFile::ReadAll(char* bytes, std::size_t n, std::int64_t offset) {
  int interrupts = 0;
  const std::size_t wanted = n;
  while (n > 0) {
    const ssize_t got = options_.files->Read(fd_, bytes, n, offset);
    if (got == -EINTR && ++interrupts < kMaxInterrupts) continue;
    if (got < 0) return IoError("read from", static_cast<int>(-got));
    if (got == 0)
      return Fail(ErrorCode::kIo, "58030",
                  Format("could not read from temporary file: read only {} of {} bytes", wanted - n,
                         wanted));
    interrupts = 0;
    bytes += got;
    n -= static_cast<std::size_t>(got);
    offset += got;
  }
  return {};
}

Status SpillFile::Open() {
  if (fd_ >= 0) return {};
  const int fd = options_.files->OpenTemporary(TemporaryDirectory(options_.directory));
  if (fd < 0) return IoError("create", -fd);
  fd_ = fd;
  return {};
}

Result<SpillFile::Block> SpillFile::Append(std::span<char> block) {
  RELCACHE_TRY(Open());
  const Head head{BlockChecksum(block.subspan(kHeadBytes)), 0, 0};
  std::memcpy(block.data(), &head, sizeof head);
  const Block placed{end_, static_cast<std::uint32_t>(block.size())};
  RELCACHE_TRY(WriteAll(block.data(), block.size(), placed.offset));
  end_ += placed.bytes;
  return placed;
}

Result<SpillFile::Block> SpillFile::AppendLong(std::span<const char> bytes) {
  RELCACHE_TRY(Open());
  const Head head{BlockChecksum(bytes), 0, 0};
  char head_bytes[kHeadBytes];
  std::memcpy(head_bytes, &head, sizeof head);
  const Block placed{end_, static_cast<std::uint32_t>(kHeadBytes + bytes.size())};
  RELCACHE_TRY(WriteAll(head_bytes, kHeadBytes, placed.offset));
  RELCACHE_TRY(
      WriteAll(bytes.data(), bytes.size(), placed.offset + static_cast<std::int64_t>(kHeadBytes)));
  end_ += placed.bytes;
  return placed;
}

Status SpillFile::Link(const Block& block, const Block& next) {
  const std::int64_t link[] = {next.offset, next.bytes};
  char bytes[sizeof link];
  std::memcpy(bytes, link, sizeof link);
  return WriteAll(bytes, sizeof bytes,
                  block.offset + static_cast<std::int64_t>(offsetof(Head, next_offset)));
}

Result<SpillFile::Block> SpillFile::Read(const Block& block, char* bytes) {
  RELCACHE_TRY(ReadAll(bytes, block.bytes, block.offset));
  Head head;
  std::memcpy(&head, bytes, sizeof head);
  if (head.checksum != BlockChecksum({bytes + kHeadBytes, block.bytes - kHeadBytes}))
    return Fail(ErrorCode::kIo, "XX001",
                Format("invalid checksum in temporary file at offset {}", block.offset));
  return Block{head.next_offset, static_cast<std::uint32_t>(head.next_bytes)};
}

SpillWriter::SpillWriter(SpillFile& file, std::span<SpillRun> runs, std::size_t buffer_bytes,
                         MemoryContext& buffers)
    : file_(file),
      runs_(runs),
      buffer_bytes_(buffer_bytes),
      buffers_(buffers.NewArray<Buffer>(runs.size())),
      buffers_cx_(buffers) {
  const std::size_t block_bytes = SpillFile::kHeadBytes + buffer_bytes;
  char* block = static_cast<char*>(buffers.AllocateHuge(runs.size() * block_bytes));
  for (Buffer& buffer : buffers_) {
    buffer = {block, 0};
    block += block_bytes;
  }
}

Status SpillWriter::Chain(std::size_t run, const SpillFile::Block& block) {
  SpillRun& to = runs_[run];
  if (to.last_.bytes == 0) {
    to.first_ = block;
  } else {
    RELCACHE_TRY(file_.Link(to.last_, block));
  }
  // The link to this block is written into the previous one on disk. Keeping a list in memory
  // instead would let the memory grow with the file.
  to.last_ = block;
  to.bytes_ += block.bytes - SpillFile::kHeadBytes;
  to.largest_ = std::max<std::size_t>(to.largest_, block.bytes);
  return {};
}

Status SpillWriter::Flush(std::size_t run) {
  Buffer& buffer = buffers_[run];
  if (buffer.used == 0) return {};
  RELCACHE_ASSIGN(const SpillFile::Block block,
                  file_.Append({buffer.block, SpillFile::kHeadBytes + buffer.used}));
  buffer.used = 0;
  return Chain(run, block);
}

Status SpillWriter::Add(std::size_t run, const StoredRow* row, std::size_t size) {
  StoredRow* room = TryAdd(run, size);
  if (room == nullptr) {
    RELCACHE_TRY(Flush(run));
    if (IsLong(size)) {
      RELCACHE_ASSIGN(
          const SpillFile::Block block,
          file_.AppendLong({reinterpret_cast<const char*>(&row->hash), size - kLeftOut}));
      ++runs_[run].rows_;
      return Chain(run, block);
    }
    room = TryAdd(run, size);
  }
  std::memcpy(&room->hash, &row->hash, size - kLeftOut);
  return {};
}

// Rows are written in groups, column by column, because RowLayout::Write is fast only for many
// rows. A group ends when a buffer is full, since flushing needs the rows written.
Status SpillWriter::AddRows(RowLayout& layout, const ColumnBatch& batch,
                            std::span<const std::uint32_t> selection, const std::uint64_t* hashes,
                            const HashPartition& partition, const std::uint8_t* matchable) {
  sizes_.resize(selection.size());
  rows_.resize(selection.size());
  RELCACHE_TRY(layout.Measure(batch, selection, sizes_.data()));
  std::size_t written = 0;
  const auto write_until = [&](std::size_t end) {
    const auto group = selection.subspan(written, end - written);
    layout.Write(batch, group, hashes, sizes_.data() + written, rows_.data() + written);
    if (matchable != nullptr) layout.MarkUnmatchable(group, matchable, rows_.data() + written);
    written = end;
  };
  for (std::size_t i = 0; i < selection.size(); ++i) {
    const std::size_t run = partition.Of(hashes[selection[i]]);
    if (IsLong(sizes_[i])) {
      rows_[i] = static_cast<StoredRow*>(buffers_cx_.Allocate(sizes_[i]));
      write_until(i + 1);
      const Status added = Add(run, rows_[i], sizes_[i]);
      buffers_cx_.Free(rows_[i]);
      RELCACHE_TRY(added);
      continue;
    }
    rows_[i] = TryAdd(run, sizes_[i]);
    if (rows_[i] != nullptr) continue;
    write_until(i);
    RELCACHE_TRY(Flush(run));
    rows_[i] = TryAdd(run, sizes_[i]);
  }
  write_until(selection.size());
  return {};
}

Status SpillWriter::FlushAll() {
  for (std::size_t run = 0; run < runs_.size(); ++run) RELCACHE_TRY(Flush(run));
  return {};
}

SpillReader::SpillReader(SpillFile& file, const SpillRun& run, const RowLayout& layout,
                         MemoryContext& cx)
    : file_(file), layout_(layout), next_(run.first_) {
  if (run.largest_ != 0) buffer_ = static_cast<char*>(cx.AllocateHuge(run.largest_));
}

Result<std::size_t> SpillReader::Next(std::span<StoredRow*> rows) {
  if (at_ == end_) {
    if (next_.bytes == 0) return 0;
    const SpillFile::Block block = next_;
    next_ = {};
    RELCACHE_ASSIGN(next_, file_.Read(block, buffer_));
    at_ = SpillFile::kHeadBytes;
    end_ = block.bytes;
  }
  std::size_t n = 0;
  while (n < rows.size() && at_ < end_) {
    StoredRow* row = reinterpret_cast<StoredRow*>(buffer_ + at_ - SpillWriter::kLeftOut);
    at_ += layout_.SizeOf(row) - SpillWriter::kLeftOut;
    rows[n++] = row;
  }
  return n;
}

}  // namespace relcache
