// The arguments that say which rows are checked or routed, how their files are to be read and what
// the meaning of their values depends on. `check` and `route` share them.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/cache/relation_cache.h"
#include "relcache/copy/copy_options.h"
#include "relcache/copy/row_checker.h"
#include "relcache/types/session_settings.h"

namespace relcache::tools {

struct CopyArguments {
  std::string source;
  std::string relation;
  std::vector<std::string> files;
  std::string format = "csv";
  bool header = false;
  bool header_match = false;
  std::string columns, force_null, force_not_null;
  std::string null_text, delimiter, quote, escape;
  std::string encoding = "UTF8";
  std::vector<std::string> settings;
  std::string now;
  bool skip_unsupported = false;
  unsigned threads = 0;
  std::uint64_t sample = 0;

  // Which of the options were given, whatever their values.
  CLI::Option* null_given = nullptr;
  CLI::Option* delimiter_given = nullptr;
  CLI::Option* quote_given = nullptr;
  CLI::Option* escape_given = nullptr;
};

void AddCopyArguments(CLI::App& command, CopyArguments& arguments);

/// What the arguments mean.
struct CopyJob {
  std::unique_ptr<CatalogSource> source;
  std::unique_ptr<RelationCache> cache;
  Oid relation = kInvalidOid;
  CopyOptions options;
  CopySyntax syntax;
  CopyColumns columns;
  /// The names of the columns, for the header line.
  std::vector<std::string> names;
  std::unique_ptr<RowChecker> checker;
};

/// Opens the catalog and prepares the verification.
/// Errors: those of the parts; they concern the usage.
Result<CopyJob> MakeCopyJob(const CopyArguments& arguments, const RowCheckOptions& options);

}  // namespace relcache::tools
