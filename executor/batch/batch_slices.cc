#include "relcache/executor/batch/batch_slices.h"

namespace relcache {
namespace {

template <class T>
void GatherValues(const void* values, std::span<const std::uint32_t> rows, void* out) {
  const T* from = static_cast<const T*>(values);
  T* to = static_cast<T*>(out);
  for (std::size_t i = 0; i < rows.size(); ++i) to[i] = from[rows[i]];
}

}  // namespace

void Gather(const Column& column, std::span<const std::uint32_t> rows, void* values,
            std::uint8_t* nulls, Column& out) {
  switch (WidthOf(column.form)) {
    case 1:
      GatherValues<std::uint8_t>(column.values, rows, values);
      break;
    case 2:
      GatherValues<std::uint16_t>(column.values, rows, values);
      break;
    case 4:
      GatherValues<std::uint32_t>(column.values, rows, values);
      break;
    default:
      GatherValues<std::uint64_t>(column.values, rows, values);
  }
  out.nulls = nullptr;
  if (column.nulls != nullptr) {
    for (std::size_t i = 0; i < rows.size(); ++i) nulls[i] = column.nulls[rows[i]];
    out.nulls = nulls;
  }
}

}  // namespace relcache
