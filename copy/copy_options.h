// The options of COPY FROM that say how a file is to be read (PostgreSQL's ProcessCopyOptions), and
// which columns of a table a file has values for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "relcache/base/oid.h"
#include "relcache/base/result.h"
#include "relcache/cache/relation_descriptor.h"

namespace relcache {

enum class CopyFormat : std::uint8_t { kText, kCsv };
/// HEADER: whether the first line has names of columns, and whether they must be the right ones.
enum class CopyHeader : std::uint8_t { kNone, kSkip, kMatch };

/// The options as a user gives them. What is not given has COPY's default.
struct CopyOptions {
  CopyFormat format = CopyFormat::kText;
  CopyHeader header = CopyHeader::kNone;
  /// NULL: \N in text, nothing in CSV.
  std::optional<std::string> null_text;
  /// DELIMITER: a tab in text, a comma in CSV.
  std::optional<std::string> delimiter;
  /// QUOTE and ESCAPE, for CSV only: a double quote, and the same as QUOTE.
  std::optional<std::string> quote, escape;
  /// ENCODING of the file.
  std::string encoding = "UTF8";
  /// The columns that the file has values for, by name and in order; empty: all that COPY writes.
  std::vector<std::string> columns;
  /// FORCE_NULL and FORCE_NOT_NULL, for CSV only: columns by name.
  std::vector<std::string> force_null, force_not_null;
};

/// The encodings of files that can be read.
enum class CopyEncoding : std::uint8_t { kUtf8, kLatin1 };

/// Options that were found to be valid, in the form in which a reader uses them.
struct CopySyntax {
  bool csv = false;
  CopyHeader header = CopyHeader::kNone;
  char delimiter = '\t';
  char quote = '"';
  char escape = '"';
  std::string null_text = "\\N";
  CopyEncoding encoding = CopyEncoding::kUtf8;
};

/// Checks options in the order in which PostgreSQL does it.
/// Errors: PostgreSQL's, such as SQLSTATE 0A000 "COPY delimiter must be a single one-byte
/// character" and 22023 "COPY delimiter and quote must be different"; 22023 `argument to option
/// "encoding" must be a valid encoding name`; kNotSupported for an encoding that is not UTF8,
/// SQL_ASCII (which is read as UTF8) or LATIN1.
Result<CopySyntax> MakeCopySyntax(const CopyOptions& options);

/// The columns of a table that a file has values for, in the order of the file.
struct CopyColumns {
  std::vector<AttrNumber> attnums;
  /// For each of them whether FORCE_NULL or FORCE_NOT_NULL names it.
  std::vector<bool> force_null, force_not_null;
  /// The text of NULL, which these two options compare with.
  std::string null_text;
};

/// The columns of a relation that the options choose: those that they name, or all that are neither
/// dropped nor generated.
/// Errors: SQLSTATE 42703 `column "x" of relation "t" does not exist`, 42701 `column "x" specified
/// more than once`, 42P10 `column "x" is a generated column`, 42P10 `FORCE_NULL column "x" not
/// referenced by COPY`.
Result<CopyColumns> ChooseCopyColumns(const RelationDescriptor& relation,
                                      const CopyOptions& options);

}  // namespace relcache
