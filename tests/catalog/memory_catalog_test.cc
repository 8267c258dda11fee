#include "relcache/catalog/memory_catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "relcache/catalog/internal/row_copy.h"
#include "relcache/tests/failing_allocator.h"

namespace relcache {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// A table of int4 columns a, b, c ...
class Table {
 public:
  Table(Oid oid, std::string_view name, int columns = 2) {
    static constexpr std::array<std::string_view, 4> kNames = {"a", "b", "c", "d"};
    for (int i = 0; i < columns; ++i) {
      AttributeRow column;
      column.attname = kNames.at(static_cast<std::size_t>(i));
      column.atttypid = 23;
      column.attlen = 4;
      column.attbyval = true;
      column.attnum = static_cast<AttrNumber>(i + 1);
      columns_.push_back(column);
    }
    rows.pg_class.oid = oid;
    rows.pg_class.relname = name;
    rows.pg_class.relnamespace = 2200;
    rows.pg_class.relnatts = static_cast<std::int16_t>(columns);
    rows.nspname = "public";
    rows.attributes = columns_;
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  Table& Check(std::string_view name, std::string_view conbin) {
    ConstraintRow row;
    row.oid = rows.pg_class.oid + 1000 + static_cast<Oid>(checks_.size());
    row.conname = name;
    row.contype = 'c';
    row.conbin = conbin;
    checks_.push_back(row);
    rows.constraints = checks_;
    return *this;
  }
  Table& Inherits(Oid parent) {
    parents_.push_back({rows.pg_class.oid, parent, static_cast<int>(parents_.size()) + 1, false});
    rows.parents = parents_;
    return *this;
  }

  RelationRows rows;

 private:
  std::vector<AttributeRow> columns_;
  std::vector<ConstraintRow> checks_;
  std::vector<InheritsRow> parents_;
};

class MemoryCatalogTest : public ::testing::Test {
 protected:
  std::vector<Oid> ChildrenOf(Oid oid) {
    std::vector<Oid> children;
    for (const InheritsRow& row : catalog_.LoadRelation(oid, *cx_).value()->children) {
      children.push_back(row.inhrelid);
    }
    return children;
  }

  ContextPtr cx_ = Bump::CreateRoot("test");
  MemoryCatalog catalog_;
};

TEST_F(MemoryCatalogTest, WhatIsDeliveredSharesNothingWithWhatWasPut) {
  {
    Table table(20000, "t");
    table.Check("z", "tree z").Check("b", "tree b");
    ASSERT_TRUE(catalog_.Put(table.rows));
  }
  const RelationRows* rows = catalog_.LoadRelation(20000, *cx_).value();
  ASSERT_TRUE(catalog_.Drop(20000));
  ASSERT_NE(rows, nullptr);
  EXPECT_EQ(rows->nspname, "public");
  ASSERT_EQ(rows->constraints.size(), 2u);
  EXPECT_EQ(rows->constraints[0].conname, "b") << "constraints come by name";
  EXPECT_EQ(rows->constraints[1].conbin, "tree z");
  EXPECT_EQ(catalog_.LoadRelation(20000, *cx_).value(), nullptr);
}

TEST_F(MemoryCatalogTest, ChildrenFollowFromParentsInAnyOrderOfArrival) {
  ASSERT_TRUE(catalog_.Put(Table(3, "child3").Inherits(1).rows));
  ASSERT_TRUE(catalog_.Put(Table(1, "parent").rows));
  ASSERT_TRUE(catalog_.Put(Table(2, "child2").Inherits(1).rows));
  EXPECT_THAT(ChildrenOf(1), ElementsAre(2, 3));
  ASSERT_TRUE(catalog_.Put(Table(3, "child3").rows));
  EXPECT_THAT(ChildrenOf(1), ElementsAre(2));
  catalog_.Drop(1);
  ASSERT_TRUE(catalog_.Put(Table(1, "parent").rows));
  EXPECT_THAT(ChildrenOf(1), ElementsAre(2));
  catalog_.Drop(2);
  EXPECT_THAT(ChildrenOf(1), IsEmpty());
}

TEST_F(MemoryCatalogTest, VersionsGrowWithEveryChangeOfRowsOrChildren) {
  const auto version = [&](Oid oid) { return catalog_.LoadRelation(oid, *cx_).value()->version; };
  ASSERT_TRUE(catalog_.Put(Table(1, "parent").rows));
  const std::uint64_t first = version(1);
  EXPECT_EQ(version(1), first);
  ASSERT_TRUE(catalog_.Put(Table(2, "child").Inherits(1).rows));
  const std::uint64_t second = version(1);
  EXPECT_GT(second, first);
  ASSERT_TRUE(catalog_.Put(Table(3, "other").rows));
  EXPECT_EQ(version(1), second);
  catalog_.Drop(2);
  EXPECT_GT(version(1), second);
}

TEST_F(MemoryCatalogTest, ChangesArePublishedWhenTheyAreVisible) {
  std::vector<Oid> told;
  const InvalidationSubscription subscription =
      catalog_.Subscribe([&](std::span<const Invalidation> changes) {
        for (const Invalidation& change : changes) {
          told.push_back(change.oid);
          if (change.oid == 2) {
            EXPECT_NE(catalog_.LoadRelation(2, *cx_).value(), nullptr);
          }
        }
      });
  ASSERT_TRUE(catalog_.Put(Table(2, "child").Inherits(1).rows));
  EXPECT_THAT(told, UnorderedElementsAre(1, 2));
}

TEST_F(MemoryCatalogTest, ANameBelongsToOneRelation) {
  ASSERT_TRUE(catalog_.Put(Table(1, "t").rows));
  const Status taken = catalog_.Put(Table(2, "t").rows);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().message, "relation \"t\" already exists");
  ASSERT_TRUE(catalog_.Put(Table(1, "renamed").rows));
  EXPECT_EQ(catalog_.LookupName("public", "t"), kInvalidOid);
  EXPECT_EQ(catalog_.LookupName("public", "renamed"), 1u);
}

TEST_F(MemoryCatalogTest, ALoadCanBeMadeToFailInTheMiddle) {
  ASSERT_TRUE(catalog_.Put(Table(1, "t").rows));
  ASSERT_TRUE(catalog_.Put(Table(2, "u").rows));
  catalog_.FailLoads(1, Error(ErrorCode::kSource, "08006", "link broken"));
  const auto both = catalog_.Load(std::array<Oid, 2>{1, 2}, *cx_);
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().message, "link broken");
  EXPECT_TRUE(catalog_.LoadRelation(1, *cx_));
  catalog_.SetLoadHook({});
  EXPECT_TRUE(catalog_.Load(std::array<Oid, 2>{1, 2}, *cx_));
}

TEST_F(MemoryCatalogTest, AHookMayChangeTheRelationThatIsBeingLoaded) {
  ASSERT_TRUE(catalog_.Put(Table(1, "t", 2).rows));
  catalog_.SetLoadHook([&](std::size_t, Oid) { return catalog_.Put(Table(1, "t", 3).rows); });
  EXPECT_EQ(catalog_.LoadRelation(1, *cx_).value()->attributes.size(), 2u) << "as of its beginning";
  catalog_.SetLoadHook({});
  EXPECT_EQ(catalog_.LoadRelation(1, *cx_).value()->attributes.size(), 3u);
}

struct Damage {
  const char* name;
  void (*apply)(RelationRows& rows, std::vector<AttributeRow>& columns);
  const char* message;
};

TEST_F(MemoryCatalogTest, MalformedRowsAreRefused) {
  const Damage cases[] = {
      {"no oid", [](auto& r, auto&) { r.pg_class.oid = 0; }, "pg_class.oid is 0"},
      {"count", [](auto& r, auto&) { r.pg_class.relnatts = 3; },
       "relnatts is 3, but there are 2 rows of pg_attribute"},
      {"gap", [](auto&, auto& c) { c[1].attnum = 3; },
       "pg_attribute row of column \"b\" has attnum 3 where 2 was expected"},
      {"twice", [](auto&, auto& c) { c[1].attname = "a"; }, "column \"a\" is there twice"},
      {"no type", [](auto&, auto& c) { c[0].atttypid = 0; }, "column \"a\" has no type"},
      {"length", [](auto&, auto& c) { c[0].attlen = 3; }, "column \"a\" is by value with attlen 3"},
      {"partitioned", [](auto& r, auto&) { r.pg_class.relkind = 'p'; },
       "a pg_partitioned_table row and relkind 'p' go together"},
  };
  for (const Damage& damage : cases) {
    Table table(1, "t");
    std::vector<AttributeRow> columns(table.rows.attributes.begin(), table.rows.attributes.end());
    table.rows.attributes = columns;
    damage.apply(table.rows, columns);
    const Status status = catalog_.Put(table.rows);
    ASSERT_FALSE(status) << damage.name;
    EXPECT_EQ(status.error().message, damage.message);
  }
}

TEST_F(MemoryCatalogTest, AFailingAllocationChangesNothing) {
  Table child(2, "child");
  child.Inherits(1).Check("c", "tree");
  ForEachFailure([&](FailingAllocator&) {
    MemoryCatalog catalog;
    {
      const FailurePause pause;
      ASSERT_TRUE(catalog.Put(Table(1, "parent").rows));
    }
    int told = 0;
    const InvalidationSubscription subscription =
        catalog.Subscribe([&](auto changes) { told += static_cast<int>(changes.size()); });
    try {
      ASSERT_TRUE(catalog.Put(child.rows));
      EXPECT_EQ(told, 2);
      catalog.Drop(1);
      EXPECT_EQ(told, 3);
    } catch (const std::bad_alloc&) {
      const FailurePause pause;
      const ContextPtr cx = Bump::CreateRoot("after");
      const bool there = catalog.LookupName("public", "child").value() == 2;
      EXPECT_EQ(told, there ? 2 : 0);
      EXPECT_EQ(catalog.LoadRelation(2, *cx).value() != nullptr, there);
      EXPECT_EQ(catalog.LoadRelation(1, *cx).value()->children.size(), there ? 1u : 0u);
      throw;
    }
  });
}

TEST_F(MemoryCatalogTest, ServesLoadsWhileItIsWritten) {
  ASSERT_TRUE(catalog_.Put(Table(1, "t").rows));
  std::thread writer([&] {
    for (int i = 0; i < 500; ++i) {
      ASSERT_TRUE(catalog_.Put(Table(1, "t", 1 + i % 4).rows));
    }
  });
  for (int i = 0; i < 500; ++i) {
    const ContextPtr cx = Bump::CreateRoot("load");
    const RelationRows* rows = catalog_.LoadRelation(1, *cx).value();
    ASSERT_NE(rows, nullptr);
    ASSERT_EQ(rows->attributes.size(), static_cast<std::size_t>(rows->pg_class.relnatts));
  }
  writer.join();
}

}  // namespace
}  // namespace relcache
