// The probe side of a hash join. Rows are handled in slices: all rows of a slice take one step
// along their hash chains together (FollowChains), so that the cache misses of different rows
// overlap; each step prefetches the rows of the next one.
#include <algorithm>
#include <cstring>

#include "relcache/executor/join/internal/hash_join_impl.h"

namespace relcache {
namespace {

// After so many tested probe rows, a filter that lets more than nine in ten pass is dropped,
// because it costs more than it saves.
constexpr std::uint64_t kFilterTrial = 16384;

}  // namespace

Result<const ColumnBatch*> HashJoin::Impl::NextSlice() {
  if (!pass_) {
    if (const ColumnBatch* slice = slices_.Next()) return slice;
    RELCACHE_ASSIGN(const ColumnBatch* batch, probe_->Next());
    if (batch == nullptr) return nullptr;
    counters_.probe_rows += batch->rows;
    slices_.Start(batch);
    return slices_.Next();
  }
  RELCACHE_ASSIGN(const std::size_t rows, probe_reader_->Next(read_rows_));
  if (rows == 0) return nullptr;
  if (read_back_.columns.empty()) read_back_.Make(probe_->columns(), kBatchRows, *batch_cx_);
  const std::span<const StoredRow* const> stored(read_rows_.data(), rows);
  for (std::size_t c = 0; c < read_back_.columns.size(); ++c) {
    const bool nulls = probe_layout_.Read(c, stored, read_back_.values[c], read_back_.nulls[c]);
    read_back_.columns[c].nulls = nulls ? read_back_.nulls[c] : nullptr;
  }
  read_back_batch_ = {read_back_.columns, rows};
  return &read_back_batch_;
}

void HashJoin::Impl::AddCandidate(std::uint32_t row) {
  const std::uint64_t hash = hashes_[row];
  const std::uint64_t link = build_->table().Head(hash);
  // Without a branch, since whether a chain may hold the hash is hard to predict: the candidate is
  // written in any case and counted only if it may match.
  StoredRow* head = HashTable::RowAt(link);
  __builtin_prefetch(head);
  candidate_row_[candidates_] = row;
  candidate_[candidates_] = head;
  candidates_ += HashTable::MayLeadTo(link, HashTable::Tags(hash)) ? 1 : 0;
}

Status HashJoin::Impl::StartSlice(const ColumnBatch& slice) {
  slice_ = slice;
  candidates_ = matches_ = 0;
  const HashTable& table = build_->table();
  if (pass_) {
    for (std::size_t r = 0; r < slice.rows; ++r) hashes_[r] = read_rows_[r]->hash;
  } else {
    HashKeys(slice, HashJoinSide::kProbe, hashes_.data());
  }
  // Rows with a NULL key were not written to disk by the first pass, so later passes need not look
  // for them.
  const std::uint8_t* matchable = pass_ ? nullptr : FindNullKeys(slice, HashJoinSide::kProbe);
  if (tracks_probe()) matched_.fill(0);
  for (std::size_t r = 0; r < slice.rows; ++r) table.Prefetch(hashes_[r]);
  if (!build_->partitioned()) {
    if (matchable == nullptr) {
      for (std::uint32_t r = 0; r < slice.rows; ++r) AddCandidate(r);
    } else {
      for (std::uint32_t r = 0; r < slice.rows; ++r)
        if (matchable[r] != 0) AddCandidate(r);
    }
    return {};
  }
  if (tracks_probe()) away_.fill(0);
  spilled_.clear();
  for (std::uint32_t r = 0; r < slice.rows; ++r) {
    // Such a row matches nothing and stays in this pass: FinishSlice returns it if the join wants
    // unmatched rows.
    if (matchable != nullptr && matchable[r] == 0) continue;
    const std::size_t partition = build_->PartitionOf(hashes_[r]);
    if (build_->in_memory(partition)) {
      AddCandidate(r);
      continue;
    }
    if (build_->has_filter()) {
      ++filter_tested_;
      if (!build_->MayMatch(hashes_[r])) {
        ++counters_.filtered_rows;
        continue;
      }
      ++filter_passed_;
    }
    away_[r] = 1;
    spilled_.push_back(r);
  }
  if (build_->has_filter() && filter_tested_ >= kFilterTrial) {
    if (filter_passed_ > filter_tested_ - filter_tested_ / 10) build_->DropFilter();
    filter_tested_ = filter_passed_ = 0;
  }
  return SpillProbe(slice);
}

Status HashJoin::Impl::SpillProbe(const ColumnBatch& slice) {
  if (spilled_.empty()) return {};
  SpillWriter& writer = build_->probe_writer();
  if (!pass_)
    return writer.AddRows(probe_layout_, slice, spilled_, hashes_.data(), build_->partition(),
                          nullptr);
  for (const std::uint32_t r : spilled_)
    RELCACHE_TRY(writer.Add(build_->PartitionOf(hashes_[r]), read_rows_[r],
                            probe_layout_.SizeOf(read_rows_[r])));
  return {};
}

// Compares the keys of all candidates, collects the pairs that are equal, and moves each candidate
// to the next row of its chain if that may match too.
void HashJoin::Impl::FollowChains() {
  const std::size_t n = candidates_;
  const bool first_match_only = probe_rows_only();
  std::fill_n(equal_.begin(), n, std::uint8_t{1});
  for (std::size_t k = 0; k < options_.keys.size(); ++k) {
    const HashJoinKey& key = options_.keys[k];
    CompareKey(build_keys_[k], build_layout_, key.build_column, {candidate_.data(), n},
               probe_keys_[k], slice_.columns[key.probe_column], {candidate_row_.data(), n}, false,
               equal_.data());
  }
  // A semi or anti join only asks whether there is a match. Without a further condition, the first
  // equal key decides, and the rest of the chain need not be followed.
  const bool settled_by_keys = first_match_only && options_.condition == nullptr;
  std::size_t left = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t row = candidate_row_[i];
    StoredRow* stored = candidate_[i];
    const std::uint64_t link = stored->next;
    bool go_on = HashTable::MayLeadTo(link, HashTable::Tags(hashes_[row]));
    if (settled_by_keys) {
      matched_[row] |= equal_[i];
      go_on = go_on && equal_[i] == 0;
    } else {
      match_row_[matches_] = row;
      match_[matches_] = stored;
      matches_ += equal_[i];
    }
    StoredRow* next = HashTable::RowAt(link);
    candidate_row_[left] = row;
    candidate_[left] = next;
    left += go_on ? 1 : 0;
  }
  candidates_ = left;
  for (std::size_t i = 0; i < left; ++i) __builtin_prefetch(candidate_[i]);
}

Status HashJoin::Impl::ApplyCondition() {
  const std::size_t probe_columns = probe_->columns().size();
  ColumnArrays& arrays = condition_arrays_;
  const std::span<const std::uint32_t> rows(match_row_.data(), matches_);
  const std::span<const StoredRow* const> stored(match_.data(), matches_);
  for (std::size_t c = 0; c < arrays.columns.size(); ++c) {
    if (c < probe_columns) {
      Gather(slice_.columns[c], rows, arrays.values[c], arrays.nulls[c], arrays.columns[c]);
    } else {
      const bool nulls =
          build_layout_.Read(c - probe_columns, stored, arrays.values[c], arrays.nulls[c]);
      arrays.columns[c].nulls = nulls ? arrays.nulls[c] : nullptr;
    }
  }
  std::fill_n(selected_.begin(), matches_, std::uint8_t{1});
  condition_cx_.Reset();
  RELCACHE_ASSIGN(const std::size_t kept,
                  options_.condition->Select({arrays.columns, matches_},
                                             {selected_.data(), matches_}, condition_cx_));
  counters_.removed_pairs += matches_ - kept;
  if (kept == matches_) return {};
  std::size_t left = 0;
  for (std::size_t i = 0; i < matches_; ++i) {
    match_row_[left] = match_row_[i];
    match_[left] = match_[i];
    left += selected_[i];
  }
  matches_ = left;
  return {};
}

// Returns the matches so far as a batch; nullptr if the condition leaves none of them, or if the
// join does not return pairs.
Result<const ColumnBatch*> HashJoin::Impl::TakeMatches() {
  if (matches_ > 0 && options_.condition != nullptr) RELCACHE_TRY(ApplyCondition());
  const std::size_t n = matches_;
  matches_ = 0;
  if (n == 0) return nullptr;
  if (tracks_probe())
    for (std::size_t i = 0; i < n; ++i) matched_[match_row_[i]] = 1;
  if (keeps_build())
    for (std::size_t i = 0; i < n; ++i) build_layout_.SetMatched(match_[i]);
  if (probe_rows_only()) return nullptr;
  return Output({match_row_.data(), n}, {match_.data(), n}, false);
}

// Makes a batch from rows of the slice and stored build rows. The columns of a missing side are
// NULL.
const ColumnBatch* HashJoin::Impl::Output(std::span<const std::uint32_t> probe_rows,
                                          std::span<const StoredRow* const> build_rows,
                                          bool null_build) {
  const bool null_probe = probe_rows.empty();
  for (std::size_t c = 0; c < options_.output.size(); ++c) {
    const HashJoinOutput& from = options_.output[c];
    BatchColumn& out = output_.columns[c];
    const bool is_probe = from.side == HashJoinSide::kProbe;
    if (is_probe ? null_probe : null_build) {
      out.nulls = ones_.data();
    } else if (is_probe) {
      Gather(slice_.columns[from.column], probe_rows, output_.values[c], output_.nulls[c], out);
    } else {
      const bool nulls =
          build_layout_.Read(from.column, build_rows, output_.values[c], output_.nulls[c]);
      out.nulls = nulls ? output_.nulls[c] : nullptr;
    }
  }
  output_batch_ = {output_.columns, null_probe ? build_rows.size() : probe_rows.size()};
  return &output_batch_;
}

// Returns the probe rows of the slice that are wanted because they have (semi join) or do not have
// a match.
const ColumnBatch* HashJoin::Impl::FinishSlice() {
  if (!tracks_probe()) return nullptr;
  const std::uint8_t wanted = options_.type == JoinType::kSemi ? 1 : 0;
  std::size_t n = 0;
  for (std::uint32_t r = 0; r < slice_.rows; ++r) {
    // Whether a row on disk has a match is known only in its own pass.
    if (build_->partitioned() && away_[r] != 0) continue;
    match_row_[n] = r;
    n += matched_[r] == wanted ? 1 : 0;
  }
  return n == 0 ? nullptr : Output({match_row_.data(), n}, {}, true);
}

const ColumnBatch* HashJoin::Impl::UnmatchedBuild() {
  for (;;) {
    const std::size_t rows = build_->rows().Next(unmatched_, read_rows_);
    if (rows == 0) return nullptr;
    std::size_t n = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      match_[n] = read_rows_[i];
      n += build_layout_.matched(read_rows_[i]) ? 0 : 1;
    }
    if (n > 0) return Output({}, {match_.data(), n}, false);
  }
}

}  // namespace relcache
