// `relcache simulate aggregate-join`: what resets of memory contexts cost, row by row and by
// batches.
//
//     select b.bid, sum(a.abalance), avg(a.abalance)
//     from accounts a, branches b where a.bid = b.bid group by b.bid
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "relcache/executor/aggregate/hash_aggregate.h"
#include "relcache/executor/join/hash_join.h"
#include "relcache/executor/plan/table_scan.h"
#include "relcache/memory/chunk.h"
#include "relcache/simulate/hash_join_form.h"
#include "relcache/tools/command.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/hash.h"
#include "relcache/types/numeric.h"

namespace relcache::tools {
namespace {

constexpr std::int32_t kBranches = 5;

// Where PostgreSQL resets a context while it runs this query; and where the batches do.
enum Place : std::size_t {
  kTuplesMatch,
  kScan,
  kFillHashTable,
  kRetrieveHashTable,
  kGetHashValue,
  kScanHashBucket,
  kOuterTuple,
  kPerMatch,
  kBatch,
  kPlaces
};
constexpr const char* kPlaceNames[kPlaces] = {"execTuplesMatch",
                                              "ExecScan",
                                              "agg_fill_hash_table",
                                              "agg_retrieve_hash_table",
                                              "ExecHashGetHashValue",
                                              "ExecScanHashBucket",
                                              "ExecHashJoin_outer",
                                              "ExecHashJoin_match",
                                              "batch"};

struct Arguments {
  std::uint64_t rows = 500'000;
  std::size_t batch = kBatchRows;
  unsigned repeat = 5;
  bool json = false;
};

struct Figures {
  const char* form = "";
  double milliseconds = 0;
  /// Of the processor, whatever else ran on it.
  double cpu_milliseconds = 0;
  double reset_milliseconds = 0;
  std::array<std::uint64_t, kPlaces> resets{};
  std::string answer;

  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t n : resets) sum += n;
    return sum;
  }
};

enum class Resets { kNone, kFast, kNoFastPath };

// A context per place, as every node of a plan has one, and its resets.
template <Resets kResets>
class ResetPlaces {
 public:
  explicit ResetPlaces(std::array<std::uint64_t, kPlaces>& counts) : counts_(counts) {
    for (ContextPtr& context : contexts_) context = AllocSet::CreateRoot("per tuple");
  }
  void Reset(Place place) {
    if constexpr (kResets == Resets::kNone) return;
    ++counts_[place];
    if constexpr (kResets == Resets::kFast) contexts_[place]->Reset();
    // What a reset does when it does not look first whether there is anything to do.
    if constexpr (kResets == Resets::kNoFastPath)
      internal::ContextAccess::ResetAll(*contexts_[place]);
  }

 private:
  std::array<std::uint64_t, kPlaces>& counts_;
  std::array<ContextPtr, kPlaces> contexts_;
};

struct Tables {
  MemoryTable accounts{{ColumnTypeOf(kInt4Oid).value(), ColumnTypeOf(kInt4Oid).value(),
                        ColumnTypeOf(kInt4Oid).value()}};
  MemoryTable branches{{ColumnTypeOf(kInt4Oid).value(), ColumnTypeOf(kInt4Oid).value()}};

  explicit Tables(std::uint64_t rows) {
    for (std::int32_t b = 1; b <= kBranches; ++b)
      branches.Append(std::array{NullableDatum{Int32GetDatum(b), false},
                                 NullableDatum{Int32GetDatum(0), false}});
    for (std::uint64_t a = 1; a <= rows; ++a) {
      const auto bid = static_cast<std::int32_t>(a % kBranches) + 1;
      const auto abalance = static_cast<std::int32_t>(a * 7 % 1000);
      accounts.Append(std::array{NullableDatum{Int32GetDatum(static_cast<std::int32_t>(a)), false},
                                 NullableDatum{Int32GetDatum(bid), false},
                                 NullableDatum{Int32GetDatum(abalance), false}});
    }
  }
};

// --- Row by row: a plan of nodes, each of which is asked for its next row ------------------------

struct Slot {
  std::array<NullableDatum, 5> values;
};

class Node {
 public:
  virtual ~Node() = default;
  virtual bool Next(Slot& slot) = 0;
};

template <Resets kResets>
class ScanNode : public Node {
 public:
  ScanNode(const MemoryTable& table, ResetPlaces<kResets>& places)
      : columns_(table.columns().size()), rows_(table.rows()), places_(places) {
    table.Slice(0, rows_, columns_);
  }
  bool Next(Slot& slot) override {
    places_.Reset(kScan);
    if (at_ == rows_) return false;
    for (std::size_t c = 0; c < columns_.size(); ++c) slot.values[c] = columns_[c].Get(at_);
    ++at_;
    return true;
  }

 private:
  std::vector<Column> columns_;
  std::size_t rows_;
  std::size_t at_ = 0;
  ResetPlaces<kResets>& places_;
};

// Operators of expressions are called through pointers, as fmgr does.
using HashCall = std::uint32_t (*)(Datum);
using EqualCall = bool (*)(Datum, Datum);
std::uint32_t HashInt4(Datum d) {
  return HashUint32(static_cast<std::uint32_t>(DatumGetInt32(d)));
}
bool EqualInt4(Datum a, Datum b) {
  return DatumGetInt32(a) == DatumGetInt32(b);
}
HashCall volatile g_hash = HashInt4;
EqualCall volatile g_equal = EqualInt4;

template <Resets kResets>
class JoinNode : public Node {
 public:
  JoinNode(Node& outer, Node& inner, ResetPlaces<kResets>& places)
      : outer_(outer), inner_(inner), places_(places), buckets_(1024, nullptr) {}
  bool Next(Slot& slot) override {
    if (!built_) Build();
    for (;;) {
      places_.Reset(current_ == nullptr ? kOuterTuple : kPerMatch);
      if (current_ == nullptr) {
        if (!outer_.Next(outer_slot_)) return false;
        hash_ = HashValue(outer_slot_.values[1]);
        current_ = buckets_[hash_ % buckets_.size()];
      } else {
        current_ = current_->next;
      }
      while (current_ != nullptr) {
        if (current_->hash == hash_) {
          places_.Reset(kScanHashBucket);
          if (g_equal(current_->row.values[0].value, outer_slot_.values[1].value)) break;
        }
        current_ = current_->next;
      }
      if (current_ == nullptr) continue;
      slot.values[0] = current_->row.values[0];
      slot.values[1] = outer_slot_.values[2];
      return true;
    }
  }

 private:
  struct Tuple {
    Tuple* next;
    std::uint32_t hash;
    Slot row;
  };
  std::uint32_t HashValue(const NullableDatum& key) {
    places_.Reset(kGetHashValue);
    return g_hash(key.value);
  }
  void Build() {
    Slot slot;
    while (inner_.Next(slot)) {
      Tuple* tuple = cx_->New<Tuple>();
      tuple->hash = HashValue(slot.values[0]);
      tuple->row = slot;
      tuple->next = buckets_[tuple->hash % buckets_.size()];
      buckets_[tuple->hash % buckets_.size()] = tuple;
    }
    built_ = true;
  }

  Node& outer_;
  Node& inner_;
  ResetPlaces<kResets>& places_;
  ContextPtr cx_ = AllocSet::CreateRoot("hash table");
  std::vector<Tuple*> buckets_;
  bool built_ = false;
  Slot outer_slot_;
  Tuple* current_ = nullptr;
  std::uint32_t hash_ = 0;
};

struct Group {
  Group* next;
  std::uint32_t hash;
  Datum key;
  std::int64_t sum;
  std::int64_t count;
};

// Transition functions of sum(int4) and avg(int4).
using Transition = void (*)(Group&, Datum);
Transition volatile g_sum = [](Group& group, Datum value) { group.sum += DatumGetInt32(value); };
Transition volatile g_count = [](Group& group, Datum) { ++group.count; };

std::string AnswerLine(std::int32_t bid, std::int64_t sum, std::string_view avg) {
  return std::to_string(bid) + "|" + std::to_string(sum) + "|" + std::string(avg) + "\n";
}

std::string Sorted(std::vector<std::string> lines) {
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string& line : lines) all += line;
  return all;
}

template <Resets kResets>
Result<Figures> RunRows(const char* form, const Tables& tables) {
  Figures figures;
  figures.form = form;
  const double start = NowMs();
  const double cpu_start = CpuMs();
  ResetPlaces<kResets> places(figures.resets);
  ScanNode<kResets> accounts(tables.accounts, places);
  ScanNode<kResets> branches(tables.branches, places);
  JoinNode<kResets> join(accounts, branches, places);
  const ContextPtr cx = AllocSet::CreateRoot("groups");
  std::vector<Group*> buckets(256, nullptr);
  Slot slot;
  while (join.Next(slot)) {
    const std::uint32_t hash = g_hash(slot.values[0].value);
    Group* group = buckets[hash % buckets.size()];
    for (; group != nullptr; group = group->next) {
      if (group->hash != hash) continue;
      places.Reset(kTuplesMatch);
      if (g_equal(group->key, slot.values[0].value)) break;
    }
    if (group == nullptr) {
      group = cx->New<Group>(buckets[hash % buckets.size()], hash, slot.values[0].value, 0, 0);
      buckets[hash % buckets.size()] = group;
    }
    g_sum(*group, slot.values[1].value);
    g_count(*group, slot.values[1].value);
    places.Reset(kFillHashTable);
  }
  std::vector<std::string> lines;
  for (Group* bucket : buckets) {
    for (Group* group = bucket; group != nullptr; group = group->next) {
      places.Reset(kRetrieveHashTable);
      RELCACHE_ASSIGN(const Datum avg, NumericDiv(IntToNumeric(group->sum, *cx),
                                                  IntToNumeric(group->count, *cx), *cx));
      lines.push_back(AnswerLine(DatumGetInt32(group->key), group->sum, NumericOut(avg, *cx)));
    }
  }
  figures.milliseconds = NowMs() - start;
  figures.cpu_milliseconds = CpuMs() - cpu_start;
  figures.answer = Sorted(std::move(lines));
  return figures;
}

// --- By batches ---------------------------------------------------------------------------------

// Gives its input's batches on, and forgets what was allocated for the one before.
class ResetPerBatch : public Operator {
 public:
  ResetPerBatch(OperatorPtr input, std::uint64_t& resets)
      : input_(std::move(input)), resets_(resets), cx_(AllocSet::CreateRoot("per batch")) {}
  std::span<const ColumnType> columns() const override { return input_->columns(); }
  Result<const ColumnBatch*> Next() override {
    cx_->Reset();
    ++resets_;
    return input_->Next();
  }

 private:
  OperatorPtr input_;
  std::uint64_t& resets_;
  ContextPtr cx_;
};

Result<Figures> RunBatches(const Tables& tables, std::size_t batch_rows) {
  Figures figures;
  figures.form = "per-batch";
  const double start = NowMs();
  const double cpu_start = CpuMs();
  HashJoinOptions join_options;
  join_options.keys = {{1, 0}};
  join_options.output = {{JoinSide::kBuild, 0}, {JoinSide::kProbe, 2}};
  RELCACHE_ASSIGN(auto join,
                  HashJoin::Create(join_options,
                                   std::make_unique<ResetPerBatch>(
                                       std::make_unique<TableScan>(tables.accounts, batch_rows),
                                       figures.resets[kBatch]),
                                   std::make_unique<TableScan>(tables.branches)));
  HashAggregateOptions options;
  options.group_by = {0};
  options.calls = {{AggregateFunction::kSum, 1, false}, {AggregateFunction::kAvg, 1, false}};
  RELCACHE_ASSIGN(auto aggregate, HashAggregate::Create(options, std::move(join)));
  std::vector<std::string> lines;
  const ContextPtr cx = AllocSet::CreateRoot("answer");
  for (;;) {
    RELCACHE_ASSIGN(const ColumnBatch* batch, aggregate->Next());
    if (batch == nullptr) break;
    for (std::size_t r = 0; r < batch->rows; ++r)
      lines.push_back(AnswerLine(DatumGetInt32(batch->columns[0].Get(r).value),
                                 DatumGetInt64(batch->columns[1].Get(r).value),
                                 NumericOut(batch->columns[2].Get(r).value, *cx)));
  }
  figures.milliseconds = NowMs() - start;
  figures.cpu_milliseconds = CpuMs() - cpu_start;
  figures.answer = Sorted(std::move(lines));
  return figures;
}

void PrintJson(const Arguments& arguments, const Figures& f) {
  std::printf("{\"form\":\"%s\",\"milliseconds\":%.3f,\"resets\":%llu,\"resets_by_place\":{",
              f.form, f.milliseconds, static_cast<unsigned long long>(f.total()));
  const char* comma = "";
  for (std::size_t place = 0; place < kPlaces; ++place) {
    if (f.resets[place] == 0) continue;
    std::printf("%s\"%s\":%llu", comma, kPlaceNames[place],
                static_cast<unsigned long long>(f.resets[place]));
    comma = ",";
  }
  std::printf(
      "},\"reset_milliseconds\":%.3f,\"rows\":%llu,\"batch\":%zu,\"cpu_milliseconds\":%.3f}\n",
      f.reset_milliseconds, static_cast<unsigned long long>(arguments.rows), arguments.batch,
      f.cpu_milliseconds);
}

void PrintText(const Figures& f) {
  std::printf("%-23s %9.2f ms, of it %7.2f ms in %llu resets\n", f.form, f.milliseconds,
              f.reset_milliseconds, static_cast<unsigned long long>(f.total()));
  for (std::size_t place = 0; place < kPlaces; ++place)
    if (f.resets[place] != 0)
      std::printf("    %-24s %9llu\n", kPlaceNames[place],
                  static_cast<unsigned long long>(f.resets[place]));
}

Status Measure(const Arguments& arguments) {
  const Tables tables(arguments.rows);
  Figures none;
  std::array<Figures, 3> best;
  for (unsigned round = 0; round < arguments.repeat; ++round) {
    // In turns, so that what disturbs the machine disturbs all alike.
    RELCACHE_ASSIGN(Figures without, RunRows<Resets::kNone>("", tables));
    RELCACHE_ASSIGN(Figures fast, RunRows<Resets::kFast>("per-tuple", tables));
    RELCACHE_ASSIGN(Figures full, RunRows<Resets::kNoFastPath>("per-tuple-no-fast-path", tables));
    RELCACHE_ASSIGN(Figures batches, RunBatches(tables, arguments.batch));
    RELCACHE_CHECK(fast.answer == batches.answer && full.answer == batches.answer);
    Figures* const runs[] = {&fast, &full, &batches};
    if (round == 0 || without.milliseconds < none.milliseconds) none = std::move(without);
    for (std::size_t i = 0; i < best.size(); ++i)
      if (round == 0 || runs[i]->milliseconds < best[i].milliseconds) best[i] = std::move(*runs[i]);
  }
  // What the resets of the row forms take: the same plan without any is the rest.
  for (std::size_t i = 0; i < 2; ++i)
    best[i].reset_milliseconds = std::max(0.0, best[i].milliseconds - none.milliseconds);
  // A batch's reset is too seldom to be seen so: timed alone.
  {
    const ContextPtr cx = AllocSet::CreateRoot("per batch");
    const std::uint64_t resets = best[2].total();
    const double start = NowMs();
    for (std::uint64_t n = 0; n < resets; ++n) {
      cx->Reset();
      asm volatile("" ::: "memory");
    }
    best[2].reset_milliseconds = NowMs() - start;
  }
  for (const Figures& figures : best) {
    if (arguments.json) {
      PrintJson(arguments, figures);
    } else {
      PrintText(figures);
    }
  }
  return {};
}

}  // namespace

void AddSimulateAggregateJoin(CLI::App& app, Outcome& outcome) {
  CLI::App* command = SimulateCommand(app).add_subcommand(
      "aggregate-join", "Sum and average over a join, with a context reset per row and per batch");
  const auto arguments = std::make_shared<Arguments>();
  Arguments& a = *arguments;
  command->add_option("--rows", a.rows, "Rows of accounts")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{2000000000}))
      ->capture_default_str();
  command->add_option("--batch", a.batch, "Rows from one reset to the next in the form by batches")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 24))
      ->capture_default_str();
  command->add_option("--repeat", a.repeat, "Rounds, of which the fastest run of each form counts")
      ->check(CLI::Range(1U, 1000U))
      ->capture_default_str();
  command->add_flag("--json", a.json, "One JSON object a form");
  command->footer("Example: relcache simulate aggregate-join --rows 500000 --batch 1000");
  command->callback([arguments, &outcome] {
    const Status status = Measure(*arguments);
    if (!status) std::fprintf(stderr, "relcache: %s\n", status.error().ToString().c_str());
    outcome.status = status ? kExitFine : kExitUsage;
  });
}

}  // namespace relcache::tools
