// A hash join that is measured: what is joined, how, and the figures of a run. Two forms of it take
// the same tables: the library's own, by column batches, and PostgreSQL's of 2015, tuple by tuple.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/executor/join/hash_join.h"

namespace relcache {

/// One run: what is joined, and how.
struct HashJoinRun {
  std::uint64_t build = 1'000'000;
  std::uint64_t probe = 10'000'000;
  /// Bytes of the text that each row has besides its key.
  std::size_t width = 32;
  /// Different keys; 0: as many as build rows.
  std::uint64_t distinct = 0;
  std::size_t work_mem_kb = 131072;
  /// Build rows that the planner is made to expect.
  std::uint64_t estimate = 0;
  HashJoinStrategy strategy = HashJoinStrategy::kDeferredNoBatch;
  bool huge_pages = true;
  /// Probe rows are made while they are read, instead of standing in memory.
  bool probe_on_the_fly = false;
  // The tuple form only.
  bool buckets_allocated_first = false;  ///< though they may be filled last
  bool touch_first = false;              ///< page faults before the clock starts
  bool append_to_chains = false;         ///< instead of putting each tuple in front

  std::uint64_t keys() const {
    return std::max<std::uint64_t>(distinct == 0 ? build : distinct, 1);
  }
};

struct HashJoinFigures {
  double milliseconds = 0;
  /// Of the processor, whatever else ran on it: what to compare on a busy machine.
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
  /// Characters in both texts of all pairs: that the rows were really looked at.
  std::uint64_t length_sum = 0;
};

/// The n-th key of the probe side: any order, the same in every run.
inline std::uint64_t ProbeKey(std::uint64_t n, std::uint64_t keys) {
  std::uint64_t x = n + 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return (x ^ (x >> 31)) % keys;
}

/// Runs prepared once, executed as often as asked: the tables stand while strategies take turns.
class HashJoinForm {
 public:
  virtual ~HashJoinForm() = default;
  virtual Result<HashJoinFigures> Run(const HashJoinRun& run) = 0;
};

/// Rows one by one, as PostgreSQL did it in 2015. The sizes of `run` are fixed here. Errors:
/// kNotSupported for rows that are too wide for a chunk.
Result<std::unique_ptr<HashJoinForm>> MakeTupleForm(const HashJoinRun& run);
/// HashJoin over column batches.
std::unique_ptr<HashJoinForm> MakeBatchForm(const HashJoinRun& run);

/// The figures of every run, each executed `rounds` times: of those the one with the least
/// processor time counts. The runs take turns, so that what disturbs the machine disturbs all
/// alike.
Result<std::vector<HashJoinFigures>> MeasureHashJoins(HashJoinForm& form,
                                                      std::span<const HashJoinRun> runs,
                                                      unsigned rounds);

}  // namespace relcache
