// What went wrong, for a person and for a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace relcache {

/// Which kind of failure an Error is, for the code that must react to it. The SQLSTATE says it in
/// PostgreSQL's terms.
enum class ErrorCode : std::uint8_t {
  kNotFound,      ///< the named thing does not exist
  kInvalidInput,  ///< a text, file or value is malformed
  kNotSupported,  ///< well-formed, but relcache does not know it: refused rather than guessed
  kLimit,         ///< a bound on depth, nodes, bytes or time was reached
  kEvaluation,    ///< evaluating an expression failed as it would in PostgreSQL (division by zero
                  ///< ...)
  kViolation,     ///< a row breaks a constraint
  kSource,        ///< a catalog source failed to deliver
  kIo,            ///< a file could not be read or written
};

/// The name of a code: "not found", "invalid input" ...
std::string_view ErrorCodeName(ErrorCode code);

/// A failure as PostgreSQL would report it: message, detail, SQLSTATE; and where in the input it
/// was found. Lifetime: owns its strings. Thread safety: a value.
struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::kInvalidInput;
  /// Five characters, PostgreSQL's errcodes.txt.
  char sqlstate[6] = "XX000";
  /// One line without a full stop, in PostgreSQL's words where PostgreSQL has some.
  std::string message;
  /// PostgreSQL's DETAIL line, or empty.
  std::string detail;
  /// Where: a file, a field, a node. Empty when the caller knows.
  std::string place;
  /// Byte offset into the text that was read.
  std::optional<std::size_t> offset;

  Error() = default;
  Error(ErrorCode error_code, std::string_view state, std::string text);

  /// Everything in one line: "place: message at byte N (detail)".
  std::string ToString() const;

  /// The same error, found at a place further out: "file.json: relations[3].conbin".
  Error&& At(std::string_view outer) &&;
  Error&& WithDetail(std::string text) &&;
  Error&& WithOffset(std::size_t byte) &&;
};

/// kNotSupported, SQLSTATE 0A000, "not supported: WHAT".
Error NotSupported(std::string_view what);

}  // namespace relcache
