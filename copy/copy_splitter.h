// Cuts a file in COPY's format into chunks of whole lines, which threads can then read
// independently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "relcache/base/result.h"
#include "relcache/copy/byte_source.h"
#include "relcache/copy/copy_options.h"

namespace relcache {

/// How the lines of a file end.
enum class LineEnding : std::uint8_t { kUnknown, kLf, kCr, kCrLf };

/// Whole lines of a file, in UTF-8 or what was taken for it. The buffer is used again for the next
/// chunk that is read into it.
struct CopyChunk {
  std::unique_ptr<char[]> buffer;
  std::size_t capacity = 0;
  std::size_t size = 0;
  /// Counts from 0.
  std::uint64_t number = 0;
  LineEnding line_ending = LineEnding::kUnknown;
  /// Whether the file ends here, so that the last line need not have an end.
  bool is_last = false;
};

/// Reads a file and cuts it. All of it is strictly sequential, and fast: it counts quotes and looks
/// for one end of a line per chunk. Only CSV whose ESCAPE is not its QUOTE is read byte by byte.
/// Lifetime: the source must outlive it.
/// Thread safety: one thread at a time.
class CopySplitter {
 public:
  static constexpr std::size_t kChunkBytes = std::size_t{256} << 10;
  /// The greatest line, as in PostgreSQL.
  static constexpr std::size_t kMaxLine = (std::size_t{1} << 30) - 1;

  CopySplitter(ByteSource& source, CopySyntax syntax, std::size_t chunk_bytes = kChunkBytes);

  /// Reads the next chunk. Returns false at the end of the file. The header line is not part of a
  /// chunk.
  /// Errors: those of the source; SQLSTATE 54000 "out of memory" for a line that is too long. After
  /// an error nothing more can be read.
  Result<bool> Next(CopyChunk& chunk);

  /// The header line without its end, if there was one. Set by the first call of Next.
  const std::optional<std::string>& header() const { return header_; }
  /// What is wrong with the ends of the header line, or nullptr.
  const char* header_fault() const { return header_fault_; }

 private:
  Status Fill(CopyChunk& chunk);
  Status FirstLine(CopyChunk& chunk);
  std::size_t LastLineEnd(const CopyChunk& chunk);
  std::size_t LastLineEndOfText(const CopyChunk& chunk) const;
  std::size_t LastLineEndOfCsv(const CopyChunk& chunk);
  std::size_t LastLineEndByState(const CopyChunk& chunk);
  char Terminator() const { return line_ending_ == LineEnding::kCr ? '\r' : '\n'; }

  ByteSource& source_;
  const CopySyntax syntax_;
  const std::size_t chunk_bytes_;
  std::string tail_;
  std::string encoded_;
  bool at_end_ = false;
  bool started_ = false;
  std::uint64_t next_number_ = 0;
  LineEnding line_ending_ = LineEnding::kUnknown;
  std::optional<std::string> header_;
  const char* header_fault_ = nullptr;

  // The state of the scan of the present chunk.
  std::size_t scanned_ = 0;
  std::size_t quotes_ = 0;
  std::size_t last_end_ = 0;
  bool in_quote_ = false;
  bool last_was_escape_ = false;
};

}  // namespace relcache
