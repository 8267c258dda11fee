#include "relcache/executor/plan/filter.h"

#include <utility>

namespace relcache {

Filter::Filter(OperatorPtr input, BatchPredicate& condition)
    : input_(std::move(input)),
      condition_(condition),
      cx_(AllocSet::CreateRoot("filter")),
      condition_cx_(AllocSet::Create("filter condition", *cx_)),
      rows_(kBatchRows) {
  arrays_.Make(input_->columns(), kBatchRows, *cx_);
}

Result<const ColumnBatch*> Filter::Next() {
  for (;;) {
    const ColumnBatch* slice = slices_.Next();
    if (slice == nullptr) {
      RELCACHE_ASSIGN(const ColumnBatch* batch, input_->Next());
      slices_.Start(batch);
      if (batch == nullptr) return nullptr;
      continue;
    }
    selected_.assign(slice->rows, 1);
    condition_cx_.Reset();
    RELCACHE_ASSIGN(const std::size_t kept, condition_.Select(*slice, selected_, condition_cx_));
    if (kept == slice->rows) return slice;
    if (kept == 0) continue;
    const std::span<const std::uint32_t> rows(rows_.data(), RowNumbers(selected_, rows_.data()));
    for (std::size_t c = 0; c < arrays_.columns.size(); ++c)
      GatherAscending(slice->columns[c], rows, arrays_.values[c], arrays_.nulls[c],
                      arrays_.columns[c]);
    batch_ = {arrays_.columns, rows.size()};
    return &batch_;
  }
}

}  // namespace relcache
