// Real trees of every version, whole and damaged.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "relcache/nodes/copy.h"
#include "relcache/nodes/equal.h"
#include "relcache/nodes/hash.h"
#include "relcache/nodes/json.h"
#include "relcache/nodes/print.h"
#include "relcache/nodes/read.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/nodes/write.h"
#include "relcache/tools/tree_file.h"

namespace relcache {
namespace {

class CorpusTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const std::string file =
        std::string(RELCACHE_TEST_DATA) + "/corpus/pg" + std::to_string(GetParam()) + ".jsonl.gz";
    const Status read = tools::ForEachTree(
        file, GetParam(), [this](const tools::TreeLine& line) { trees_.emplace_back(line.tree); });
    ASSERT_TRUE(read) << read.error().ToString();
    ASSERT_GT(trees_.size(), 1000u);
  }

  // Whatever the bytes: an error, or a tree that is written back byte for byte.
  void TreeOrError(std::string_view text) {
    const std::unique_ptr<char[]> exact(new char[text.size()]);
    if (!text.empty()) std::memcpy(exact.get(), text.data(), text.size());
    const auto tree = StringToNode({exact.get(), text.size()}, options_, *cx_);
    if (tree) {
      const auto again = NodeToString(*tree, options_, *cx_);
      ASSERT_TRUE(again) << again.error().ToString();
      ASSERT_EQ(*again, text);
    } else {
      ASSERT_LE(tree.error().offset.value(), text.size());
    }
    cx_->Reset();
  }

  const TreeOptions options_{.pg_version = GetParam()};
  std::vector<std::string> trees_;
  ContextPtr cx_ = AllocSet::CreateRoot("test");
};
INSTANTIATE_TEST_SUITE_P(Version, CorpusTest,
                         testing::Range(kOldestPgVersion, kNewestPgVersion + 1));

TEST_P(CorpusTest, EveryTreeComesBackByteForByte) {
  for (const std::string& text : trees_) {
    const auto tree = StringToNode(text, options_, *cx_);
    ASSERT_TRUE(tree) << tree.error().ToString();
    const auto again = NodeToString(*tree, options_, *cx_);
    ASSERT_TRUE(again) << again.error().ToString();
    ASSERT_EQ(*again, text);
    cx_->Reset();
  }
}

TEST_P(CorpusTest, ImagesAndCopiesAreTheSameTree) {
  for (std::size_t i = 0; i < trees_.size(); i += 3) {
    const auto image = ReadTreeImage(trees_[i], options_, *cx_);
    ASSERT_TRUE(image);
    EXPECT_EQ((*image)->pg_version(), GetParam());
    const Node* root = (*image)->root();
    if (root == nullptr) continue;
    for (const Node* copy : {CopyTree(**image, *cx_), CopyObject(*root, *cx_)}) {
      ASSERT_TRUE(Equal(copy, root));
      ASSERT_EQ(HashTree(copy), HashTree(root));
      ASSERT_EQ(*NodeToString(copy, options_, *cx_), trees_[i]);
    }
    cx_->Reset();
  }
}

TEST_P(CorpusTest, JsonAndBack) {
  for (std::size_t i = 0; i < trees_.size(); i += 3) {
    const auto tree = StringToNode(trees_[i], options_, *cx_);
    ASSERT_TRUE(tree);
    const auto json = NodeToJson(*tree, options_, *cx_);
    ASSERT_TRUE(json) << json.error().ToString();
    const auto back = JsonToNode(*json, options_, *cx_);
    ASSERT_TRUE(back) << back.error().ToString();
    ASSERT_EQ(*NodeToString(*back, options_, *cx_), trees_[i]);
    cx_->Reset();
  }
}

TEST_P(CorpusTest, DamagedTreesGiveATreeOrAnError) {
  int used = 0;
  for (std::size_t i = static_cast<std::size_t>(GetParam()) * 7; i < trees_.size() && used < 8;
       i += 97) {
    const std::string& text = trees_[i];
    if (text.size() > 1500) continue;
    ++used;
    for (std::size_t at = 0; at < text.size(); ++at) {
      TreeOrError(text.substr(0, at));
      ASSERT_FALSE(HasFatalFailure()) << text;
      std::string flipped = text;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
      TreeOrError(flipped);
      ASSERT_FALSE(HasFatalFailure()) << flipped;
    }
  }
  EXPECT_GE(used, 4);
}

using SlowCorpusTest = CorpusTest;
INSTANTIATE_TEST_SUITE_P(Slow, SlowCorpusTest,
                         testing::Range(kOldestPgVersion, kNewestPgVersion + 1));

TEST_P(SlowCorpusTest, DamagedTreesGiveATreeOrAnError) {
  for (std::size_t i = 0; i < trees_.size(); i += 7) {
    const std::string& text = trees_[i];
    if (text.size() > 1500) continue;
    for (std::size_t at = 0; at < text.size(); ++at) {
      TreeOrError(text.substr(0, at));
      for (const int bit : {0, 1, 2, 3, 4, 5, 6, 7}) {
        std::string flipped = text;
        flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
        TreeOrError(flipped);
      }
      ASSERT_FALSE(HasFatalFailure()) << text;
    }
  }
}

}  // namespace
}  // namespace relcache
