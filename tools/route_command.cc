// relcache route: which partition each row of a file belongs to, and files for each of them.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "relcache/base/internal/format.h"
#include "relcache/tools/command.h"
#include "relcache/tools/copy_arguments.h"
#include "relcache/tools/json_line.h"
#include "relcache/tools/progress.h"
#include "relcache/tools/row_pipeline.h"

namespace relcache::tools {
namespace {

struct RouteArguments {
  CopyArguments copy;
  std::string report = "text";
  std::string split_into;
};

std::string LeafName(const PartitionRouter::Leaf& leaf) {
  return std::string(leaf.relation->schema()) + "." + std::string(leaf.relation->name());
}

/// One file for each leaf that rows go to, with the rows as they were read. The files have other
/// names until all is well, and do not replace files.
class LeafFiles {
 public:
  LeafFiles(std::string directory, const CopyJob& job, std::string extension)
      : directory_(std::move(directory)), extension_(std::move(extension)), job_(job) {
    files_.resize(job.checker->router()->leaves().size());
  }
  LeafFiles(const LeafFiles&) = delete;
  LeafFiles& operator=(const LeafFiles&) = delete;
  ~LeafFiles() {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (files_[i] == nullptr) continue;
      std::fclose(files_[i]);
      unlink(Temporary(i).c_str());
    }
  }

  Status Write(std::size_t leaf, std::string_view row) {
    if (files_[leaf] == nullptr) RELCACHE_TRY(Open(leaf));
    std::FILE* const file = files_[leaf];
    if (std::fwrite(row.data(), 1, row.size(), file) != row.size() || std::fputc('\n', file) == EOF)
      return Fail(IoError(Temporary(leaf)));
    return {};
  }

  /// Gives the files their names.
  Status Finish() {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (files_[i] == nullptr) continue;
      std::FILE* const file = files_[i];
      if (std::fflush(file) != 0 || fsync(fileno(file)) != 0) return Fail(IoError(Temporary(i)));
    }
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (files_[i] == nullptr) continue;
      std::FILE* const file = std::exchange(files_[i], nullptr);
      if (std::fclose(file) != 0 || std::rename(Temporary(i).c_str(), Name(i).c_str()) != 0)
        return Fail(IoError(Name(i)));
    }
    return {};
  }

 private:
  static Error IoError(const std::string& file) {
    return Error(ErrorCode::kIo, "58030", std::strerror(errno)).At(file);
  }
  /// The name of a leaf as the name of a file.
  std::string Name(std::size_t leaf) const {
    std::string name = LeafName(job_.checker->router()->leaves()[leaf]);
    std::ranges::replace(name, '/', '_');
    return directory_ + "/" + name + extension_;
  }
  std::string Temporary(std::size_t leaf) const { return Name(leaf) + ".part"; }

  Status Open(std::size_t leaf) {
    if (mkdir(directory_.c_str(), 0777) != 0 && errno != EEXIST) return Fail(IoError(directory_));
    if (access(Name(leaf).c_str(), F_OK) == 0)
      return Fail(Error(ErrorCode::kIo, "58P02", "the file exists").At(Name(leaf)));
    files_[leaf] = std::fopen(Temporary(leaf).c_str(), "wb");
    if (files_[leaf] == nullptr) return Fail(IoError(Temporary(leaf)));
    if (job_.syntax.header == CopyHeader::kNone) return {};
    std::string header;
    for (const std::string& name : job_.names) {
      if (!header.empty()) header += job_.syntax.delimiter;
      header += name;
    }
    header += '\n';
    if (std::fwrite(header.data(), 1, header.size(), files_[leaf]) != header.size())
      return Fail(IoError(Temporary(leaf)));
    return {};
  }

  const std::string directory_, extension_;
  const CopyJob& job_;
  std::vector<std::FILE*> files_;
};

/// Where rows go, counted and reported.
class Routes {
 public:
  Routes(const RouteArguments& arguments, const CopyJob& job) : arguments_(arguments), job_(job) {
    counts_.resize(job.checker->router()->leaves().size());
    if (!arguments.split_into.empty())
      files_ = std::make_unique<LeafFiles>(arguments.split_into, job, "." + arguments.copy.format);
  }

  Status Add(const CheckedChunk& chunk) {
    std::size_t next = 0;
    for (std::uint64_t row = 0; row < chunk.rows; ++row) {
      while (next < chunk.violations.size() && chunk.violations[next].row < row) ++next;
      const bool wrong = next < chunk.violations.size() && chunk.violations[next].row == row;
      const std::int32_t leaf = chunk.leaves[row];
      const std::uint64_t number = chunk.first_row + row + 1;
      if (leaf < 0) {
        ++unrouted_;
        if (wrong) NotRouted(number, chunk.violations[next].what.error);
        continue;
      }
      const auto index = static_cast<std::size_t>(leaf);
      ++counts_[index];
      if (arguments_.report == "jsonl") {
        JsonLine line;
        line.Integer("row", number);
        line.String("partition", LeafName(job_.checker->router()->leaves()[index]));
        line.Print();
      }
      if (files_ != nullptr) RELCACHE_TRY(files_->Write(index, chunk.raw[row]));
    }
    rows_ += chunk.rows;
    return {};
  }
  std::uint64_t rows() const { return rows_; }
  std::uint64_t unrouted() const { return unrouted_; }
  Status FinishFiles() { return files_ != nullptr ? files_->Finish() : Status(); }

  void Summary() const {
    if (arguments_.report != "text") return;
    const auto leaves = job_.checker->router()->leaves();
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] > 0)
        std::printf("%s: %llu rows\n", LeafName(leaves[i]).c_str(),
                    static_cast<unsigned long long>(counts_[i]));
    std::printf("%llu rows, %llu without a partition\n", static_cast<unsigned long long>(rows_),
                static_cast<unsigned long long>(unrouted_));
    for (const PartitionHole& hole : job_.checker->router()->holes())
      std::printf("note: %s: %s\n", hole.table.c_str(), hole.text.c_str());
  }

 private:
  void NotRouted(std::uint64_t row, const Error& error) const {
    if (arguments_.report == "jsonl") {
      JsonLine line;
      line.Integer("row", row);
      line.Object("error", [&] {
        line.String("sqlstate", error.sqlstate);
        line.String("message", error.message);
        if (!error.detail.empty()) line.String("detail", error.detail);
      });
      line.Print();
    } else {
      std::printf("row %llu: %s %s%s%s\n", static_cast<unsigned long long>(row), error.sqlstate,
                  error.message.c_str(), error.detail.empty() ? "" : " ", error.detail.c_str());
    }
  }

  const RouteArguments& arguments_;
  const CopyJob& job_;
  std::unique_ptr<LeafFiles> files_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t rows_ = 0, unrouted_ = 0;
};

int Usage(const Error& error) {
  std::fprintf(stderr, "relcache route: %s\n", error.ToString().c_str());
  return kExitUsage;
}

int Route(const RouteArguments& arguments) {
  // Where a row goes does not depend on constraints.
  RowCheckOptions checks;
  checks.unsupported = UnsupportedConstraints::kSkip;
  Result<CopyJob> job = MakeCopyJob(arguments.copy, checks);
  if (!job) return Usage(job.error());
  if (job->checker->router() == nullptr)
    return Usage({ErrorCode::kInvalidInput, "42809",
                  Format("\"{}\" is not a partitioned table", job->checker->relation().name())});
  CatchInterrupts();
  PipelineOptions options = PipelineOptionsOf(arguments.copy);
  options.keep_leaves = true;
  options.keep_raw = !arguments.split_into.empty();
  Routes routes(arguments, *job);
  int status = kExitFine;
  for (const std::string& file : arguments.copy.files) {
    if (status != kExitFine || Interrupted()) break;
    InputProgress input;
    ProgressLine progress(input);
    const Status read =
        RunPipeline(*job, file, options, input, [&](const CheckedChunk& chunk) -> Result<bool> {
          RELCACHE_TRY(routes.Add(chunk));
          progress.set_rows(routes.rows());
          return true;
        });
    if (!read) status = Usage(read.error());
  }
  if (Interrupted()) {
    std::fputs("relcache route: interrupted; no files were written\n", stderr);
    status = kExitUsage;
  }
  if (status == kExitFine)
    if (const Status files = routes.FinishFiles(); !files) status = Usage(files.error());
  routes.Summary();
  return status != kExitFine || routes.unrouted() == 0 ? status : kExitViolations;
}

}  // namespace

void AddRouteCommand(CLI::App& app, Outcome& outcome) {
  const auto arguments = std::make_shared<RouteArguments>();
  CLI::App* command =
      app.add_subcommand("route", "Find the partition that each row of a file belongs to");
  AddCopyArguments(*command, arguments->copy);
  command->add_option("--report", arguments->report, "text or jsonl (a line for each row)")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "jsonl"}));
  command->add_option("--split-into", arguments->split_into,
                      "A directory for one file per partition, ready for COPY");
  command->footer(
      "Example: relcache route catalog.json public.measurement rows.csv --split-into parts");
  command->callback([arguments, &outcome] { outcome.status = Route(*arguments); });
}

}  // namespace relcache::tools
