// Files of trees, plain or gzip. A line is a tree as psql -At prints it, or a JSON object with
// "tree" and, where it differs, "pg".
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "relcache/base/result.h"

namespace relcache::tools {

/// One tree of a file.
struct TreeLine {
  std::size_t line = 0;  ///< from 1
  int pg_version = 0;
  std::string_view tree;
};

/// Calls `use` for every line but empty ones; "-" is standard input. The text of a line lives until
/// the next.
/// Errors: a file that cannot be read, or that is compressed and ends too early; the first line
/// that begins no tree and is no JSON object with a "tree" and, if any, a "pg" that is an integer.
/// What came before was used.
Status ForEachTree(const std::string& file, int default_version,
                   const std::function<void(const TreeLine&)>& use);

/// The same for the content of a file that has been read.
Status ForEachTreeIn(std::string_view content, const std::string& file, int default_version,
                     const std::function<void(const TreeLine&)>& use);

/// The whole of a file, unpacked; "-" is standard input.
Result<std::string> ReadWholeFile(const std::string& file);

}  // namespace relcache::tools
