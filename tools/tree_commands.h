// The subcommands of `relcache tree`.
#pragma once

#include <string>
#include <vector>

#include "relcache/tools/command.h"

namespace relcache::tools {

/// Adds `tree` with its subcommands to the command.
void AddTreeCommands(CLI::App& app, Outcome& outcome);

struct TreeVerifyOptions {
  int pg_version = 15;
  std::vector<std::string> files;
};
int TreeVerify(const TreeVerifyOptions& options);

struct TreeShowOptions {
  int pg_version = 15;
  std::string form = "text";  ///< text, json, sql, dot, program
  std::string file = "-";
};
int TreeShow(const TreeShowOptions& options);

struct TreeBenchOptions {
  int pg_version = 15;
  std::string file;
  std::vector<std::string> ops;  ///< of read, copy, write, equal; empty = all
  int repeat = 20;
};
int TreeBench(const TreeBenchOptions& options);

}  // namespace relcache::tools
