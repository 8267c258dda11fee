// The description of a hash join that is measured, and its figures. There are two forms that join
// the same tables: the library's own, by column batches, and that of PostgreSQL in 2015, tuple by
// tuple.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/executor/join/hash_join.h"

namespace relcache {

/// What a run joins, and how.
struct HashJoinRun {
  std::uint64_t build = 1'000'000;
  std::uint64_t probe = 10'000'000;
  /// The bytes of the text that each row has in addition to its key.
  std::size_t width = 32;
  /// The number of different keys. 0 means as many as build rows.
  std::uint64_t distinct = 0;
  std::size_t work_mem_kb = 131072;
  /// The number of build rows that the planner expects.
  std::uint64_t estimate = 0;
  HashJoinStrategy strategy = HashJoinStrategy::kDeferredUnpartitioned;
  bool huge_pages = true;
  /// Whether probe rows are generated while they are read, instead of being kept in memory.
  bool probe_on_the_fly = false;
  /// Whether the plan with its counters becomes a figure; of the batch form only.
  bool explain = false;
  // The next members concern the tuple form only.
  bool buckets_allocated_first = false;  ///< though they may be filled last
  bool touch_first = false;              ///< page faults before the clock starts
  bool append_to_chains = false;         ///< instead of putting each tuple in front

  std::uint64_t keys() const {
    return std::max<std::uint64_t>(distinct == 0 ? build : distinct, 1);
  }
};

struct HashJoinFigures {
  double milliseconds = 0;
  /// Processor time, which is the figure to compare on a busy machine.
  double cpu_milliseconds = 0;
  double read_ms = 0;
  double copy_ms = 0;
  double buckets_ms = 0;
  double probe_ms = 0;
  std::uint64_t batches = 0;
  std::uint64_t buckets = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t spilled_bytes = 0;
  std::uint64_t overrun_bytes = 0;
  std::uint64_t minor_faults = 0;
  std::uint64_t rows = 0;
  /// The sum of the lengths of both texts over all pairs, which proves that the rows were really
  /// read.
  std::uint64_t length_sum = 0;
  /// As ExplainPlan gives it, if it was asked for.
  std::string plan;
};

/// The n-th key of the probe side, in an arbitrary order that is the same in every run.
inline std::uint64_t ProbeKey(std::uint64_t n, std::uint64_t keys) {
  std::uint64_t x = n + 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return (x ^ (x >> 31)) % keys;
}

/// Tables that are prepared once and joined any number of times, so that strategies can take turns.
class HashJoinForm {
 public:
  virtual ~HashJoinForm() = default;
  virtual Result<HashJoinFigures> Run(const HashJoinRun& run) = 0;
};

/// Joins tuple by tuple, as PostgreSQL did in 2015. The sizes in `run` are fixed by this call.
/// Errors: kNotSupported if a row does not fit into a chunk.
Result<std::unique_ptr<HashJoinForm>> MakeTupleForm(const HashJoinRun& run);
/// Joins column batches with HashJoin.
std::unique_ptr<HashJoinForm> MakeBatchForm(const HashJoinRun& run);

/// Executes every run `rounds` times and returns the figures of the execution with the least
/// processor time. The runs take turns, so that other load on the machine affects all of them
/// alike.
Result<std::vector<HashJoinFigures>> MeasureHashJoins(HashJoinForm& form,
                                                      std::span<const HashJoinRun> runs,
                                                      unsigned rounds);

}  // namespace relcache
