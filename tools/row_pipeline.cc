#include "relcache/tools/row_pipeline.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

#include "relcache/base/mutex.h"
#include "relcache/copy/copy_reader.h"
#include "relcache/copy/copy_splitter.h"

namespace relcache::tools {
namespace {

std::atomic<bool> interrupted{false};

extern "C" void OnInterrupt(int) {
  interrupted.store(true, std::memory_order_relaxed);
  std::signal(SIGINT, SIG_DFL);
}

/// The threads share the splitter, which cuts the file into chunks, and take turns in delivering
/// what they made of a chunk. A thread waits with its chunk for its turn, so there are never more
/// chunks in memory than threads.
class Pipeline {
 public:
  Pipeline(const CopyJob& job, ByteSource& source, const PipelineOptions& options,
           const ChunkConsumer& consume)
      : job_(job), options_(options), consume_(consume), splitter_(source, job.syntax) {}

  Status Run() {
    {
      std::vector<std::jthread> others;
      for (unsigned i = 1; i < options_.threads; ++i)
        others.emplace_back([this] { WorkOrAbandon(); });
      WorkOrAbandon();
    }
    const sync::MutexLock lock(turn_mutex_);
    if (exception_) std::rethrow_exception(exception_);
    return error_ ? Fail(*std::move(error_)) : Status();
  }

 private:
  /// An exception (memory ran out) ends the work of all threads, which may wait for the turn of
  /// this one, and is thrown by Run.
  void WorkOrAbandon() {
    try {
      Work();
    } catch (...) {
      const sync::MutexLock lock(turn_mutex_);
      exception_ = std::current_exception();
      ended_ = true;
      turn_changed_.NotifyAll();
    }
  }

  void Work() {
    CopyReader reader(job_.syntax, job_.columns.attnums.size());
    RowCheckRun run(*job_.checker);
    CopyChunk chunk;
    CopyBatch batch;
    CheckedChunk checked;
    while (TakeChunk(chunk)) {
      reader.Start(chunk);
      checked.violations.clear();
      checked.rows = 0;
      checked.raw.clear();
      checked.leaves.clear();
      checked.refused.clear();
      checked.check_errors.clear();
      checked.checks.assign(options_.keep_checks ? job_.checker->checks().size() : 0, {});
      while (reader.Next(batch)) Take(batch, run.Check(batch), checked);
      if (!Deliver(chunk.number, checked, reader)) return;
    }
  }

  bool TakeChunk(CopyChunk& chunk) {
    const sync::MutexLock lock(splitter_mutex_);
    if (ended_.load(std::memory_order_relaxed) || Interrupted()) return false;
    const bool first = !std::exchange(started_, true);
    bool more = false;
    Status status = splitter_.Next(chunk).map([&more](bool any) { more = any; });
    if (status && first) {
      std::vector<std::string_view> names(job_.names.begin(), job_.names.end());
      status = CheckCopyHeader(splitter_, job_.syntax, names);
    }
    if (status && more) return true;
    ended_ = true;
    if (!status) {
      const sync::MutexLock turn(turn_mutex_);
      error_ = std::move(status).error();
    }
    return false;
  }

  void Take(const CopyBatch& batch, const RowCheckResult& result, CheckedChunk& checked) const {
    for (const RowViolation& violation : result.violations)
      checked.violations.push_back(
          {checked.rows + violation.row, batch.lines[violation.row], violation});
    for (const CheckError& error : result.check_errors)
      checked.check_errors.emplace(std::pair(error.check, checked.rows + error.row), error.error);
    checked.rows += batch.rows;
    if (options_.keep_raw)
      checked.raw.insert(checked.raw.end(), batch.raw.begin(),
                         batch.raw.begin() + static_cast<std::ptrdiff_t>(batch.rows));
    if (options_.keep_leaves)
      checked.leaves.insert(checked.leaves.end(), result.leaves.begin(), result.leaves.end());
    for (std::size_t i = 0; i < checked.checks.size(); ++i)
      checked.checks[i].insert(checked.checks[i].end(), result.checks[i].begin(),
                               result.checks[i].begin() + static_cast<std::ptrdiff_t>(batch.rows));
    if (options_.keep_checks)
      checked.refused.insert(checked.refused.end(), result.refused.begin(), result.refused.end());
  }

  /// Waits for the chunk's turn. Returns false if nothing more is wanted.
  bool Deliver(std::uint64_t number, CheckedChunk& checked, const CopyReader& reader) {
    const sync::MutexLock lock(turn_mutex_);
    while (turn_ != number && !exception_) turn_changed_.Wait(turn_mutex_);
    if (exception_) return false;
    bool go_on = !finished_;
    if (go_on) {
      checked.first_row = rows_;
      checked.first_line = lines_;
      if (options_.most_rows != 0 && rows_ + checked.rows >= options_.most_rows) {
        checked.rows = options_.most_rows - rows_;
        std::erase_if(checked.violations, [&](const auto& v) { return v.row >= checked.rows; });
        go_on = false;
      }
      Result<bool> wanted = consume_(checked);
      go_on = go_on && wanted.has_value() && *wanted && !reader.ended();
      if (!wanted) error_ = std::move(wanted).error();
    }
    rows_ += checked.rows;
    lines_ += reader.lines();
    if (!go_on) {
      finished_ = true;
      ended_ = true;
    }
    ++turn_;
    turn_changed_.NotifyAll();
    return go_on;
  }

  const CopyJob& job_;
  const PipelineOptions options_;
  const ChunkConsumer& consume_;
  std::atomic<bool> ended_{false};

  sync::Mutex splitter_mutex_;
  CopySplitter splitter_ RELCACHE_GUARDED_BY(splitter_mutex_);
  bool started_ RELCACHE_GUARDED_BY(splitter_mutex_) = false;

  sync::Mutex turn_mutex_;
  sync::ConditionVariable turn_changed_;
  std::uint64_t turn_ RELCACHE_GUARDED_BY(turn_mutex_) = 0;
  std::uint64_t rows_ RELCACHE_GUARDED_BY(turn_mutex_) = 0;
  std::uint64_t lines_ RELCACHE_GUARDED_BY(turn_mutex_) = 0;
  bool finished_ RELCACHE_GUARDED_BY(turn_mutex_) = false;
  std::optional<Error> error_ RELCACHE_GUARDED_BY(turn_mutex_);
  std::exception_ptr exception_ RELCACHE_GUARDED_BY(turn_mutex_);
};

}  // namespace

void CatchInterrupts() {
  std::signal(SIGINT, OnInterrupt);
}
bool Interrupted() {
  return interrupted.load(std::memory_order_relaxed);
}

PipelineOptions PipelineOptionsOf(const CopyArguments& arguments) {
  PipelineOptions out;
  out.threads = arguments.threads != 0 ? arguments.threads
                                       : std::max(1U, std::thread::hardware_concurrency());
  out.most_rows = arguments.sample;
  return out;
}

Status RunPipeline(const CopyJob& job, const std::string& file, const PipelineOptions& options,
                   InputProgress& progress, const ChunkConsumer& consume) {
  RELCACHE_ASSIGN(const std::unique_ptr<ByteSource> source, OpenInput(file, progress));
  Status status = Pipeline(job, *source, options, consume).Run();
  if (!status && status.error().place.empty()) return Fail(std::move(status).error().At(file));
  return status;
}

}  // namespace relcache::tools
