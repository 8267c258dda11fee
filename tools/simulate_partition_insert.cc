// relcache simulate partition-insert: rows routed by a trigger, for each way of getting at the
// constraints' expressions.
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/catalog/json_catalog.h"
#include "relcache/simulate/partition_insert.h"
#include "relcache/tools/command.h"
#include "relcache/tools/json_line.h"
#include "relcache/tools/sample_catalog.h"

namespace relcache::tools {
namespace {

struct Arguments {
  PartitionInsertOptions options;
  std::string expressions = "all";
  bool json = false;
};

void PrintJson(const PartitionInsertOptions& options, const PartitionInsertFigures& f,
               const PartitionInsertReport& report) {
  JsonLine line;
  line.String("expressions", CheckModeName(f.mode));
  line.Integer("rows", options.rows);
  line.Integer("partitions", options.partitions);
  line.Integer("checks", options.checks);
  line.FixedArray("routed_seconds", f.routed_seconds, 6);
  line.Integer("direct_rows", f.direct_rows);
  line.FixedArray("direct_seconds", f.direct_seconds, 6);
  line.Fixed("ns_per_routed_row", f.ns_per_routed_row, 1);
  line.Object("share", [&] {
    line.Fixed("parse", f.parse, 4);
    line.Fixed("copy", f.copy, 4);
    line.Fixed("compile", f.compile, 4);
    line.Fixed("evaluate", f.evaluate, 4);
    line.Fixed("rest", f.rest, 4);
  });
  const auto bytes = [&](const char* when, const EntryBytes& entry) {
    line.Object(when, [&] {
      line.Integer("reserved", entry.reserved);
      line.Integer("used", entry.used);
    });
  };
  line.Object("entry_bytes", [&] {
    bytes("before", f.before);
    bytes("after", f.after);
  });
  line.Integer("tree_node_by_node_bytes", report.tree_node_by_node_bytes);
  line.Fixed("gain", report.Gain(f), 4);
  line.Fixed("gain_given_up", f.mode == CheckMode::kCopy ? report.GivenUp() : std::nullopt, 4);
  line.Print();
}

/// Each with three digits and a space after it.
std::string Seconds(std::span<const double> runs) {
  std::string out;
  for (const double seconds : runs) out += Format("{:.3f} ", seconds);
  return out;
}

std::string Percent(double share) {
  return Format("{:.1f} %", 100 * share);
}

void PrintTable(const PartitionInsertOptions& options, const PartitionInsertReport& report) {
  std::printf(
      "%llu rows routed by the parent's trigger into %d child%s with %d check%s each; %llu rows "
      "inserted directly into a child\n\n",
      static_cast<unsigned long long>(options.rows), options.partitions,
      options.partitions == 1 ? "" : "ren", options.checks, options.checks == 1 ? "" : "s",
      static_cast<unsigned long long>(report.modes[0].direct_rows));
  std::printf("%-9s %24s %24s %9s %8s | %8s %8s %8s %8s %8s | %s\n", "", "routed, s", "direct, s",
              "ns/row", "gain", "parse", "copy", "compile", "evaluate", "rest",
              "entry's bytes before, after (reserved/used)");
  for (const PartitionInsertFigures& f : report.modes) {
    const std::optional<double> gain = report.Gain(f);
    std::printf(
        "%-9s %24s %24s %9.0f %8s | %8s %8s %8s %8s %8s | %zu/%zu %zu/%zu\n", CheckModeName(f.mode),
        Seconds(f.routed_seconds).c_str(), Seconds(f.direct_seconds).c_str(), f.ns_per_routed_row,
        gain ? Percent(*gain).c_str() : "-", Percent(f.parse).c_str(), Percent(f.copy).c_str(),
        Percent(f.compile).c_str(), Percent(f.evaluate).c_str(), Percent(f.rest).c_str(),
        f.before.reserved, f.before.used, f.after.reserved, f.after.used);
  }
  std::printf("\nThe constraint's tree takes %zu bytes if its nodes are allocated one by one.\n",
              report.tree_node_by_node_bytes);
  if (const std::optional<double> given_up = report.GivenUp())
    std::printf("A private copy for each statement costs %s of the gain of the cached tree.\n",
                Percent(*given_up).c_str());
}

Status Simulate(Arguments& arguments) {
  for (const CheckMode mode : kCheckModes)
    if (arguments.expressions == "all" || arguments.expressions == CheckModeName(mode))
      arguments.options.modes.push_back(mode);
  RELCACHE_ASSIGN(const auto sample, JsonCatalog::Parse(SampleCatalogJson(), "sample"));
  RELCACHE_ASSIGN(const PartitionInsertReport report,
                  MeasurePartitionInsert(arguments.options, *sample));
  if (!arguments.json) {
    PrintTable(arguments.options, report);
    return {};
  }
  for (const PartitionInsertFigures& figures : report.modes)
    PrintJson(arguments.options, figures, report);
  return {};
}

}  // namespace

void AddSimulatePartitionInsert(CLI::App& app, Outcome& outcome) {
  const auto arguments = std::make_shared<Arguments>();
  PartitionInsertOptions& options = arguments->options;
  CLI::App* command =
      SimulateCommand(app).add_subcommand("partition-insert",
                                          "Insert rows that a trigger routes into children with "
                                          "CHECK constraints, each row by a statement of its own");
  command
      ->add_option("--rows", options.rows,
                   "Number of rows inserted into the parent; ten times as many are inserted "
                   "directly into a child")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
  command
      ->add_option("--partitions", options.partitions,
                   "Number of children, each with a range of the key")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000));
  command->add_option("--checks", options.checks, "Number of constraints of each child")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000));
  command
      ->add_option(
          "--expressions", arguments->expressions,
          "How a statement gets its constraints: none (they are not verified), "
          "reparse (their text is "
          "parsed), copy (the cached tree is copied), cached (the cached tree is compiled), "
          "compiled (the program is kept with the entry), all")
      ->capture_default_str()
      ->check(CLI::IsMember({"none", "reparse", "copy", "cached", "compiled", "all"}));
  command->add_flag("--json", arguments->json, "Print one JSON object for each mode");
  command->footer("Example: relcache simulate partition-insert --rows 600000 --expressions all");
  command->callback([arguments, &outcome] {
    if (const Status done = Simulate(*arguments); !done) {
      std::fprintf(stderr, "relcache: %s\n", done.error().ToString().c_str());
      outcome.status = kExitUsage;
    }
  });
}

}  // namespace relcache::tools
