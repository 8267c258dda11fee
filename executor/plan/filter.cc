#include "relcache/executor/plan/filter.h"

#include <utility>
#include <vector>

#include "relcache/executor/batch/internal/batch_slices.h"
#include "relcache/executor/plan/explain.h"

namespace relcache {

/// The selected rows of the current batch and the batch of the rows that passed.
struct FilterOperator::Rows {
  Slices slices;
  std::vector<std::uint8_t> selected;
  std::vector<std::uint32_t> passing = std::vector<std::uint32_t>(kBatchRows);
  ColumnArrays arrays;
  ColumnBatch batch;
};

FilterOperator::FilterOperator(PlanOperatorPtr input, BatchPredicate& condition)
    : input_(std::move(input)),
      condition_(condition),
      cx_(AllocSet::CreateRoot("filter")),
      condition_cx_(AllocSet::Create("filter condition", *cx_)),
      rows_(std::make_unique<Rows>()) {
  rows_->arrays.Make(input_->columns(), kBatchRows, *cx_);
}

FilterOperator::~FilterOperator() = default;

Result<const ColumnBatch*> FilterOperator::Next() {
  if (failed_) return nullptr;
  failed_ = true;  // so that it is also set after an exception
  Result<const ColumnBatch*> batch = Step();
  failed_ = !batch;
  return batch;
}

Result<const ColumnBatch*> FilterOperator::Step() {
  auto& [slices, selected, passing, arrays, batch_of_rows] = *rows_;
  for (;;) {
    const ColumnBatch* slice = slices.Next();
    if (slice == nullptr) {
      RELCACHE_ASSIGN(const ColumnBatch* batch, input_->Next());
      slices.Start(batch);
      if (batch == nullptr) return nullptr;
      continue;
    }
    counters_.rows_in += slice->rows;
    selected.assign(slice->rows, 1);
    condition_cx_.Reset();
    RELCACHE_ASSIGN(const std::size_t kept, condition_.Select(*slice, selected, condition_cx_));
    counters_.rows_out += kept;
    if (kept == slice->rows) return slice;
    if (kept == 0) continue;
    const std::span<const std::uint32_t> rows(passing.data(), RowNumbers(selected, passing.data()));
    for (std::size_t c = 0; c < arrays.columns.size(); ++c)
      GatherAscending(slice->columns[c], rows, arrays.values[c], arrays.nulls[c],
                      arrays.columns[c]);
    batch_of_rows = {arrays.columns, rows.size()};
    return &batch_of_rows;
  }
}

PlanOperatorDescription FilterOperator::Describe() const {
  PlanOperatorDescription out{
      .name = "Filter", .rows = counters_.rows_out, .details = {}, .inputs = {input_.get()}};
  out.Add("Filter", condition_.ToString(ColumnNames(columns().size())));
  out.AddCount("Rows Removed by Filter", counters_.rows_in - counters_.rows_out);
  return out;
}

}  // namespace relcache
