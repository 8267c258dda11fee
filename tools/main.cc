// The relcache command.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "relcache/tools/command.h"
#include "relcache/tools/tree_commands.h"

namespace relcache::tools {
namespace {

int Run(int argc, char** argv) {
  CLI::App app{
      "Examine PostgreSQL's catalogs and stored expressions, and measure operations on them",
      "relcache"};
  app.set_version_flag("--version", "relcache " RELCACHE_VERSION);
  app.require_subcommand(1);
  Outcome outcome;
  AddTreeCommands(app, outcome);
  AddSimulateAggregateJoin(app, outcome);
  AddSimulateHashJoin(app, outcome);
  AddSimulatePartitionInsert(app, outcome);
  AddCatalogCommands(app, outcome);
  AddCheckCommand(app, outcome);
  AddRouteCommand(app, outcome);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& e) {
    // For a subcommand that does not exist, the parser says only that one is required.
    if (const std::vector<std::string> left = app.remaining(true); !left.empty())
      std::fprintf(stderr, "relcache: unknown subcommand: %s\n", left[0].c_str());
    app.exit(e);
    return kExitUsage;
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kExitFine : kExitUsage;
  }
  return outcome.status;
}

/// If the output could not be written (because the disk is full), the command has failed.
int Finish(int status) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.flush().good())
    return status;
  std::fprintf(stderr, "relcache: could not write to standard output%s%s\n", errno != 0 ? ": " : "",
               errno != 0 ? std::strerror(errno) : "");
  return kExitUsage;
}

}  // namespace
}  // namespace relcache::tools

int main(int argc, char** argv) {
  try {
    return relcache::tools::Finish(relcache::tools::Run(argc, argv));
  } catch (const std::bad_alloc&) {
    std::fputs("relcache: out of memory\n", stderr);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "relcache: %s\n", e.what());
  }
  return relcache::tools::kExitUsage;
}
