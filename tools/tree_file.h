// Reads files of node trees, plain or compressed with gzip. A line is a tree as psql -At prints it,
// or a JSON object with the members "tree" and, if it differs from the default, "pg" (the major
// version).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "relcache/base/result.h"

namespace relcache::tools {

/// A tree in a file.
struct TreeLine {
  std::size_t line = 0;  ///< from 1
  int pg_version = 0;
  std::string_view tree;
};

/// Calls `use` for every line that is not empty; "-" is standard input. The text of a line is valid
/// until the next one.
/// Errors: for a file that cannot be read, or that is compressed and incomplete; for the first line
/// that is neither a tree nor a JSON object with "tree" and optionally an integer "pg". The lines
/// before the error have been used.
Status ForEachTree(const std::string& file, int default_version,
                   const std::function<void(const TreeLine&)>& use);

/// The same for the content of a file.
Status ForEachTreeIn(std::string_view content, const std::string& file, int default_version,
                     const std::function<void(const TreeLine&)>& use);

/// The whole content of a file, decompressed; "-" is standard input.
Result<std::string> ReadWholeFile(const std::string& file);

}  // namespace relcache::tools
