// The passes of a hash join; internal/hash_join_impl.h describes them.
#include "relcache/executor/join/hash_join.h"

#include <algorithm>
#include <string>
#include <utility>

#include "relcache/base/internal/format.h"
#include "relcache/executor/join/internal/hash_join_impl.h"

namespace relcache {

Status HashJoin::Impl::Prepare() {
  const auto probe = probe_->columns();
  const auto build = build_input_->columns();
  const auto no_column = [](std::size_t n) {
    return Fail(ErrorCode::kInvalidInput, "42703", Format("column number {} does not exist", n));
  };
  // The other values are used by PostgreSQL's planner internally, or exist only in later versions.
  if (options_.type > JoinType::kAnti)
    return Fail(NotSupported(Format("hash join of JoinType {}", static_cast<int>(options_.type))));
  if (options_.keys.empty()) return Fail(NotSupported("hash join without keys"));
  for (const HashJoinKey& key : options_.keys) {
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
    for (std::size_t c = 0; c < probe.size(); ++c)
      options_.output.push_back({HashJoinSide::kProbe, c});
    for (std::size_t c = 0; !probe_rows_only() && c < build.size(); ++c)
      options_.output.push_back({HashJoinSide::kBuild, c});
  }
  for (const HashJoinOutput& out : options_.output) {
    const auto side = out.side == HashJoinSide::kProbe ? probe : build;
    if (out.column >= side.size()) return no_column(out.column);
    if (out.side == HashJoinSide::kBuild && probe_rows_only())
      return Fail(NotSupported("build columns in the result of a semi or anti join"));
    types_.push_back(side[out.column]);
  }
  // Batches have a context outside of the limit, because their size is constant.
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
  // The size of a partition on disk is known exactly, so it is divided only when it really exceeds
  // the limit, whatever the strategy for estimates is.
  build_options.strategy =
      level == 0 ? options_.strategy : HashJoinStrategy::kDeferredUnpartitioned;
  build_options.limit = options_.work_mem;
  build_options.expected_rows = rows;
  build_options.expected_row_bytes = row_bytes;
  build_options.level = level;
  build_options.huge_pages = options_.huge_pages;
  build_.emplace(build_options, build_layout_, file_, pass_cx_);
  filter_tested_ = filter_passed_ = 0;
}

void HashJoin::Impl::HashKeys(const ColumnBatch& batch, HashJoinSide side, std::uint64_t* hashes) {
  for (std::size_t k = 0; k < options_.keys.size(); ++k) {
    const HashJoinKey& key = options_.keys[k];
    if (side == HashJoinSide::kProbe) {
      HashKey(probe_keys_[k], batch.columns[key.probe_column], batch.rows, k > 0, hashes);
    } else {
      HashKey(build_keys_[k], batch.columns[key.build_column], batch.rows, k > 0, hashes);
    }
  }
}

// Returns a byte for each row, 0 if one of its keys is NULL and it therefore cannot match; nullptr
// if no row has such a key.
const std::uint8_t* HashJoin::Impl::FindNullKeys(const ColumnBatch& batch, HashJoinSide side) {
  bool any = false;
  for (const HashJoinKey& key : options_.keys) {
    const BatchColumn& column =
        batch.columns[side == HashJoinSide::kProbe ? key.probe_column : key.build_column];
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
                                     : 32;  // the same guess as PostgreSQL's get_typavgwidth
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
      HashKeys(*slice, HashJoinSide::kBuild, hashes_.data());
      const std::uint8_t* matchable = FindNullKeys(*slice, HashJoinSide::kBuild);
      std::span<const std::uint32_t> rows(all_rows_.data(), slice->rows);
      // Build rows that cannot match are needed only if the join returns rows without a match.
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
  // The probe reader allocates its buffer first, so that it counts against the limit before the
  // build rows fill the rest.
  MemoryContext& probe_cx = AllocSet::Create("probe reader", pass_cx_, kSmallBlocks);
  probe_reader_.emplace(file_, pass.probe, probe_layout_, probe_cx);
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

Result<bool> HashJoin::Impl::NextPass() {
  if (build_->partitioned()) {
    RELCACHE_TRY(build_->probe_writer().FlushAll());
    const std::uint32_t level = pass_ ? pass_->level + 1 : 1;
    // Pushed in reverse order, so that the partitions are joined in ascending order.
    for (std::size_t p = build_->partitions(); p-- > 0;)
      if (!build_->in_memory(p))
        waiting_.push_back({build_->build_runs()[p], build_->probe_runs()[p], level});
  }
  counters_.spilled_bytes = file_.bytes_written();
  while (!waiting_.empty()) {
    const Pass next = waiting_.back();
    waiting_.pop_back();
    // If one side is empty, the pass can only return rows of the other side without a match, and it
    // is skipped unless the type of join wants those.
    if (next.probe.empty() && !(keeps_build() && !next.build.empty())) continue;
    if (next.build.empty() && !keeps_probe() && options_.type != JoinType::kAnti) continue;
    ++counters_.passes;
    pass_ = next;
    RELCACHE_TRY(BuildFromRun(next));
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
        // A step along the chains can turn every candidate into a match, so it is taken only if all
        // of them fit. Otherwise the matches so far are returned first, and the walk goes on at the
        // next call.
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

PlanOperatorDescription HashJoin::Impl::Describe() const {
  constexpr const char* kNames[] = {"Hash Join",       "Hash Left Join", "Hash Full Join",
                                    "Hash Right Join", "Hash Semi Join", "Hash Anti Join"};
  PlanOperatorDescription out{.name = kNames[static_cast<std::size_t>(options_.type)],
                              .rows = counters_.rows_out,
                              .details = {},
                              .inputs = {probe_.get(), build_input_.get()}};
  std::vector<std::string> names = ColumnNames(probe_->columns().size(), "probe.");
  const std::vector<std::string> build = ColumnNames(build_input_->columns().size(), "build.");
  std::vector<std::string> output, keys;
  for (const HashJoinOutput& from : options_.output)
    output.push_back((from.side == HashJoinSide::kProbe ? names : build)[from.column]);
  for (const HashJoinKey& key : options_.keys)
    keys.push_back(names[key.probe_column] + " = " + build[key.build_column]);
  out.Add("Output", JoinTexts(output));
  out.Add("Hash Cond", JoinTexts(keys, " AND "));
  if (options_.condition != nullptr) {
    names.insert(names.end(), build.begin(), build.end());
    out.Add("Join Filter", options_.condition->ToString(names));
    out.AddCount("Rows Removed by Join Filter", counters_.removed_pairs);
  }
  out.AddCount("Rows Removed by Bloom Filter", counters_.filtered_rows);
  out.AddMemory(counters_, "Buckets: " + std::to_string(counters_.buckets));
  return out;
}

HashJoin::HashJoin(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HashJoin::~HashJoin() = default;

Result<std::unique_ptr<HashJoin>> HashJoin::Create(HashJoinOptions options, PlanOperatorPtr probe,
                                                   PlanOperatorPtr build) {
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
PlanOperatorDescription HashJoin::Describe() const {
  return impl_->Describe();
}
const HashJoinCounters& HashJoin::counters() const {
  return impl_->counters();
}

}  // namespace relcache
