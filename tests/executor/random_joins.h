// Random joins: what is asked, as options of a HashJoin and as SQL.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "random_tables.h"
#include "relcache/executor/join/hash_join.h"

namespace relcache::test {

inline constexpr JoinType kJoinTypes[] = {JoinType::kInner, JoinType::kLeft, JoinType::kRight,
                                          JoinType::kFull,  JoinType::kSemi, JoinType::kAnti};
inline constexpr HashJoinStrategy kStrategies[] = {HashJoinStrategy::kEager,
                                                   HashJoinStrategy::kDeferred,
                                                   HashJoinStrategy::kDeferredUnpartitioned};

/// What BatchPredicate::Select does, by `holds(row)`.
template <class Holds>
Result<std::size_t> KeepIf(std::span<std::uint8_t> selected, const Holds& holds) {
  std::size_t kept = 0;
  for (std::size_t row = 0; row < selected.size(); ++row) {
    if (selected[row] == 0) continue;
    RELCACHE_ASSIGN(const bool keep, holds(row));
    selected[row] = keep ? 1 : 0;
    kept += selected[row];
  }
  return kept;
}

/// probe.n + build.n divided by three leaves something: the extra condition, over int4 columns.
class SumCondition : public BatchPredicate {
 public:
  SumCondition(std::size_t a, std::size_t b) : a_(a), b_(b) {}
  static bool Holds(std::int64_t a, std::int64_t b) { return (a + b) % 3 != 0; }
  Result<std::size_t> Select(const ColumnBatch& batch, std::span<std::uint8_t> selected,
                             MemoryContext&) override {
    return KeepIf(selected, [&](std::size_t r) -> Result<bool> {
      const NullableDatum a = batch.columns[a_].Get(r);
      const NullableDatum b = batch.columns[b_].Get(r);
      return !a.isnull && !b.isnull && Holds(DatumGetInt32(a.value), DatumGetInt32(b.value));
    });
  }

 private:
  std::size_t a_;
  std::size_t b_;
};

/// Both tables are: keys, then an int4 payload (never NULL), then a text payload.
struct JoinCase {
  TextTable probe;
  TextTable build;
  std::size_t keys = 1;
  JoinType type = JoinType::kInner;
  bool condition = false;

  std::size_t number_column() const { return keys; }
};

inline TextTable RandomJoinSide(const std::vector<Oid>& key_types,
                                const std::vector<KeyShape>& shapes, std::size_t rows,
                                Random& random) {
  TextTable table;
  table.types = key_types;
  table.types.push_back(kInt4Oid);
  table.types.push_back(kTextOid);
  for (std::size_t r = 0; r < rows; ++r) {
    TextRow row;
    for (std::size_t k = 0; k < key_types.size(); ++k)
      row.push_back(DrawValue(key_types[k], shapes[k], random));
    row.push_back(std::to_string(r));
    row.push_back(
        Below(random, 20) == 0
            ? std::nullopt
            : std::optional(std::string(Below(random, Below(random, 100) == 0 ? 1500 : 40), 'p')));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// `pairs` bounds roughly how many rows come out.
inline JoinCase RandomJoin(Random& random, std::size_t max_rows, double pairs) {
  static constexpr std::pair<Oid, Oid> kKeyTypes[] = {
      {kInt4Oid, kInt4Oid}, {kInt8Oid, kInt4Oid},       {kInt2Oid, kInt8Oid},
      {kTextOid, kTextOid}, {kVarcharOid, kTextOid},    {kFloat8Oid, kFloat4Oid},
      {kBoolOid, kBoolOid}, {kNumericOid, kNumericOid}, {kBpcharOid, kBpcharOid},
      {kInt4Oid, kInt4Oid}};
  JoinCase join;
  join.type = kJoinTypes[Below(random, 6)];
  join.condition = Below(random, 4) == 0;
  join.keys = 1 + Below(random, 3);
  std::size_t probe_rows = Below(random, max_rows);
  std::size_t build_rows = Below(random, max_rows);
  if (Below(random, 15) == 0) probe_rows = 0;
  if (Below(random, 15) == 0) build_rows = 0;
  std::vector<Oid> probe_types;
  std::vector<Oid> build_types;
  std::vector<KeyShape> shapes;
  for (std::size_t k = 0; k < join.keys; ++k) {
    const auto& [a, b] = kKeyTypes[Below(random, std::size(kKeyTypes))];
    probe_types.push_back(a);
    build_types.push_back(b);
    // The first key alone keeps the result small.
    const std::uint64_t least =
        1 + static_cast<std::uint64_t>(static_cast<double>(probe_rows) *
                                       static_cast<double>(build_rows) / pairs);
    KeyShape shape;
    shape.distinct = k == 0 ? least + Below(random, 4 * least) : 1 + Below(random, 5);
    shape.nulls = Below(random, 3) == 0 ? 0 : static_cast<unsigned>(Below(random, 200));
    if (k == 0 && Below(random, 4) == 0 && build_rows < 300)
      shape.skewed = static_cast<unsigned>(Below(random, 1000));
    shapes.push_back(shape);
  }
  join.probe = RandomJoinSide(probe_types, shapes, probe_rows, random);
  join.build = RandomJoinSide(build_types, shapes, build_rows, random);
  return join;
}

struct JoinRun {
  HashJoinStrategy strategy = HashJoinStrategy::kDeferredUnpartitioned;
  std::size_t work_mem = std::size_t{4} << 20;
  std::uint64_t estimate = 1000;
  SpillOptions spill;
};

/// The limits and estimates that a random join is tried with.
inline JoinRun RandomRun(Random& random, std::uint64_t rows) {
  static constexpr std::size_t kLimits[] = {64, 64, 100, 256, 1024, 65536};
  static constexpr double kErrors[] = {0, 0.1, 1, 1, 10, 1000};
  JoinRun run;
  run.strategy = kStrategies[Below(random, 3)];
  run.work_mem = kLimits[Below(random, std::size(kLimits))] << 10;
  run.estimate = static_cast<std::uint64_t>(static_cast<double>(rows) *
                                            kErrors[Below(random, std::size(kErrors))]);
  return run;
}

struct JoinResult {
  std::vector<TextRow> rows;
  HashJoinCounters counters;
};

/// `keep_rows` false: they are only counted, however many there are.
inline Result<JoinResult> RunJoin(const JoinCase& join, const JoinRun& run,
                                  std::size_t batch_rows = kBatchRows, bool keep_rows = true) {
  const auto probe = join.probe.Load();
  const auto build = join.build.Load();
  HashJoinOptions options;
  options.type = join.type;
  options.strategy = run.strategy;
  options.work_mem = run.work_mem;
  options.estimated_rows = run.estimate;
  options.spill = run.spill;
  for (std::size_t k = 0; k < join.keys; ++k) options.keys.push_back({k, k});
  SumCondition condition(join.number_column(), join.probe.types.size() + join.number_column());
  if (join.condition) options.condition = &condition;
  RELCACHE_ASSIGN(auto hash_join,
                  HashJoin::Create(options, std::make_unique<TableScan>(*probe, batch_rows),
                                   std::make_unique<TableScan>(*build, batch_rows)));
  JoinResult result;
  if (keep_rows) {
    RELCACHE_ASSIGN(result.rows, ReadAll(*hash_join));
  } else {
    RELCACHE_TRY(Drain(*hash_join));
  }
  result.counters = hash_join->counters();
  return result;
}

inline std::string Describe(const JoinCase& join, const JoinRun& run) {
  std::string text = "type " + std::to_string(static_cast<int>(join.type)) + " strategy " +
                     std::to_string(static_cast<int>(run.strategy)) + " limit " +
                     std::to_string(run.work_mem) + " estimate " + std::to_string(run.estimate) +
                     " rows " + std::to_string(join.probe.rows.size()) + "x" +
                     std::to_string(join.build.rows.size()) + " keys";
  for (std::size_t k = 0; k < join.keys; ++k)
    text += " " + FormatType(join.probe.types[k]) + "=" + FormatType(join.build.types[k]);
  return text + (join.condition ? " with condition" : "");
}

}  // namespace relcache::test
