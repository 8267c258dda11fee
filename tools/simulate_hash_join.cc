// `relcache simulate hash-join`: the measurements of a hash join whose buckets are built first or
// last, and which starts with many batches or with one.
#include <charconv>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "relcache/simulate/hash_join_form.h"
#include "relcache/tools/command.h"
#include "relcache/tools/json_line.h"

namespace relcache::tools {
namespace {

struct Arguments {
  HashJoinRun run;
  std::vector<double> work_mem_mb;
  std::vector<std::uint64_t> estimates;
  std::string strategy = "all";
  std::string form = "batch";
  std::string huge_pages = "on";
  std::string allocate = "last";
  std::string chains = "front";
  unsigned repeat = 1;
  bool json = false;
};

// In the order of HashJoinStrategy.
constexpr const char* kStrategyNames[] = {"eager", "deferred", "deferred-nobatch"};

const char* NameOf(HashJoinStrategy strategy) {
  return kStrategyNames[static_cast<std::size_t>(strategy)];
}

void PrintJson(const Arguments& arguments, const HashJoinRun& run, const HashJoinFigures& f) {
  JsonLine line;
  line.String("strategy", NameOf(run.strategy));
  line.String("form", arguments.form);
  line.Integer("build", run.build);
  line.Integer("probe", run.probe);
  line.Integer("width", run.width);
  line.Integer("work_mem_kb", run.work_mem_kb);
  line.Integer("estimate", run.estimate);
  line.Fixed("milliseconds", f.milliseconds, 3);
  line.Object("phases", [&] {
    line.Fixed("read_ms", f.read_ms, 3);
    line.Fixed("copy_ms", f.copy_ms, 3);
    line.Fixed("buckets_ms", f.buckets_ms, 3);
    line.Fixed("probe_ms", f.probe_ms, 3);
  });
  line.Integer("batches", f.batches);
  line.Integer("buckets", f.buckets);
  line.Integer("peak_bytes", f.peak_bytes);
  line.Integer("spilled_bytes", f.spilled_bytes);
  line.Integer("minor_faults", f.minor_faults);
  line.Integer("rows", f.rows);
  line.Integer("length_sum", f.length_sum);
  line.Integer("overrun_bytes", f.overrun_bytes);
  line.Integer("distinct", run.keys());
  line.Bool("huge_pages", run.huge_pages);
  line.Fixed("cpu_milliseconds", f.cpu_milliseconds, 3);
  if (run.explain) line.String("plan", f.plan);
  line.Print();
}

void PrintHeading() {
  std::printf("%9s %10s %-17s %9s %9s %8s %8s %8s %9s %7s %9s %9s %9s %8s\n", "work_mem",
              "estimate", "strategy", "ms", "cpu ms", "read", "copy", "buckets", "probe", "batches",
              "nbuckets", "peak MB", "spill MB", "faults");
}

void PrintLine(const HashJoinRun& run, const HashJoinFigures& f) {
  std::printf(
      "%6.4g MB %10llu %-17s %9.1f %9.1f %8.1f %8.1f %8.1f %9.1f %7llu %9llu %9.1f %9.1f %8llu\n",
      static_cast<double>(run.work_mem_kb) / 1024, static_cast<unsigned long long>(run.estimate),
      NameOf(run.strategy), f.milliseconds, f.cpu_milliseconds, f.read_ms, f.copy_ms, f.buckets_ms,
      f.probe_ms, static_cast<unsigned long long>(f.batches),
      static_cast<unsigned long long>(f.buckets), static_cast<double>(f.peak_bytes) / 1e6,
      static_cast<double>(f.spilled_bytes) / 1e6, static_cast<unsigned long long>(f.minor_faults));
  std::fputs(f.plan.c_str(), stdout);
}

// Every combination asked for.
std::vector<HashJoinRun> RunsOf(const Arguments& arguments) {
  std::vector<HashJoinRun> runs;
  for (const double mb : arguments.work_mem_mb) {
    for (const std::uint64_t estimate : arguments.estimates) {
      for (std::size_t s = 0; s < std::size(kStrategyNames); ++s) {
        if (arguments.strategy != "all" && arguments.strategy != kStrategyNames[s]) continue;
        HashJoinRun run = arguments.run;
        run.work_mem_kb = static_cast<std::size_t>(mb * 1024);
        run.estimate = estimate;
        run.strategy = static_cast<HashJoinStrategy>(s);
        run.huge_pages = arguments.huge_pages == "on";
        run.buckets_allocated_first =
            arguments.allocate == "first" || run.strategy == HashJoinStrategy::kEager;
        run.append_to_chains = arguments.chains == "back";
        runs.push_back(run);
      }
    }
  }
  return runs;
}

Status Simulate(Arguments& arguments) {
  if (arguments.run.explain && arguments.form == "tuple")
    return Fail(NotSupported("--explain with --form tuple"));
  if (arguments.estimates.empty()) arguments.estimates = {arguments.run.build};
  if (arguments.work_mem_mb.empty()) arguments.work_mem_mb = {8, 32, 128};
  const std::vector<HashJoinRun> runs = RunsOf(arguments);
  RELCACHE_ASSIGN(const std::unique_ptr<HashJoinForm> form, arguments.form == "tuple"
                                                                ? MakeTupleForm(arguments.run)
                                                                : MakeBatchForm(arguments.run));
  RELCACHE_ASSIGN(const std::vector<HashJoinFigures> best,
                  MeasureHashJoins(*form, runs, arguments.repeat));
  if (!arguments.json) PrintHeading();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (arguments.json) {
      PrintJson(arguments, runs[i], best[i]);
    } else {
      PrintLine(runs[i], best[i]);
    }
  }
  return {};
}

// Keys are int4, and rows are counted on from where PostgreSQL's int4 ends.
constexpr std::uint64_t kMostKeys = 2147483647;
constexpr std::uint64_t kMostRows = 1'000'000'000'000;
constexpr double kLeastMb = 0.0625, kMostMb = 1048576;

// CLI::Range takes what is not a number for one.
std::string CheckMegabytes(const std::string& text) {
  double mb = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mb);
  if (error == std::errc() && end == text.data() + text.size() && mb >= kLeastMb && mb <= kMostMb)
    return {};
  return "expected a number from 0.0625 to 1048576, found \"" + text + "\"";
}

}  // namespace

void AddSimulateHashJoin(CLI::App& app, Outcome& outcome) {
  CLI::App* command = SimulateCommand(app).add_subcommand(
      "hash-join",
      "Join two generated tables (int4 key, text) in memory and count the texts' characters");
  const auto arguments = std::make_shared<Arguments>();
  Arguments& a = *arguments;
  command->add_option("--build", a.run.build, "Number of rows of the build side")
      ->check(CLI::Range(std::uint64_t{0}, kMostKeys))
      ->capture_default_str();
  command->add_option("--probe", a.run.probe, "Number of rows of the probe side")
      ->check(CLI::Range(std::uint64_t{0}, kMostRows))
      ->capture_default_str();
  command
      ->add_option("--work-mem", a.work_mem_mb,
                   "Memory limit in MB, or several separated by commas [8,32,128]")
      ->delimiter(',')
      ->check(CheckMegabytes);
  command->add_option("--strategy", a.strategy, "eager, deferred, deferred-nobatch or all")
      ->check(CLI::IsMember({"eager", "deferred", "deferred-nobatch", "all"}))
      ->capture_default_str();
  command
      ->add_option("--form", a.form,
                   "batch: in columns, a thousand rows at a time; tuple: row by row, as in "
                   "PostgreSQL in 2015")
      ->check(CLI::IsMember({"batch", "tuple"}))
      ->capture_default_str();
  command->add_option("--width", a.run.width, "Length of each text in bytes")
      ->check(CLI::Range(std::size_t{0}, std::size_t{1} << 20))
      ->capture_default_str();
  command
      ->add_option("--distinct", a.run.distinct, "Number of different keys [as many as build rows]")
      ->check(CLI::Range(std::uint64_t{0}, kMostKeys));
  command
      ->add_option(
          "--estimate", a.estimates,
          "Expected number of build rows, or several separated by commas [the true number]")
      ->delimiter(',')
      ->check(CLI::Range(std::uint64_t{0}, kMostRows));
  command->add_option("--huge-pages", a.huge_pages, "Whether to ask for huge pages: on or off")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
  command->add_flag("--probe-on-the-fly", a.run.probe_on_the_fly,
                    "Generate the rows of the probe side while they are read");
  command
      ->add_option("--allocate-buckets", a.allocate,
                   "Tuple form: when the buckets are allocated, first or last, independently of "
                   "when they are filled")
      ->check(CLI::IsMember({"first", "last"}))
      ->capture_default_str();
  command->add_flag("--touch-first", a.run.touch_first,
                    "Tuple form: touch all memory before the clock starts");
  command
      ->add_option("--chains", a.chains,
                   "Tuple form: add tuples at the front or at the back of a chain")
      ->check(CLI::IsMember({"front", "back"}))
      ->capture_default_str();
  command
      ->add_option("--repeat", a.repeat,
                   "Number of rounds; the run with the least processor time counts")
      ->check(CLI::Range(1U, 1000U))
      ->capture_default_str();
  command->add_flag("--explain", a.run.explain,
                    "batch form: show the plan of each run with its counters");
  command->add_flag("--json", a.json, "Print one JSON object for each run");
  command->footer(
      "Example: relcache simulate hash-join --build 1000000 --probe 10000000 --repeat 3");
  command->callback([arguments, &outcome] {
    const Status status = Simulate(*arguments);
    if (!status) std::fprintf(stderr, "relcache: %s\n", status.error().ToString().c_str());
    outcome.status = status ? kExitFine : kExitUsage;
  });
}

}  // namespace relcache::tools
