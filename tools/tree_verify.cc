// relcache tree verify: does every tree of a file come back byte for byte?
#include <cstdio>

#include "relcache/nodes/copy.h"
#include "relcache/nodes/equal.h"
#include "relcache/nodes/read.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/nodes/write.h"
#include "relcache/tools/tree_commands.h"
#include "relcache/tools/tree_file.h"

namespace relcache::tools {
namespace {

Error Different(const char* what, std::string_view expected, std::string_view found) {
  std::size_t at = 0;
  while (at < expected.size() && at < found.size() && expected[at] == found[at]) ++at;
  return std::move(Error(ErrorCode::kInvalidInput, "XX001", what)).WithOffset(at);
}

// Reads, writes, copies node by node and as an image, and compares.
Status VerifyTree(const TreeLine& line, MemoryContext& cx) {
  TreeOptions options{.pg_version = line.pg_version};
  options.max_depth = 10'000'000;  // the stack decides
  RELCACHE_ASSIGN(const Node* tree, StringToNode(line.tree, options, cx));
  RELCACHE_ASSIGN(const std::string_view text, NodeToString(tree, options, cx));
  if (text != line.tree)
    return Fail(Different("the tree is written back differently", line.tree, text));

  RELCACHE_ASSIGN(const TreeImage* image, ReadTreeImage(line.tree, options, cx));
  const Node* copies[] = {tree != nullptr ? CopyObject(*tree, cx) : nullptr, CopyTree(*image, cx)};
  for (const Node* copy : copies) {
    if (!Equal(copy, tree)) return Fail(ErrorCode::kInvalidInput, "XX001", "the copy differs");
    RELCACHE_ASSIGN(const std::string_view again, NodeToString(copy, options, cx));
    if (again != line.tree)
      return Fail(Different("the copy is written differently", line.tree, again));
  }
  return {};
}

}  // namespace

int TreeVerify(const TreeVerifyOptions& options) {
  const ContextPtr context = AllocSet::CreateRoot("tree verify");
  std::size_t trees = 0, failed = 0;
  int exit_status = kExitFine;
  for (const std::string& file : options.files) {
    const std::size_t before = trees;
    const Status read = ForEachTree(file, options.pg_version, [&](const TreeLine& line) {
      ++trees;
      const Status status = VerifyTree(line, *context);
      if (!status) {
        ++failed;
        std::printf("%s:%zu: %s\n", file.c_str(), line.line, status.error().ToString().c_str());
      }
      context->Reset();
    });
    if (!read) {
      std::fprintf(stderr, "relcache: %s\n", read.error().ToString().c_str());
      exit_status = kExitUsage;
    } else if (trees == before) {
      std::fprintf(stderr, "relcache: %s: the file contains no tree\n", file.c_str());
      exit_status = kExitUsage;
    }
  }
  std::printf("%zu trees, %zu failed\n", trees, failed);
  return exit_status != kExitFine ? exit_status : failed != 0 ? kExitViolations : kExitFine;
}

}  // namespace relcache::tools
