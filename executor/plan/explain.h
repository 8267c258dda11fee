// A plan as text with what its operators did: EXPLAIN (ANALYZE).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/executor/plan/operator.h"

namespace relcache {

/// What an operator says of itself: one node of the text.
struct PlanOperatorDescription {
  /// What PostgreSQL calls such a node: "Hash Left Join".
  std::string name;
  /// Rows given so far; none: the operator does not count them.
  std::optional<std::uint64_t> rows;
  /// The lines below the name: "Group Key: c0".
  std::vector<std::string> details;
  /// The operators it reads, a join's outer (probe) side first. Lifetime: the operator's.
  std::vector<const PlanOperator*> inputs;

  void Add(std::string_view label, std::string_view text);
  /// Nothing for 0, as in EXPLAIN.
  void AddCount(std::string_view label, std::uint64_t count);
  /// "Batches: 1  Memory Usage: 96kB", with "Disk Usage" if the operator spilled and "Over Limit"
  /// if it could not keep to its limit. `first` comes before them on the line.
  void AddMemory(const PlanOperatorCounters& counters, std::string first = {});
};

/// What the columns of a batch are called in conditions and values: "c0", "c1" ..., each behind
/// `prefix`.
std::vector<std::string> ColumnNames(std::size_t columns, std::string_view prefix = {});

/// "a, b, c".
std::string JoinTexts(const std::vector<std::string>& texts, std::string_view separator = ", ");

/// The plan from `root` down, a node a line and below it its details and its inputs, in the layout
/// of PostgreSQL's EXPLAIN:
///
///     Hash Join (rows=900)
///       Output: probe.c0, build.c1
///       Hash Cond: probe.c0 = build.c0
///       Buckets: 1024  Batches: 1  Memory Usage: 48kB
///       ->  Filter (rows=990)
///             Filter: int4gt(c0, 10)
///             Rows Removed by Filter: 10
///             ->  Seq Scan on memory table (rows=1000)
///       ->  Seq Scan on memory table (rows=500)
///
/// c0 is the first column of the operator's input. It can be asked for at any time, also between
/// two batches; the figures are those until then. For people, not a format to be parsed.
/// Errors: std::bad_alloc.
std::string ExplainPlan(const PlanOperator& root);

}  // namespace relcache
