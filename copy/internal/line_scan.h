// Finds the end of one line of a file byte by byte, exactly as COPY FROM does it
// (CopyReadLineText), and takes a line apart into its fields (CopyReadAttributesText and
// CopyReadAttributesCSV). Readers use it where the fast way does not apply: for the first line, for
// lines with escapes or end markers, and for CSV with an ESCAPE of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/copy/copy_options.h"
#include "relcache/memory/memory_context.h"

namespace relcache::internal {

/// How lines end; the first line decides for the whole file.
enum class LineEnd : std::uint8_t { kUnknown, kLf, kCr, kCrLf };

struct ScannedLine {
  enum class Outcome : std::uint8_t {
    kLine,
    kNeedMore,   ///< the line goes on behind the bytes that are there
    kEndMarker,  ///< \. was found; what precedes it on the line is a last line unless it is empty
  };
  Outcome outcome = Outcome::kLine;
  /// The bytes of the line without its end, and the offset of the next line.
  std::size_t size = 0;
  std::size_t next = 0;
  /// The ends of lines within quotes, which count as lines.
  std::uint32_t newlines = 0;
  /// The message of what is wrong with the line (SQLSTATE 22P04), or nullptr.
  const char* fault = nullptr;
  /// Its offset in the line.
  std::size_t fault_at = 0;
};

/// Scans the line with which `data` begins. `at_end` says that nothing follows behind `data`, which
/// must not be empty then. `line_end` is set by the first line. A line with a fault ends where the
/// line would end without it.
ScannedLine ScanLine(const CopySyntax& syntax, std::string_view data, bool at_end,
                     LineEnd& line_end);

/// One field of a line. `data` is nullptr for NULL.
struct Field {
  const char* data = nullptr;
  std::uint32_t size = 0;
  std::string_view text() const { return {data, size}; }
};

/// Takes a line apart. Fields without escapes point into the line, others into cx.
/// Errors: SQLSTATE 22P04 "unterminated CSV quoted field"; 22021 for escapes that make no text.
Status SplitLine(const CopySyntax& syntax, std::string_view line, std::vector<Field>& fields,
                 MemoryContext& cx);
/// One field of text format, whose bytes contain a backslash. `raw` has no delimiter in it.
Result<Field> UnescapeText(const CopySyntax& syntax, std::string_view raw, MemoryContext& cx);
/// One field of CSV, whose bytes contain a quote.
Result<Field> UnquoteCsv(const CopySyntax& syntax, std::string_view raw, MemoryContext& cx);

/// The error of a malformed line.
Error BadFormat(std::string message);

}  // namespace relcache::internal
