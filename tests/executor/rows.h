// Rows of test data: from text to values, and from rows to a batch.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/executor/batch/column_batch.h"
#include "relcache/executor/expressions/compile.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/internal/array.h"
#include "relcache/types/session_settings.h"
#include "relcache/types/type_io.h"

namespace relcache::testing {

struct TestColumn {
  std::string attname;
  InputColumn type;
  std::int32_t atttypmod = -1;
};

/// The value that a text is in a column's type; an error if this library cannot read the type.
inline Result<NullableDatum> ValueFromText(Oid type, std::int32_t typmod, std::string_view text,
                                           const SessionSettings& settings, MemoryContext& cx,
                                           ServerVersion version = {}) {
  RELCACHE_ASSIGN(const Datum value, TypeInput(type, typmod, text, settings, cx, version));
  return NullableDatum{value, false};
}

/// Rows as a batch: column by column in natural width. A column without NULLs has null bytes all
/// the same if `always_null_bytes`.
class BatchOf {
 public:
  BatchOf(std::span<const TestColumn> columns, std::span<const std::vector<NullableDatum>> rows,
          bool always_null_bytes = false) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const InputColumn& type = columns[c].type;
      BatchColumn column;
      column.type = type.type;
      column.form = ColumnFormOf(type.type, type.typlen, type.typbyval);
      auto values = std::make_unique<std::uint64_t[]>(rows.size() + 1);
      auto nulls = std::make_unique<std::uint8_t[]>(rows.size() + 1);
      bool any_null = always_null_bytes;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        nulls[r] = rows[r][c].isnull ? 1 : 0;
        any_null = any_null || rows[r][c].isnull;
        StoreDatum(column.form, values.get(), r, rows[r][c].isnull ? Datum{} : rows[r][c].value);
      }
      column.values = values.get();
      column.nulls = any_null ? nulls.get() : nullptr;
      columns_.push_back(column);
      values_.push_back(std::move(values));
      nulls_.push_back(std::move(nulls));
    }
    batch_ = {columns_, rows.size()};
  }

  const ColumnBatch& operator*() const { return batch_; }

 private:
  std::vector<BatchColumn> columns_;
  std::vector<std::unique_ptr<std::uint64_t[]>> values_;
  std::vector<std::unique_ptr<std::uint8_t[]>> nulls_;
  ColumnBatch batch_;
};

}  // namespace relcache::testing
