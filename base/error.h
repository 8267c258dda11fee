// Error says what went wrong, with a message for people and codes for programs. It has the parts of
// PostgreSQL's ErrorData (elog.h) that relcache uses. SQLSTATE is the code of five characters by
// which PostgreSQL and the SQL standard classify errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace relcache {

/// The kind of failure, for code that decides how to react. The SQLSTATE of the same error
/// classifies it in PostgreSQL's terms.
enum class ErrorCode : std::uint8_t {
  kNotFound,      ///< the named object does not exist
  kInvalidInput,  ///< a text, file or value is malformed
  kNotSupported,  ///< well-formed, but unknown to relcache, which refuses instead of guessing
  kLimit,         ///< a bound on depth, nodes, bytes or time was reached
  kEvaluation,    ///< an expression failed as it would in PostgreSQL, say by a division by zero
  kViolation,     ///< a row violates a constraint
  kSource,        ///< a catalog source failed to deliver its rows
  kIo,            ///< a file could not be read or written
};

/// The name of a code in words: "not found", "invalid input" and so on.
std::string_view ErrorCodeName(ErrorCode code);

/// A failure as PostgreSQL would report it, with a message, a detail and a SQLSTATE, and in
/// addition the place in the input where it was found.
/// Lifetime: owns its strings.
/// Thread safety: a plain value.
struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::kInvalidInput;
  /// Five characters and a NUL. PostgreSQL lists its codes in errcodes.txt; XX000 is "internal
  /// error".
  char sqlstate[6] = "XX000";
  /// One line without a full stop. Where PostgreSQL has a message for the failure, it is
  /// PostgreSQL's.
  std::string message;
  /// The text of PostgreSQL's DETAIL line, or empty.
  std::string detail;
  /// The place in the input: a file, a field, a node. It is empty when the caller knows the place.
  std::string place;
  /// The byte offset of the fault in the text that was read.
  std::optional<std::size_t> offset;

  Error() = default;
  Error(ErrorCode error_code, std::string_view state, std::string text);

  /// Everything in one line, "place: message at byte N (detail)".
  std::string ToString() const;

  /// Prefixes the place with an outer one: "relations[3].conbin" becomes "file.json:
  /// relations[3].conbin".
  Error&& At(std::string_view outer) &&;
  /// Sets the detail, or the offset.
  Error&& WithDetail(std::string text) &&;
  Error&& WithOffset(std::size_t byte) &&;
};

/// An error of the kind kNotSupported with SQLSTATE 0A000 (feature_not_supported) and the message
/// "not supported: WHAT".
Error NotSupported(std::string_view what);

}  // namespace relcache
