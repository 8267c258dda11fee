#include "relcache/nodes/equal.h"

#include <gtest/gtest.h>

#include "tree_test.h"

namespace relcache {
namespace {

using nodes_testing::kJob;
using EqualTest = nodes_testing::TreeTest;

TEST_F(EqualTest, TreesAreComparedByWhatTheyMean) {
  struct Case {
    const char *a, *b;
    bool equal;
  };
  constexpr Case kCases[] = {
      {"<>", "<>", true},
      {"<>", "(i 1)", false},
      {"(i 1 2)", "(i 1 2)", true},
      {"(i 1 2)", "(i 1)", false},
      {"(i 1)", "(o 1)", false},
      {"((i 1) <>)", "(<> (i 1))", false},
      {"{RANGETBLREF :rtindex 7}", "{RANGETBLREF :rtindex 7}", true},
      {"{RANGETBLREF :rtindex 7}", "{RANGETBLREF :rtindex 8}", false},
      {"{ALIAS :aliasname a :colnames <>}", "{ALIAS :aliasname b :colnames <>}", false},
      {"{RANGETBLREF :rtindex 7}", "{ALIAS :aliasname a :colnames <>}", false},
      // Where something was written does not count.
      {"{BOOLEXPR :boolop not :args <> :location 1}", "{BOOLEXPR :boolop not :args <> :location 2}",
       true},
  };
  for (const Case& c : kCases) {
    const Node* a = Read(c.a);
    const Node* b = Read(c.b);
    EXPECT_EQ(Equal(a, b), c.equal) << c.a << " and " << c.b;
    EXPECT_EQ(Equal(b, a), c.equal) << c.b << " and " << c.a;
  }
}

TEST_F(EqualTest, ATreeEqualsItselfReadTwice) {
  EXPECT_TRUE(Equal(Read(kJob), Read(kJob)));
}

}  // namespace
}  // namespace relcache
