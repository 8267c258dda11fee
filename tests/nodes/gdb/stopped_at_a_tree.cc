// What printers_test.sh looks at in gdb: an expression, a name with a list, a set.
#include <array>

#include "relcache/memory/memory_context.h"
#include "relcache/nodes/nodes.h"

using namespace relcache;  // NOLINT

[[gnu::noinline]] void Stop(const Node* node, const Alias& alias, const List& list,
                            const RangeTblEntry& entry) {
  asm volatile("" : : "r"(node), "r"(&alias), "r"(&list), "r"(&entry) : "memory");
}

int main() {
  const ContextPtr owner = AllocSet::CreateRoot("gdb");
  MemoryContext& cx = *owner;
  Var* var = MakeNode<Var>(cx);
  var->varattno = 3;
  Const* constant = MakeNode<Const>(cx);
  constant->consttype = 23;
  OpExpr* less = MakeNode<OpExpr>(cx);
  less->opno = 97;
  less->args = MakeList(cx, {var, constant});
  Alias* alias = MakeNode<Alias>(cx);
  alias->aliasname = MakeCString("orders", cx);
  alias->colnames = MakeList(cx, {MakeString("id", cx), nullptr});
  RangeTblEntry* entry = MakeNode<RangeTblEntry>(cx);
  entry->selectedCols = MakeList<Bitmapset>(std::array{8, 11}, cx);
  Stop(less, *alias, *less->args, *entry);
}
