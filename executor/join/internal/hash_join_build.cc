#include "relcache/executor/join/internal/hash_join_build.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace relcache {
namespace {

// The part of the limit that the filter may take: one in so many.
constexpr std::size_t kFilterPart = 16;
// The heads of a few blocks, which are not counted exactly.
constexpr std::size_t kSlack = std::size_t{1} << 10;
// A partition that was divided so often without getting small enough consists of rows with equal
// hashes, and is kept in memory.
constexpr std::uint32_t kMaxLevel = 10;

constexpr std::size_t kLargestChunk = std::size_t{64} << 20;

}  // namespace

JoinBuild::JoinBuild(const Options& options, RowLayout& layout, SpillFile& file, MemoryContext& cx)
    : options_(options),
      layout_(layout),
      file_(file),
      cx_(cx),
      bucket_cx_(AllocSet::Create("buckets", cx, kSmallBlocks)),
      writer_cx_(AllocSet::Create("spill buffers", cx, kSmallBlocks)),
      filter_cx_(AllocSet::Create("filter", cx, kSmallBlocks)),
      rows_(layout, {RowStore::LargestChunkFor(options.limit, kLargestChunk), options.huge_pages},
            cx) {
  // At least eight partitions, and as many as the estimate asks for. Too many cost little, because
  // only those partitions go to disk that have to, while too few would mean dividing again.
  partitions_when_full_ =
      std::min(std::max<std::size_t>(ChoosePartitions(), 8), HashPartition::Most(options_.limit));
  if (options_.strategy == HashJoinStrategy::kDeferredUnpartitioned) return;
  // PostgreSQL's way: the number of partitions follows from the estimate from the beginning, and
  // only the first one stays in memory.
  const std::size_t wanted = ChoosePartitions();
  if (wanted > 1) StartPartitions(wanted, false);
  if (options_.strategy == HashJoinStrategy::kEager) {
    const std::uint64_t rows = options_.expected_rows / partitions();
    std::size_t buckets = HashTable::BucketsFor(rows);
    while (buckets > 64 && buckets * sizeof(std::uint64_t) > options_.limit / 2) buckets /= 2;
    MakeBuckets(buckets);
  }
}

std::size_t JoinBuild::ChoosePartitions() const {
  const double bytes =
      static_cast<double>(options_.expected_rows) *
          static_cast<double>(options_.expected_row_bytes) +
      static_cast<double>(HashTable::BucketsFor(options_.expected_rows)) * sizeof(std::uint64_t);
  const double wanted = bytes / static_cast<double>(options_.limit);
  if (wanted <= 1) return 1;
  const std::size_t most = HashPartition::Most(options_.limit);
  std::size_t partitions = 2;
  while (partitions < most && static_cast<double>(partitions) < wanted * 1.1) partitions *= 2;
  return partitions;
}

void JoinBuild::StartPartitions(std::size_t partitions, bool all_resident) {
  partition_ = HashPartition(options_.level, partitions);
  buffer_bytes_ = HashPartition::BufferBytes(options_.limit, partitions);
  resident_.assign(partitions, all_resident ? 1 : 0);
  resident_[0] = 1;
  build_runs_.assign(partitions, SpillRun());
  probe_runs_.assign(partitions, SpillRun());
  build_writer_.emplace(file_, build_runs_, buffer_bytes_, writer_cx_);
  if (options_.filter) {
    const std::size_t words = FilterWords();
    auto* bits =
        static_cast<std::uint64_t*>(filter_cx_.AllocateHuge(words * sizeof(std::uint64_t)));
    std::fill_n(bits, words, 0);
    filter_ = BloomFilter({bits, words});
    // The filter has to know all build rows, also those that stay in memory: it is asked for the
    // whole pass.
    rows_.ForEach([&](const StoredRow* row) { filter_.Add(row->hash); });
  }
}

std::size_t JoinBuild::BucketBytesFor(std::uint64_t rows) const {
  return HashTable::BucketsFor(rows) * sizeof(std::uint64_t);
}

std::size_t JoinBuild::FilterWords() const {
  return std::bit_floor(options_.limit / kFilterPart / sizeof(std::uint64_t));
}

std::size_t JoinBuild::BytesToSplit() const {
  if (partitioned()) return 0;
  const std::size_t filter = options_.filter ? FilterWords() * sizeof(std::uint64_t) : 0;
  return filter +
         SpillWriter::BytesFor(partitions_when_full_,
                               HashPartition::BufferBytes(options_.limit, partitions_when_full_));
}

bool JoinBuild::WouldExceed(std::span<const std::uint32_t> sizes) const {
  const std::size_t buckets = BucketBytesFor(rows_.rows() + sizes.size());
  const std::size_t present = bucket_cx_.total_bytes_reserved();
  return cx_.total_bytes_reserved() + rows_.BytesToGrow(sizes) +
             std::max(buckets > present ? buckets - present : 0, BytesToSplit()) + kSlack >
         options_.limit;
}

// Makes the buckets anew and inserts all rows; earlier chains are discarded.
void JoinBuild::MakeBuckets(std::size_t buckets) {
  bucket_cx_.Reset();
  table_.Allocate(buckets, options_.huge_pages, bucket_cx_);
  table_.InsertAll(rows_, layout_);
}

std::size_t JoinBuild::FindHeavy(std::span<const std::uint64_t> bytes, std::uint64_t total) const {
  const std::size_t largest =
      static_cast<std::size_t>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
  // Only if nearly all bytes are in one partition is it worth searching for a single key.
  if (bytes[largest] < total - total / 16) return kNone;
  // The only hash that more than half of the partition's rows can have (the majority vote of Boyer
  // and Moore). A second pass verifies it, by bytes.
  std::uint64_t candidate = 0;
  std::uint64_t lead = 0;
  rows_.ForEach([&](const StoredRow* row) {
    if (PartitionOf(row->hash) != largest) return;
    if (lead == 0) candidate = row->hash;
    lead = row->hash == candidate ? lead + 1 : lead - 1;
  });
  std::uint64_t same = 0;
  rows_.ForEach([&](const StoredRow* row) {
    if (row->hash == candidate) same += layout_.SizeOf(row);
  });
  return same >= bytes[largest] - bytes[largest] / 16 ? largest : kNone;
}

Result<bool> JoinBuild::MakeRoom() {
  if (cx_.total_bytes_reserved() < retry_above_) return false;
  // A single row that alone exceeds the limit would be written and read again on every level.
  const bool single = options_.level > 0 && options_.expected_rows <= 1;
  if (single || options_.level >= kMaxLevel) return false;
  if (!partitioned()) StartPartitions(partitions_when_full_, true);
  peak_bytes_ = std::max<std::uint64_t>(peak_bytes_, cx_.total_bytes_reserved());
  std::vector<std::uint64_t> bytes(partitions(), 0);
  std::uint64_t total = 0;
  rows_.ForEach([&](const StoredRow* row) {
    const std::size_t size = layout_.SizeOf(row);
    bytes[PartitionOf(row->hash)] += size;
    total += size;
  });
  const std::size_t heavy = total == 0 ? kNone : FindHeavy(bytes, total);
  std::vector<std::size_t> candidates;
  for (std::size_t p = 0; p < partitions(); ++p)
    if (in_memory(p) && p != heavy) candidates.push_back(p);
  if (candidates.empty()) {
    // Only a partition that cannot be divided is left in memory. Buckets that were made for more
    // rows than came can still be reduced.
    const std::size_t buckets = HashTable::BucketsFor(rows_.rows());
    if (table_.allocated() && table_.buckets() > 2 * buckets) {
      MakeBuckets(buckets);
      return true;
    }
    // The search above reads all rows, so it is repeated only after the memory has grown by an
    // eighth.
    retry_above_ = cx_.total_bytes_reserved() + cx_.total_bytes_reserved() / 8;
    return false;
  }
  // Writing half of the partitions at a time frees enough for many batches to come, while the other
  // half may still remain in memory to the end. If only one is left, it goes too.
  std::uint64_t freed = 0;
  for (std::size_t i = candidates.size() / 2; i < candidates.size(); ++i) {
    freed += bytes[candidates[i]];
    resident_[candidates[i]] = 0;
  }
  if (freed > 0) RELCACHE_TRY(Evict());
  return true;
}

Status JoinBuild::Evict() {
  Status status;
  rows_.Retain([&](StoredRow* row) {
    const std::size_t partition = PartitionOf(row->hash);
    // After an error the remaining rows are kept, so that the store stays consistent.
    if (in_memory(partition) || !status) return true;
    status = build_writer_->Add(partition, row, layout_.SizeOf(row));
    return !status;
  });
  if (table_.allocated()) MakeBuckets(table_.buckets());  // the rows have new addresses
  return status;
}

Status JoinBuild::Add(const ColumnBatch& batch, std::span<const std::uint32_t> selection,
                      std::uint64_t* hashes, const std::uint8_t* matchable) {
  for (const std::uint32_t r : selection) {
    if (matchable != nullptr && matchable[r] == 0) {
      // The row matches nothing, so its hash does not matter. Different hashes spread such rows
      // over the partitions; with one hash they would form a partition that cannot be divided.
      hashes[r] = ++unmatchable_rows_ * 0xd6e8feb86659fd93;
    } else {
      distinct_.Add(hashes[r]);
    }
  }
  kept_.assign(selection.begin(), selection.end());
  const auto hash_of = [&](std::uint32_t r) { return hashes[r]; };
  const auto spill = [&] {
    return build_writer_->AddRows(layout_, batch, spilled_, hashes, partition_, matchable);
  };
  const auto measure = [&] { return layout_.Measure(batch, kept_, sizes_.data()); };
  RELCACHE_TRY(FitKept(hash_of, spill, measure));
  if (kept_.empty()) return {};
  new_rows_.resize(kept_.size());
  rows_.Allocate(sizes_, new_rows_.data());
  layout_.Write(batch, kept_, hashes, sizes_.data(), new_rows_.data());
  if (matchable != nullptr) layout_.MarkUnmatchable(kept_, matchable, new_rows_.data());
  InsertNew(new_rows_);
  return {};
}

Status JoinBuild::AddStored(std::span<StoredRow* const> rows) {
  for (const StoredRow* row : rows) {
    if (layout_.unmatchable(row)) {
      ++unmatchable_rows_;
    } else {
      distinct_.Add(row->hash);
    }
  }
  kept_.resize(rows.size());
  std::iota(kept_.begin(), kept_.end(), 0U);
  const auto hash_of = [&](std::uint32_t r) { return rows[r]->hash; };
  const auto spill = [&]() -> Status {
    for (const std::uint32_t r : spilled_)
      RELCACHE_TRY(
          build_writer_->Add(PartitionOf(rows[r]->hash), rows[r], layout_.SizeOf(rows[r])));
    return {};
  };
  const auto measure = [&]() -> Status {
    for (std::size_t i = 0; i < kept_.size(); ++i)
      sizes_[i] = static_cast<std::uint32_t>(layout_.SizeOf(rows[kept_[i]]));
    return {};
  };
  RELCACHE_TRY(FitKept(hash_of, spill, measure));
  if (kept_.empty()) return {};
  new_rows_.resize(kept_.size());
  rows_.Allocate(sizes_, new_rows_.data());
  for (std::size_t i = 0; i < kept_.size(); ++i)
    std::memcpy(static_cast<void*>(new_rows_[i]), rows[kept_[i]], sizes_[i]);
  InsertNew(new_rows_);
  return {};
}

// Reduces kept_ to the rows that go into memory and computes their sizes. `spill` writes the rows
// spilled_ to disk; `measure` sets sizes_ for kept_.
template <class HashOf, class Spill, class Measure>
Status JoinBuild::FitKept(const HashOf& hash_of, const Spill& spill, const Measure& measure) {
  const auto add_to_filter = [&] {
    if (!filter_.empty())
      for (const std::uint32_t r : kept_) filter_.Add(hash_of(r));
  };
  add_to_filter();
  for (;;) {
    if (partitioned()) {
      SplitOff(hash_of);
      RELCACHE_TRY(spill());
    }
    if (kept_.empty()) return {};
    sizes_.resize(kept_.size());
    RELCACHE_TRY(measure());
    if (!WouldExceed(sizes_)) return {};
    const bool was_partitioned = partitioned();
    RELCACHE_ASSIGN(const bool made_room, MakeRoom());
    // If the filter was made just now, it does not contain these rows yet.
    if (!was_partitioned) add_to_filter();
    if (!made_room) return {};
  }
}

// Moves the rows of partitions on disk from kept_ to spilled_.
template <class HashOf>
void JoinBuild::SplitOff(const HashOf& hash_of) {
  spilled_.clear();
  std::size_t n = 0;
  for (const std::uint32_t r : kept_) {
    if (in_memory(PartitionOf(hash_of(r)))) {
      kept_[n++] = r;
    } else {
      spilled_.push_back(r);
    }
  }
  kept_.resize(n);
}

void JoinBuild::InsertNew(std::span<StoredRow* const> rows) {
  if (!table_.allocated()) return;
  if (unmatchable_rows_ == 0) return table_.Insert(rows);
  for (StoredRow* row : rows)
    if (!layout_.unmatchable(row)) table_.Insert(row);
}

Status JoinBuild::Finish() {
  if (partitioned()) {
    RELCACHE_TRY(build_writer_->FlushAll());
    build_writer_.reset();
    writer_cx_.Reset();
    FitFilter();
  }
  // Rows with equal keys are in one chain however many buckets there are, so the number of
  // different keys decides. The estimate is used only if it is far below the number of rows,
  // because it has an error.
  std::uint64_t keys = rows_.rows();
  const double different = distinct_.Estimate() * 1.05;
  if (different < static_cast<double>(keys) / 2) keys = static_cast<std::uint64_t>(different);
  const std::size_t buckets = HashTable::BucketsFor(keys);
  if (!table_.allocated() || table_.buckets() < buckets) MakeBuckets(buckets);
  return {};
}

// Sizes the filter for the number of keys. With twelve bits per key, about one hash in a hundred
// passes wrongly. With fewer than four bits per key, a filter is not worth its cost.
void JoinBuild::FitFilter() {
  if (filter_.empty()) return;
  const double keys = distinct_.Estimate();
  if (static_cast<double>(filter_.words().size()) * 64 < 4 * keys) {
    DropFilter();
    return;
  }
  while (filter_.words().size() > 8 && static_cast<double>(filter_.words().size()) * 32 > 12 * keys)
    filter_.Fold();
}

void JoinBuild::StartProbe() {
  if (partitioned()) probe_writer_.emplace(file_, probe_runs_, buffer_bytes_, writer_cx_);
}

}  // namespace relcache
