// Where rows go that do not fit into memory.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace relcache {

/// The calls to the operating system, so that a test can make them fail. Each returns what the
/// system call does, or -errno.
class SpillFileLayer {
 public:
  virtual ~SpillFileLayer() = default;
  /// Opens a file for reading and writing that has no name: it goes when it is closed.
  virtual int OpenTemporary(const std::string& directory);
  virtual ssize_t Write(int fd, const void* bytes, std::size_t n, std::int64_t offset);
  virtual ssize_t Read(int fd, void* bytes, std::size_t n, std::int64_t offset);
  virtual void Close(int fd);

  static SpillFileLayer& System();
};

/// Where spill files go and how blocks are read and written.
struct SpillOptions {
  /// Empty: $TMPDIR, or /tmp.
  std::string directory;
  SpillFileLayer* files = &SpillFileLayer::System();
};

}  // namespace relcache
