// Rows inserted into a parent whose trigger inserts each into a child by a statement of its own,
// the child's CHECK constraints verified each time: the same job for each way of getting at the
// constraints' expressions.
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
  /// Rows through the parent; ten times as many go straight into the first child.
  std::uint64_t rows = 600'000;
  /// Children, by ranges of the key.
  int partitions = 1;
  /// Constraints of each child.
  int checks = 1;
  /// The modes to measure, in order.
  std::vector<CheckMode> modes;
};

struct EntryBytes {
  std::size_t reserved = 0, used = 0;
};

/// What one mode's runs took.
struct PartitionInsertFigures {
  CheckMode mode = CheckMode::kNone;
  std::vector<double> routed_seconds, direct_seconds;
  std::uint64_t direct_rows = 0;
  /// Of the fastest run.
  double ns_per_routed_row = 0;
  /// Shares of a routed row's time. They come from a run of their own, are rounded to four digits
  /// and add up to 1.
  double parse = 0, copy = 0, compile = 0, evaluate = 0, rest = 0;
  /// The first child's cache entry, before the first row and after some rows.
  EntryBytes before, after;
};

struct PartitionInsertReport {
  std::vector<PartitionInsertFigures> modes;
  /// What the constraint's tree takes when each node is allocated by itself, as malloc counts it.
  std::size_t tree_node_by_node_bytes = 0;

  /// The figures of a mode; nullptr if it was not measured.
  const PartitionInsertFigures* Find(CheckMode mode) const;
  /// The part of a routed row's time with kReparse that a mode saves.
  std::optional<double> Gain(const PartitionInsertFigures& figures) const;
  /// The part of what kCached gains that a private copy for each statement gives up.
  std::optional<double> GivenUp() const;
};

/// Runs the job of a catalog that has public.measurement and its child public.measurement_1, as
/// examples/job.json does; further children and constraints are made after them. The modes take
/// turns, so that whatever else the machine does meets all of them.
/// It sets options of malloc for the whole process (glibc), so that freed memory is kept.
Result<PartitionInsertReport> MeasurePartitionInsert(const PartitionInsertOptions& options,
                                                     CatalogSource& sample);

}  // namespace relcache
