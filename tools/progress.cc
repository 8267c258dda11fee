#include "relcache/tools/progress.h"

#include <unistd.h>

#include <cstdio>

namespace relcache::tools {

ProgressLine::ProgressLine(const InputProgress& input) : input_(input) {
  if (isatty(STDERR_FILENO) == 0) return;
  thread_ = std::thread([this] {
    constexpr std::chrono::milliseconds kTick{50};
    for (int tick = 1; !done_.load(); ++tick) {
      std::this_thread::sleep_for(kTick);
      if (tick % 10 == 0) Show();
    }
  });
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  done_ = true;
  thread_.join();
  std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::Show() const {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const auto bytes = static_cast<double>(input_.bytes.load());
  const auto rows = static_cast<double>(rows_.load());
  std::fprintf(stderr, "\r\x1b[K%.1f million rows, %.0f MB/s", rows / 1e6, bytes / 1e6 / seconds);
  if (input_.size > 0 && bytes > 0) {
    const auto size = static_cast<double>(input_.size);
    std::fprintf(stderr, ", %.0f %%, %.0f s left", 100 * bytes / size,
                 seconds * (size - bytes) / bytes);
  }
  std::fflush(stderr);
}

}  // namespace relcache::tools
