#include "relcache/executor/batch/internal/batch_slices.h"

#include <cstring>

namespace relcache {
namespace {

/// The number of row numbers that are looked at together. A condition usually lets most rows pass,
/// so most of them are consecutive and can be copied in one piece.
constexpr std::size_t kStep = 8;

template <bool kAscending, class T>
void GatherValues(const void* values, std::span<const std::uint32_t> rows, void* out) {
  const T* from = static_cast<const T*>(values);
  T* to = static_cast<T*>(out);
  std::size_t i = 0;
  if constexpr (kAscending) {
    for (; i + kStep <= rows.size(); i += kStep) {
      const std::uint32_t first = rows[i];
      if (rows[i + kStep - 1] - first == kStep - 1) {
        std::memcpy(to + i, from + first, kStep * sizeof(T));
      } else {
        for (std::size_t j = i; j < i + kStep; ++j) to[j] = from[rows[j]];
      }
    }
  }
  for (; i < rows.size(); ++i) to[i] = from[rows[i]];
}

template <bool kAscending>
void GatherInOrder(const BatchColumn& column, std::span<const std::uint32_t> rows, void* values,
                   std::uint8_t* nulls, BatchColumn& out) {
  WithWord(column.form,
           [&]<class Word>(Word) { GatherValues<kAscending, Word>(column.values, rows, values); });
  out.nulls = nullptr;
  if (column.nulls != nullptr) {
    GatherValues<kAscending, std::uint8_t>(column.nulls, rows, nulls);
    out.nulls = nulls;
  }
}

}  // namespace

std::size_t RowNumbers(std::span<const std::uint8_t> selected, std::uint32_t* rows) {
  constexpr std::uint64_t kAll = 0x0101010101010101;
  static_assert(sizeof kAll == kStep);
  const auto size = static_cast<std::uint32_t>(selected.size());
  std::uint32_t row = 0;
  std::size_t n = 0;
  // The number is written before it is known whether the row is selected, so that there is no
  // branch that depends on the data.
  const auto number = [&](std::uint32_t r) {
    rows[n] = r;
    n += selected[r];
  };
  for (; size - row >= kStep; row += kStep) {
    std::uint64_t bytes;
    std::memcpy(&bytes, selected.data() + row, kStep);
    if (bytes == kAll) {
      for (std::uint32_t i = 0; i < kStep; ++i) rows[n + i] = row + i;
      n += kStep;
    } else if (bytes != 0) {
      for (std::uint32_t i = 0; i < kStep; ++i) number(row + i);
    }
  }
  for (; row < size; ++row) number(row);
  return n;
}

void Gather(const BatchColumn& column, std::span<const std::uint32_t> rows, void* values,
            std::uint8_t* nulls, BatchColumn& out) {
  GatherInOrder<false>(column, rows, values, nulls, out);
}

void GatherAscending(const BatchColumn& column, std::span<const std::uint32_t> rows, void* values,
                     std::uint8_t* nulls, BatchColumn& out) {
  GatherInOrder<true>(column, rows, values, nulls, out);
}

}  // namespace relcache
