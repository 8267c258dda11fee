// The cache over real catalogs: every expression of every relation of the sample snapshots.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "relcache/cache/relation_cache.h"
#include "relcache/catalog/json_catalog.h"
#include "relcache/nodes/dependencies.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/nodes/write.h"

namespace relcache {
namespace {

std::vector<std::string> Snapshots() {
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(RELCACHE_TEST_DATA "/catalog")) {
    if (file.path().extension() == ".json") files.push_back(file.path().stem());
  }
  return files;
}

class SnapshotTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto opened = JsonCatalog::Open(RELCACHE_TEST_DATA "/catalog/" + GetParam() + ".json");
    ASSERT_TRUE(opened) << opened.error().ToString();
    catalog = std::move(*opened);
  }
  std::unique_ptr<JsonCatalog> catalog;
};

/// Whether the entry answers to everything that the tree names.
void ExpectDependencies(const RelationDescriptor& relation, const ExpressionSlot& slot,
                        const Node* tree) {
  CollectDependencies(tree, [&](ObjectKind kind, Oid oid) {
    InvalidationKind change{};
    switch (kind) {
      case ObjectKind::kType:
        change = InvalidationKind::kType;
        break;
      case ObjectKind::kFunction:
        change = InvalidationKind::kFunction;
        break;
      case ObjectKind::kOperator:
        change = InvalidationKind::kOperator;
        break;
      case ObjectKind::kCollation:
        change = InvalidationKind::kCollation;
        break;
      default:
        return;
    }
    EXPECT_TRUE(std::ranges::binary_search(relation.dependencies(), EntryDependency{change, oid}))
        << slot.place() << ": kind " << static_cast<int>(kind) << ", oid " << oid;
  });
}

TEST_P(SnapshotTest, EveryExpressionIsReadAndTheEntryDependsOnAllItNames) {
  RelationCache cache(*catalog);
  const ContextPtr cx = AllocSet::CreateRoot("test");
  std::size_t expressions = 0;
  const std::span<const RelationName> names = catalog->ListRelations(*cx).value();
  for (const RelationName& name : names) {
    Result<RelationPin> opened = cache.Open(name.nspname, name.relname);
    ASSERT_TRUE(opened) << opened.error().ToString();
    RelationPin pin = std::move(*opened);
    EXPECT_EQ(pin->oid(), name.oid);
    EXPECT_EQ(pin->relkind(), name.relkind);
    for (const ExpressionSlot& slot : pin->expressions()) {
      Result<const TreeImage*> tree = slot.Get();
      ASSERT_TRUE(tree) << tree.error().ToString();
      const Result<std::string_view> text =
          NodeToString((*tree)->root(), {.pg_version = pin->pg_version()}, *cx);
      ASSERT_TRUE(text) << slot.place();
      EXPECT_EQ(*text, slot.text()) << slot.place();
      ExpectDependencies(*pin, slot, (*tree)->root());
      ++expressions;
    }
  }
  EXPECT_GT(expressions, 0u);
  cache.InvalidateAll();
  EXPECT_EQ(cache.stats().bytes, 0u);
}

INSTANTIATE_TEST_SUITE_P(Samples, SnapshotTest, testing::ValuesIn(Snapshots()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace relcache
