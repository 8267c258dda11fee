#include "relcache/executor/plan/table_scan.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "relcache/executor/plan/explain.h"

namespace relcache {

MemoryTable::MemoryTable(std::vector<ColumnType> columns)
    : types_(std::move(columns)),
      cx_(AllocSet::CreateRoot("memory table")),
      values_cx_(Bump::Create("memory table values", *cx_)),
      arrays_(types_.size()) {}

void MemoryTable::Grow(std::size_t rows) {
  for (std::size_t c = 0; c < types_.size(); ++c) {
    Array& array = arrays_[c];
    const std::size_t width = WidthOf(types_[c].form);
    array.values = static_cast<char*>(array.values == nullptr
                                          ? cx_->AllocateHuge(rows * width)
                                          : cx_->ReallocateHuge(array.values, rows * width));
    array.nulls = static_cast<std::uint8_t*>(
        array.nulls == nullptr ? cx_->AllocateHuge(rows) : cx_->ReallocateHuge(array.nulls, rows));
  }
  capacity_ = rows;
}

void MemoryTable::Reserve(std::size_t rows) {
  if (rows > capacity_) Grow(rows);
}

Datum MemoryTable::Copy(const ColumnType& type, Datum value) {
  if (type.typlen < 0) return MakeVarlena(VarData(value), values_cx_);
  const auto bytes = static_cast<std::size_t>(type.typlen);
  void* copy = values_cx_.Allocate(bytes);
  std::memcpy(copy, DatumGetPointer(value), bytes);
  return PointerGetDatum(copy);
}

void MemoryTable::Append(std::span<const NullableDatum> row) {
  RELCACHE_CHECK_EQ(row.size(), types_.size());
  if (rows_ == capacity_) Grow(std::max<std::size_t>(2 * capacity_, 64));
  for (std::size_t c = 0; c < types_.size(); ++c) {
    Array& array = arrays_[c];
    const bool isnull = row[c].isnull;
    array.nulls[rows_] = isnull ? 1 : 0;
    array.any_null |= isnull;
    Datum value{};
    if (!isnull)
      value = types_[c].form == ColumnForm::kDatum ? Copy(types_[c], row[c].value) : row[c].value;
    StoreDatum(types_[c].form, array.values, rows_, value);
  }
  ++rows_;
}

void MemoryTable::Slice(std::size_t first, std::size_t n, std::span<BatchColumn> columns) const {
  RELCACHE_CHECK(first <= rows_ && n <= rows_ - first);
  for (std::size_t c = 0; c < types_.size(); ++c) {
    const Array& array = arrays_[c];
    columns[c] = {types_[c].type, types_[c].form, array.values + first * WidthOf(types_[c].form),
                  array.any_null ? array.nulls + first : nullptr};
  }
}

TableScan::TableScan(const MemoryTable& table, std::size_t batch_rows)
    : table_(table), batch_rows_(batch_rows), columns_(table.columns().size()) {}

Result<const ColumnBatch*> TableScan::Next() {
  const std::size_t n = std::min(batch_rows_, table_.rows() - at_);
  if (n == 0) return nullptr;
  table_.Slice(at_, n, columns_);
  at_ += n;
  batch_ = {columns_, n};
  return &batch_;
}

PlanOperatorDescription TableScan::Describe() const {
  return {.name = "Seq Scan on memory table", .rows = at_, .details = {}, .inputs = {}};
}

}  // namespace relcache
