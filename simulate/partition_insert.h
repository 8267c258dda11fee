// Measures inserts into a parent table whose trigger inserts each row into a child by a statement
// of its own, which verifies the CHECK constraints of the child. The job is the same for each way
// of obtaining the constraints' expressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/catalog/catalog_source.h"
#include "relcache/simulate/check_modes.h"

namespace relcache {

struct PartitionInsertOptions {
  /// The number of rows that are inserted through the parent. Ten times as many go directly into
  /// the first child.
  std::uint64_t rows = 600'000;
  /// The number of children, which divide the range of the key.
  int partitions = 1;
  /// The number of constraints of each child.
  int checks = 1;
  /// The modes to measure, in order.
  std::vector<CheckMode> modes;
};

struct EntryBytes {
  std::size_t reserved = 0, used = 0;
};

/// The figures of one mode.
struct PartitionInsertFigures {
  CheckMode mode = CheckMode::kNone;
  std::vector<double> routed_seconds, direct_seconds;
  std::uint64_t direct_rows = 0;
  /// The time of the fastest run.
  double ns_per_routed_row = 0;
  /// The shares of the stages in the time of a routed row. They are measured in a run of their own,
  /// rounded to four digits, and add up to 1.
  double parse = 0, copy = 0, compile = 0, evaluate = 0, rest = 0;
  /// The bytes of the first child's cache entry, before the first row and after some rows.
  EntryBytes before, after;
};

struct PartitionInsertReport {
  std::vector<PartitionInsertFigures> modes;
  /// The bytes of the constraint's tree if each node is allocated separately, as malloc counts
  /// them.
  std::size_t tree_node_by_node_bytes = 0;

  /// The figures of a mode; nullptr if it was not measured.
  const PartitionInsertFigures* Find(CheckMode mode) const;
  /// The part of a routed row's time with kReparse that a mode saves.
  std::optional<double> Gain(const PartitionInsertFigures& figures) const;
  /// The part of the gain of kCached that is lost if each statement makes a private copy.
  std::optional<double> GivenUp() const;
};

/// Runs the job on a catalog that has public.measurement and its child public.measurement_1, as
/// examples/job.json does; further children and constraints are made like these. The modes take
/// turns, so that other load on the machine affects all of them alike. Sets options of malloc
/// (glibc) for the whole process, so that freed memory is kept.
Result<PartitionInsertReport> MeasurePartitionInsert(const PartitionInsertOptions& options,
                                                     CatalogSource& sample);

}  // namespace relcache
