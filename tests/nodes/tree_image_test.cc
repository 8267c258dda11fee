#include "relcache/nodes/tree_image.h"

#include <gtest/gtest.h>

#include <string>

#include "relcache/nodes/write.h"
#include "tree_test.h"

namespace relcache {
namespace {

using TreeImageTest = nodes_testing::TreeTest;

TEST_F(TreeImageTest, AnImageWithLongGapsBetweenPointersIsCopiedWhole) {
  // A value of 20 kB in front of another pointer.
  std::string bytes =
      "{CONST :consttype 17 :consttypmod -1 :constcollid 0 :constlen -1 :constbyval "
      "false :constisnull false :location 3 :constvalue 20004 [ -112 56 1 0 ";
  for (int i = 0; i < 20000; ++i) bytes += "1 ";
  const std::string text = "(" + bytes + "]} {RANGETBLREF :rtindex 1} \"x\")";
  const auto image = ReadTreeImage(text, {}, *cx_);
  ASSERT_TRUE(image) << image.error().ToString();
  const ContextPtr other = AllocSet::CreateRoot("other");
  const Node* copy = CopyTree(**image, *other);
  cx_->Reset();
  EXPECT_EQ(*NodeToString(copy, {}, *other), text);
}

TEST_F(TreeImageTest, AnImageOfNothingHasNoRoot) {
  const auto image = ReadTreeImage("<>", {}, *cx_);
  ASSERT_TRUE(image);
  EXPECT_EQ((*image)->root(), nullptr);
  EXPECT_EQ(CopyTree(**image, *cx_), nullptr);
}

}  // namespace
}  // namespace relcache
