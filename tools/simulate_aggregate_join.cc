// relcache simulate aggregate-join: context resets per row and per batch.
#include <cstdio>
#include <memory>

#include "relcache/simulate/aggregate_join.h"
#include "relcache/tools/command.h"
#include "relcache/tools/json_line.h"

namespace relcache::tools {
namespace {

struct Arguments {
  AggregateJoinOptions options;
  bool json = false;
};

void PrintJson(const AggregateJoinOptions& options, const AggregateJoinFigures& f) {
  JsonLine line;
  line.String("form", f.form);
  line.Fixed("milliseconds", f.milliseconds, 3);
  line.Integer("resets", f.total());
  line.Object("resets_by_place", [&] {
    for (std::size_t place = 0; place < kResetPlaces; ++place)
      if (f.resets[place] != 0) line.Integer(kResetPlaceNames[place], f.resets[place]);
  });
  line.Fixed("reset_milliseconds", f.reset_milliseconds, 3);
  line.Integer("rows", options.rows);
  line.Integer("batch", options.batch);
  line.Fixed("cpu_milliseconds", f.cpu_milliseconds, 3);
  if (!f.plan.empty()) line.String("plan", f.plan);
  line.Print();
}

void PrintText(const AggregateJoinFigures& f) {
  std::printf("%-23s %9.2f ms, of which %7.2f ms in %llu resets\n", f.form, f.milliseconds,
              f.reset_milliseconds, static_cast<unsigned long long>(f.total()));
  for (std::size_t place = 0; place < kResetPlaces; ++place)
    if (f.resets[place] != 0)
      std::printf("    %-24s %9llu\n", kResetPlaceNames[place],
                  static_cast<unsigned long long>(f.resets[place]));
  std::fputs(f.plan.c_str(), stdout);
}

Status Simulate(const Arguments& arguments) {
  RELCACHE_ASSIGN(const auto forms, MeasureAggregateJoin(arguments.options));
  for (const AggregateJoinFigures& figures : forms) {
    if (arguments.json) {
      PrintJson(arguments.options, figures);
    } else {
      PrintText(figures);
    }
  }
  return {};
}

}  // namespace

void AddSimulateAggregateJoin(CLI::App& app, Outcome& outcome) {
  CLI::App* command = SimulateCommand(app).add_subcommand(
      "aggregate-join",
      "Compute sum and average over a join, with context resets per row and per batch");
  const auto arguments = std::make_shared<Arguments>();
  Arguments& a = *arguments;
  command->add_option("--rows", a.options.rows, "Number of rows of the table accounts")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{2000000000}))
      ->capture_default_str();
  command
      ->add_option("--batch", a.options.batch,
                   "Number of rows from one reset to the next in the batch form")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 24))
      ->capture_default_str();
  command
      ->add_option("--repeat", a.options.rounds,
                   "Number of rounds; the fastest run of each form counts")
      ->check(CLI::Range(1U, 1000U))
      ->capture_default_str();
  command->add_flag("--explain", a.options.explain,
                    "Show the plan of the form by batches with its counters");
  command->add_flag("--json", a.json, "Print one JSON object for each form");
  command->footer("Example: relcache simulate aggregate-join --rows 500000 --batch 1000");
  command->callback([arguments, &outcome] {
    const Status status = Simulate(*arguments);
    if (!status) std::fprintf(stderr, "relcache: %s\n", status.error().ToString().c_str());
    outcome.status = status ? kExitFine : kExitUsage;
  });
}

}  // namespace relcache::tools
