// How a subcommand joins the relcache command: one function per group, one line in main.cc.
#pragma once

#include <CLI/CLI.hpp>

namespace relcache::tools {

/// Exit statuses, the same for every subcommand.
enum ExitStatus : int {
  kExitFine = 0,
  kExitViolations = 1,  ///< the data has violations, or trees failed
  kExitUsage = 2,       ///< usage, or input that cannot be read
};

/// What the subcommand that ran hands back to main.
struct Outcome {
  int status = kExitFine;
};

}  // namespace relcache::tools
