// The library's own hash join, on made-up tables.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "relcache/executor/plan/explain.h"
#include "relcache/executor/plan/table_scan.h"
#include "relcache/memory/align.h"
#include "relcache/simulate/clock.h"
#include "relcache/simulate/hash_join_form.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/internal/text.h"

namespace relcache {
namespace {

std::vector<ColumnType> JoinColumns() {
  return {ColumnTypeOf(kInt4Oid).value(), ColumnTypeOf(kTextOid).value()};
}

// A text of `width` bytes that begins with its number.
std::string PayloadOf(char side, std::uint64_t n, std::size_t width) {
  std::string text = side + std::to_string(n);
  text.resize(width, side);
  return text;
}

std::unique_ptr<MemoryTable> MakeTable(char side, std::uint64_t rows, std::uint64_t keys,
                                       std::size_t width) {
  auto table = std::make_unique<MemoryTable>(JoinColumns());
  table->Reserve(rows);
  const ContextPtr cx = AllocSet::CreateRoot("payload");
  for (std::uint64_t n = 0; n < rows; ++n) {
    const std::uint64_t key = side == 'b' ? n % keys : ProbeKey(n, keys);
    const NullableDatum row[] = {{Int32GetDatum(static_cast<std::int32_t>(key)), false},
                                 {MakeVarlena(PayloadOf(side, n, width), *cx), false}};
    table->Append(row);
    if (n % 1024 == 0) cx->Reset();
  }
  return table;
}

// The probe side's rows without a table of them.
class ProbeGenerator : public PlanOperator {
 public:
  ProbeGenerator(std::uint64_t rows, std::uint64_t keys, std::size_t width)
      : types_(JoinColumns()),
        rows_(rows),
        keys_(keys),
        cx_(AllocSet::CreateRoot("probe generator")),
        key_values_(kBatchRows),
        texts_(kBatchRows) {
    for (std::size_t i = 0; i < kBatchRows; ++i)
      texts_[i] = MakeVarlena(PayloadOf('p', i, width), *cx_);
    columns_ = {{kInt4Oid, ColumnForm::kInt4, key_values_.data(), nullptr},
                {kTextOid, ColumnForm::kDatum, texts_.data(), nullptr}};
  }
  std::span<const ColumnType> columns() const override { return types_; }
  Result<const ColumnBatch*> Next() override {
    const std::size_t n = std::min<std::uint64_t>(kBatchRows, rows_ - at_);
    if (n == 0) return nullptr;
    for (std::size_t i = 0; i < n; ++i)
      key_values_[i] = static_cast<std::int32_t>(ProbeKey(at_ + i, keys_));
    at_ += n;
    batch_ = {columns_, n};
    return &batch_;
  }
  PlanOperatorDescription Describe() const override {
    return {.name = "Function Scan on generated rows", .rows = at_, .details = {}, .inputs = {}};
  }

 private:
  std::vector<ColumnType> types_;
  std::uint64_t rows_;
  std::uint64_t keys_;
  std::uint64_t at_ = 0;
  ContextPtr cx_;
  std::vector<std::int32_t> key_values_;
  std::vector<Datum> texts_;
  std::vector<BatchColumn> columns_;
  ColumnBatch batch_;
};

class BatchForm : public HashJoinForm {
 public:
  explicit BatchForm(const HashJoinRun& run)
      : build_(MakeTable('b', run.build, run.keys(), run.width)),
        probe_(run.probe_on_the_fly ? nullptr : MakeTable('p', run.probe, run.keys(), run.width)) {}

  Result<HashJoinFigures> Run(const HashJoinRun& run) override {
    HashJoinOptions options;
    options.keys = {{0, 0}};
    options.output = {{HashJoinSide::kProbe, 1}, {HashJoinSide::kBuild, 1}};
    options.strategy = run.strategy;
    options.work_mem = run.work_mem_kb << 10;
    options.estimated_rows = run.estimate;
    // Row head, key, size, null bits, text: what the planner would know from statistics.
    options.estimated_row_bytes = AlignUp(16 + 4 + 4 + 4 + 4 + run.width, 8);
    options.huge_pages = run.huge_pages;
    PlanOperatorPtr probe;
    if (probe_ != nullptr) {
      probe = std::make_unique<TableScan>(*probe_);
    } else {
      probe = std::make_unique<ProbeGenerator>(run.probe, run.keys(), run.width);
    }
    HashJoinFigures figures;
    const std::uint64_t faults = MinorFaults();
    const double start = NowMs();
    const double cpu_start = CpuMs();
    {
      RELCACHE_ASSIGN(auto join, HashJoin::Create(options, std::move(probe),
                                                  std::make_unique<TableScan>(*build_)));
      for (;;) {
        RELCACHE_ASSIGN(const ColumnBatch* batch, join->Next());
        if (batch == nullptr) break;
        figures.rows += batch->rows;
        for (const BatchColumn& column : batch->columns) {
          const Datum* texts = column.data<Datum>();
          for (std::size_t i = 0; i < batch->rows; ++i)
            figures.length_sum += static_cast<std::uint64_t>(CharLength(VarData(texts[i])));
        }
      }
      figures.milliseconds = NowMs() - start;
      figures.cpu_milliseconds = CpuMs() - cpu_start;
      const HashJoinCounters& counters = join->counters();
      figures.read_ms = static_cast<double>(counters.read_ns) / 1e6;
      figures.copy_ms = static_cast<double>(counters.copy_ns) / 1e6;
      figures.buckets_ms = static_cast<double>(counters.buckets_ns) / 1e6;
      // All time that is not the build side's belongs to the probe side: reading its rows,
      // matching, and summing the lengths.
      figures.probe_ms =
          figures.milliseconds - figures.read_ms - figures.copy_ms - figures.buckets_ms;
      figures.batches = counters.passes;
      figures.buckets = counters.buckets;
      figures.peak_bytes = counters.peak_bytes;
      figures.spilled_bytes = counters.spilled_bytes;
      figures.overrun_bytes = counters.overrun_bytes;
      if (run.explain) figures.plan = ExplainPlan(*join);
    }
    figures.minor_faults = MinorFaults() - faults;
    return figures;
  }

 private:
  std::unique_ptr<MemoryTable> build_;
  std::unique_ptr<MemoryTable> probe_;
};

}  // namespace

std::unique_ptr<HashJoinForm> MakeBatchForm(const HashJoinRun& run) {
  return std::make_unique<BatchForm>(run);
}

}  // namespace relcache
