// The query is
//
//     select b.bid, sum(a.abalance), avg(a.abalance)
//     from accounts a, branches b where a.bid = b.bid group by b.bid
//
// and its plan a hash join below a hash aggregate.
#include "relcache/simulate/aggregate_join.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "relcache/base/internal/format.h"
#include "relcache/executor/aggregate/hash_aggregate.h"
#include "relcache/executor/join/hash_join.h"
#include "relcache/executor/plan/explain.h"
#include "relcache/executor/plan/table_scan.h"
#include "relcache/memory/internal/chunk.h"
#include "relcache/simulate/clock.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/internal/hash.h"
#include "relcache/types/internal/numeric.h"

namespace relcache {
namespace {

constexpr std::int32_t kBranches = 5;

enum class Resets { kNone, kFast, kNoFastPath };

// A context per place, as every node of a plan has one, and its resets.
template <Resets kResets>
class ResetPlaces {
 public:
  explicit ResetPlaces(std::array<std::uint64_t, kResetPlaces>& counts) : counts_(counts) {
    for (ContextPtr& context : contexts_) context = AllocSet::CreateRoot("per tuple");
  }
  void Reset(ResetPlace place) {
    if constexpr (kResets == Resets::kNone) return;
    ++counts_[place];
    if constexpr (kResets == Resets::kFast) contexts_[place]->Reset();
    // What a reset does when it does not look first whether there is anything to do.
    if constexpr (kResets == Resets::kNoFastPath)
      internal::ContextAccess::ResetAll(*contexts_[place]);
  }

 private:
  std::array<std::uint64_t, kResetPlaces>& counts_;
  std::array<ContextPtr, kResetPlaces> contexts_;
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

class PlanNode {
 public:
  virtual ~PlanNode() = default;
  virtual bool Next(Slot& slot) = 0;
};

template <Resets kResets>
class ScanNode : public PlanNode {
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
  std::vector<BatchColumn> columns_;
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
class JoinNode : public PlanNode {
 public:
  JoinNode(PlanNode& outer, PlanNode& inner, ResetPlaces<kResets>& places)
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

  PlanNode& outer_;
  PlanNode& inner_;
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
  return Format("{}|{}|{}\n", bid, sum, avg);
}

std::string Sorted(std::vector<std::string> lines) {
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string& line : lines) all += line;
  return all;
}

template <Resets kResets>
Result<AggregateJoinFigures> RunRows(const char* form, const Tables& tables) {
  AggregateJoinFigures figures;
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
class ResetPerBatch : public PlanOperator {
 public:
  ResetPerBatch(PlanOperatorPtr input, std::uint64_t& resets)
      : input_(std::move(input)), resets_(resets), cx_(AllocSet::CreateRoot("per batch")) {}
  std::span<const ColumnType> columns() const override { return input_->columns(); }
  Result<const ColumnBatch*> Next() override {
    cx_->Reset();
    ++resets_;
    return input_->Next();
  }
  PlanOperatorDescription Describe() const override {
    return {.name = "Reset per batch", .rows = {}, .details = {}, .inputs = {input_.get()}};
  }

 private:
  PlanOperatorPtr input_;
  std::uint64_t& resets_;
  ContextPtr cx_;
};

Result<AggregateJoinFigures> RunBatches(const Tables& tables, std::size_t batch_rows,
                                        bool explain) {
  AggregateJoinFigures figures;
  figures.form = "per-batch";
  const double start = NowMs();
  const double cpu_start = CpuMs();
  HashJoinOptions join_options;
  join_options.keys = {{1, 0}};
  join_options.output = {{HashJoinSide::kBuild, 0}, {HashJoinSide::kProbe, 2}};
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
  if (explain) figures.plan = ExplainPlan(*aggregate);
  figures.answer = Sorted(std::move(lines));
  return figures;
}

}  // namespace

Result<std::array<AggregateJoinFigures, 3>> MeasureAggregateJoin(
    const AggregateJoinOptions& options) {
  const Tables tables(options.rows);
  AggregateJoinFigures none;
  std::array<AggregateJoinFigures, 3> best;
  for (unsigned round = 0; round < options.rounds; ++round) {
    RELCACHE_ASSIGN(AggregateJoinFigures without, RunRows<Resets::kNone>("", tables));
    RELCACHE_ASSIGN(AggregateJoinFigures fast, RunRows<Resets::kFast>("per-tuple", tables));
    RELCACHE_ASSIGN(AggregateJoinFigures full,
                    RunRows<Resets::kNoFastPath>("per-tuple-no-fast-path", tables));
    RELCACHE_ASSIGN(AggregateJoinFigures batches,
                    RunBatches(tables, options.batch, options.explain));
    RELCACHE_CHECK(fast.answer == batches.answer && full.answer == batches.answer);
    AggregateJoinFigures* const runs[] = {&fast, &full, &batches};
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
  return best;
}

}  // namespace relcache
