#include "relcache/executor/spill_file.h"

#include <fcntl.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace relcache {
namespace {

// Interrupted this often in a row without progress, a call is taken to have failed.
constexpr int kMaxInterrupts = 100;

std::string ErrnoText(int number) {
  return std::generic_category().message(number);
}

tl::unexpected<Error> IoError(const char* what, int number) {
  const bool full = number == ENOSPC || number == EDQUOT || number == EFBIG;
  return Fail(ErrorCode::kIo, full ? "53100" : "58030",
              std::string("could not ") + what + " temporary file: " + ErrnoText(number));
}

std::uint64_t Checksum(std::span<const char> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string TemporaryDirectory(const std::string& wanted) {
  if (!wanted.empty()) return wanted;
  const char* environment = std::getenv("TMPDIR");
  return environment != nullptr && *environment != '\0' ? environment : "/tmp";
}

}  // namespace

int FileLayer::OpenTemporary(const std::string& directory) {
#ifdef O_TMPFILE
  const int fd = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
    return fd >= 0 ? fd : -errno;
#endif
  // A file system without nameless files: the name lives for two calls.
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

ssize_t FileLayer::Write(int fd, const void* bytes, std::size_t n, std::int64_t offset) {
  const ssize_t written = ::pwrite(fd, bytes, n, offset);
  return written >= 0 ? written : -errno;
}

ssize_t FileLayer::Read(int fd, void* bytes, std::size_t n, std::int64_t offset) {
  const ssize_t got = ::pread(fd, bytes, n, offset);
  return got >= 0 ? got : -errno;
}

void FileLayer::Close(int fd) {
  ::close(fd);
}

FileLayer& FileLayer::System() {
  static FileLayer system;
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
    // A device that takes nothing and says nothing is full (PostgreSQL reads it so too).
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
                  "could not read from temporary file: read only " + std::to_string(wanted - n) +
                      " of " + std::to_string(wanted) + " bytes");
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

Result<std::int64_t> SpillFile::Append(std::span<char> block) {
  RELCACHE_TRY(Open());
  const std::uint64_t checksum = Checksum(block.subspan(kHeadBytes));
  std::memcpy(block.data(), &checksum, sizeof checksum);
  const std::int64_t offset = end_;
  RELCACHE_TRY(WriteAll(block.data(), block.size(), offset));
  end_ += static_cast<std::int64_t>(block.size());
  return offset;
}

Result<std::int64_t> SpillFile::AppendLong(std::span<const char> bytes) {
  RELCACHE_TRY(Open());
  const std::uint64_t checksum = Checksum(bytes);
  char head[kHeadBytes];
  std::memcpy(head, &checksum, sizeof head);
  const std::int64_t offset = end_;
  RELCACHE_TRY(WriteAll(head, sizeof head, offset));
  RELCACHE_TRY(
      WriteAll(bytes.data(), bytes.size(), offset + static_cast<std::int64_t>(kHeadBytes)));
  end_ += static_cast<std::int64_t>(kHeadBytes + bytes.size());
  return offset;
}

Status SpillFile::Read(std::int64_t offset, std::span<char> block) {
  RELCACHE_TRY(ReadAll(block.data(), block.size(), offset));
  std::uint64_t checksum;
  std::memcpy(&checksum, block.data(), sizeof checksum);
  if (checksum != Checksum(block.subspan(kHeadBytes)))
    return Fail(ErrorCode::kIo, "XX001",
                "invalid checksum in temporary file at offset " + std::to_string(offset));
  return {};
}

SpillWriter::SpillWriter(SpillFile& file, std::span<SpillRun> runs, std::size_t buffer_bytes,
                         MemoryContext& buffers, MemoryContext& lists)
    : file_(file),
      runs_(runs),
      buffer_bytes_(buffer_bytes),
      buffers_(buffers.NewArray<Buffer>(runs.size())),
      lists_(lists) {
  const std::size_t block_bytes = SpillFile::kHeadBytes + buffer_bytes;
  char* block = static_cast<char*>(buffers.AllocateHuge(runs.size() * block_bytes));
  for (Buffer& buffer : buffers_) {
    buffer = {block, 0};
    block += block_bytes;
  }
}

void SpillWriter::Note(std::size_t run, std::int64_t offset, std::size_t bytes) {
  SpillRun& to = runs_[run];
  to.last_->blocks[to.last_->count++] = {offset, static_cast<std::uint32_t>(bytes)};
  to.bytes_ += bytes;
  to.largest_ = std::max(to.largest_, bytes);
}

void SpillWriter::MakeRoomInList(std::size_t run) {
  SpillRun& to = runs_[run];
  if (to.last_ != nullptr && to.last_->count < std::size(to.last_->blocks)) return;
  auto* blocks = lists_.New<SpillRun::Blocks>();
  (to.last_ == nullptr ? to.first_ : to.last_->next) = blocks;
  to.last_ = blocks;
}

Status SpillWriter::Flush(std::size_t run) {
  Buffer& buffer = buffers_[run];
  if (buffer.used == 0) return {};
  MakeRoomInList(run);
  const std::size_t used = buffer.used;
  RELCACHE_ASSIGN(const std::int64_t offset,
                  file_.Append({buffer.block, SpillFile::kHeadBytes + used}));
  Note(run, offset, used);
  buffer.used = 0;
  return {};
}

Status SpillWriter::Add(std::size_t run, const StoredRow* row, std::size_t size) {
  StoredRow* room = TryAdd(run, size);
  if (room == nullptr) {
    RELCACHE_TRY(Flush(run));
    if (IsLong(size)) {
      MakeRoomInList(run);
      RELCACHE_ASSIGN(const std::int64_t offset,
                      file_.AppendLong({reinterpret_cast<const char*>(row), size}));
      Note(run, offset, size);
      ++runs_[run].rows_;
      return {};
    }
    room = TryAdd(run, size);
  }
  std::memcpy(static_cast<void*>(room), row, size);
  return {};
}

Status SpillWriter::FlushAll() {
  for (std::size_t run = 0; run < runs_.size(); ++run) RELCACHE_TRY(Flush(run));
  return {};
}

SpillReader::SpillReader(SpillFile& file, const SpillRun& run, const RowLayout& layout,
                         MemoryContext& cx)
    : file_(file), layout_(layout), blocks_(run.first_) {
  if (run.largest_ != 0)
    buffer_ = static_cast<char*>(cx.AllocateHuge(SpillFile::kHeadBytes + run.largest_));
}

Result<std::size_t> SpillReader::Next(std::span<StoredRow*> rows) {
  if (at_ == end_) {
    if (blocks_ != nullptr && next_block_ == blocks_->count) {
      blocks_ = blocks_->next;
      next_block_ = 0;
    }
    if (blocks_ == nullptr) return 0;
    const SpillRun::Block& block = blocks_->blocks[next_block_++];
    end_ = at_ = SpillFile::kHeadBytes;
    RELCACHE_TRY(file_.Read(block.offset, {buffer_, SpillFile::kHeadBytes + block.bytes}));
    end_ += block.bytes;
  }
  std::size_t n = 0;
  while (n < rows.size() && at_ < end_) {
    StoredRow* row = reinterpret_cast<StoredRow*>(buffer_ + at_);
    at_ += layout_.SizeOf(row);
    rows[n++] = row;
  }
  return n;
}

}  // namespace relcache
