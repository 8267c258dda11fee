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

/// The subcommand `simulate`, made by the first of its own subcommands.
inline CLI::App& SimulateCommand(CLI::App& app) {
  for (CLI::App* made : app.get_subcommands([](const CLI::App*) { return true; }))
    if (made->get_name() == "simulate") return *made;
  CLI::App* simulate = app.add_subcommand("simulate", "Measure operations on generated data");
  simulate->require_subcommand(1);
  return *simulate;
}

void AddSimulateAggregateJoin(CLI::App& app, Outcome& outcome);
void AddSimulateHashJoin(CLI::App& app, Outcome& outcome);
void AddSimulatePartitionInsert(CLI::App& app, Outcome& outcome);
/// relcache catalog show, import.
void AddCatalogCommands(CLI::App& app, Outcome& outcome);

}  // namespace relcache::tools
