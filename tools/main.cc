// The relcache command.
#include <cstdio>
#include <exception>
#include <new>

#include "relcache/tools/command.h"
#include "relcache/tools/tree_commands.h"

namespace relcache::tools {
namespace {

int Run(int argc, char** argv) {
  CLI::App app{"A catalog cache that speaks PostgreSQL's catalogs", "relcache"};
  app.set_version_flag("--version", "relcache " RELCACHE_VERSION);
  app.require_subcommand(1);
  Outcome outcome;
  AddTreeCommands(app, outcome);
  AddSimulateAggregateJoin(app, outcome);
  AddSimulateHashJoin(app, outcome);
  AddSimulatePartitionInsert(app, outcome);
  AddCatalogCommands(app, outcome);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kExitFine : kExitUsage;
  }
  return outcome.status;
}

}  // namespace
}  // namespace relcache::tools

int main(int argc, char** argv) {
  try {
    return relcache::tools::Run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("relcache: out of memory\n", stderr);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "relcache: %s\n", e.what());
  }
  return relcache::tools::kExitUsage;
}
