// Trees of any depth, from a stack of 256 kB: a tree or an error, never an overrun.
#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>
#include <string>

#include "relcache/nodes/columns.h"
#include "relcache/nodes/copy.h"
#include "relcache/nodes/dependencies.h"
#include "relcache/nodes/equal.h"
#include "relcache/nodes/hash.h"
#include "relcache/nodes/json.h"
#include "relcache/nodes/mutate.h"
#include "relcache/nodes/nodes.h"
#include "relcache/nodes/print.h"
#include "relcache/nodes/read.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/nodes/walk.h"
#include "relcache/nodes/write.h"

namespace relcache {
namespace {

void OnSmallStack(std::function<void()> run) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 256 << 10), 0);
  pthread_t thread;
  const auto start = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, start, &run), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kSmallStackDepth = 30, kDefaultDepth = 400;  // frames are several times their size
#elif !defined(__OPTIMIZE__)
constexpr int kSmallStackDepth = 80, kDefaultDepth = 1990;  // frames are half as large again
#else
constexpr int kSmallStackDepth = 150, kDefaultDepth = 1990;
#endif

constexpr TreeOptions kNoLimits{.max_depth = 100'000'000};

std::string Repeat(std::string_view text, int n) {
  std::string all;
  for (int i = 0; i < n; ++i) all += text;
  return all;
}

// ((a AND b) AND b) AND b ...
Node* LeftDeep(int terms, MemoryContext& cx) {
  Node* tree = MakeNode<Var>(cx);
  for (int i = 1; i < terms; ++i) {
    BoolExpr* both = MakeNode<BoolExpr>(cx);
    both->args = MakeList(cx, {tree, MakeNode<Var>(cx)});
    tree = both;
  }
  return tree;
}

Node* Nest(int depth, MemoryContext& cx) {
  Node* tree = MakeNode<Var>(cx);
  for (int i = 0; i < depth; ++i) {
    NullTest* test = MakeNode<NullTest>(cx);
    test->arg = static_cast<Expr*>(tree);
    tree = test;
  }
  return tree;
}

class DeepTest : public testing::Test {
 protected:
  // Every operation: those that can fail give a result or say that it is too deep; all others work.
  void ExpectEverythingSafe(const Node& tree) {
    const auto fine = [](const auto& result) {
      EXPECT_TRUE(result || result.error().code == ErrorCode::kLimit) << result.error().ToString();
    };
    const Node* copy = CopyObject(tree, *cx_);
    EXPECT_TRUE(Equal(copy, &tree));
    EXPECT_EQ(HashTree(copy), HashTree(&tree));
    const TreeImage* image = MakeTreeImage(&tree, 15, *cx_);
    EXPECT_TRUE(Equal(CopyTree(*image, *cx_), &tree));
    EXPECT_TRUE(Equal(MutateTree(
                          tree, [](const Node&) { return std::optional<Node*>(); }, *cx_),
                      &tree));
    EXPECT_FALSE(NodeToText(&tree).empty());
    EXPECT_FALSE(NodeToDot(&tree).empty());
    EXPECT_FALSE(CollectColumns(&tree, 0).empty());
    CollectDependencies(&tree, [](ObjectKind, Oid) {});
    fine(NodeToString(&tree, kNoLimits, *cx_));
    fine(NodeToJson(&tree, kNoLimits, *cx_));
  }

  void ExpectTreeOrTooDeep(const std::string& text) {
    const auto tree = StringToNode(text, kNoLimits, *cx_);
    EXPECT_TRUE(tree || tree.error().code == ErrorCode::kLimit ||
                tree.error().code == ErrorCode::kInvalidInput);
    if (!tree && tree.error().code == ErrorCode::kLimit) {
      EXPECT_STREQ(tree.error().sqlstate, "54001");
      EXPECT_TRUE(tree.error().offset.has_value());
    }
  }

  ContextPtr cx_ = Bump::CreateRoot("test");
};

TEST_F(DeepTest, A64000TermChainIsSafeInEveryOperation) {
  OnSmallStack([&] { ExpectEverythingSafe(*LeftDeep(64'000, *cx_)); });
}

TEST_F(DeepTest, A100000DeepNestIsSafeInEveryOperation) {
  OnSmallStack([&] { ExpectEverythingSafe(*Nest(100'000, *cx_)); });
}

TEST_F(DeepTest, DeepTextsGiveATreeOrAnError) {
  const int n = 100'000;
  const std::string args =
      Repeat("{BOOLEXPR :boolop and :args (", n) + "<>" + Repeat(") :location 1}", n);
  const std::string nest = Repeat("{NULLTEST :arg ", n) + "<>" +
                           Repeat(" :nulltesttype 0 :argisrow false :location 1}", n);
  const std::string lists = Repeat("(", n) + "<>" + Repeat(")", n);
  OnSmallStack([&] {
    for (const std::string& text :
         {args, nest, lists, Repeat("(", n), Repeat("{NULLTEST :arg ", n)})
      ExpectTreeOrTooDeep(text);
    const std::string json = Repeat("[", n) + "null" + Repeat("]", n);
    const auto tree = JsonToNode(json, kNoLimits, *cx_);
    EXPECT_TRUE(tree || tree.error().code == ErrorCode::kLimit);
  });
}

TEST_F(DeepTest, WhatIsReadOnASmallStackIsDeepEnoughForRealTrees) {
  const int n = kSmallStackDepth;
  const std::string text =
      Repeat("{BOOLEXPR :boolop and :args (", n) + "<>" + Repeat(") :location 1}", n);
  OnSmallStack([&] {
    const auto tree = StringToNode(text, {}, *cx_);
    ASSERT_TRUE(tree) << tree.error().ToString();
    const auto again = NodeToString(*tree, {}, *cx_);
    ASSERT_TRUE(again) << again.error().ToString();
    EXPECT_EQ(*again, text);
  });
}

TEST_F(DeepTest, TheDefaultDepthFitsAnOrdinaryStack) {
  const int n = kDefaultDepth;
  const std::string text =
      Repeat("{BOOLEXPR :boolop and :args (", n) + "<>" + Repeat(") :location 1}", n);
  const auto tree = StringToNode(text, {}, *cx_);
  ASSERT_TRUE(tree) << tree.error().ToString();
  EXPECT_EQ(*NodeToString(*tree, {}, *cx_), text);
}

}  // namespace
}  // namespace relcache
