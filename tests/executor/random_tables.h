// Random tables for tests of operators, kept twice: as operators read them, and as text.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/executor/plan/table_scan.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/internal/array.h"
#include "relcache/types/type_io.h"

namespace relcache::test {

using TextRow = std::vector<std::optional<std::string>>;
using Random = std::mt19937_64;

inline std::uint64_t Below(Random& random, std::uint64_t n) {
  return random() % n;
}

/// Texts are under collation "C".
inline ColumnType TypeOf(Oid type) {
  ColumnType column = ColumnTypeOf(type).value();
  if (column.collation != kInvalidOid) column.collation = 950;
  return column;
}

/// A value from its text.
inline Datum Value(Oid type, const std::string& text, MemoryContext& cx) {
  return TypeInput(type, -1, text, AssumeUtcAndMdy(0), cx).value();
}

/// Its text.
inline std::string ArrayText(Datum array, MemoryContext& cx);
inline std::string Text(Oid type, Datum value, MemoryContext& cx) {
  if (IsArrayType(*FindTypeInfo(type))) return ArrayText(value, cx);
  return std::string(TypeOutput(type, value, AssumeUtcAndMdy(0), cx).value());
}

struct TextTable {
  std::vector<Oid> types;
  std::vector<TextRow> rows;

  std::unique_ptr<MemoryTable> Load() const {
    std::vector<ColumnType> columns;
    for (const Oid type : types) columns.push_back(TypeOf(type));
    auto table = std::make_unique<MemoryTable>(columns);
    const ContextPtr cx = AllocSet::CreateRoot("test values");
    std::vector<NullableDatum> row(types.size());
    for (const TextRow& texts : rows) {
      for (std::size_t c = 0; c < types.size(); ++c) {
        row[c] = {};
        if (texts[c]) row[c] = {Value(types[c], *texts[c], *cx), false};
      }
      table->Append(row);
      cx->Reset();
    }
    return table;
  }
};

/// How the values of a key column are drawn.
struct KeyShape {
  std::uint64_t distinct = 100;
  /// In a thousand: NULLs, and rows that have the one most frequent value.
  unsigned nulls = 50;
  unsigned skewed = 0;
};

/// The text of the n-th value of a type; equal n gives equal values, sometimes of another spelling.
inline std::string NthValue(Oid type, std::uint64_t n, Random& random) {
  switch (type) {
    case kBoolOid:
      return n % 2 == 0 ? "f" : "t";
    case kInt2Oid:
      return std::to_string(static_cast<std::int64_t>(n % 60000) - 30000);
    case kFloat4Oid:
    case kFloat8Oid:
      if (n == 0) return Below(random, 2) == 0 ? "-0" : "0";
      if (n == 1) return "NaN";
      return std::to_string(static_cast<std::int64_t>(n) - 50) + ".5";
    case kNumericOid:
      return std::to_string(static_cast<std::int64_t>(n) - 50) +
             (Below(random, 2) == 0 ? ".5" : ".500");
    case kTextOid:
    case kVarcharOid:
      return "v" + std::to_string(n) + std::string(n % 23, 'x');
    case kBpcharOid:
      return "b" + std::to_string(n) + std::string(Below(random, 3), ' ');
    case kDateOid:
      return "20" + std::to_string(10 + n % 20) + "-01-" + std::to_string(10 + n % 19);
    default:
      return std::to_string(static_cast<std::int64_t>(n) - 50);
  }
}

/// The texts of these tests need no quotes in an array.
inline std::string ArrayText(Datum array, MemoryContext& cx) {
  const ArrayHead head = ArrayHead::Of(array).value();
  const TypeInfo& info = *FindTypeInfo(head.element_type());
  const auto elements =
      head.Elements({info.oid, info.typlen, info.typbyval, info.typalign}, cx).value();
  std::string text = "{";
  for (const NullableDatum& e : elements) {
    if (text.size() > 1) text += ',';
    text += e.isnull ? "NULL" : Text(info.oid, e.value, cx);
  }
  return text + "}";
}

inline std::optional<std::string> DrawValue(Oid type, const KeyShape& shape, Random& random) {
  if (Below(random, 1000) < shape.nulls) return std::nullopt;
  const std::uint64_t n = Below(random, 1000) < shape.skewed ? 2 : Below(random, shape.distinct);
  return NthValue(type, n, random);
}

/// Every row of an operator, as text.
inline Result<std::vector<TextRow>> ReadAll(PlanOperator& op) {
  std::vector<TextRow> rows;
  const ContextPtr cx = AllocSet::CreateRoot("test output");
  for (;;) {
    RELCACHE_ASSIGN(const ColumnBatch* batch, op.Next());
    if (batch == nullptr) return rows;
    for (std::size_t r = 0; r < batch->rows; ++r) {
      TextRow row;
      for (std::size_t c = 0; c < batch->columns.size(); ++c) {
        const NullableDatum value = batch->columns[c].Get(r);
        if (value.isnull) {
          row.push_back(std::nullopt);
        } else {
          row.push_back(Text(op.columns()[c].type, value.value, *cx));
        }
      }
      rows.push_back(std::move(row));
      cx->Reset();
    }
  }
}

/// Runs an operator to its end without keeping its rows.
inline Status Drain(PlanOperator& op) {
  for (;;) {
    RELCACHE_ASSIGN(const ColumnBatch* batch, op.Next());
    if (batch == nullptr) return {};
  }
}

/// The most that the tree of contexts below a root of this name ever held, by the contexts' own
/// accounting, looked at with every request: what lies between two calls of an operator too.
class PeakWatch : public AllocationObserver {
 public:
  explicit PeakWatch(std::string_view root) : root_(root), before_(WatchNewContexts(this)) {}
  ~PeakWatch() override { WatchNewContexts(before_); }
  void OnAllocate(MemoryContext& context, std::size_t) override { Look(context); }
  void OnFree(MemoryContext& context, std::size_t) noexcept override { Look(context); }
  void OnReset(MemoryContext& context) noexcept override { Look(context); }
  std::size_t peak() const { return peak_; }

 private:
  void Look(const MemoryContext& context) {
    const MemoryContext* at = &context;
    while (at->parent() != nullptr) at = at->parent();
    if (at->name() == root_) peak_ = std::max(peak_, at->total_bytes_reserved());
  }
  std::string_view root_;
  AllocationObserver* before_;
  std::size_t peak_ = 0;
};

/// Rows as a bag, one line each: two equal bags print alike.
inline std::vector<std::string> Bag(const std::vector<TextRow>& rows) {
  std::vector<std::string> lines;
  lines.reserve(rows.size());
  for (const TextRow& row : rows) {
    std::string line;
    for (const auto& value : row) line += (value ? *value : std::string("\\N")) + "|";
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// Whether two bags are the same; if not, the first line that only one of them has.
inline testing::AssertionResult SameBag(const std::vector<std::string>& got,
                                        const std::vector<std::string>& expected) {
  if (got == expected) return testing::AssertionSuccess();
  const auto [a, b] = std::mismatch(got.begin(), got.end(), expected.begin(), expected.end());
  const auto show = [](auto at, auto end) {
    return at == end ? std::string("the end") : at->substr(0, 200);
  };
  return testing::AssertionFailure()
         << got.size() << " rows instead of " << expected.size() << "; got " << show(a, got.end())
         << " where " << show(b, expected.end()) << " should be";
}

}  // namespace relcache::test
