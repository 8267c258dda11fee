// relcache check: which rows of a file a table would refuse.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/tools/command.h"
#include "relcache/tools/copy_arguments.h"
#include "relcache/tools/json_line.h"
#include "relcache/tools/progress.h"
#include "relcache/tools/row_pipeline.h"

namespace relcache::tools {
namespace {

struct CheckArguments {
  CopyArguments copy;
  std::string report = "text";
  std::uint64_t most_violations = 0;
};

/// The field of a message: short enough for a line.
std::string Shown(const std::string& value) {
  constexpr std::size_t kMost = 64;
  std::string out = value.substr(0, kMost);
  while (!out.empty() && out.size() < value.size() &&
         (static_cast<unsigned char>(value[out.size()]) & 0xc0) == 0x80)
    out.pop_back();
  for (char& c : out)
    if (c == '\n' || c == '\r') c = ' ';
  return out.size() < value.size() ? out + "..." : out;
}

/// Writes the report and counts.
class Report {
 public:
  Report(const CheckArguments& arguments, const CopyJob& job)
      : arguments_(arguments), job_(job), several_(arguments.copy.files.size() > 1) {}

  void StartFile(const std::string& file) { file_ = file; }
  /// Returns false when enough violations were reported.
  bool Add(const CheckedChunk& chunk) {
    const bool verdicts = arguments_.report == "verdicts";
    std::size_t next = 0;
    for (std::uint64_t row = 0; verdicts && row < chunk.rows; ++row) {
      while (next < chunk.violations.size() && chunk.violations[next].row < row) ++next;
      const bool has_violation =
          next < chunk.violations.size() && chunk.violations[next].row == row;
      Verdicts(chunk, row, has_violation ? &chunk.violations[next].what : nullptr);
    }
    for (const CheckedChunk::Violation& violation : chunk.violations) {
      const std::uint64_t row = chunk.first_row + violation.row + 1;
      Count(violation.what, row);
      if (arguments_.report == "jsonl") Json(violation, row);
      if (arguments_.report == "text") {
        const bool header = job_.syntax.header != CopyHeader::kNone;
        Text(violation.what, row, chunk.first_line + violation.line + (header ? 2 : 1));
      }
      if (arguments_.most_violations != 0 && violations_ >= arguments_.most_violations) {
        rows_ += violation.row + 1;
        return false;
      }
    }
    rows_ += chunk.rows;
    return true;
  }
  std::uint64_t rows() const { return rows_; }
  std::uint64_t violations() const { return violations_; }

  void Finish(double seconds) const {
    if (arguments_.report == "jsonl") {
      JsonLine line;
      line.Integer("rows", rows_);
      line.Integer("violations", violations_);
      line.Fixed("seconds", seconds, 3);
      line.Print();
    } else if (arguments_.report == "text") {
      Summary(seconds);
    }
  }

 private:
  struct Tally {
    std::uint64_t rows = 0;
    std::string first;
  };

  static std::string Rule(const RowViolation& what) {
    std::string rule(RowViolationKindName(what.kind));
    std::ranges::replace(rule, '_', ' ');
    if (!what.constraint.empty()) rule += " \"" + what.constraint + "\"";
    if (!what.column.empty()) rule += " of column \"" + what.column + "\"";
    return rule;
  }

  void Count(const RowViolation& what, std::uint64_t row) {
    constexpr std::uint64_t kFirst = 5;
    ++violations_;
    Tally& tally = tallies_[Rule(what)];
    if (++tally.rows > kFirst) return;
    if (!tally.first.empty()) tally.first += ", ";
    tally.first += (several_ ? file_ + ":" : std::string()) + std::to_string(row);
  }

  void Text(const RowViolation& what, std::uint64_t row, std::uint64_t line) const {
    std::string out = several_ ? file_ + ": " : std::string();
    out += Format("row {} (line {})", row, line);
    if (!what.column.empty()) out += Format(", column \"{}\"", what.column);
    if (!what.value.empty()) out += Format(", value \"{}\"", Shown(what.value));
    out += Format(": {} {}\n", what.error.sqlstate, what.error.message);
    if (!what.error.detail.empty()) out += "    " + what.error.detail + "\n";
    std::fwrite(out.data(), 1, out.size(), stdout);
  }

  void AddPlace(JsonLine& line) const {
    if (several_) line.String("file", file_);
  }

  void Json(const CheckedChunk::Violation& violation, std::uint64_t row) const {
    const RowViolation& what = violation.what;
    JsonLine line;
    line.Integer("row", row);
    line.String("kind", RowViolationKindName(what.kind));
    if (!what.constraint.empty()) line.String("constraint", what.constraint);
    if (!what.column.empty()) line.String("column", what.column);
    line.String("sqlstate", what.error.sqlstate);
    line.String("message", what.error.message);
    if (!what.error.detail.empty()) line.String("detail", what.error.detail);
    if (!what.value.empty()) line.String("value", what.value);
    AddPlace(line);
    line.Print();
  }

  static void AddError(JsonLine& line, const Error& error) {
    line.Object("error", [&] {
      line.String("sqlstate", error.sqlstate);
      line.String("message", error.message);
    });
  }

  /// The verdicts on one row: one line if it was refused before any CHECK, else one for each CHECK.
  void Verdicts(const CheckedChunk& chunk, std::uint64_t row, const RowViolation* violation) const {
    const std::uint64_t number = chunk.first_row + row + 1;
    if (chunk.refused[row] != 0 && violation != nullptr) {
      JsonLine line;
      line.Integer("row", number);
      line.String("kind", RowViolationKindName(violation->kind));
      AddError(line, violation->error);
      AddPlace(line);
      line.Print();
      return;
    }
    for (std::size_t i = 0; i < chunk.checks.size(); ++i) {
      JsonLine line;
      line.Integer("row", number);
      line.String("constraint", job_.checker->checks()[i].name);
      switch (chunk.checks[i][row]) {
        case TruthValue::kNull:
          line.Null("result");
          break;
        case TruthValue::kError:
          AddError(line, chunk.check_errors.at({i, row}));
          break;
        default:
          line.Bool("result", chunk.checks[i][row] == TruthValue::kTrue);
          break;
      }
      AddPlace(line);
      line.Print();
    }
  }

  void Summary(double seconds) const {
    std::printf("%s%llu rows in %.2f s, %llu with violations\n", violations_ > 0 ? "\n" : "",
                static_cast<unsigned long long>(rows_), seconds,
                static_cast<unsigned long long>(violations_));
    for (const auto& [rule, tally] : tallies_)
      std::printf("    %s: %llu row%s, the first: %s\n", rule.c_str(),
                  static_cast<unsigned long long>(tally.rows), tally.rows == 1 ? "" : "s",
                  tally.first.c_str());
    for (const std::string& skipped : job_.checker->skipped())
      std::printf("    not verified: %s\n", skipped.c_str());
    if (job_.checker->router() == nullptr) return;
    for (const PartitionHole& hole : job_.checker->router()->holes())
      std::printf("    note: %s: %s\n", hole.table.c_str(), hole.text.c_str());
  }

  const CheckArguments& arguments_;
  const CopyJob& job_;
  const bool several_;
  std::string file_;
  std::uint64_t rows_ = 0, violations_ = 0;
  std::map<std::string, Tally> tallies_;
};

int Usage(const Error& error) {
  std::fprintf(stderr, "relcache check: %s\n", error.ToString().c_str());
  return kExitUsage;
}

int Check(const CheckArguments& arguments) {
  const bool verdicts = arguments.report == "verdicts";
  RowCheckOptions checks;
  checks.every_check = verdicts;
  Result<CopyJob> job = MakeCopyJob(arguments.copy, checks);
  if (!job) return Usage(job.error());
  CatchInterrupts();
  PipelineOptions options = PipelineOptionsOf(arguments.copy);
  options.keep_checks = verdicts;
  Report report(arguments, *job);
  const auto start = std::chrono::steady_clock::now();
  int status = kExitFine;
  bool go_on = true;
  for (const std::string& file : arguments.copy.files) {
    if (!go_on || Interrupted()) break;
    report.StartFile(file);
    InputProgress input;
    ProgressLine progress(input);
    const Status read =
        RunPipeline(*job, file, options, input, [&](const CheckedChunk& chunk) -> Result<bool> {
          go_on = report.Add(chunk);
          progress.set_rows(report.rows());
          return go_on;
        });
    if (!read) status = Usage(read.error());
  }
  report.Finish(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  if (Interrupted()) {
    std::fputs("relcache check: interrupted; the rest was not read\n", stderr);
    status = kExitUsage;
  }
  return status != kExitFine || report.violations() == 0 ? status : kExitViolations;
}

}  // namespace

void AddCheckCommand(CLI::App& app, Outcome& outcome) {
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand(
      "check", "Find the rows of a file that a table would refuse, without loading it");
  AddCopyArguments(*command, arguments->copy);
  command
      ->add_option("--report", arguments->report,
                   "text, jsonl (a line for each violation) or verdicts (a line for each row and "
                   "CHECK constraint)")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "jsonl", "verdicts"}));
  command->add_option("--max-violations", arguments->most_violations,
                      "End after so many violations");
  command->footer(
      "Example: relcache check catalog.json public.orders orders.csv.gz --header --set "
      "TimeZone=UTC");
  command->callback([arguments, &outcome] { outcome.status = Check(*arguments); });
}

}  // namespace relcache::tools
