// After how many rows should the context that output functions write to be reset? A row is five
// results of 5 to 40 bytes. Prints nanoseconds a row by rows per reset, for both kinds and two
// sizes of the first block.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "relcache/memory/memory_context.h"

namespace {

using relcache::BlockSizes;
using relcache::ContextPtr;

double PerRow(ContextPtr context, int period) {
  constexpr int kRows = 20'000;
  double best = 1e9;
  for (int round = 0; round < 30; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int row = 1; row <= kRows; ++row) {
      for (std::size_t c = 0; c < 5; ++c) {
        const std::size_t size = 5 + (static_cast<std::size_t>(row) * 7 + c * 11) % 36;
        void* text = context->Allocate(size);
        std::memset(text, 'x', size);
        asm volatile("" : : "r"(text) : "memory");
      }
      if (row % period == 0) context->Reset();
    }
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count() / kRows);
    context->Reset();
  }
  return best;
}

}  // namespace

int main() {
  constexpr BlockSizes kLarge{1024 * 1024, 8 * 1024 * 1024};
  std::printf("rows a reset   Bump 8 kB   Bump 1 MB   AllocSet 8 kB   AllocSet 1 MB\n");
  for (const int period : {1, 10, 50, 100, 200, 500, 1000, 5000, 20000}) {
    std::printf("%12d %11.1f %11.1f %15.1f %15.1f\n", period,
                PerRow(relcache::Bump::CreateRoot("rows"), period),
                PerRow(relcache::Bump::CreateRoot("rows", kLarge), period),
                PerRow(relcache::AllocSet::CreateRoot("rows"), period),
                PerRow(relcache::AllocSet::CreateRoot("rows", kLarge), period));
  }
}
