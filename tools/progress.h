// A line on a terminal that says how far a command has come.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "relcache/tools/input_file.h"

namespace relcache::tools {

/// Writes to standard error, and only if that is a terminal, from construction to destruction.
class ProgressLine {
 public:
  explicit ProgressLine(const InputProgress& input);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  void set_rows(std::uint64_t rows) { rows_.store(rows, std::memory_order_relaxed); }

 private:
  void Show() const;

  const InputProgress& input_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> rows_{0};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace relcache::tools
