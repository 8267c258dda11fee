// relcache tree bench: what reading, copying, writing and comparing the trees of a file takes.
//
// Each tree is treated N times in a row, each result given back by a reset inside the timing; the
// mean of a call, summed over the trees, is the figure. bench/postgres/ measures PostgreSQL's own
// functions alike.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "relcache/base/internal/format.h"
#include "relcache/nodes/copy.h"
#include "relcache/nodes/equal.h"
#include "relcache/nodes/read.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/nodes/write.h"
#include "relcache/tools/json_line.h"
#include "relcache/tools/tree_commands.h"
#include "relcache/tools/tree_file.h"

namespace relcache::tools {
namespace {

struct Sums {
  std::size_t trees = 0, bytes = 0, mem_bytes = 0;
  double read = 0, copy = 0, copy_nodes = 0, write = 0, equal = 0, memcpy = 0;
};

// Nanoseconds of one call.
template <class Call>
double Measure(int repeat, Call call) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repeat; ++i) call();
  const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
  return spent.count() / repeat;
}

// What the compiler must believe to be used.
template <class T>
void Use(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

class Bench {
 public:
  explicit Bench(const TreeBenchOptions& options) : options_(options) {}

  Status Run(const TreeLine& line) {
    const TreeOptions options{.pg_version = line.pg_version, .max_depth = 10'000'000};
    trees_->Reset();
    RELCACHE_ASSIGN(const Node* tree, StringToNode(line.tree, options, *trees_));
    sums_.mem_bytes += trees_->bytes_used() - empty_bytes_;
    RELCACHE_ASSIGN(const Node* other, StringToNode(line.tree, options, *trees_));
    RELCACHE_ASSIGN(const TreeImage* image, ReadTreeImage(line.tree, options, *trees_));
    ++sums_.trees;
    sums_.bytes += line.tree.size();
    const int n = options_.repeat;
    MemoryContext& cx = *scratch_;
    if (Wanted("read"))
      sums_.read += Measure(n, [&] {
        Use(StringToNode(line.tree, options, cx));
        cx.Reset();
      });
    if (Wanted("write"))
      sums_.write += Measure(n, [&] {
        Use(NodeToString(tree, options, cx));
        cx.Reset();
      });
    if (Wanted("equal")) sums_.equal += Measure(n, [&] { Use(Equal(tree, other)); });
    if (Wanted("copy")) Copies(tree, *image, cx);
    return {};
  }

  void Print() const {
    JsonLine line;
    line.Integer("trees", sums_.trees);
    line.Integer("bytes", sums_.bytes);
    const auto figure = [&](const char* op, const char* name, double ns) {
      if (Wanted(op)) line.Fixed(name, ns, 0);
    };
    figure("read", "read_ns", sums_.read);
    figure("copy", "copy_ns", sums_.copy);
    figure("copy", "copy_nodes_ns", sums_.copy_nodes);
    figure("write", "write_ns", sums_.write);
    figure("equal", "equal_ns", sums_.equal);
    figure("copy", "memcpy_ns", sums_.memcpy);
    line.Integer("mem_bytes", sums_.mem_bytes);
    line.Print();
  }

 private:
  bool Wanted(const char* op) const {
    return options_.ops.empty() || std::ranges::find(options_.ops, op) != options_.ops.end();
  }

  void Copies(const Node* tree, const TreeImage& image, MemoryContext& cx) {
    const int n = options_.repeat;
    if (tree == nullptr) return;
    sums_.copy += Measure(n, [&] {
      Use(CopyTree(image, cx));
      cx.Reset();
    });
    sums_.copy_nodes += Measure(n, [&] {
      Use(CopyObject(*tree, cx));
      cx.Reset();
    });
    sums_.memcpy += Measure(n, [&] {
      void* to = cx.AllocateHuge(image.tree_bytes());
      std::memcpy(to, &image + 1, image.tree_bytes());
      Use(to);
      cx.Reset();
    });
  }

  const TreeBenchOptions& options_;
  ContextPtr trees_ = Bump::CreateRoot("trees");
  ContextPtr scratch_ = Bump::CreateRoot("results");
  const std::size_t empty_bytes_ = trees_->bytes_used();
  Sums sums_;
};

}  // namespace

int TreeBench(const TreeBenchOptions& options) {
  Bench bench(options);
  Status failed;
  const Status read = ForEachTree(options.file, options.pg_version, [&](const TreeLine& line) {
    if (!failed) return;
    if (Status status = bench.Run(line); !status)
      failed = Fail(std::move(status.error()).At(Format("{}:{}", options.file, line.line)));
  });
  if (!read || !failed) {
    std::fprintf(stderr, "relcache: %s\n", (read ? failed : read).error().ToString().c_str());
    return read ? kExitViolations : kExitUsage;
  }
  bench.Print();
  return kExitFine;
}

}  // namespace relcache::tools
