// Constraints evaluated per row: down batches of 64 k rows, and one row at a time.
//
// Expected: int_range in a batch is a few vector instructions for several rows, bounded by memory:
// well under a nanosecond a row. char_length counts bytes that are no continuation bytes, eight at
// a time; a call and a look at the text for each row. numeric_range compares headers and first
// digits, twice, by two calls. Select is the same as a filter asks for it, and is to cost at most a
// tenth more than EvalBatch; Filter is the whole operator, which also copies the rows that pass.
// regex_class_run is a regular expression over texts of 20 bytes that needs no automaton: a look
// into a table for each byte, eight at a time, 10 to 15 ns a row. A row by itself pays for five
// instructions and two calls through a pointer: 10 to 20 ns.
// RouteRange/1000 finds the partitions of rows with random keys among a thousand ranges of an
// integer: ten steps of a search whose direction no processor can predict, so conditional moves.
// Compile/job is what a statement pays that keeps no program; it is to be read beside Reparse/job
// of nodes_bench and what PostgreSQL takes to parse the same text (bench/postgres).
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "relcache/catalog/memory_catalog.h"
#include "relcache/executor/batch/internal/batch_slices.h"
#include "relcache/executor/expressions/compile.h"
#include "relcache/executor/expressions/evaluate.h"
#include "relcache/executor/partition_routing.h"
#include "relcache/executor/plan/filter.h"
#include "relcache/executor/plan/program_operands.h"
#include "relcache/nodes/read.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/internal/numeric.h"

namespace relcache {
namespace {

constexpr std::size_t kRows = 1 << 16;

// What PostgreSQL 15 stores for CHECK (c > 0 AND c <= 100000000), CHECK (char_length(t) <= 64),
// CHECK (n >= 0 AND n <= 1000.50) and CHECK (s ~ '^[a-z0-9-]+$') of a table (c integer, t text,
// n numeric(12,3), s text).
constexpr std::string_view kIntRange =
    "{BOOLEXPR :boolop and :args ({OPEXPR :opno 521 :opfuncid 147 :opresulttype 16 :opretset false "
    ":opcollid 0 "
    ":inputcollid 0 :args ({VAR :varno 1 :varattno 1 :vartype 23 :vartypmod -1 :varcollid 0 "
    ":varlevelsup 0 :varnosyn 1 "
    ":varattnosyn 1 :location 59} {CONST :consttype 23 :consttypmod -1 :constcollid 0 :constlen 4 "
    ":constbyval true "
    ":constisnull false :location 63 :constvalue 4 [ 0 0 0 0 0 0 0 0 ]}) :location 61} {OPEXPR "
    ":opno 523 :opfuncid 149 "
    ":opresulttype 16 :opretset false :opcollid 0 :inputcollid 0 :args ({VAR :varno 1 :varattno 1 "
    ":vartype 23 "
    ":vartypmod -1 :varcollid 0 :varlevelsup 0 :varnosyn 1 :varattnosyn 1 :location 69} {CONST "
    ":consttype 23 "
    ":consttypmod -1 :constcollid 0 :constlen 4 :constbyval true :constisnull false :location 74 "
    ":constvalue 4 [ 0 -31 "
    "-11 5 0 0 0 0 ]}) :location 71}) :location 65}";
constexpr std::string_view kCharLength =
    "{OPEXPR :opno 523 :opfuncid 149 :opresulttype 16 :opretset false :opcollid 0 :inputcollid 0 "
    ":args ({FUNCEXPR "
    ":funcid 1381 :funcresulttype 23 :funcretset false :funcvariadic false :funcformat 0 "
    ":funccollid 0 :inputcollid "
    "100 :args ({VAR :varno 1 :varattno 2 :vartype 25 :vartypmod -1 :varcollid 100 :varlevelsup 0 "
    ":varnosyn 1 "
    ":varattnosyn 2 :location 105}) :location 93} {CONST :consttype 23 :consttypmod -1 "
    ":constcollid 0 :constlen 4 "
    ":constbyval true :constisnull false :location 111 :constvalue 4 [ 64 0 0 0 0 0 0 0 ]}) "
    ":location 108}";
constexpr std::string_view kNumericRange =
    "{BOOLEXPR :boolop and :args ({OPEXPR :opno 1757 :opfuncid 1721 :opresulttype 16 :opretset "
    "false :opcollid 0 "
    ":inputcollid 0 :args ({VAR :varno 1 :varattno 3 :vartype 1700 :vartypmod 786439 :varcollid 0 "
    ":varlevelsup 0 "
    ":varnosyn 1 :varattnosyn 3 :location 123} {FUNCEXPR :funcid 1740 :funcresulttype 1700 "
    ":funcretset false "
    ":funcvariadic false :funcformat 2 :funccollid 0 :inputcollid 0 :args ({CONST :consttype 23 "
    ":consttypmod -1 "
    ":constcollid 0 :constlen 4 :constbyval true :constisnull false :location 128 :constvalue 4 [ "
    "0 0 0 0 0 0 0 0 ]}) "
    ":location -1}) :location 125} {OPEXPR :opno 1755 :opfuncid 1723 :opresulttype 16 :opretset "
    "false :opcollid 0 "
    ":inputcollid 0 :args ({VAR :varno 1 :varattno 3 :vartype 1700 :vartypmod 786439 :varcollid 0 "
    ":varlevelsup 0 "
    ":varnosyn 1 :varattnosyn 3 :location 134} {CONST :consttype 1700 :consttypmod -1 :constcollid "
    "0 :constlen -1 "
    ":constbyval false :constisnull false :location 139 :constvalue 10 [ 40 0 0 0 0 -127 -24 3 "
    "-120 19 ]}) :location "
    "136}) :location 130}";

constexpr std::string_view kRegexClassRun =
    "{OPEXPR :opno 641 :opfuncid 1254 :opresulttype 16 :opretset false :opcollid 0 :inputcollid "
    "100 :args ({VAR :varno 1 :varattno 4 :vartype 25 :vartypmod -1 :varcollid 100 :varlevelsup 0 "
    ":varnosyn 1 :varattnosyn 4 :location 66} {CONST :consttype 25 :consttypmod -1 :constcollid "
    "100 :constlen -1 :constbyval false :constisnull false :location 70 :constvalue 16 [ 64 0 0 0 "
    "94 91 97 45 122 48 45 57 45 93 43 36 ]}) :location 68}";

constexpr InputColumn kColumns[] = {{kInt4Oid, 4, true, false},
                                    {kTextOid, -1, false, false},
                                    {kNumericOid, -1, false, false},
                                    {kTextOid, -1, false, false}};
/// Those that an operator copies.
constexpr std::size_t kCopied = 3;

template <class T>
T OrStop(Result<T> result) {
  if (result) return *std::move(result);
  std::fprintf(stderr, "executor_bench: %s\n", result.error().ToString().c_str());
  std::exit(2);
}

const Program& CompileText(std::string_view text, MemoryContext& cx) {
  const Node* tree = OrStop(StringToNode(text, {}, cx));
  CompileOptions options;
  options.columns = kColumns;
  options.borrow = true;
  return *OrStop(Compile(*tree, options, cx));
}

/// Rows that all constraints let through but for one in a hundred.
struct Table {
  ContextPtr cx = AllocSet::CreateRoot("rows");
  std::vector<std::int32_t> c;
  std::vector<Datum> t, n, s;
  std::vector<BatchColumn> columns;

  Table() {
    std::mt19937 random(42);
    for (std::size_t row = 0; row < kRows; ++row) {
      const bool bad = random() % 100 == 0;
      c.push_back(bad ? -1 : static_cast<std::int32_t>(random() % 100'000'000 + 1));
      t.push_back(MakeVarlena(std::string(bad ? 65 : random() % 40, 'x'), *cx));
      const std::string number =
          std::to_string(bad ? 2000 : random() % 1000) + "." + std::to_string(random() % 1000);
      n.push_back(OrStop(NumericIn(number, -1, *cx)));
      static constexpr std::string_view kOfClass = "abcdefghijklmnopqrstuvwxyz0123456789-";
      std::string slug(20, '_');  // a bad one ends with it
      for (std::size_t i = 0; i < slug.size() - (bad ? 1 : 0); ++i)
        slug[i] = kOfClass[random() % kOfClass.size()];
      s.push_back(MakeVarlena(slug, *cx));
    }
    columns = {{kInt4Oid, ColumnForm::kInt4, c.data(), nullptr},
               {kTextOid, ColumnForm::kDatum, t.data(), nullptr},
               {kNumericOid, ColumnForm::kDatum, n.data(), nullptr},
               {kTextOid, ColumnForm::kDatum, s.data(), nullptr}};
  }
};

const Table& Rows() {
  static const Table table;
  return table;
}

void EvalBatch(benchmark::State& state, std::string_view text) {
  const ContextPtr cx = AllocSet::CreateRoot("programs");
  const Program& program = CompileText(text, *cx);
  const SessionSettings settings = AssumeUtcAndMdy(CurrentTimestamp());
  Scratch scratch(settings, *cx);
  const ColumnBatch batch{Rows().columns, kRows};
  std::vector<TruthValue> verdicts(kRows);
  for (auto _ : state) {
    EvaluateBatch(program, batch, scratch, verdicts);
    benchmark::DoNotOptimize(verdicts.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows));
}

/// The same as the condition of a filter, which is given batches of kBatchRows.
void Select(benchmark::State& state, std::string_view text) {
  const ContextPtr cx = AllocSet::CreateRoot("programs");
  const Program& program = CompileText(text, *cx);
  ProgramPredicate condition(program, AssumeUtcAndMdy(CurrentTimestamp()));
  const ColumnBatch batch{Rows().columns, kRows};
  Slices slices;
  std::vector<std::uint8_t> selected(kBatchRows);
  std::size_t kept = 0;
  for (auto _ : state) {
    slices.Start(&batch);
    while (const ColumnBatch* slice = slices.Next()) {
      selected.assign(slice->rows, 1);
      kept += OrStop(condition.Select(*slice, selected, *cx));
    }
    benchmark::DoNotOptimize(kept);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows));
}

/// Gives the rows again after each last batch.
class Rescanned final : public PlanOperator {
 public:
  Rescanned() {
    for (const BatchColumn& column : std::span(Rows().columns).first(kCopied))
      types_.push_back(OrStop(ColumnTypeOf(column.type)));
  }
  std::span<const ColumnType> columns() const override { return types_; }
  Result<const ColumnBatch*> Next() override {
    given_ = !given_;
    return given_ ? &batch_ : nullptr;
  }

 private:
  std::vector<ColumnType> types_;
  ColumnBatch batch_{std::span(Rows().columns).first(kCopied), kRows};
  bool given_ = false;
};

/// The operator: the condition, and the rows that pass copied together in all three columns.
void FilterRows(benchmark::State& state, std::string_view text) {
  const ContextPtr cx = AllocSet::CreateRoot("programs");
  const Program& program = CompileText(text, *cx);
  ProgramPredicate condition(program, AssumeUtcAndMdy(CurrentTimestamp()));
  FilterOperator filter(std::make_unique<Rescanned>(), condition);
  std::size_t kept = 0;
  for (auto _ : state) {
    while (const ColumnBatch* batch = OrStop(filter.Next())) kept += batch->rows;
    benchmark::DoNotOptimize(kept);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows));
}

void EvalRow(benchmark::State& state, std::string_view text) {
  const ContextPtr cx = AllocSet::CreateRoot("programs");
  const Program& program = CompileText(text, *cx);
  const SessionSettings settings = AssumeUtcAndMdy(CurrentTimestamp());
  Scratch scratch(settings, *cx);
  const Table& table = Rows();
  NullableDatum row[std::size(kColumns)];
  std::size_t at = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < std::size(row); ++i) row[i] = table.columns[i].Get(at);
    benchmark::DoNotOptimize(EvaluateBool(program, row, scratch, nullptr));
    at = (at + 1) % kRows;
  }
  state.SetItemsProcessed(state.iterations());
}

std::string RangeEnd(std::int32_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += std::to_string(static_cast<signed char>(std::int64_t{value} >> (8 * i))) + " ";
  return "({PARTITIONRANGEDATUM :kind 0 :value {CONST :consttype 23 :consttypmod -1 :constcollid 0 "
         ":constlen 4 :constbyval true :constisnull false :location -1 :constvalue 4 [ " +
         bytes + "]} :location -1})";
}

/// A table (c integer) PARTITION BY RANGE (c) with as many partitions of a hundred keys each.
std::unique_ptr<MemoryCatalog> PartitionedCatalog(Oid table, int partitions) {
  auto catalog = std::make_unique<MemoryCatalog>();
  catalog->PutNamespace({2200, "public"});
  AttributeRow column;
  column.attname = "c";
  column.atttypid = kInt4Oid;
  column.attlen = 4;
  column.attnum = 1;
  column.attbyval = true;
  constexpr AttrNumber kKey[] = {1};
  constexpr Oid kInt4Ops[] = {1978}, kNoCollation[] = {0};
  PartitionedTableRow key = {.partnatts = 1,
                             .partattrs = kKey,
                             .partclass = kInt4Ops,
                             .partcollation = kNoCollation,
                             .partexprs = {}};
  RelationRows rows;
  rows.nspname = "public";
  rows.attributes = {&column, 1};
  rows.pg_class.relnamespace = 2200;
  rows.pg_class.relnatts = 1;
  std::vector<InheritsRow> children;
  for (int i = 0; i < partitions; ++i)
    children.push_back({table + 1 + static_cast<Oid>(i), table, 1, false});
  for (int i = 0; i < partitions; ++i) {
    const std::string name = "p" + std::to_string(i);
    const std::string bound =
        "{PARTITIONBOUNDSPEC :strategy r :is_default false :modulus 0 :remainder 0 :listdatums <> "
        ":lowerdatums " +
        RangeEnd(i * 100) + " :upperdatums " + RangeEnd((i + 1) * 100) + " :location -1}";
    rows.pg_class.oid = children[static_cast<std::size_t>(i)].inhrelid;
    rows.pg_class.relname = name;
    rows.pg_class.relispartition = true;
    rows.pg_class.relpartbound = bound;
    rows.parents = {&children[static_cast<std::size_t>(i)], 1};
    OrStop(catalog->Put(rows).map([] { return 0; }));
  }
  rows.pg_class = {};
  rows.pg_class.oid = table;
  rows.pg_class.relname = "t";
  rows.pg_class.relnamespace = 2200;
  rows.pg_class.relnatts = 1;
  rows.pg_class.relkind = 'p';
  rows.parents = {};
  rows.children = children;
  rows.partitioned_table = &key;
  OrStop(catalog->Put(rows).map([] { return 0; }));
  return catalog;
}

void RouteRange(benchmark::State& state, int partitions) {
  constexpr Oid kTable = 20000;
  const auto catalog = PartitionedCatalog(kTable, partitions);
  RelationCache cache(*catalog);
  const auto router = OrStop(PartitionRouter::Make(cache, kTable));
  const ContextPtr cx = AllocSet::CreateRoot("programs");
  Scratch scratch(AssumeUtcAndMdy(CurrentTimestamp()), *cx);
  std::mt19937 random(42);
  std::vector<std::int32_t> keys(kRows);
  for (std::int32_t& key : keys)
    key = static_cast<std::int32_t>(random() % static_cast<unsigned>(partitions * 100));
  const BatchColumn column = {kInt4Oid, ColumnForm::kInt4, keys.data(), nullptr};
  std::vector<std::int32_t> leaves(kRows);
  for (auto _ : state) {
    router->RouteBatch({{&column, 1}, kRows}, scratch, leaves);
    benchmark::DoNotOptimize(leaves.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows));
}

void CompileJob(benchmark::State& state) {
  const ContextPtr trees = AllocSet::CreateRoot("trees");
  const Node* tree = OrStop(StringToNode(kIntRange, {}, *trees));
  const ContextPtr cx = AllocSet::CreateRoot("programs");
  CompileOptions options;
  options.columns = kColumns;
  options.borrow = true;
  for (auto _ : state) {
    benchmark::DoNotOptimize(Compile(*tree, options, *cx));
    cx->Reset();
  }
  state.SetItemsProcessed(state.iterations());
}

}  // namespace
}  // namespace relcache

int main(int argc, char** argv) {
  using namespace relcache;  // NOLINT
  benchmark::RegisterBenchmark("EvalBatch/int_range", EvalBatch, kIntRange);
  benchmark::RegisterBenchmark("EvalBatch/char_length", EvalBatch, kCharLength);
  benchmark::RegisterBenchmark("EvalBatch/numeric_range", EvalBatch, kNumericRange);
  benchmark::RegisterBenchmark("EvalBatch/regex_class_run", EvalBatch, kRegexClassRun);
  benchmark::RegisterBenchmark("Select/int_range", Select, kIntRange);
  benchmark::RegisterBenchmark("Select/char_length", Select, kCharLength);
  benchmark::RegisterBenchmark("Select/numeric_range", Select, kNumericRange);
  benchmark::RegisterBenchmark("Filter/int_range", FilterRows, kIntRange);
  benchmark::RegisterBenchmark("EvalRow/int_range", EvalRow, kIntRange);
  benchmark::RegisterBenchmark("EvalRow/regex_class_run", EvalRow, kRegexClassRun);
  benchmark::RegisterBenchmark("RouteRange/1000", RouteRange, 1000);
  benchmark::RegisterBenchmark("Compile/job", CompileJob);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
