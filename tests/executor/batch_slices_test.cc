#include "relcache/executor/batch/internal/batch_slices.h"

#include <gtest/gtest.h>

#include <numeric>

#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

/// Numbers of rows around a word of bytes, and which of them are selected.
struct Selection {
  std::size_t rows;
  std::size_t one_in;  ///< 0: none is left out
  bool leaves_out;     ///< one in so many is left out; else it is the only one selected

  std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> out(rows, leaves_out ? 1 : 0);
    for (std::size_t row = 0; row < rows; ++row)
      if (one_in != 0 && row % one_in == one_in / 2) out[row] ^= 1;
    return out;
  }
};

std::vector<Selection> Selections() {
  std::vector<Selection> out;
  for (const std::size_t rows : {0, 1, 7, 8, 9, 15, 16, 17, 100, 1024})
    for (const std::size_t one_in : {0, 1, 2, 3, 10, 100})
      for (const bool leaves_out : {false, true}) out.push_back({rows, one_in, leaves_out});
  return out;
}

std::vector<std::uint32_t> NumbersOf(const std::vector<std::uint8_t>& selected) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t row = 0; row < selected.size(); ++row)
    if (selected[row] != 0) out.push_back(row);
  return out;
}

TEST(BatchSlicesTest, RowNumbersAreThoseOfTheBytesThatAreSet) {
  for (const Selection& selection : Selections()) {
    const std::vector<std::uint8_t> selected = selection.bytes();
    std::vector<std::uint32_t> rows(selected.size());
    rows.resize(RowNumbers(selected, rows.data()));
    EXPECT_EQ(rows, NumbersOf(selected)) << selection.rows << " " << selection.one_in;
  }
}

template <class T>
void ExpectGathered(Oid type, ColumnForm form) {
  for (const Selection& selection : Selections()) {
    std::vector<T> values(selection.rows);
    std::iota(values.begin(), values.end(), T{3});
    std::vector<std::uint8_t> nulls(selection.rows);
    for (std::size_t row = 0; row < nulls.size(); ++row) nulls[row] = row % 5 == 0 ? 1 : 0;
    const std::vector<std::uint32_t> rows = NumbersOf(selection.bytes());
    if (rows.empty()) continue;
    for (const bool nullable : {false, true}) {
      const BatchColumn column{type, form, values.data(), nullable ? nulls.data() : nullptr};
      for (const auto gather : {Gather, GatherAscending}) {
        std::vector<T> got(rows.size());
        std::vector<std::uint8_t> got_nulls(rows.size());
        BatchColumn out{type, form, got.data(), nullptr};
        gather(column, rows, got.data(), got_nulls.data(), out);
        ASSERT_EQ(out.nulls != nullptr, nullable);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          ASSERT_EQ(got[i], values[rows[i]]) << selection.rows << " " << selection.one_in;
          ASSERT_EQ(got_nulls[i], nullable ? nulls[rows[i]] : 0);
        }
      }
    }
  }
}

TEST(BatchSlicesTest, GatheringTakesTheRowsOfEveryWidth) {
  ExpectGathered<std::uint8_t>(kBoolOid, ColumnForm::kBool);
  ExpectGathered<std::int16_t>(kInt2Oid, ColumnForm::kInt2);
  ExpectGathered<std::int32_t>(kInt4Oid, ColumnForm::kInt4);
  ExpectGathered<std::int64_t>(kInt8Oid, ColumnForm::kInt8);
}

TEST(BatchSlicesTest, GatheringTakesRowsInAnyOrderAndMoreThanOnce) {
  const std::int32_t values[] = {10, 11, 12, 13, 14, 15, 16, 17, 18};
  const BatchColumn column{kInt4Oid, ColumnForm::kInt4, values, nullptr};
  // Eight numbers from 1 to 8, as those of eight rows in a row are, but with a repetition.
  const std::uint32_t rows[] = {1, 1, 3, 4, 5, 6, 7, 8, 0, 2};
  std::int32_t got[10];
  BatchColumn out{kInt4Oid, ColumnForm::kInt4, got, nullptr};
  Gather(column, rows, got, nullptr, out);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(got[i], values[rows[i]]);
}

}  // namespace
}  // namespace relcache
