// Every request for memory of reading, writing, copying and comparing trees fails once: each comes
// through with std::bad_alloc, leaks nothing, and works the next time.
#include <gtest/gtest.h>

#include <string>

#include "relcache/nodes/copy.h"
#include "relcache/nodes/equal.h"
#include "relcache/nodes/json.h"
#include "relcache/nodes/read.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/nodes/write.h"
#include "relcache/tests/failing_allocator.h"

namespace relcache {
namespace {

/// (c > 0) AND (d = ANY ('{...}')) OR d IS NULL as PostgreSQL 15 stores it.
std::string Tree() {
  const std::string var =
      "{VAR :varno 1 :varattno 3 :vartype 23 :vartypmod -1 :varcollid 0 :varlevelsup 0 :varnosyn 1 "
      ":varattnosyn 3 :location 30}";
  const std::string constant =
      "{CONST :consttype 23 :consttypmod -1 :constcollid 0 :constlen 4 :constbyval true "
      ":constisnull false :location 34 :constvalue 4 [ 0 0 0 0 0 0 0 0 ]}";
  const std::string text =
      "{CONST :consttype 25 :consttypmod -1 :constcollid 100 :constlen -1 :constbyval false "
      ":constisnull false :location 34 :constvalue 7 [ 28 0 0 0 97 98 99 ]}";
  const std::string op =
      "{OPEXPR :opno 521 :opfuncid 147 :opresulttype 16 :opretset false :opcollid 0 :inputcollid 0 "
      ":args (" +
      var + " " + constant + ") :location 32}";
  return "{BOOLEXPR :boolop and :args (" + op + " {NULLTEST :arg " + text +
         " :nulltesttype 0 :argisrow false :location 3} {BOOLEXPR :boolop not :args (" + op +
         ") :location 1}) :location 32}";
}

TEST(FailingMemory, ReadingATree) {
  const std::string text = Tree();
  for (const bool bump : {false, true}) {
    const std::uint64_t failures = ForEachFailure([&](FailingAllocator&) {
      const ContextPtr cx = bump ? Bump::CreateRoot("tree") : AllocSet::CreateRoot("tree");
      ASSERT_TRUE(StringToNode(text, {}, *cx));
    });
    EXPECT_GE(failures, 2u);
  }
}

TEST(FailingMemory, ReadingADamagedTree) {
  const std::string text = Tree().substr(0, Tree().size() - 20);
  ForEachFailure([&](FailingAllocator&) {
    const ContextPtr cx = AllocSet::CreateRoot("tree");
    EXPECT_FALSE(StringToNode(text, {}, *cx));
  });
}

TEST(FailingMemory, WritingCopyingComparing) {
  const ContextPtr kept = AllocSet::CreateRoot("tree");
  const Result<Node*> tree = StringToNode(Tree(), {}, *kept);
  ASSERT_TRUE(tree) << tree.error().ToString();
  const std::uint64_t failures = ForEachFailure([&](FailingAllocator&) {
    const ContextPtr cx = Bump::CreateRoot("results");
    const Node* copy = CopyObject(**tree, *cx);
    EXPECT_TRUE(Equal(copy, *tree));
    const auto text = NodeToString(copy, {}, *cx);
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, Tree());
  });
  EXPECT_GE(failures, 2u);
}

TEST(FailingMemory, JsonBothWays) {
  const ContextPtr kept = AllocSet::CreateRoot("tree");
  const Result<Node*> tree = StringToNode(Tree(), {}, *kept);
  ASSERT_TRUE(tree) << tree.error().ToString();
  for (const bool bump : {false, true}) {
    const std::uint64_t failures = ForEachFailure([&](FailingAllocator&) {
      const ContextPtr cx = bump ? Bump::CreateRoot("json") : AllocSet::CreateRoot("json");
      const auto json = NodeToJson(*tree, {}, *cx);
      ASSERT_TRUE(json);
      const auto back = JsonToNode(*json, {}, *cx);
      ASSERT_TRUE(back) << back.error().ToString();
      EXPECT_TRUE(Equal(*back, *tree));
    });
    EXPECT_GE(failures, 20u);
  }
}

TEST(FailingMemory, DamagedJson) {
  for (const char* json : {"[1e400]", "[[[", "[{\"node\":\"RangeTblRef\",\"rtindex\":1.5}]"})
    ForEachFailure([&](FailingAllocator&) {
      const ContextPtr cx = Bump::CreateRoot("json");
      EXPECT_FALSE(JsonToNode(json, {}, *cx));
    });
}

TEST(FailingMemory, TreeImages) {
  const std::string text = Tree();
  const std::uint64_t failures = ForEachFailure([&](FailingAllocator&) {
    const ContextPtr cx = Bump::CreateRoot("image");
    const Result<const TreeImage*> image = ReadTreeImage(text, {}, *cx);
    ASSERT_TRUE(image);
    EXPECT_TRUE(Equal(CopyTree(**image, *cx), (*image)->root()));
  });
  EXPECT_GE(failures, 2u);
}

}  // namespace
}  // namespace relcache
