// Files with rows, as they are or compressed by gzip or zstd.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "relcache/base/result.h"
#include "relcache/copy/byte_source.h"

namespace relcache::tools {

/// How far a file has been read, for a progress display on another thread.
struct InputProgress {
  std::atomic<std::uint64_t> bytes{0};  ///< of the file, compressed as it may be
  std::uint64_t size = 0;               ///< 0 if it is not known
};

/// Opens a file, or standard input for "-". The first bytes tell whether it is compressed.
/// Errors: kIo, also for compressed data that is damaged or cut off.
Result<std::unique_ptr<ByteSource>> OpenInput(const std::string& file, InputProgress& progress);

}  // namespace relcache::tools
