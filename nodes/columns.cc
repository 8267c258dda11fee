#include "relcache/nodes/columns.h"

#include <algorithm>
#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/nodes/copy.h"
#include "relcache/nodes/walk.h"

namespace relcache {

std::vector<AttrNumber> CollectColumns(const Node* tree, std::int32_t varno) {
  std::vector<AttrNumber> columns;
  TreeWalker walker(tree);
  while (const Node* node = walker.Next()) {
    const Var* var = As<Var>(node);
    if (var == nullptr || var->varno != varno || var->varlevelsup != walker.query_level()) continue;
    columns.push_back(var->varattno);
  }
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

Result<Node*> ReplaceColumns(const Node& tree, std::span<const AttrNumber> attribute_map,
                             MemoryContext& cx, std::int32_t varno) {
  Node* copy = CopyObject(tree, cx);
  MutableTreeWalker walker(copy);
  while (Node* node = walker.Next()) {
    Var* var = As<Var>(node);
    if (var == nullptr || var->varno != varno || var->varlevelsup != walker.query_level()) continue;
    const AttrNumber old = var->varattno;
    if (old < 0) continue;
    if (old == 0) return Fail(NotSupported("whole-row reference in an expression to be mapped"));
    const auto index = static_cast<std::size_t>(old) - 1;
    if (index >= attribute_map.size() || attribute_map[index] == 0)
      return Fail(ErrorCode::kInvalidInput, "XX000",
                  Format("unexpected varattno {} in expression to be mapped", old));
    var->varattno = attribute_map[index];
    if (var->varnosyn == static_cast<std::uint32_t>(varno)) var->varattnosyn = var->varattno;
  }
  return copy;
}

}  // namespace relcache
