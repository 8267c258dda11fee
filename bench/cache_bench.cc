// What an open of a cached relation costs, what a second thread does to it, and what a rebuild
// costs.
//
// PostgreSQL's side is relbench(relation, 'hit' | 'rebuild', n) in bench/postgres; pin both to one
// core and take them in turn.
//  OpenHit        open and close by oid; with two threads both open the same relation. Expected:
//  0.4
//                 to 0.6 of PostgreSQL's hit, since there is no resource owner to tell; the second
//                 thread doubles the rate as far as the machine has a second core (Scaling).
//  Scaling        the same steps (find, write a slot, look again, clear) on data of the thread's
//  own,
//                 without atomics: what the machine gives a second thread.
//  OpenHitByName  the same by qualified name.
//  OpenMiss       the first open of a relation, from a catalog in memory.
//  Rebuild        invalidate and open; no other thread has opened anything (Alone), or one has
//                 (RebuildBesideAnother), whom a membarrier must reach then.
//  ManyTables     10,000 relations of five columns, a key, a numeric range, an IN list and a
//  default.
//                 bytes_per_relation is everything: entries, table, names.
//  TreeHit        the tree of a CHECK that has been read.
#include <benchmark/benchmark.h>

#include <array>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "relcache/base/check.h"
#include "relcache/cache/relation_cache.h"
#include "relcache/catalog/memory_catalog.h"

namespace relcache {
namespace {

constexpr Oid kFirst = 16384;

/// `c > 0 AND c <= 100000000`, the job's CHECK, as PostgreSQL 15 stores it.
constexpr std::string_view kJobCheck =
    "{BOOLEXPR :boolop and :args ({OPEXPR :opno 521 :opfuncid 147 :opresulttype 16 :opretset false "
    ":opcollid 0 :inputcollid 0 :args ({VAR :varno 1 :varattno 3 :vartype 23 :vartypmod -1 "
    ":varcollid "
    "0 :varlevelsup 0 :varnosyn 1 :varattnosyn 3 :location 53} {CONST :consttype 23 :consttypmod "
    "-1 "
    ":constcollid 0 :constlen 4 :constbyval true :constisnull false :location 57 :constvalue 4 [ 0 "
    "0 "
    "0 0 0 0 0 0 ]}) :location 55} {OPEXPR :opno 523 :opfuncid 149 :opresulttype 16 :opretset "
    "false "
    ":opcollid 0 :inputcollid 0 :args ({VAR :varno 1 :varattno 3 :vartype 23 :vartypmod -1 "
    ":varcollid "
    "0 :varlevelsup 0 :varnosyn 1 :varattnosyn 3 :location 63} {CONST :consttype 23 :consttypmod "
    "-1 "
    ":constcollid 0 :constlen 4 :constbyval true :constisnull false :location 68 :constvalue 4 [ 0 "
    "-31 -11 5 0 0 0 0 ]}) :location 65}) :location 59}";

constexpr std::string_view kNow =
    "{FUNCEXPR :funcid 1299 :funcresulttype 1184 :funcretset false :funcvariadic false :funcformat "
    "0 "
    ":funccollid 0 :inputcollid 0 :args <> :location -1}";

/// Tables with columns of int4, a CHECK each; with a primary key and a default if they are `rich`.
class Catalog {
 public:
  explicit Catalog(Oid tables, bool rich = false) {
    const int columns = rich ? 5 : 3;
    for (Oid i = 0; i < tables; ++i) {
      const std::string name = "t" + std::to_string(i);
      RelationRows rows;
      rows.nspname = "public";
      rows.pg_class.oid = kFirst + i;
      rows.pg_class.relname = name;
      rows.pg_class.relnamespace = 2200;
      rows.pg_class.relnatts = static_cast<std::int16_t>(columns);
      rows.pg_class.relchecks = 1;
      std::vector<AttributeRow> attributes(static_cast<std::size_t>(columns));
      constexpr std::string_view kLetters = "abcdefgh";
      for (std::size_t n = 0; n < attributes.size(); ++n) {
        attributes[n].attname = kLetters.substr(n, 1);
        attributes[n].atttypid = 23;
        attributes[n].attlen = 4;
        attributes[n].attbyval = true;
        attributes[n].attnum = static_cast<AttrNumber>(n + 1);
      }
      rows.attributes = attributes;
      ConstraintRow constraints[2];
      ConstraintRow& check = constraints[0];
      const std::string check_name = name + "_c_check", key_name = name + "_pkey";
      const AttrNumber check_columns[] = {3}, key_columns[] = {1};
      check.oid = kFirst + 1'000'000 + i;
      check.conname = check_name;
      check.contype = 'c';
      check.conrelid = rows.pg_class.oid;
      check.conkey = check_columns;
      check.conbin = kJobCheck;
      ConstraintRow& key = constraints[1];
      key = check;
      key.conname = key_name;
      key.contype = 'p';
      key.conkey = key_columns;
      key.conindid = kFirst + 2'000'000 + i;
      key.conbin = {};
      IndexRow index;
      const Oid classes[] = {1978}, collations[] = {0};
      const std::int16_t indoption[] = {0};
      index.indexrelid = key.conindid;
      index.indrelid = rows.pg_class.oid;
      index.relname = key_name;
      index.amname = "btree";
      index.indnatts = index.indnkeyatts = 1;
      index.indisunique = index.indisprimary = true;
      index.indkey = key_columns;
      index.indclass = classes;
      index.indcollation = collations;
      index.indoption = indoption;
      AttrdefRow attrdef;
      attrdef.adnum = 5;
      attrdef.adbin = kNow;
      rows.constraints = {constraints, rich ? 2u : 1u};
      if (rich) {
        rows.indexes = {&index, 1};
        rows.attrdefs = {&attrdef, 1};
        attributes[4].atthasdef = true;
      }
      const Status put = catalog.Put(rows);
      RELCACHE_CHECK(put.has_value());
    }
  }
  MemoryCatalog catalog;
};

struct Shared {
  Catalog tables{64};
  RelationCache cache{tables.catalog};
};
/// Of OpenHit's threads; made before they start.
Shared& OneCache() {
  static auto* shared = new Shared;
  return *shared;
}

void OpenHit(benchmark::State& state) {
  RelationCache& cache = OneCache().cache;
  for (auto _ : state) {
    Result<RelationPin> pin = cache.Open(kFirst);
    benchmark::DoNotOptimize(pin);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(OpenHit)->UseRealTime()->Threads(1)->Threads(2);

/// One thread's own table and slots.
struct alignas(128) Private {
  struct Cell {
    Oid oid = 0;
    std::uint32_t used = 1;
    const void* entry = nullptr;
  };
  struct Entry {
    Oid oid = kFirst;
  };
  std::vector<Cell> cells = std::vector<Cell>(256);
  Entry entry;
  std::array<const void*, 62> slots{};
  Private() { cells[Place(kFirst)] = {kFirst, 1, &entry}; }
  std::size_t Place(Oid oid) const {
    return ((std::uint64_t{oid} * 0x9E3779B97F4A7C15u) >> 32) & (cells.size() - 1);
  }
};

void Scaling(benchmark::State& state) {
  const auto own = std::make_unique<Private>();
  Private* mine = own.get();
  for (auto _ : state) {
    benchmark::DoNotOptimize(mine);
    const Private::Cell& cell = mine->cells[mine->Place(kFirst)];
    mine->slots[0] = cell.entry;
    benchmark::ClobberMemory();
    const bool found = cell.entry == mine->slots[0] && cell.oid == kFirst;
    benchmark::DoNotOptimize(found);
    mine->slots[0] = nullptr;
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(Scaling)->UseRealTime()->Threads(1)->Threads(2);

void OpenHitByName(benchmark::State& state) {
  RelationCache& cache = OneCache().cache;
  for (auto _ : state) {
    Result<RelationPin> pin = cache.Open("public", "t7");
    benchmark::DoNotOptimize(pin);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(OpenHitByName);

void OpenMiss(benchmark::State& state) {
  constexpr Oid kTables = 1000;
  Catalog tables(kTables);
  CacheOptions options;
  options.budget_bytes = std::size_t{1} << 30;
  RelationCache cache(tables.catalog, options);
  Oid next = 0;
  for (auto _ : state) {
    Result<RelationPin> pin = cache.Open(kFirst + next);
    benchmark::DoNotOptimize(pin);
    if (++next == kTables) {
      state.PauseTiming();
      pin->Close();
      cache.InvalidateAll();
      next = 0;
      state.ResumeTiming();
    }
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(OpenMiss);

void Rebuild(benchmark::State& state) {
  Catalog tables(1);
  RelationCache cache(tables.catalog);
  for (auto _ : state) {
    cache.Invalidate(kFirst);
    Result<RelationPin> pin = cache.Open(kFirst);
    benchmark::DoNotOptimize(pin);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(Rebuild);

void RebuildBesideAnother(benchmark::State& state) {
  Catalog tables(1);
  RelationCache cache(tables.catalog);
  std::atomic<int> step{0};
  std::thread other([&] {
    (void)cache.Open(kFirst);
    step = 1;
    step.notify_all();
    step.wait(1);
  });
  step.wait(0);
  for (auto _ : state) {
    cache.Invalidate(kFirst);
    Result<RelationPin> pin = cache.Open(kFirst);
    benchmark::DoNotOptimize(pin);
  }
  state.SetItemsProcessed(state.iterations());
  step = 2;
  step.notify_all();
  other.join();
}
BENCHMARK(RebuildBesideAnother);

void TreeHit(benchmark::State& state) {
  Result<RelationPin> pin = OneCache().cache.Open(kFirst);
  const ExpressionSlot& expression = (*pin)->checks().front().expression();
  RELCACHE_CHECK(expression.Get().has_value());
  for (auto _ : state) {
    Result<const TreeImage*> tree = expression.Get();
    benchmark::DoNotOptimize(tree);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(TreeHit);

void ManyTables(benchmark::State& state) {
  constexpr Oid kTables = 10'000;
  Catalog tables(kTables, true);
  CacheOptions options;
  options.budget_bytes = std::size_t{1} << 30;
  options.names = std::size_t{2} * kTables;
  CacheStats stats;
  for (auto _ : state) {
    RelationCache cache(tables.catalog, options);
    for (Oid i = 0; i < kTables; ++i) (void)cache.Open(kFirst + i);
    state.PauseTiming();
    stats = cache.stats();
    cache.InvalidateAll();
    state.ResumeTiming();
  }
  RELCACHE_CHECK_EQ(stats.entries, kTables);
  state.SetItemsProcessed(state.iterations() * kTables);
  state.counters["bytes_per_relation"] =
      static_cast<double>(stats.bytes + stats.table_bytes + stats.name_bytes) / kTables;
  state.counters["entry_bytes"] = static_cast<double>(stats.bytes) / kTables;
}
BENCHMARK(ManyTables)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace relcache

BENCHMARK_MAIN();
