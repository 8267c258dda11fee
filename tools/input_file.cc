#include "relcache/tools/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace relcache::tools {
namespace {

Error IoError(const std::string& file, const char* what) {
  return Error(ErrorCode::kIo, "58030", what).At(file);
}

/// The bytes of a file as they are.
class PlainFile final : public ByteSource {
 public:
  PlainFile(std::string name, int fd, InputProgress& progress)
      : name_(std::move(name)), fd_(fd), progress_(progress) {
    struct stat about {};
    if (fstat(fd_, &about) == 0 && S_ISREG(about.st_mode))
      progress_.size = static_cast<std::uint64_t>(about.st_size);
  }
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;
  ~PlainFile() override {
    if (fd_ != STDIN_FILENO) close(fd_);
  }
  Result<std::size_t> Read(std::span<char> into) override {
    for (;;) {
      const ssize_t n = read(fd_, into.data(), into.size());
      if (n >= 0) {
        progress_.bytes += static_cast<std::uint64_t>(n);
        return static_cast<std::size_t>(n);
      }
      if (errno != EINTR) return Fail(IoError(name_, std::strerror(errno)));
    }
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  int fd_;
  InputProgress& progress_;
};

/// A file from its beginning again, although the first bytes were read already.
class Rewound final : public ByteSource {
 public:
  Rewound(std::unique_ptr<PlainFile> file, std::string head)
      : file_(std::move(file)), head_(std::move(head)) {}
  Result<std::size_t> Read(std::span<char> into) override {
    if (at_ == head_.size()) return file_->Read(into);
    const std::size_t n = std::min(into.size(), head_.size() - at_);
    std::memcpy(into.data(), head_.data() + at_, n);
    at_ += n;
    return n;
  }
  const std::string& name() const { return file_->name(); }

 private:
  std::unique_ptr<PlainFile> file_;
  std::string head_;
  std::size_t at_ = 0;
};

constexpr std::size_t kPacked = std::size_t{128} << 10;

/// gzip, also several members one after the other.
class GzipFile final : public ByteSource {
 public:
  explicit GzipFile(Rewound file) : file_(std::move(file)) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    ready_ = inflateInit2(&stream_, kGzipOnly) == Z_OK;
  }
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;
  ~GzipFile() override { inflateEnd(&stream_); }

  Result<std::size_t> Read(std::span<char> into) override {
    if (!ready_) return Fail(IoError(file_.name(), "zlib could not be started"));
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(into.size(), 1U << 30));
    const uInt room = stream_.avail_out;
    while (stream_.avail_out == room) {
      if (stream_.avail_in == 0) {
        RELCACHE_ASSIGN(const std::size_t n, file_.Read(packed_));
        if (n == 0) {
          if (in_member_) return Fail(IoError(file_.name(), "unexpected end of a compressed file"));
          return std::size_t{0};
        }
        stream_.next_in = reinterpret_cast<Bytef*>(packed_);
        stream_.avail_in = static_cast<uInt>(n);
      }
      in_member_ = true;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      if (code == Z_STREAM_END) {
        in_member_ = false;
        inflateReset(&stream_);
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        return Fail(IoError(file_.name(), stream_.msg != nullptr ? stream_.msg : "damaged data"));
      }
    }
    return static_cast<std::size_t>(room - stream_.avail_out);
  }

 private:
  Rewound file_;
  z_stream stream_{};
  bool ready_ = false;
  bool in_member_ = false;
  char packed_[kPacked];
};

/// zstd, also several frames one after the other.
class ZstdFile final : public ByteSource {
 public:
  explicit ZstdFile(Rewound file) : file_(std::move(file)), stream_(ZSTD_createDStream()) {}
  ZstdFile(const ZstdFile&) = delete;
  ZstdFile& operator=(const ZstdFile&) = delete;
  ~ZstdFile() override { ZSTD_freeDStream(stream_); }

  Result<std::size_t> Read(std::span<char> into) override {
    if (stream_ == nullptr) return Fail(IoError(file_.name(), "zstd could not be started"));
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !full_) {
        RELCACHE_ASSIGN(const std::size_t n, file_.Read(packed_));
        if (n == 0) {
          if (in_frame_) return Fail(IoError(file_.name(), "unexpected end of a compressed file"));
          return std::size_t{0};
        }
        in_ = {packed_, n, 0};
      }
      const std::size_t code = ZSTD_decompressStream(stream_, &out, &in_);
      if (ZSTD_isError(code) != 0) return Fail(IoError(file_.name(), ZSTD_getErrorName(code)));
      in_frame_ = code != 0;
      full_ = out.pos == out.size && code != 0;
    }
    return out.pos;
  }

 private:
  Rewound file_;
  ZSTD_DStream* stream_;
  ZSTD_inBuffer in_{packed_, 0, 0};
  bool in_frame_ = false;
  /// Whether the last call may have kept bytes for which there was no room.
  bool full_ = false;
  char packed_[kPacked];
};

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenInput(const std::string& file, InputProgress& progress) {
  const int fd = file == "-" ? STDIN_FILENO : open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Fail(IoError(file, std::strerror(errno)));
  auto plain = std::make_unique<PlainFile>(file, fd, progress);
  std::string head(4, '\0');
  std::size_t size = 0;
  while (size < head.size()) {
    RELCACHE_ASSIGN(const std::size_t n, plain->Read({head.data() + size, head.size() - size}));
    if (n == 0) break;
    size += n;
  }
  head.resize(size);
  const bool gzip = head.starts_with("\x1f\x8b");
  const bool zstd = head == "\x28\xb5\x2f\xfd";
  Rewound rewound(std::move(plain), std::move(head));
  if (gzip) return std::unique_ptr<ByteSource>(new GzipFile(std::move(rewound)));
  if (zstd) return std::unique_ptr<ByteSource>(new ZstdFile(std::move(rewound)));
  return std::unique_ptr<ByteSource>(new Rewound(std::move(rewound)));
}

}  // namespace relcache::tools
