#include "relcache/copy/copy_splitter.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/copy/internal/line_scan.h"
#include "relcache/copy/internal/structural_index.h"

namespace relcache {
namespace {

/// Makes room for at least so many bytes and for what is read beyond the end, and keeps the
/// content.
void Reserve(CopyChunk& chunk, std::size_t capacity) {
  if (capacity <= chunk.capacity) return;
  auto bigger = std::make_unique_for_overwrite<char[]>(capacity + internal::kIndexPadding);
  if (chunk.size > 0) std::memcpy(bigger.get(), chunk.buffer.get(), chunk.size);
  chunk.buffer = std::move(bigger);
  chunk.capacity = capacity;
}

}  // namespace

CopySplitter::CopySplitter(ByteSource& source, CopySyntax syntax, std::size_t chunk_bytes)
    : source_(source), syntax_(std::move(syntax)), chunk_bytes_(chunk_bytes) {}

/// Reads until the buffer is full or the file ends.
Status CopySplitter::Fill(CopyChunk& chunk) {
  while (!at_end_ && chunk.size < chunk.capacity) {
    const std::size_t room = chunk.capacity - chunk.size;
    if (syntax_.encoding == CopyEncoding::kUtf8) {
      RELCACHE_ASSIGN(const std::size_t n, source_.Read({chunk.buffer.get() + chunk.size, room}));
      at_end_ = n == 0;
      chunk.size += n;
      continue;
    }
    if (room < 2) return {};
    // A character of LATIN1 takes at most two bytes in UTF-8.
    encoded_.resize(room / 2);
    RELCACHE_ASSIGN(const std::size_t n, source_.Read(encoded_));
    at_end_ = n == 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto c = static_cast<unsigned char>(encoded_[i]);
      if (c >= 0x80) chunk.buffer[chunk.size++] = static_cast<char>(0xc0 | (c >> 6));
      chunk.buffer[chunk.size++] = static_cast<char>(c < 0x80 ? c : 0x80 | (c & 0x3f));
    }
  }
  return {};
}

/// The first line decides how lines end. A header line is taken out of the chunk.
Status CopySplitter::FirstLine(CopyChunk& chunk) {
  for (;;) {
    if (chunk.size == 0) return {};
    auto line_end = internal::LineEnd::kUnknown;
    const internal::ScannedLine line =
        internal::ScanLine(syntax_, {chunk.buffer.get(), chunk.size}, at_end_, line_end);
    if (line.outcome == internal::ScannedLine::Outcome::kNeedMore) {
      if (chunk.size > kMaxLine) return Fail(ErrorCode::kLimit, "54000", "out of memory");
      Reserve(chunk, chunk.capacity * 2);
      RELCACHE_TRY(Fill(chunk));
      continue;
    }
    line_ending_ = static_cast<LineEnding>(line_end);
    if (syntax_.header == CopyHeader::kNone) return {};
    header_.emplace(chunk.buffer.get(), line.size);
    header_fault_ = line.fault;
    const bool ends = line.outcome == internal::ScannedLine::Outcome::kEndMarker;
    const std::size_t rest = ends ? 0 : chunk.size - line.next;
    std::memmove(chunk.buffer.get(), chunk.buffer.get() + line.next, rest);
    chunk.size = rest;
    if (ends) at_end_ = true;
    return ends ? Status() : Fill(chunk);
  }
}

Result<bool> CopySplitter::Next(CopyChunk& chunk) {
  chunk.size = 0;
  scanned_ = quotes_ = last_end_ = 0;
  in_quote_ = last_was_escape_ = false;
  Reserve(chunk, std::max(chunk_bytes_, tail_.size() * 2));
  if (!tail_.empty()) std::memcpy(chunk.buffer.get(), tail_.data(), tail_.size());
  chunk.size = tail_.size();
  tail_.clear();
  RELCACHE_TRY(Fill(chunk));
  if (!std::exchange(started_, true)) RELCACHE_TRY(FirstLine(chunk));
  if (chunk.size == 0) return false;
  while (!at_end_) {
    if (const std::size_t end = LastLineEnd(chunk); end > 0) {
      tail_.assign(chunk.buffer.get() + end, chunk.size - end);
      chunk.size = end;
      break;
    }
    if (chunk.size > kMaxLine)
      return Fail(Error(ErrorCode::kLimit, "54000", "out of memory")
                      .WithDetail(Format("Cannot enlarge string buffer containing {} bytes by {} "
                                         "more bytes.",
                                         kMaxLine, 1)));
    Reserve(chunk, chunk.capacity * 2);
    RELCACHE_TRY(Fill(chunk));
  }
  std::memset(chunk.buffer.get() + chunk.size, 0, internal::kIndexPadding);
  chunk.number = next_number_++;
  chunk.line_ending = line_ending_;
  chunk.is_last = at_end_ && tail_.empty();
  return true;
}

/// Behind the last line that ends in the chunk, or 0.
std::size_t CopySplitter::LastLineEnd(const CopyChunk& chunk) {
  if (!syntax_.csv) return LastLineEndOfText(chunk);
  return syntax_.escape == syntax_.quote ? LastLineEndOfCsv(chunk) : LastLineEndByState(chunk);
}

/// An end of a line with an odd number of backslashes before it is part of a value.
std::size_t CopySplitter::LastLineEndOfText(const CopyChunk& chunk) const {
  const char* const bytes = chunk.buffer.get();
  const char terminator = Terminator();
  for (std::size_t at = chunk.size; at > 0; --at) {
    if (bytes[at - 1] != terminator) continue;
    std::size_t backslashes = 0;
    while (backslashes + 1 < at && bytes[at - 2 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at;
  }
  return 0;
}

/// A place is within quotes if the number of quotes before it is odd.
std::size_t CopySplitter::LastLineEndOfCsv(const CopyChunk& chunk) {
  const char* const bytes = chunk.buffer.get();
  const char terminator = Terminator();
  quotes_ += internal::CountBytes(bytes + scanned_, chunk.size - scanned_, syntax_.quote);
  scanned_ = chunk.size;
  std::size_t before = quotes_;
  for (std::size_t at = chunk.size; at > 0; --at) {
    const char c = bytes[at - 1];
    if (c == syntax_.quote) --before;
    if (c == terminator && before % 2 == 0) return at;
  }
  return 0;
}

std::size_t CopySplitter::LastLineEndByState(const CopyChunk& chunk) {
  const char* const bytes = chunk.buffer.get();
  const char terminator = Terminator();
  for (; scanned_ < chunk.size; ++scanned_) {
    const char c = bytes[scanned_];
    if (in_quote_ && c == syntax_.escape) last_was_escape_ = !last_was_escape_;
    if (c == syntax_.quote && !last_was_escape_) in_quote_ = !in_quote_;
    if (c != syntax_.escape) last_was_escape_ = false;
    if (c == terminator && !in_quote_) {
      last_end_ = scanned_ + 1;
      last_was_escape_ = false;
    }
  }
  return last_end_;
}

}  // namespace relcache
