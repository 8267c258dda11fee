// Tests by construction: what must hold for every node type in every version.
#include "relcache/nodes/node_type.h"
#include "relcache/nodes/nodes.h"

#include <gtest/gtest.h>

#include <set>

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
#include "relcache/tests/nodes/sample_tree.h"

namespace relcache {
namespace {

using nodes_testing::SampleMaker;

class NodeTypeTest : public testing::Test {
 protected:
  // Calls use(type, version, rtekind) for every type of every version.
  template <class Use>
  void ForEachType(Use use) {
    for (int version = kOldestPgVersion; version <= kNewestPgVersion; ++version)
      for (const NodeType& type : NodeTypes()) {
        if (type.label(version).empty()) continue;
        const bool is_rte = type.name == "RangeTblEntry";
        for (int kind = 0; kind <= (is_rte ? 9 : 0); ++kind) {
          SCOPED_TRACE(std::string(type.name) + " of version " + std::to_string(version) +
                       " rtekind " + std::to_string(kind));
          use(type, version, kind);
          ASSERT_FALSE(HasFailure());
          cx_->Reset();
        }
      }
  }

  std::string Text(const Node* node, int version) {
    const auto text = NodeToString(node, {.pg_version = version}, *cx_);
    EXPECT_TRUE(text) << text.error().ToString();
    return text ? std::string(*text) : std::string();
  }

  ContextPtr cx_ = AllocSet::CreateRoot("test");
};

TEST_F(NodeTypeTest, WhatIsWrittenIsReadBackEqual) {
  ForEachType([&](const NodeType& type, int version, int kind) {
    const Node* node = SampleMaker(version, *cx_).Full(type, kind);
    const std::string text = Text(node, version);
    const auto read = StringToNode(text, {.pg_version = version}, *cx_);
    ASSERT_TRUE(read) << read.error().ToString() << "\n" << text;
    EXPECT_TRUE(Equal(*read, node)) << **read << *node;
    EXPECT_EQ(Text(*read, version), text);
  });
}

TEST_F(NodeTypeTest, NoFieldIsLostOnTheWay) {
  ForEachType([&](const NodeType& type, int version, int kind) {
    SampleMaker maker(version, *cx_);
    const Node* node = maker.Full(type, kind);
    const std::string text = Text(node, version);
    for (const NodeField& f : type.fields) {
      if (!IsFieldWritten(f, *node, version) || f.label() == "rtekind" || type.name == "Const")
        continue;
      Node* changed = CopyObject(*node, *cx_);
      if (!maker.Change(*changed, f)) continue;
      EXPECT_NE(Text(changed, version), text) << f.label();
      const auto read = StringToNode(Text(changed, version), {.pg_version = version}, *cx_);
      ASSERT_TRUE(read) << read.error().ToString();
      EXPECT_TRUE(Equal(*read, changed)) << f.label();
    }
  });
}

TEST_F(NodeTypeTest, ACopyIsEqualAndSharesNothing) {
  ForEachType([&](const NodeType& type, int version, int kind) {
    const ContextPtr source = AllocSet::CreateRoot("source");
    const Node* node = SampleMaker(version, *source).Full(type, kind);
    const std::string text = Text(node, version);
    const Node* copy = CopyObject(*node, *cx_);
    const TreeImage* image = MakeTreeImage(node, version, *cx_);
    const Node* from_image = CopyTree(*image, *cx_);
    const TreeImage* image_copy = CopyImage(*MakeTreeImage(node, version, *source), *cx_);
    EXPECT_EQ(image_copy->pg_version(), version);
    EXPECT_EQ(image_copy->bytes(), image->bytes());
    const Node* from_image_copy = CopyTree(*image_copy, *cx_);
    const Node* mutated = MutateTree(
        *node, [](const Node&) { return std::optional<Node*>(); }, *cx_);
    EXPECT_TRUE(Equal(copy, node));
    source->Reset();  // under asan the source's bytes are out of bounds now
    for (const Node* c :
         {copy, image->root(), from_image, image_copy->root(), from_image_copy, mutated}) {
      EXPECT_EQ(Text(c, version), text);
      EXPECT_TRUE(Equal(c, copy));
      EXPECT_EQ(HashTree(c), HashTree(copy));
    }
  });
}

TEST_F(NodeTypeTest, AnyFieldThatCountsMakesTreesUnequal) {
  ForEachType([&](const NodeType& type, int version, int kind) {
    SampleMaker maker(version, *cx_);
    const Node* node = maker.Full(type, kind);
    for (const NodeField& f : type.fields) {
      Node* changed = CopyObject(*node, *cx_);
      if (!IsFieldWritten(f, *node, version) || f.label() == "constlen" ||
          f.label() == "constbyval" || !maker.Change(*changed, f))
        continue;
      const bool counts = f.rule.compare != FieldCompare::kNever;
      EXPECT_EQ(Equal(changed, node), !counts) << f.label();
      EXPECT_EQ(Equal(node, changed), !counts) << f.label();
      if (f.rule.compare == FieldCompare::kAlways)
        EXPECT_NE(HashTree(changed), HashTree(node)) << f.label();
      else
        EXPECT_EQ(HashTree(changed), HashTree(node)) << f.label();
    }
  });
}

TEST_F(NodeTypeTest, FieldsThatAreFilledInLaterCountOnlyWhereBothSidesHaveThem) {
  OpExpr* looked_up = MakeNode<OpExpr>(*cx_);
  looked_up->opfuncid = 147;
  OpExpr* fresh = MakeNode<OpExpr>(*cx_);
  EXPECT_TRUE(Equal(looked_up, fresh));
  EXPECT_EQ(HashTree(looked_up), HashTree(fresh));
  fresh->opfuncid = 148;
  EXPECT_FALSE(Equal(looked_up, fresh));
}

TEST_F(NodeTypeTest, JsonCarriesEveryField) {
  ForEachType([&](const NodeType& type, int version, int kind) {
    const TreeOptions options{.pg_version = version};
    const Node* node = SampleMaker(version, *cx_).Full(type, kind);
    const auto json = NodeToJson(node, options, *cx_);
    ASSERT_TRUE(json) << json.error().ToString();
    const auto read = JsonToNode(*json, options, *cx_);
    ASSERT_TRUE(read) << read.error().ToString() << "\n" << *json;
    EXPECT_EQ(Text(*read, version), Text(node, version));
  });
}

TEST_F(NodeTypeTest, AFieldThatIsMissingOrSurplusIsRefusedWithItsName) {
  ForEachType([&](const NodeType& type, int version, int kind) {
    const Node* node = SampleMaker(version, *cx_).Full(type, kind);
    const std::string text = Text(node, version);
    for (const NodeField& f : type.fields) {
      if (!IsFieldWritten(f, *node, version)) continue;
      const std::string label(f.text.data(), f.length - 1u);
      const std::size_t at = text.find(label + " ");
      ASSERT_NE(at, std::string::npos);
      std::string renamed = text;
      renamed[at + 2] = '_';
      const auto read = StringToNode(renamed, {.pg_version = version}, *cx_);
      ASSERT_FALSE(read);
      EXPECT_EQ(read.error().offset, at) << read.error().ToString();
      EXPECT_NE(read.error().message.find(f.label()), std::string::npos) << read.error().ToString();
    }
    std::string surplus = text;
    surplus.insert(text.size() - 1, " :more 1");
    const auto read = StringToNode(surplus, {.pg_version = version}, *cx_);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().offset, text.size() - 1);
  });
}

TEST_F(NodeTypeTest, EveryOidThatNamesAnObjectIsADependency) {
  ForEachType([&](const NodeType& type, int version, int kind) {
    const Node* node = SampleMaker(version, *cx_).Full(type, kind);
    std::multiset<ObjectKind> found;
    CollectDependencies(node, [&](ObjectKind k, Oid oid) {
      EXPECT_NE(oid, kInvalidOid);
      found.insert(k);
    });
    for (const NodeField& f : type.fields) {
      if (f.rule.names == ObjectKind::kNone || !IsFieldWritten(f, *node, version)) continue;
      EXPECT_TRUE(found.contains(f.rule.names)) << f.label();
    }
  });
}

TEST_F(NodeTypeTest, PeopleSeeEveryNode) {
  ForEachType([&](const NodeType& type, int version, int kind) {
    const Node* node = SampleMaker(version, *cx_).Full(type, kind);
    EXPECT_EQ(NodeToText(node).substr(0, type.name.size()), type.name);
    EXPECT_NE(NodeToDot(node).find(type.name), std::string::npos);
  });
}

TEST_F(NodeTypeTest, ANodeOfAnotherVersionIsRefusedByReaderAndWriter) {
  for (int version = kOldestPgVersion; version <= kNewestPgVersion; ++version)
    for (const NodeType& type : NodeTypes()) {
      if (!type.label(version).empty()) continue;
      EXPECT_FALSE(NodeToString(type.prototype, {.pg_version = version}, *cx_)) << type.name;
      for (const NodeLabel& label : type.labels) {
        const std::string text = "{" + std::string(label.text) + " :x 1}";
        const auto read = StringToNode(text, {.pg_version = version}, *cx_);
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().offset, 1u);
      }
    }
}

}  // namespace
}  // namespace relcache
