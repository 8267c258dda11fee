#include "relcache/executor/hash_join.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "relcache/executor/batch_slices.h"
#include "relcache/executor/hash_join_build.h"
#include "relcache/executor/key_columns.h"

namespace relcache {
namespace {

// Matches that wait to be put out together.
constexpr std::size_t kMaxMatches = 2 * kBatchRows;
constexpr std::size_t kSmallestWorkMem = std::size_t{64} << 10;
// After so many probe rows a filter that lets nine in ten pass is given up.
constexpr std::uint64_t kFilterTrial = 16384;

std::uint64_t NowNs() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

template <class T>
void GatherValues(const void* values, std::span<const std::uint32_t> rows, void* out) {
  const T* from = static_cast<const T*>(values);
  T* to = static_cast<T*>(out);
  for (std::size_t i = 0; i < rows.size(); ++i) to[i] = from[rows[i]];
}

void Gather(const Column& column, std::span<const std::uint32_t> rows, void* values,
            std::uint8_t* nulls, Column& out) {
  switch (WidthOf(column.form)) {
    case 1:
      GatherValues<std::uint8_t>(column.values, rows, values);
      break;
    case 2:
      GatherValues<std::uint16_t>(column.values, rows, values);
      break;
    case 4:
      GatherValues<std::uint32_t>(column.values, rows, values);
      break;
    default:
      GatherValues<std::uint64_t>(column.values, rows, values);
  }
  out.nulls = nullptr;
  if (column.nulls != nullptr) {
    for (std::size_t i = 0; i < rows.size(); ++i) nulls[i] = column.nulls[rows[i]];
    out.nulls = nulls;
  }
}

}  // namespace

class HashJoin::Impl {
 public:
  Impl(HashJoinOptions options, OperatorPtr probe, OperatorPtr build)
      : options_(std::move(options)),
        probe_(std::move(probe)),
        build_input_(std::move(build)),
        cx_(AllocSet::CreateRoot("hash join", kSmallBlocks)),
        pass_cx_(AllocSet::Create("hash join pass", *cx_, kSmallBlocks)),
        batch_cx_(AllocSet::CreateRoot("hash join batch")),
        condition_cx_(AllocSet::Create("join condition", *batch_cx_)),
        build_layout_(build_input_->columns()),
        probe_layout_(probe_->columns()),
        file_(options_.spill) {
    options_.work_mem = std::max(options_.work_mem, kSmallestWorkMem);
  }

  Status Prepare();
  std::span<const ColumnType> columns() const { return types_; }
  const HashJoinCounters& counters() const { return counters_; }

  Result<const ColumnBatch*> Next() {
    if (failed_) return nullptr;
    const std::uint64_t start = NowNs();
    const std::uint64_t build_before = counters_.read_ns + counters_.copy_ns + counters_.buckets_ns;
    failed_ = true;  // also if an exception flies
    Result<const ColumnBatch*> batch = Step();
    failed_ = !batch;
    const std::uint64_t build_after = counters_.read_ns + counters_.copy_ns + counters_.buckets_ns;
    counters_.probe_ns += NowNs() - start - (build_after - build_before);
    if (batch && *batch != nullptr) counters_.rows_out += (*batch)->rows;
    return batch;
  }

 private:
  enum class State : std::uint8_t {
    kBuild,
    kSlice,
    kMatch,
    kSliceEnd,
    kPassEnd,
    kUnmatched,
    kNextPass,
    kDone
  };
  struct Pass {
    SpillRun build;
    SpillRun probe;
    std::uint32_t level = 0;
  };

  bool keeps_probe() const {
    return options_.type == JoinType::kLeft || options_.type == JoinType::kFull;
  }
  bool keeps_build() const {
    return options_.type == JoinType::kRight || options_.type == JoinType::kFull;
  }
  bool probe_rows_only() const {
    return options_.type == JoinType::kSemi || options_.type == JoinType::kAnti;
  }
  // Whether probe rows are put out for having, or not having, a match.
  bool tracks_probe() const { return keeps_probe() || probe_rows_only(); }

  Result<const ColumnBatch*> Step();
  void StartBuild(std::uint32_t level, std::uint64_t rows, std::size_t row_bytes);
  Status BuildFromInput();
  Status BuildFromRun(const Pass& pass);
  Status FinishBuild();
  Result<bool> NextPass();
  void HashKeys(const ColumnBatch& batch, JoinSide side, std::uint64_t* hashes);
  const std::uint8_t* FindNullKeys(const ColumnBatch& batch, JoinSide side);
  Result<const ColumnBatch*> NextSlice();
  Status StartSlice(const ColumnBatch& slice);
  Status SpillProbe(const ColumnBatch& slice);
  void AddCandidate(std::uint32_t row);
  void FollowChains();
  Result<const ColumnBatch*> TakeMatches();
  Status ApplyCondition();
  const ColumnBatch* Output(std::span<const std::uint32_t> probe_rows,
                            std::span<const StoredRow* const> build_rows, bool null_build);
  const ColumnBatch* FinishSlice();
  const ColumnBatch* UnmatchedBuild();
  void NotePeak() {
    const std::uint64_t now = cx_->total_bytes_reserved();
    counters_.peak_bytes = std::max(counters_.peak_bytes, now);
    if (now > options_.work_mem)
      counters_.overrun_bytes = std::max(counters_.overrun_bytes, now - options_.work_mem);
  }

  HashJoinOptions options_;
  OperatorPtr probe_;
  OperatorPtr build_input_;
  ContextPtr cx_;
  MemoryContext& pass_cx_;
  ContextPtr batch_cx_;
  MemoryContext& condition_cx_;
  RowLayout build_layout_;
  RowLayout probe_layout_;
  SpillFile file_;
  std::vector<KeyType> probe_keys_;
  std::vector<KeyType> build_keys_;
  std::vector<ColumnType> types_;
  HashJoinCounters counters_;
  State state_ = State::kBuild;
  bool failed_ = false;

  std::optional<JoinBuild> build_;
  std::vector<Pass> waiting_;
  std::optional<Pass> pass_;
  std::optional<SpillReader> probe_reader_;
  RowStore::Cursor unmatched_;
  std::uint64_t filter_tested_ = 0;
  std::uint64_t filter_passed_ = 0;

  // The slice of the probe side that is being matched.
  Slices slices_;
  ColumnBatch slice_;
  ColumnArrays read_back_;
  ColumnBatch read_back_batch_;
  std::array<StoredRow*, kBatchRows> read_rows_{};
  std::array<std::uint64_t, kBatchRows> hashes_{};
  std::array<std::uint8_t, kBatchRows> matchable_{};
  std::array<std::uint8_t, kBatchRows> matched_{};
  std::array<std::uint8_t, kBatchRows> away_{};  ///< went to disk: settled in a later pass
  std::array<std::uint32_t, kBatchRows> all_rows_{};
  std::vector<std::uint32_t> spilled_;

  // Pairs that may match, and pairs that do.
  std::size_t candidates_ = 0;
  std::array<std::uint32_t, kBatchRows> candidate_row_{};
  std::array<StoredRow*, kBatchRows> candidate_{};
  std::array<std::uint8_t, kBatchRows> equal_{};
  std::size_t matches_ = 0;
  std::array<std::uint32_t, kMaxMatches> match_row_{};
  std::array<StoredRow*, kMaxMatches> match_{};

  ColumnArrays output_;
  ColumnBatch output_batch_;
  std::array<std::uint8_t, kMaxMatches> ones_{};
  ColumnArrays condition_arrays_;
  std::array<std::uint32_t, kMaxMatches> selected_{};
};

Status HashJoin::Impl::Prepare() {
  const auto probe = probe_->columns();
  const auto build = build_input_->columns();
  const auto no_column = [](std::size_t n) {
    return Fail(ErrorCode::kInvalidInput, "42703",
                "column number " + std::to_string(n) + " does not exist");
  };
  if (options_.keys.empty()) return Fail(NotSupported("hash join without keys"));
  for (const JoinKey& key : options_.keys) {
    if (key.probe_column >= probe.size()) return no_column(key.probe_column);
    if (key.build_column >= build.size()) return no_column(key.build_column);
    const ColumnType& a = probe[key.probe_column];
    const ColumnType& b = build[key.build_column];
    RELCACHE_TRY(CheckComparable(a, b));
    RELCACHE_ASSIGN(const KeyType probe_key, KeyTypeOf(a));
    RELCACHE_ASSIGN(const KeyType build_key, KeyTypeOf(b));
    probe_keys_.push_back(probe_key);
    build_keys_.push_back(build_key);
  }
  if (options_.output.empty()) {
    for (std::size_t c = 0; c < probe.size(); ++c) options_.output.push_back({JoinSide::kProbe, c});
    for (std::size_t c = 0; !probe_rows_only() && c < build.size(); ++c)
      options_.output.push_back({JoinSide::kBuild, c});
  }
  for (const JoinOutput& out : options_.output) {
    const auto side = out.side == JoinSide::kProbe ? probe : build;
    if (out.column >= side.size()) return no_column(out.column);
    if (out.side == JoinSide::kBuild && probe_rows_only())
      return Fail(NotSupported("build columns in the result of a semi or anti join"));
    types_.push_back(side[out.column]);
  }
  output_.Make(types_, kMaxMatches, *batch_cx_);
  if (options_.condition != nullptr) {
    std::vector<ColumnType> all(probe.begin(), probe.end());
    all.insert(all.end(), build.begin(), build.end());
    condition_arrays_.Make(all, kMaxMatches, *batch_cx_);
  }
  for (std::uint32_t i = 0; i < kBatchRows; ++i) all_rows_[i] = i;
  ones_.fill(1);
  return {};
}

void HashJoin::Impl::StartBuild(std::uint32_t level, std::uint64_t rows, std::size_t row_bytes) {
  build_.reset();
  probe_reader_.reset();
  pass_cx_.Reset();
  JoinBuild::Options build_options;
  // What one partition has is known: it is not split before it must be.
  build_options.strategy = level == 0 ? options_.strategy : HashJoinStrategy::kDeferredNoBatch;
  build_options.limit = options_.work_mem;
  build_options.expected_rows = rows;
  build_options.expected_row_bytes = row_bytes;
  build_options.level = level;
  build_options.huge_pages = options_.huge_pages;
  build_.emplace(build_options, build_layout_, file_, pass_cx_);
  filter_tested_ = filter_passed_ = 0;
}

void HashJoin::Impl::HashKeys(const ColumnBatch& batch, JoinSide side, std::uint64_t* hashes) {
  for (std::size_t k = 0; k < options_.keys.size(); ++k) {
    const JoinKey& key = options_.keys[k];
    if (side == JoinSide::kProbe) {
      HashKey(probe_keys_[k], batch.columns[key.probe_column], batch.rows, k > 0, hashes);
    } else {
      HashKey(build_keys_[k], batch.columns[key.build_column], batch.rows, k > 0, hashes);
    }
  }
}

// nullptr: no key of the batch is NULL.
const std::uint8_t* HashJoin::Impl::FindNullKeys(const ColumnBatch& batch, JoinSide side) {
  bool any = false;
  for (const JoinKey& key : options_.keys) {
    const Column& column =
        batch.columns[side == JoinSide::kProbe ? key.probe_column : key.build_column];
    if (column.nulls == nullptr) continue;
    if (!any) matchable_.fill(1);
    any = true;
    for (std::size_t r = 0; r < batch.rows; ++r) matchable_[r] &= column.nulls[r] == 0 ? 1 : 0;
  }
  return any ? matchable_.data() : nullptr;
}

Status HashJoin::Impl::BuildFromInput() {
  std::size_t row_bytes = options_.estimated_row_bytes;
  if (row_bytes == 0) {
    row_bytes = sizeof(StoredRow);
    for (const ColumnType& type : build_input_->columns())
      row_bytes += type.form != ColumnForm::kDatum ? WidthOf(type.form)
                   : type.typlen > 0               ? static_cast<std::size_t>(type.typlen)
                                                   : 32;  // as PostgreSQL guesses
  }
  StartBuild(0, options_.estimated_rows, row_bytes);
  std::vector<std::uint32_t> selection;
  for (;;) {
    const std::uint64_t start = NowNs();
    RELCACHE_ASSIGN(const ColumnBatch* batch, build_input_->Next());
    const std::uint64_t read = NowNs();
    counters_.read_ns += read - start;
    if (batch == nullptr) break;
    counters_.rows_in += batch->rows;
    slices_.Start(batch);
    while (const ColumnBatch* slice = slices_.Next()) {
      HashKeys(*slice, JoinSide::kBuild, hashes_.data());
      const std::uint8_t* matchable = FindNullKeys(*slice, JoinSide::kBuild);
      std::span<const std::uint32_t> rows(all_rows_.data(), slice->rows);
      if (matchable != nullptr && !keeps_build()) {
        selection.clear();
        for (std::uint32_t r = 0; r < slice->rows; ++r)
          if (matchable[r] != 0) selection.push_back(r);
        rows = selection;
        matchable = nullptr;
      }
      RELCACHE_TRY(build_->Add(*slice, rows, hashes_.data(), matchable));
      NotePeak();
    }
    counters_.copy_ns += NowNs() - read;
  }
  RELCACHE_TRY(FinishBuild());
  counters_.distinct_keys = build_->distinct();
  counters_.buckets = build_->table().buckets();
  slices_.Start(nullptr);
  return {};
}

Status HashJoin::Impl::BuildFromRun(const Pass& pass) {
  StartBuild(pass.level, pass.build.rows(),
             pass.build.empty() ? 0 : pass.build.bytes() / pass.build.rows());
  {
    MemoryContext& reader_cx = AllocSet::Create("spill reader", pass_cx_, kSmallBlocks);
    const ContextPtr reader_owner(&reader_cx);
    SpillReader reader(file_, pass.build, build_layout_, reader_cx);
    for (;;) {
      const std::uint64_t start = NowNs();
      RELCACHE_ASSIGN(const std::size_t rows, reader.Next(read_rows_));
      const std::uint64_t read = NowNs();
      counters_.read_ns += read - start;
      if (rows == 0) break;
      RELCACHE_TRY(build_->AddStored({read_rows_.data(), rows}));
      counters_.copy_ns += NowNs() - read;
      NotePeak();
    }
  }
  return FinishBuild();
}

Status HashJoin::Impl::FinishBuild() {
  const std::uint64_t start = NowNs();
  RELCACHE_TRY(build_->Finish());
  NotePeak();
  build_->StartProbe();
  NotePeak();
  counters_.buckets_ns += NowNs() - start;
  counters_.spilled_bytes = file_.bytes_written();
  return {};
}

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
    HashKeys(slice, JoinSide::kProbe, hashes_.data());
  }
  const std::uint8_t* matchable = pass_ ? nullptr : FindNullKeys(slice, JoinSide::kProbe);
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

// Compares each candidate pair, notes those that are equal, and goes one link on in every chain
// that may hold another.
void HashJoin::Impl::FollowChains() {
  const std::size_t n = candidates_;
  const bool first_match_only = probe_rows_only();
  std::fill_n(equal_.begin(), n, std::uint8_t{1});
  for (std::size_t k = 0; k < options_.keys.size(); ++k) {
    const JoinKey& key = options_.keys[k];
    CompareKey(build_keys_[k], build_layout_, key.build_column, {candidate_.data(), n},
               probe_keys_[k], slice_.columns[key.probe_column], {candidate_row_.data(), n}, false,
               equal_.data());
  }
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
  for (std::uint32_t i = 0; i < matches_; ++i) selected_[i] = i;
  condition_cx_.Reset();
  RELCACHE_ASSIGN(const std::size_t kept,
                  options_.condition->Select({arrays.columns, matches_},
                                             {selected_.data(), matches_}, condition_cx_));
  for (std::size_t i = 0; i < kept; ++i) {
    match_row_[i] = match_row_[selected_[i]];
    match_[i] = match_[selected_[i]];
  }
  matches_ = kept;
  return {};
}

// The pairs found so far as a batch; nullptr when the condition leaves none, or none is put out.
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

// One batch from rows of the slice and stored rows. Where a side is missing its columns are NULL.
const ColumnBatch* HashJoin::Impl::Output(std::span<const std::uint32_t> probe_rows,
                                          std::span<const StoredRow* const> build_rows,
                                          bool null_build) {
  const bool null_probe = probe_rows.empty();
  for (std::size_t c = 0; c < options_.output.size(); ++c) {
    const JoinOutput& from = options_.output[c];
    Column& out = output_.columns[c];
    const bool is_probe = from.side == JoinSide::kProbe;
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

// Probe rows that are put out for having, or not having, found a match.
const ColumnBatch* HashJoin::Impl::FinishSlice() {
  if (!tracks_probe()) return nullptr;
  const std::uint8_t wanted = options_.type == JoinType::kSemi ? 1 : 0;
  std::size_t n = 0;
  for (std::uint32_t r = 0; r < slice_.rows; ++r) {
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

Result<bool> HashJoin::Impl::NextPass() {
  if (build_->partitioned()) {
    RELCACHE_TRY(build_->probe_writer().FlushAll());
    const std::uint32_t level = pass_ ? pass_->level + 1 : 1;
    for (std::size_t p = build_->partitions(); p-- > 0;)
      if (!build_->in_memory(p))
        waiting_.push_back({build_->build_runs()[p], build_->probe_runs()[p], level});
  }
  counters_.spilled_bytes = file_.bytes_written();
  while (!waiting_.empty()) {
    const Pass next = waiting_.back();
    waiting_.pop_back();
    // Without rows of one side only the other one's survivors are left, if they are wanted.
    if (next.probe.empty() && !(keeps_build() && !next.build.empty())) continue;
    if (next.build.empty() && !keeps_probe() && options_.type != JoinType::kAnti) continue;
    ++counters_.batches;
    pass_ = next;
    RELCACHE_TRY(BuildFromRun(next));
    MemoryContext& reader_cx = AllocSet::Create("spill reader", pass_cx_, kSmallBlocks);
    probe_reader_.emplace(file_, pass_->probe, probe_layout_, reader_cx);
    NotePeak();
    return true;
  }
  return false;
}

Result<const ColumnBatch*> HashJoin::Impl::Step() {
  for (;;) {
    switch (state_) {
      case State::kBuild:
        RELCACHE_TRY(BuildFromInput());
        state_ = State::kSlice;
        break;
      case State::kSlice: {
        RELCACHE_ASSIGN(const ColumnBatch* slice, NextSlice());
        state_ = slice == nullptr ? State::kPassEnd : State::kMatch;
        if (slice != nullptr) RELCACHE_TRY(StartSlice(*slice));
        break;
      }
      case State::kMatch: {
        while (candidates_ > 0 && matches_ + candidates_ <= kMaxMatches) FollowChains();
        if (candidates_ == 0) state_ = State::kSliceEnd;
        RELCACHE_ASSIGN(const ColumnBatch* batch, TakeMatches());
        if (batch != nullptr) return batch;
        break;
      }
      case State::kSliceEnd:
        state_ = State::kSlice;
        if (const ColumnBatch* batch = FinishSlice()) return batch;
        break;
      case State::kPassEnd:
        unmatched_ = {};
        state_ = keeps_build() ? State::kUnmatched : State::kNextPass;
        break;
      case State::kUnmatched:
        if (const ColumnBatch* batch = UnmatchedBuild()) return batch;
        state_ = State::kNextPass;
        break;
      case State::kNextPass: {
        RELCACHE_ASSIGN(const bool more, NextPass());
        state_ = more ? State::kSlice : State::kDone;
        break;
      }
      case State::kDone:
        return nullptr;
    }
  }
}

HashJoin::HashJoin(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HashJoin::~HashJoin() = default;

Result<std::unique_ptr<HashJoin>> HashJoin::Create(HashJoinOptions options, OperatorPtr probe,
                                                   OperatorPtr build) {
  auto impl = std::make_unique<Impl>(std::move(options), std::move(probe), std::move(build));
  RELCACHE_TRY(impl->Prepare());
  return std::unique_ptr<HashJoin>(new HashJoin(std::move(impl)));
}

std::span<const ColumnType> HashJoin::columns() const {
  return impl_->columns();
}
Result<const ColumnBatch*> HashJoin::Next() {
  return impl_->Next();
}
const HashJoinCounters& HashJoin::counters() const {
  return impl_->counters();
}

}  // namespace relcache
