// Relations for the tests of the cache, in a catalog in memory.
#pragma once

#include <gtest/gtest.h>

#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/cache/relation_cache.h"
#include "relcache/catalog/memory_catalog.h"
#include "relcache/memory/memory_context.h"

namespace relcache::test {

/// `b > 0` as PostgreSQL 15 stores it for column 2, an integer: names operator 521 and function
/// 147.
inline constexpr std::string_view kPositive =
    "{OPEXPR :opno 521 :opfuncid 147 :opresulttype 16 :opretset false :opcollid 0 :inputcollid 0 "
    ":args ({VAR :varno 1 :varattno 2 :vartype 23 :vartypmod -1 :varcollid 0 :varlevelsup 0 "
    ":varnosyn 1 :varattnosyn 2 :location 30} {CONST :consttype 23 :consttypmod -1 :constcollid 0 "
    ":constlen 4 :constbyval true :constisnull false :location 34 :constvalue 4 [ 0 0 0 0 0 0 0 0 "
    "]}) :location 32}";

/// A table with columns a, b integer, made to measure by changing `rows` before it is put.
class Table {
 public:
  explicit Table(Oid oid, std::string_view name, std::string_view schema = "public") {
    rows.nspname = Keep(schema);
    rows.pg_class.oid = oid;
    rows.pg_class.relname = Keep(name);
    rows.pg_class.relnamespace = 2200;
    rows.pg_class.relnatts = 2;
    for (const char* column : {"a", "b"}) {
      AttributeRow& row = columns.emplace_back();
      row.attname = column;
      row.atttypid = 23;
      row.attlen = 4;
      row.attbyval = true;
      row.attnum = static_cast<AttrNumber>(columns.size());
    }
  }

  Table& Check(std::string_view name, std::string_view text = kPositive) {
    ConstraintRow& row = constraints.emplace_back();
    row.oid = rows.pg_class.oid + 100000 + static_cast<Oid>(constraints.size());
    row.conname = Keep(name);
    row.contype = 'c';
    row.conrelid = rows.pg_class.oid;
    row.conbin = Keep(text);
    return *this;
  }
  Table& ColumnType(AttrNumber attnum, Oid type) {
    columns[static_cast<std::size_t>(attnum) - 1].atttypid = type;
    return *this;
  }

  /// The rows, which point into this object.
  const RelationRows& Rows() {
    rows.attributes = columns;
    rows.constraints = constraints;
    rows.pg_class.relchecks = static_cast<std::int16_t>(constraints.size());
    return rows;
  }

  /// A copy of the text that lives as long as the table and its copies.
  std::string_view Keep(std::string_view text) { return texts->emplace_back(text); }

  std::shared_ptr<std::list<std::string>> texts = std::make_shared<std::list<std::string>>();
  RelationRows rows;
  std::vector<AttributeRow> columns;
  std::vector<ConstraintRow> constraints;
};

/// Puts the table in; must succeed.
inline void Put(MemoryCatalog& catalog, Table table) {
  if (Status put = catalog.Put(table.Rows()); !put)
    throw std::runtime_error(put.error().ToString());
}

/// The tables public.t, with a check, and app.u.
constexpr Oid kT = 16400, kU = 16401, kMissing = 99999;

class TwoTables : public ::testing::Test {
 protected:
  TwoTables() {
    Put(catalog, Table(kT, "t").Check("c"));
    Put(catalog, Table(kU, "u", "app"));
  }
  static RelationPin Take(Result<RelationPin> pin) {
    EXPECT_TRUE(pin) << (pin ? "" : pin.error().ToString());
    return pin ? std::move(*pin) : RelationPin();
  }

  MemoryCatalog catalog;
};

/// Delivers rows as they are, unchecked.
class RawSource final : public CatalogSource {
 public:
  explicit RawSource(Table given) : table(std::move(given)) {}
  const ServerInfo& info() const noexcept override { return info_; }
  Result<std::span<const RelationRows* const>> Load(std::span<const Oid> oids,
                                                    MemoryContext& cx) override {
    if (deliver_nothing) return std::span<const RelationRows* const>();
    const std::span all = cx.NewArray<const RelationRows*>(oids.size());
    for (auto& one : all) one = &table.Rows();
    return all;
  }
  Result<Oid> LookupName(std::string_view, std::string_view) override { return kT; }
  Result<std::span<const RelationName>> ListRelations(MemoryContext&) override { return {}; }
  Result<std::span<const TypeRows* const>> LoadTypes(std::span<const Oid>,
                                                     MemoryContext&) override {
    return {};
  }
  Result<std::span<const ProcRow* const>> LoadProcs(std::span<const Oid>, MemoryContext&) override {
    return {};
  }
  Result<std::span<const OperatorRow* const>> LoadOperators(std::span<const Oid>,
                                                            MemoryContext&) override {
    return {};
  }
  Result<std::span<const CollationRow* const>> LoadCollations(std::span<const Oid>,
                                                              MemoryContext&) override {
    return {};
  }
  Result<std::span<const OpclassRow* const>> LoadOpclasses(std::span<const Oid>,
                                                           MemoryContext&) override {
    return {};
  }
  Result<std::span<const NamespaceRow* const>> LoadNamespaces(std::span<const Oid>,
                                                              MemoryContext&) override {
    return {};
  }
  InvalidationSubscription Subscribe(InvalidationListener listener) override {
    return hub_.Subscribe(std::move(listener));
  }

  Table table;
  bool deliver_nothing = false;

 private:
  ServerInfo info_;
  InvalidationHub hub_;
};

}  // namespace relcache::test
