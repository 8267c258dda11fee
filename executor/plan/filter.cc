#include "relcache/executor/plan/filter.h"

#include <numeric>
#include <utility>

namespace relcache {

Filter::Filter(OperatorPtr input, BatchPredicate& condition)
    : input_(std::move(input)),
      condition_(condition),
      cx_(AllocSet::CreateRoot("filter")),
      condition_cx_(AllocSet::Create("filter condition", *cx_)) {
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
    selection_.resize(slice->rows);
    std::iota(selection_.begin(), selection_.end(), 0U);
    condition_cx_.Reset();
    RELCACHE_ASSIGN(const std::size_t kept, condition_.Select(*slice, selection_, condition_cx_));
    if (kept == slice->rows) return slice;
    if (kept == 0) continue;
    for (std::size_t c = 0; c < arrays_.columns.size(); ++c)
      Gather(slice->columns[c], {selection_.data(), kept}, arrays_.values[c], arrays_.nulls[c],
             arrays_.columns[c]);
    batch_ = {arrays_.columns, kept};
    return &batch_;
  }
}

}  // namespace relcache
