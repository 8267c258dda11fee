// Prints a plan with the counters of its operators, as PostgreSQL's statement EXPLAIN (ANALYZE)
// does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/executor/plan/operator.h"

namespace relcache {

/// The description of one operator, from which ExplainPlan makes its lines.
struct PlanOperatorDescription {
  /// The name that PostgreSQL gives to such a node, such as "Hash Left Join".
  std::string name;
  /// The number of rows returned so far; nullopt if the operator does not count them.
  std::optional<std::uint64_t> rows;
  /// The lines below the name, such as "Group Key: c0".
  std::vector<std::string> details;
  /// The operators that it reads. For a join, the probe side (the side whose rows are looked up in
  /// the hash table) comes first.
  /// Lifetime: the operator's.
  std::vector<const PlanOperator*> inputs;

  /// Adds the line "label: text" to the details.
  void Add(std::string_view label, std::string_view text);
  /// The same for a number. Adds nothing if it is 0, as EXPLAIN does.
  void AddCount(std::string_view label, std::uint64_t count);
  /// Adds the line "Batches: 1  Memory Usage: 96kB". It has "Disk Usage" too if the operator wrote
  /// rows to disk, and "Over Limit" if it could not keep to its memory limit. The line begins with
  /// `first`. PostgreSQL's word batches means the passes (PlanOperatorCounters::passes), and kB
  /// means 1024 bytes, rounded up.
  void AddMemory(const PlanOperatorCounters& counters, std::string first = {});
};

/// The names of the columns of a batch in conditions and values: "c0", "c1" and so on, each with
/// `prefix` before it.
std::vector<std::string> ColumnNames(std::size_t columns, std::string_view prefix = {});

/// The texts with the separator between them: "a, b, c".
std::string JoinTexts(const std::vector<std::string>& texts, std::string_view separator = ", ");

/// The plan whose topmost operator is `root`, in the layout of PostgreSQL's EXPLAIN: one line for
/// each operator, and below it its details and its inputs.
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
/// c0 is the first column of the operator's input. The function may be called at any time between
/// two calls of Next; the figures are those up to this moment. The text is meant for people, and
/// its format may change.
/// Thread safety: no other thread may use the plan meanwhile.
/// Errors: std::bad_alloc.
std::string ExplainPlan(const PlanOperator& root);

}  // namespace relcache
