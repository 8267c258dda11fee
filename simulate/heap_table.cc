#include "relcache/simulate/heap_table.h"

#include <cstring>

#include "relcache/base/check.h"
#include "relcache/memory/align.h"
#include "relcache/types/type_io.h"

namespace relcache {

HeapTable::HeapTable(std::span<const AttributeRow> attributes)
    : cx_(Bump::CreateRoot("table in memory")) {
  for (const AttributeRow& a : attributes) {
    columns_.push_back({a.atttypid, a.attlen, a.attbyval, a.attisdropped});
    any_by_reference_ = any_by_reference_ || (!a.attbyval && !a.attisdropped);
  }
  row_bytes_ = columns_.size() * sizeof(Datum) + AlignUp(columns_.size(), 8);
}

void HeapTable::Append(DatumRow row) {
  RELCACHE_DCHECK(row.size() == columns_.size());
  if (free_ == 0) {
    rows_.push_back(static_cast<std::byte*>(cx_->Allocate(kRowsPerBlock * row_bytes_)));
    free_ = kRowsPerBlock;
  }
  std::byte* at = rows_.back() + (kRowsPerBlock - free_) * row_bytes_;
  const std::size_t n = columns_.size();
  auto* nulls = reinterpret_cast<std::uint8_t*>(at + n * sizeof(Datum));
  for (std::size_t i = 0; i < n; ++i) {
    Datum value = row[i].value;
    if (any_by_reference_ && !row[i].isnull && !columns_[i].typbyval)
      value = CopyDatum(value, false, columns_[i].typlen, *cx_);
    std::memcpy(at + i * sizeof(Datum), &value, sizeof value);
    nulls[i] = row[i].isnull ? 1 : 0;
  }
  --free_;
}

void HeapTable::Truncate() {
  rows_.clear();
  free_ = 0;
  cx_->Reset();
}

NullableDatum HeapTable::Get(std::size_t row, std::size_t column) const {
  RELCACHE_DCHECK(row < size() && column < columns_.size());
  const std::byte* at = rows_[row / kRowsPerBlock] + row % kRowsPerBlock * row_bytes_;
  if (static_cast<std::uint8_t>(at[columns_.size() * sizeof(Datum) + column]) != 0) return {};
  NullableDatum out;
  std::memcpy(&out.value, at + column * sizeof(Datum), sizeof(Datum));
  out.isnull = false;
  return out;
}

}  // namespace relcache
