// Any bytes are a tree or an error, under every version. The first byte chooses the version and
// the limits, the rest is the text.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "relcache/nodes/read.h"
#include "relcache/nodes/write.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace relcache;
  if (size == 0) return 0;
  const int versions = kNewestPgVersion - kOldestPgVersion + 1;
  TreeOptions options{.pg_version = kOldestPgVersion + data[0] % versions};
  if (data[0] >= 128) options.max_depth = 8;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const ContextPtr cx = AllocSet::CreateRoot("fuzz");
  const auto tree = StringToNode(text, options, *cx);
  if (!tree) {
    if (tree.error().offset.value_or(0) > text.size() || tree.error().message.empty()) std::abort();
    return 0;
  }
  // What was accepted is written back byte for byte.
  const auto again = NodeToString(*tree, options, *cx);
  if (!again || *again != text) std::abort();
  return 0;
}
