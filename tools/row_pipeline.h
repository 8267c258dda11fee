// Reads a file on several threads and delivers what became of its rows in the order of the file.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/copy/row_checker.h"
#include "relcache/tools/copy_arguments.h"
#include "relcache/tools/input_file.h"

namespace relcache::tools {

/// What became of the rows of one chunk.
struct CheckedChunk {
  /// The number of rows and of lines before this chunk, without a header line.
  std::uint64_t first_row = 0;
  std::uint64_t first_line = 0;
  std::uint64_t rows = 0;
  struct Violation {
    std::uint64_t row = 0;   ///< in the chunk
    std::uint64_t line = 0;  ///< lines of the chunk before it
    RowViolation what;
  };
  std::vector<Violation> violations;

  // For each row, if it was asked for.
  std::vector<std::string_view> raw;
  std::vector<std::int32_t> leaves;
  std::vector<std::uint8_t> refused;
  /// The verdicts of the first CHECK on all rows, then those of the second ...
  std::vector<std::vector<TruthValue>> checks;
  /// The errors of those that failed, by the number of the CHECK and the row.
  std::map<std::pair<std::size_t, std::uint64_t>, Error> check_errors;
};

struct PipelineOptions {
  unsigned threads = 1;
  std::uint64_t most_rows = 0;  ///< 0: all
  bool keep_raw = false;
  bool keep_leaves = false;
  bool keep_checks = false;
};

/// The options that the arguments demand.
PipelineOptions PipelineOptionsOf(const CopyArguments& arguments);

/// Receives chunks, one at a time and in order. Returns false to end the reading.
using ChunkConsumer = std::function<Result<bool>(const CheckedChunk&)>;

/// Verifies the rows of a file. SIGINT ends it, see Interrupted.
/// Errors: those of reading the file and of its header; what was read before was delivered.
Status RunPipeline(const CopyJob& job, const std::string& file, const PipelineOptions& options,
                   InputProgress& progress, const ChunkConsumer& consume);

/// From now on SIGINT ends pipelines instead of the process; a second one ends the process.
void CatchInterrupts();
bool Interrupted();

}  // namespace relcache::tools
