// What every CatalogSource promises, over every source and every sample.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "relcache/catalog/internal/catalog_rows.h"
#include "relcache/catalog/internal/json_rows.h"
#include "relcache/catalog/internal/row_copy.h"
#include "relcache/catalog/json_catalog.h"
#include "relcache/catalog/memory_catalog.h"
#include "relcache/catalog/names.h"

namespace relcache {
namespace {

std::unique_ptr<CatalogSource> OpenJson(const std::string& path) {
  auto source = JsonCatalog::Open(path);
  EXPECT_TRUE(source) << source.error().ToString();
  return source ? std::move(*source) : nullptr;
}

std::unique_ptr<CatalogSource> FillMemory(const std::string& path) {
  const auto from = OpenJson(path);
  if (from == nullptr) return nullptr;
  const ContextPtr cx = Bump::CreateRoot("fill");
  auto memory = std::make_unique<MemoryCatalog>(from->info());
  const Status status = memory->PutAll(ExportCatalog(*from, *cx).value());
  EXPECT_TRUE(status) << status.error().ToString();
  return memory;
}

/// The source, written as a snapshot and read back.
std::unique_ptr<CatalogSource> RoundTrip(const std::string& path) {
  const auto from = FillMemory(path);
  if (from == nullptr) return nullptr;
  const ContextPtr cx = Bump::CreateRoot("export");
  auto source =
      JsonCatalog::Parse(CatalogToJson(ExportCatalog(*from, *cx).value()).value(), "round trip");
  EXPECT_TRUE(source) << source.error().ToString();
  return source ? std::move(*source) : nullptr;
}

// A new source is a line here.
struct SourceKind {
  const char* name;
  std::unique_ptr<CatalogSource> (*open)(const std::string& path);
};
constexpr SourceKind kSources[] = {
    {"Json", OpenJson}, {"Memory", FillMemory}, {"RoundTrip", RoundTrip}};
constexpr const char* kSamples[] = {"../../examples/job", "../../examples/pgbench",
                                    "catalog/checks",     "catalog/inheritance",
                                    "catalog/partitions", "catalog/programs"};

class CatalogSourceContractTest
    : public ::testing::TestWithParam<std::tuple<SourceKind, const char*>> {
 protected:
  void SetUp() override {
    const auto& [kind, sample] = GetParam();
    source_ = kind.open(std::string(RELCACHE_TEST_DATA "/") + sample + ".json");
    ASSERT_NE(source_, nullptr);
    const auto listed = source_->ListRelations(*cx_).value();
    for (const RelationName& name : listed) oids_.push_back(name.oid);
    ASSERT_FALSE(oids_.empty());
  }
  std::span<const RelationRows* const> LoadAll() { return source_->Load(oids_, *cx_).value(); }

  ContextPtr cx_ = Bump::CreateRoot("test");
  std::unique_ptr<CatalogSource> source_;
  std::vector<Oid> oids_;
};

TEST_P(CatalogSourceContractTest, EveryRelationIsDeliveredWholeAndInOrder) {
  const auto rows = LoadAll();
  ASSERT_EQ(rows.size(), oids_.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_NE(rows[i], nullptr);
    EXPECT_EQ(rows[i]->pg_class.oid, oids_[i]);
    EXPECT_FALSE(rows[i]->nspname.empty());
    const Status status = ValidateRelationRows(*rows[i]);
    EXPECT_TRUE(status) << rows[i]->pg_class.relname << ": " << status.error().ToString();
    const auto checks = std::ranges::count(rows[i]->constraints, 'c', &ConstraintRow::contype);
    EXPECT_EQ(checks, rows[i]->pg_class.relchecks) << rows[i]->pg_class.relname;
    EXPECT_TRUE(std::ranges::is_sorted(rows[i]->constraints, {}, &ConstraintRow::conname));
    EXPECT_TRUE(std::ranges::is_sorted(rows[i]->triggers, {}, &TriggerRow::tgname));
    EXPECT_TRUE(std::ranges::is_sorted(rows[i]->attrdefs, {}, &AttrdefRow::adnum));
    EXPECT_TRUE(std::ranges::is_sorted(rows[i]->children, {}, &InheritsRow::inhrelid));
  }
}

TEST_P(CatalogSourceContractTest, WhatDoesNotExistIsNoError) {
  const Oid none = 4000000000;
  const std::array<Oid, 4> oids = {none, oids_[0], kInvalidOid, oids_[0]};
  const auto rows = source_->Load(oids, *cx_).value();
  EXPECT_EQ(rows[0], nullptr);
  ASSERT_NE(rows[1], nullptr);
  EXPECT_EQ(rows[2], nullptr);
  ASSERT_NE(rows[3], nullptr);
  EXPECT_NE(rows[1], rows[3]);
  EXPECT_TRUE(EqualRows(*rows[1], *rows[3]));
  EXPECT_TRUE(source_->Load({}, *cx_).value().empty());
  EXPECT_EQ(source_->LoadRelation(none, *cx_).value(), nullptr);
  EXPECT_EQ(source_->LoadType(none, *cx_).value(), nullptr);
  EXPECT_EQ(source_->LoadProc(none, *cx_).value(), nullptr);
  EXPECT_EQ(source_->LoadOperator(none, *cx_).value(), nullptr);
  EXPECT_EQ(source_->LoadCollation(none, *cx_).value(), nullptr);
  EXPECT_EQ(source_->LoadOpclass(none, *cx_).value(), nullptr);
  EXPECT_EQ(source_->LoadNamespace(none, *cx_).value(), nullptr);
  EXPECT_EQ(source_->LookupName("public", "no such relation").value(), kInvalidOid);
  EXPECT_EQ(source_->LookupName("", "").value(), kInvalidOid);
}

TEST_P(CatalogSourceContractTest, NamesFindTheRelationsThatHaveThem) {
  std::vector<std::pair<std::string_view, std::string_view>> names;
  const auto listed = source_->ListRelations(*cx_).value();
  for (const RelationName& name : listed) {
    EXPECT_EQ(source_->LookupName(name.nspname, name.relname).value(), name.oid);
    EXPECT_EQ(source_->LookupName(name.nspname, std::string(name.relname) + " ").value(),
              kInvalidOid);
    const RelationRows* rows = source_->LoadRelation(name.oid, *cx_).value();
    EXPECT_EQ(rows->nspname, name.nspname);
    EXPECT_EQ(rows->pg_class.relname, name.relname);
    EXPECT_EQ(rows->pg_class.relkind, name.relkind);
    EXPECT_EQ(source_->LoadNamespace(rows->pg_class.relnamespace, *cx_).value()->nspname,
              name.nspname);
    names.emplace_back(name.nspname, name.relname);
  }
  EXPECT_TRUE(std::ranges::is_sorted(names));
}

TEST_P(CatalogSourceContractTest, TwoLoadsWithOneStampDeliverTheSameRows) {
  const auto first = LoadAll();
  const auto second = LoadAll();
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i]->version, second[i]->version);
    EXPECT_TRUE(EqualRows(*first[i], *second[i]));
  }
}

TEST_P(CatalogSourceContractTest, ParentsAndChildrenAgree) {
  std::set<std::pair<Oid, Oid>> parents, children;
  for (const RelationRows* rows : LoadAll()) {
    for (const InheritsRow& row : rows->parents) {
      EXPECT_EQ(row.inhrelid, rows->pg_class.oid);
      parents.emplace(row.inhrelid, row.inhparent);
    }
    for (const InheritsRow& row : rows->children) {
      EXPECT_EQ(row.inhparent, rows->pg_class.oid);
      children.emplace(row.inhrelid, row.inhparent);
    }
  }
  EXPECT_EQ(parents, children);
}

TEST_P(CatalogSourceContractTest, WhatColumnsTriggersAndKeysNameIsThere) {
  for (const RelationRows* rows : LoadAll()) {
    for (const AttributeRow& column : rows->attributes) {
      if (column.attisdropped) continue;
      const TypeRows* type = source_->LoadType(column.atttypid, *cx_).value();
      ASSERT_NE(type, nullptr) << column.attname;
      EXPECT_EQ(type->pg_type.typlen, column.attlen) << column.attname;
      EXPECT_EQ(type->pg_type.typbyval, column.attbyval) << column.attname;
      EXPECT_EQ(type->pg_type.typalign, column.attalign) << column.attname;
      if (column.attcollation != kInvalidOid) {
        EXPECT_NE(source_->LoadCollation(column.attcollation, *cx_).value(), nullptr);
      }
    }
    for (const TriggerRow& row : rows->triggers) {
      EXPECT_NE(source_->LoadProc(row.tgfoid, *cx_).value(), nullptr) << row.tgname;
    }
    if (rows->partitioned_table != nullptr) {
      for (const Oid oid : rows->partitioned_table->partclass) {
        const OpclassRow* opclass = source_->LoadOpclass(oid, *cx_).value();
        ASSERT_NE(opclass, nullptr) << oid;
        EXPECT_EQ(opclass->amname, rows->partitioned_table->partstrat == 'h' ? "hash" : "btree");
        ASSERT_FALSE(opclass->amprocs.empty());
        EXPECT_EQ(opclass->amprocs[0].amprocnum, 1);
      }
    }
  }
}

TEST_P(CatalogSourceContractTest, RowsOutliveTheirSource) {
  const auto rows = LoadAll();
  const ContextPtr other = Bump::CreateRoot("other");
  std::vector<RelationRows> copies;
  for (const RelationRows* row : rows) copies.push_back(CopyRow(*row, *other));
  source_.reset();
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_TRUE(EqualRows(*rows[i], copies[i]));
}

TEST_P(CatalogSourceContractTest, AnyThreadMayCall) {
  std::atomic<std::size_t> delivered = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const ContextPtr cx = Bump::CreateRoot("thread");
      const auto loaded = source_->Load(oids_, *cx).value();
      for (const RelationRows* rows : loaded) {
        delivered +=
            rows->pg_class.oid == source_->LookupName(rows->nspname, rows->pg_class.relname) ? 1
                                                                                             : 0;
        const InvalidationSubscription subscription = source_->Subscribe([](auto) {});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(delivered, 4 * oids_.size());
}

TEST_P(CatalogSourceContractTest, SaysWhoseRowsTheseAre) {
  EXPECT_EQ(source_->info().pg_version(), 15);
  EXPECT_EQ(source_->info().server_encoding, "UTF8");
  EXPECT_EQ(source_->info().datcollate, "C.UTF-8");
}

TEST_P(CatalogSourceContractTest, EqualsTheSnapshotItWasMadeFrom) {
  const auto json =
      OpenJson(std::string(RELCACHE_TEST_DATA "/") + std::get<1>(GetParam()) + ".json");
  const auto expected = json->Load(oids_, *cx_).value();
  const auto rows = LoadAll();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RelationRows a = *rows[i], b = *expected[i];
    a.version = b.version = 0;
    EXPECT_TRUE(EqualRows(a, b)) << a.pg_class.relname;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CatalogSourceContractTest,
                         ::testing::Combine(::testing::ValuesIn(kSources),
                                            ::testing::ValuesIn(kSamples)),
                         [](const auto& test) {
                           const std::string sample = std::get<1>(test.param);
                           return std::get<0>(test.param).name + std::string("_") +
                                  sample.substr(sample.rfind('/') + 1);
                         });

}  // namespace
}  // namespace relcache
