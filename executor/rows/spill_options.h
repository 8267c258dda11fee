// SpillOptions says where operators write the rows that do not fit into their memory limit
// ("spilling"). PostgreSQL writes such rows to temporary files too (buffile.c), in the directory
// base/pgsql_tmp.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace relcache {

/// The calls to the operating system, as virtual functions so that a test can make them fail. Each
/// returns the result of the system call, or -errno.
/// Thread safety: any thread may make any call; System() is shared by all operators.
class SpillFileLayer {
 public:
  virtual ~SpillFileLayer() = default;
  /// Opens a file without a name for reading and writing. It is deleted when it is closed.
  virtual int OpenTemporary(const std::string& directory);
  /// Write at most `n` bytes at the byte `offset`, or read them from there, and return how many
  /// were written or read. This may be fewer than `n`; the caller continues. 0 means that the
  /// device is full or that the file has ended.
  virtual ssize_t Write(int fd, const void* bytes, std::size_t n, std::int64_t offset);
  virtual ssize_t Read(int fd, void* bytes, std::size_t n, std::int64_t offset);
  virtual void Close(int fd);

  /// The real calls.
  /// Lifetime: that of the process.
  static SpillFileLayer& System();
};

/// The directory for temporary files, and how they are accessed.
struct SpillOptions {
  /// Empty means the value of $TMPDIR or, without it, /tmp.
  std::string directory;
  /// Must outlive the operator.
  SpillFileLayer* files = &SpillFileLayer::System();
};

}  // namespace relcache
