// How subcommands are added to the relcache command: one function for each group of subcommands (in
// the group `simulate`, for each subcommand), and one line in main.cc.
#pragma once

#include <CLI/CLI.hpp>

namespace relcache::tools {

/// The exit statuses, which are the same for every subcommand.
enum ExitStatus : int {
  kExitFine = 0,
  kExitViolations = 1,  ///< rows violate constraints, trees failed, or expressions are refused
  kExitUsage = 2,       ///< the usage is wrong, or the input cannot be read
};

/// The result of the subcommand that ran, for main.
struct Outcome {
  int status = kExitFine;
};

/// The subcommand `simulate`. The first of its own subcommands creates it.
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
/// relcache check and relcache route.
void AddCheckCommand(CLI::App& app, Outcome& outcome);
void AddRouteCommand(CLI::App& app, Outcome& outcome);
/// relcache catalog show, checks, import.
void AddCatalogCommands(CLI::App& app, Outcome& outcome);

}  // namespace relcache::tools
