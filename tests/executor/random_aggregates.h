// Random aggregates: what is asked, as options of a HashAggregate and as SQL.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "random_tables.h"
#include "relcache/executor/aggregate/hash_aggregate.h"

namespace relcache::test {

struct AggregateCase {
  TextTable input;
  std::vector<std::size_t> group_by;
  std::vector<AggregateCall> calls;
};

inline bool Applies(AggregateFunction function, Oid type) {
  switch (function) {
    case AggregateFunction::kCount:
    case AggregateFunction::kArrayAgg:
      return true;
    case AggregateFunction::kSum:
    case AggregateFunction::kAvg:
      return type == kInt2Oid || type == kInt4Oid || type == kInt8Oid || type == kFloat4Oid ||
             type == kFloat8Oid || type == kNumericOid;
    case AggregateFunction::kMin:
    case AggregateFunction::kMax:
      return type != kBoolOid;
  }
  return false;
}

inline AggregateCase RandomAggregate(Random& random, std::size_t max_rows) {
  static constexpr Oid kKeyTypes[] = {kInt4Oid, kInt8Oid, kTextOid,    kBoolOid,
                                      kDateOid, kInt2Oid, kVarcharOid, kFloat8Oid};
  static constexpr Oid kValueTypes[] = {kInt2Oid,   kInt4Oid,    kInt8Oid, kFloat4Oid,
                                        kFloat8Oid, kNumericOid, kTextOid, kDateOid};
  AggregateCase aggregate;
  const std::size_t keys = Below(random, 4);
  const std::size_t values = 1 + Below(random, 3);
  std::vector<KeyShape> shapes;
  for (std::size_t c = 0; c < keys + values; ++c) {
    aggregate.input.types.push_back(c < keys ? kKeyTypes[Below(random, std::size(kKeyTypes))]
                                             : kValueTypes[Below(random, std::size(kValueTypes))]);
    KeyShape shape;
    shape.distinct = c < keys ? 1 + Below(random, Below(random, 2) == 0 ? 10 : max_rows)
                              : 2 + Below(random, 3000);
    shape.nulls = Below(random, 3) == 0 ? 0 : static_cast<unsigned>(Below(random, 300));
    shape.skewed = Below(random, 3) == 0 ? static_cast<unsigned>(Below(random, 1000)) : 0;
    shapes.push_back(shape);
    if (c < keys) aggregate.group_by.push_back(c);
  }
  const std::size_t rows = Below(random, 12) == 0 ? 0 : Below(random, max_rows);
  for (std::size_t r = 0; r < rows; ++r) {
    TextRow row;
    for (std::size_t c = 0; c < shapes.size(); ++c) {
      auto value = DrawValue(aggregate.input.types[c], shapes[c], random);
      // Equal values that look different may come out either way: they are for joins.
      if (value == "-0") value = "0";
      if (value && aggregate.input.types[c] == kNumericOid && value->ends_with(".500"))
        value = value->substr(0, value->size() - 2);
      row.push_back(std::move(value));
    }
    aggregate.input.rows.push_back(std::move(row));
  }
  const std::size_t calls = 1 + Below(random, 4);
  while (aggregate.calls.size() < calls) {
    AggregateCall call;
    call.function = static_cast<AggregateFunction>(Below(random, 6));
    call.column = keys + Below(random, values);
    if (!Applies(call.function, aggregate.input.types[call.column])) continue;
    call.distinct = Below(random, 5) == 0;
    if (Below(random, 8) == 0) call = {AggregateFunction::kCount, AggregateCall::kNoColumn, false};
    aggregate.calls.push_back(call);
  }
  return aggregate;
}

inline std::string ToSql(const AggregateCase& aggregate, const std::string& table) {
  std::string keys;
  for (const std::size_t c : aggregate.group_by)
    keys += (keys.empty() ? "c" : ", c") + std::to_string(c);
  std::string sql = "SELECT " + keys;
  for (const AggregateCall& call : aggregate.calls) {
    if (!sql.ends_with("SELECT ")) sql += ", ";
    sql += NameOf(call.function);
    sql +=
        call.column == AggregateCall::kNoColumn
            ? "(*)"
            : (call.distinct ? "(DISTINCT c" : "(c") + std::to_string(call.column) +
                  // The server promises no order: ask for that of the rows.
                  (call.function == AggregateFunction::kArrayAgg && !call.distinct ? " ORDER BY n)"
                                                                                   : ")");
  }
  sql += " FROM " + table;
  return keys.empty() ? sql : sql + " GROUP BY " + keys;
}

struct AggregateResult {
  std::vector<TextRow> rows;
  HashAggregateCounters counters;
};

inline Result<AggregateResult> RunAggregate(const AggregateCase& aggregate, std::size_t work_mem,
                                            const SpillOptions& spill = {}) {
  const auto table = aggregate.input.Load();
  HashAggregateOptions options;
  options.group_by = aggregate.group_by;
  options.calls = aggregate.calls;
  options.work_mem = work_mem;
  options.spill = spill;
  RELCACHE_ASSIGN(auto op, HashAggregate::Create(options, std::make_unique<TableScan>(*table)));
  AggregateResult result;
  RELCACHE_ASSIGN(result.rows, ReadAll(*op));
  result.counters = op->counters();
  return result;
}

}  // namespace relcache::test
