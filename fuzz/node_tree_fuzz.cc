// Whatever tree a text gives: its copies, its image and its JSON are the same tree. The first byte
// chooses the version, the rest is the text, or JSON if it begins with a bracket or {".
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "relcache/nodes/columns.h"
#include "relcache/nodes/copy.h"
#include "relcache/nodes/dependencies.h"
#include "relcache/nodes/equal.h"
#include "relcache/nodes/hash.h"
#include "relcache/nodes/json.h"
#include "relcache/nodes/mutate.h"
#include "relcache/nodes/print.h"
#include "relcache/nodes/read.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/nodes/write.h"

namespace {

using namespace relcache;

void Demand(bool holds) {
  if (!holds) std::abort();
}

void TryTree(const Node* tree, const TreeOptions& options, MemoryContext& cx) {
  const auto text = NodeToString(tree, options, cx);
  if (tree == nullptr || !text) return;  // JSON can hold what no version writes: an empty list
  const Node* copies[] = {CopyObject(*tree, cx),
                          CopyTree(*MakeTreeImage(tree, options.pg_version, cx), cx),
                          MutateTree(
                              *tree, [](const Node&) { return std::optional<Node*>(); }, cx)};
  for (const Node* copy : copies) {
    Demand(Equal(copy, tree) && HashTree(copy) == HashTree(tree));
    Demand(*NodeToString(copy, options, cx) == *text);
  }
  if (const auto json = NodeToJson(tree, options, cx)) {
    const auto back = JsonToNode(*json, options, cx);
    Demand(back.has_value() && *NodeToString(*back, options, cx) == *text);
  }
  Demand(!NodeToText(tree).empty() && !NodeToDot(tree).empty());
  CollectColumns(tree);
  CollectDependencies(tree, [](ObjectKind, Oid oid) { Demand(oid != kInvalidOid); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const int versions = kNewestPgVersion - kOldestPgVersion + 1;
  const TreeOptions options{.pg_version = kOldestPgVersion + data[0] % versions};
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const ContextPtr cx = AllocSet::CreateRoot("fuzz");
  const bool json = text.starts_with('[') || text.starts_with("{\"");
  const auto tree = json ? JsonToNode(text, options, *cx) : StringToNode(text, options, *cx);
  if (tree) TryTree(*tree, options, *cx);
  return 0;
}
