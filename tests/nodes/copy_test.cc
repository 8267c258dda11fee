#include "relcache/nodes/copy.h"
#include "relcache/nodes/nodes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "relcache/nodes/equal.h"
#include "tree_test.h"

namespace relcache {
namespace {

using nodes_testing::kJob;

using CopyTest = nodes_testing::TreeTest;

TEST_F(CopyTest, StringsOfAnyLengthAtAnyPlaceAreCopiedAndCompared) {
  alignas(8) char place[80];
  for (const ContextPtr& to : {Bump::CreateRoot("bump"), AllocSet::CreateRoot("set")})
    for (std::size_t start = 0; start < 9; ++start)
      for (std::size_t length = 0; length < 40; ++length) {
        std::memset(place, 'x', sizeof place);
        for (std::size_t i = 0; i < length; ++i)
          place[start + i] = static_cast<char>(i % 2 == 0 ? 0xff : 'a' + i);
        place[start + length] = 0;
        Alias* alias = MakeNode<Alias>(*cx_);
        alias->aliasname = place + start;
        String* string = MakeNode<String>(*cx_);
        string->sval = place + start;
        alias->colnames = MakeList(*cx_, {string, MakeNode<String>(*cx_)});
        const Alias* copy = CopyObject(*alias, *to);
        ASSERT_TRUE(Equal(alias, copy)) << start << " " << length;
        if (length != 0) {
          std::swap(place[start + length - 1], place[start + length]);  // one shorter
          EXPECT_FALSE(Equal(alias, copy)) << start << " " << length;
          EXPECT_FALSE(Equal(copy, alias)) << start << " " << length;
          std::swap(place[start + length - 1], place[start + length]);
          place[start + length - 1] ^= 1;
          EXPECT_FALSE(Equal(copy, alias)) << start << " " << length;
          EXPECT_FALSE(Equal(alias, copy)) << start << " " << length;
        }
        EXPECT_NE(copy->aliasname.c_str(), place + start);
        EXPECT_NE(As<String>((*copy->colnames)[0])->sval.c_str(), place + start);
        EXPECT_TRUE(As<String>((*copy->colnames)[1])->sval.is_null());
      }
}

TEST_F(CopyTest, TheNodesOfACopyCanBeFreedOneByOne) {
  const Node* tree = Read(kJob);
  const ContextPtr to = AllocSet::CreateRoot("copy");
  const std::size_t before = to->bytes_used();
  std::vector<Node*> nodes = {CopyObject(*tree, *to)};
  EXPECT_GT(to->bytes_used(), before);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (List* list = As<List>(nodes[i])) nodes.insert(nodes.end(), list->begin(), list->end());
    if (auto* op = As<OpExpr>(nodes[i])) nodes.push_back(op->args);
    if (auto* junction = As<BoolExpr>(nodes[i])) nodes.push_back(junction->args);
  }
  EXPECT_EQ(nodes.size(), 10u);
  for (Node* node : nodes) to->Free(node);
  EXPECT_EQ(to->bytes_used(), before);
}

}  // namespace
}  // namespace relcache
