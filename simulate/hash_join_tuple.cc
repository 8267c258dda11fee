// A small faithful copy of what PostgreSQL's hash join did in 2015, when the order of bucket array
// and tuples was discussed (nodeHash.c, nodeHashjoin.c), so that its
// figures can be looked into: tuples with their header and a next pointer, copied one by one into
// chunks of 32 kB; chained buckets, one tuple a bucket; batches by the hash's upper bits through
// buffered files; everything evaluated per row through a function pointer, as an executor does.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "relcache/executor/rows/internal/spill_file.h"
#include "relcache/memory/align.h"
#include "relcache/simulate/clock.h"
#include "relcache/simulate/hash_join_form.h"
#include "relcache/types/internal/hash.h"
#include "relcache/types/internal/text.h"

namespace relcache {
namespace {

// MinimalTupleData: length, padding, two words of flags, the offset of the data.
struct MinimalTuple {
  std::uint32_t t_len;
  char padding[6];
  std::uint16_t t_infomask2;
  std::uint16_t t_infomask;
  std::uint8_t t_hoff;
  std::uint8_t t_bits;
};
static_assert(sizeof(MinimalTuple) == 16);

// HashJoinTupleData; a MinimalTuple follows.
struct HashTuple {
  HashTuple* next;
  std::uint32_t hashvalue;
  std::uint32_t padding;
  MinimalTuple* tuple() { return reinterpret_cast<MinimalTuple*>(this + 1); }
};

constexpr std::size_t kChunkBytes = std::size_t{32} * 1024;
constexpr std::size_t kFileBuffer = 8192;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

// MAXALIGN.
constexpr std::size_t MaxAlign(std::size_t n) {
  return AlignUp(n, 8);
}

// A tuple's data: the key, then a text with a header of four bytes.
std::int32_t KeyOf(const MinimalTuple* tuple) {
  std::int32_t key;
  std::memcpy(&key, reinterpret_cast<const char*>(tuple) + tuple->t_hoff, sizeof key);
  return key;
}
std::string_view TextOf(const MinimalTuple* tuple) {
  const char* text = reinterpret_cast<const char*>(tuple) + tuple->t_hoff + 4;
  return VarData(PointerGetDatum(text));
}

// The expressions of a plan are reached through pointers.
struct Expressions {
  std::uint32_t (*hash)(const MinimalTuple*);
  bool (*equal)(const MinimalTuple*, const MinimalTuple*);
  std::uint64_t (*result)(const MinimalTuple*, const MinimalTuple*);
};

std::uint32_t HashExpression(const MinimalTuple* tuple) {
  return HashUint32(static_cast<std::uint32_t>(KeyOf(tuple)));
}
bool EqualExpression(const MinimalTuple* a, const MinimalTuple* b) {
  return KeyOf(a) == KeyOf(b);
}
std::uint64_t LengthExpression(const MinimalTuple* a, const MinimalTuple* b) {
  return static_cast<std::uint64_t>(CharLength(TextOf(a))) +
         static_cast<std::uint64_t>(CharLength(TextOf(b)));
}
// Where an optimizer cannot see them.
const Expressions* volatile g_expressions = [] {
  static const Expressions expressions{HashExpression, EqualExpression, LengthExpression};
  return &expressions;
}();

// A table in memory: tuples of one size, one after the other, as on a heap's pages.
class TupleTable {
 public:
  TupleTable(char side, std::uint64_t rows, std::uint64_t keys, std::size_t width)
      : tuple_bytes_(MaxAlign(sizeof(MinimalTuple) + 4 + kVarHdrSz + width)),
        rows_(rows),
        bytes_(static_cast<char*>(std::malloc(std::max<std::size_t>(rows * tuple_bytes_, 1)))) {
    if (bytes_ == nullptr) throw std::bad_alloc();
    for (std::uint64_t n = 0; n < rows; ++n) {
      char* at = bytes_.get() + n * tuple_bytes_;
      MinimalTuple head{};
      head.t_len = static_cast<std::uint32_t>(sizeof(MinimalTuple) + 4 + kVarHdrSz + width);
      head.t_hoff = sizeof(MinimalTuple);
      std::memcpy(at, &head, sizeof head);
      const auto key = static_cast<std::int32_t>(side == 'b' ? n % keys : ProbeKey(n, keys));
      std::memcpy(at + head.t_hoff, &key, sizeof key);
      const auto header = static_cast<std::uint32_t>((width + kVarHdrSz) << 2);
      std::memcpy(at + head.t_hoff + 4, &header, sizeof header);
      std::memset(at + head.t_hoff + 8, side, width);
    }
  }
  std::uint64_t rows() const { return rows_; }
  const MinimalTuple* Row(std::uint64_t n) const {
    return reinterpret_cast<const MinimalTuple*>(bytes_.get() + n * tuple_bytes_);
  }

 private:
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  std::size_t tuple_bytes_;
  std::uint64_t rows_;
  std::unique_ptr<char, Free> bytes_;
};

// Memory straight from the system, so that pages and their first touch are this program's doing.
class Pages {
 public:
  Pages(std::size_t bytes, bool huge, bool touch) : bytes_(AlignUp(bytes, kHugePage)) {
    // One huge page more, to begin at a multiple of one.
    mapped_ = ::mmap(nullptr, bytes_ + kHugePage, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped_ == MAP_FAILED) throw std::bad_alloc();
    const auto at = reinterpret_cast<std::uintptr_t>(mapped_);
    data_ = reinterpret_cast<char*>(AlignUp(at, kHugePage));
    ::madvise(data_, bytes_, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    if (touch) std::memset(data_, 0, bytes_);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { ::munmap(mapped_, bytes_ + kHugePage); }
  char* data() { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  void* mapped_;
  char* data_;
};

// BufFile: a temporary file behind a buffer of one page. After a failure it takes and gives
// nothing.
class TupleFile {
 public:
  void Write(std::uint32_t hashvalue, const MinimalTuple* tuple) {
    if (file_ == nullptr && error_ == 0) Open();
    if (error_ != 0) return;
    if (std::fwrite(&hashvalue, sizeof hashvalue, 1, file_.get()) != 1 ||
        std::fwrite(tuple, tuple->t_len, 1, file_.get()) != 1)
      Failed();
    written_ += sizeof hashvalue + tuple->t_len;
  }
  void Rewind() {
    if (file_ == nullptr) return;
    if (std::fflush(file_.get()) != 0) Failed();
    std::rewind(file_.get());
  }
  /// The next tuple, in `buffer`; nullptr at the end.
  const MinimalTuple* Read(std::uint32_t& hashvalue, std::vector<std::uint64_t>& buffer) {
    if (file_ == nullptr || error_ != 0) return nullptr;
    if (std::fread(&hashvalue, sizeof hashvalue, 1, file_.get()) != 1) {
      if (std::ferror(file_.get()) != 0) Failed();
      return nullptr;
    }
    std::uint32_t length = 0;
    if (std::fread(&length, sizeof length, 1, file_.get()) != 1) return Failed();
    buffer.resize(length / 8 + 1);
    char* bytes = reinterpret_cast<char*>(buffer.data());
    std::memcpy(bytes, &length, sizeof length);
    if (std::fread(bytes + sizeof length, length - sizeof length, 1, file_.get()) != 1)
      return Failed();
    return reinterpret_cast<const MinimalTuple*>(bytes);
  }
  std::uint64_t written() const { return written_; }
  /// The errno of the first call that failed; 0: none has.
  int error() const { return error_; }

 private:
  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };

  void Open() {
    const char* directory = std::getenv("TMPDIR");
    if (directory == nullptr || *directory == '\0') directory = "/tmp";
    const int fd = SpillFileLayer::System().OpenTemporary(directory);
    if (fd < 0) {
      error_ = -fd;
      return;
    }
    file_.reset(::fdopen(fd, "w+b"));
    if (file_ == nullptr) {
      Failed();
      ::close(fd);
      return;
    }
    std::setvbuf(file_.get(), nullptr, _IOFBF, kFileBuffer);
  }
  std::nullptr_t Failed() {
    if (error_ == 0) error_ = errno != 0 ? errno : EIO;
    return nullptr;
  }

  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t written_ = 0;
  int error_ = 0;
};

// The hash table of one run.
class TupleJoin {
 public:
  TupleJoin(const HashJoinRun& run, const TupleTable& build, const TupleTable& probe)
      : run_(run), build_(build), probe_(probe), limit_(run.work_mem_kb << 10) {
    const std::size_t tuple = MaxAlign(sizeof(HashTuple) + sizeof(MinimalTuple) + 8 + run.width);
    ChooseSizes(tuple);
    // All chunks of a run come from one mapping, in order; only what is touched is real.
    const std::size_t most =
        (build.rows() * tuple / (kChunkBytes - tuple) + 2) * kChunkBytes + kChunkBytes;
    if (run.buckets_allocated_first) AllocateBuckets(nbuckets_);
    chunks_ = std::make_unique<Pages>(2 * most, run.huge_pages, false);
    if (run.touch_first) {
      std::memset(chunks_->data(), 0, std::min(most, chunks_->bytes()));
      if (buckets_ == nullptr) {
        AllocateBuckets(std::bit_ceil(std::max<std::uint64_t>(build.rows(), 1024)));
      }
      std::memset(buckets_pages_->data(), 0, buckets_pages_->bytes());
    }
  }

  Result<HashJoinFigures> Run() {
    HashJoinFigures figures;
    const std::uint64_t faults = MinorFaults();
    const double start = NowMs();
    const double cpu_start = CpuMs();
    Build();
    const double built = CpuMs();
    FillBuckets();
    const double filled = CpuMs();
    figures.buckets = nbuckets_;
    Probe(figures);
    const double end = CpuMs();
    figures.milliseconds = NowMs() - start;
    figures.cpu_milliseconds = end - cpu_start;
    // Phases in processor time. Reading and copying take turns row by row: what reading alone takes
    // is measured after.
    figures.read_ms = ReadAlone();
    figures.copy_ms = std::max(0.0, built - cpu_start - figures.read_ms);
    figures.buckets_ms = filled - built;
    figures.probe_ms = end - filled;
    figures.batches = nbatch_;
    figures.peak_bytes = peak_;
    for (const auto* files : {&inner_files_, &outer_files_})
      for (const TupleFile& file : *files) {
        if (file.error() != 0)
          return Fail(ErrorCode::kIo, "58030",
                      std::string("temporary file: ") + std::strerror(file.error()));
        figures.spilled_bytes += file.written();
      }
    figures.minor_faults = MinorFaults() - faults;
    return figures;
  }

 private:
  bool eager() const { return run_.strategy == HashJoinStrategy::kEager; }

  // ExecChooseHashTableSize.
  void ChooseSizes(std::size_t tuple) {
    const double rows = static_cast<double>(std::max<std::uint64_t>(run_.estimate, 1));
    const double bytes = rows * static_cast<double>(tuple);
    const std::size_t bucket_bytes =
        std::bit_ceil(static_cast<std::size_t>(rows)) * sizeof(HashTuple*);
    estimated_nbatch_ = 1;
    nbuckets_ = std::bit_ceil(std::max<std::size_t>(static_cast<std::size_t>(rows), 1024));
    if (bytes + static_cast<double>(bucket_bytes) > static_cast<double>(limit_)) {
      // One batch's tuples and a pointer for each fill the limit.
      const std::size_t per_batch = limit_ / (tuple + sizeof(HashTuple*));
      nbuckets_ = std::bit_ceil(std::max<std::size_t>(per_batch, 1024));
      const double room = static_cast<double>(limit_ - std::min(limit_ / 2, nbuckets_ * 8));
      estimated_nbatch_ = std::bit_ceil(static_cast<std::size_t>(bytes / room) + 1);
    }
    nbatch_ = run_.strategy == HashJoinStrategy::kDeferredUnpartitioned ? 1 : estimated_nbatch_;
    inner_files_.resize(nbatch_);
    outer_files_.resize(nbatch_);
  }

  void AllocateBuckets(std::size_t n) {
    buckets_pages_ = std::make_unique<Pages>(n * sizeof(HashTuple*), run_.huge_pages, false);
    buckets_ = reinterpret_cast<HashTuple**>(buckets_pages_->data());
    allocated_buckets_ = n;
  }

  // Fresh pages are zero already; used ones are cleared, as palloc0 would.
  void ClearBuckets(std::size_t n) {
    if (buckets_ == nullptr || allocated_buckets_ < n) AllocateBuckets(n);
    std::memset(buckets_, 0, n * sizeof(HashTuple*));
    nbuckets_ = n;
    log2_nbuckets_ = static_cast<unsigned>(std::countr_zero(n));
  }

  std::size_t BatchOf(std::uint32_t hashvalue) const {
    if (nbatch_ == 1) return 0;
    // Bits above those of the bucket; for the deferred forms those of the size that was estimated.
    return std::rotr(hashvalue, static_cast<int>(batch_shift_)) & (nbatch_ - 1);
  }

  // dense_alloc.
  void* Allocate(std::size_t size) {
    if (chunk_left_ < size) {
      if (chunks_used_ + kChunkBytes > chunks_->bytes()) throw std::bad_alloc();
      chunk_at_ = chunks_->data() + chunks_used_;
      chunk_starts_.push_back({chunk_at_, 0});
      chunks_used_ += kChunkBytes;
      chunk_left_ = kChunkBytes;
    }
    void* place = chunk_at_;
    chunk_at_ += size;
    chunk_left_ -= size;
    chunk_starts_.back().second += size;
    return place;
  }

  void PutIntoChain(HashTuple* tuple) {
    HashTuple** bucket = &buckets_[tuple->hashvalue & (nbuckets_ - 1)];
    if (run_.append_to_chains) {
      while (*bucket != nullptr) bucket = &(*bucket)->next;
      tuple->next = nullptr;
      *bucket = tuple;
    } else {
      tuple->next = *bucket;
      *bucket = tuple;
    }
  }

  // ExecHashTableInsert.
  void Insert(std::uint32_t hashvalue, const MinimalTuple* tuple, std::size_t current) {
    const std::size_t batch = BatchOf(hashvalue);
    if (batch != current) {
      inner_files_[batch].Write(hashvalue, tuple);
      return;
    }
    const std::size_t size = MaxAlign(sizeof(HashTuple) + tuple->t_len);
    HashTuple* place = static_cast<HashTuple*>(Allocate(size));
    place->hashvalue = hashvalue;
    place->next = nullptr;
    std::memcpy(static_cast<void*>(place->tuple()), tuple, tuple->t_len);
    if (eager()) PutIntoChain(place);
    ++tuples_;
    space_ += size;
    const std::size_t buckets =
        (eager() ? nbuckets_ : std::bit_ceil(std::max<std::size_t>(tuples_, 1024))) * 8;
    peak_ = std::max<std::uint64_t>(peak_, space_ + buckets);
    if (space_ + buckets > limit_ && growth_) IncreaseBatches(current);
  }

  // ExecHashIncreaseNumBatches: to the estimated number at once, then by doubling.
  void IncreaseBatches(std::size_t current) {
    nbatch_ = nbatch_ == 1 ? std::max<std::size_t>(estimated_nbatch_, 2) : 2 * nbatch_;
    inner_files_.resize(nbatch_);
    outer_files_.resize(nbatch_);
    const auto old = std::move(chunk_starts_);
    const std::size_t before = tuples_;
    chunk_starts_.clear();
    chunk_left_ = chunks_used_ = 0;
    tuples_ = space_ = 0;
    if (eager()) std::memset(buckets_, 0, nbuckets_ * sizeof(HashTuple*));
    // The first chunks are written over behind the reading: a kept tuple never lies further on.
    for (const auto& [start, used] : old) {
      std::vector<char> copy(start, start + used);
      for (std::size_t at = 0; at < used;) {
        HashTuple head;
        std::memcpy(&head, copy.data() + at, sizeof head);
        const auto* tuple = reinterpret_cast<const MinimalTuple*>(copy.data() + at + sizeof head);
        const std::size_t size = MaxAlign(sizeof(HashTuple) + tuple->t_len);
        if (BatchOf(head.hashvalue) == current) {
          HashTuple* place = static_cast<HashTuple*>(Allocate(size));
          std::memcpy(static_cast<void*>(place), copy.data() + at, size);
          if (eager()) PutIntoChain(place);
          ++tuples_;
          space_ += size;
        } else {
          inner_files_[BatchOf(head.hashvalue)].Write(head.hashvalue, tuple);
        }
        at += size;
      }
    }
    // All tuples or none have left: many share one hash value, which no number of batches divides.
    if (tuples_ == before || tuples_ == 0) growth_ = false;
  }

  // MultiExecHash.
  void Build() {
    batch_shift_ = static_cast<unsigned>(std::countr_zero(nbuckets_));
    if (eager()) ClearBuckets(nbuckets_);
    const Expressions& expressions = *g_expressions;
    for (std::uint64_t n = 0; n < build_.rows(); ++n) {
      const MinimalTuple* tuple = build_.Row(n);
      Insert(expressions.hash(tuple), tuple, 0);
    }
  }

  // The deferred forms' buckets: the chunks are walked in the order they were filled.
  void FillBuckets() {
    if (eager() && nbuckets_ >= tuples_) return;
    ClearBuckets(std::bit_ceil(std::max<std::size_t>(tuples_, 1024)));
    for (const auto& [start, used] : chunk_starts_) {
      for (char* at = start; at < start + used;) {
        HashTuple* tuple = reinterpret_cast<HashTuple*>(at);
        at += MaxAlign(sizeof(HashTuple) + tuple->tuple()->t_len);
        PutIntoChain(tuple);
      }
    }
  }

  // ExecScanHashBucket, and the aggregate above the join.
  void ProbeOne(std::uint32_t hashvalue, const MinimalTuple* tuple, HashJoinFigures& figures) {
    const Expressions& expressions = *g_expressions;
    for (HashTuple* t = buckets_[hashvalue & (nbuckets_ - 1)]; t != nullptr; t = t->next) {
      if (t->hashvalue != hashvalue || !expressions.equal(t->tuple(), tuple)) continue;
      ++figures.rows;
      figures.length_sum += expressions.result(t->tuple(), tuple);
    }
  }

  void Probe(HashJoinFigures& figures) {
    const Expressions& expressions = *g_expressions;
    for (std::uint64_t n = 0; n < probe_.rows(); ++n) {
      const MinimalTuple* tuple = probe_.Row(n);
      const std::uint32_t hashvalue = expressions.hash(tuple);
      const std::size_t batch = BatchOf(hashvalue);
      if (batch == 0) {
        ProbeOne(hashvalue, tuple, figures);
      } else {
        outer_files_[batch].Write(hashvalue, tuple);
      }
    }
    std::vector<std::uint64_t> buffer;
    for (std::size_t batch = 1; batch < nbatch_; ++batch) {
      chunk_starts_.clear();
      chunk_left_ = chunks_used_ = tuples_ = space_ = 0;
      if (eager()) ClearBuckets(nbuckets_);
      std::uint32_t hashvalue = 0;
      inner_files_[batch].Rewind();
      while (const MinimalTuple* tuple = inner_files_[batch].Read(hashvalue, buffer))
        Insert(hashvalue, tuple, batch);
      FillBuckets();
      outer_files_[batch].Rewind();
      while (const MinimalTuple* tuple = outer_files_[batch].Read(hashvalue, buffer)) {
        const std::size_t now = BatchOf(hashvalue);
        if (now == batch) {
          ProbeOne(hashvalue, tuple, figures);
        } else {
          outer_files_[now].Write(hashvalue, tuple);
        }
      }
    }
  }

  double ReadAlone() const {
    const double start = CpuMs();
    std::uint64_t sum = 0;
    for (std::uint64_t n = 0; n < build_.rows(); ++n)
      sum += build_.Row(n)->t_len + static_cast<std::uint64_t>(KeyOf(build_.Row(n)));
    const double end = CpuMs();
    // Used, so that it is done.
    return sum == 1 ? 0 : end - start;
  }

  const HashJoinRun& run_;
  const TupleTable& build_;
  const TupleTable& probe_;
  std::size_t limit_;
  std::size_t nbuckets_ = 0;
  unsigned log2_nbuckets_ = 0;
  unsigned batch_shift_ = 0;
  std::size_t nbatch_ = 1;
  std::size_t estimated_nbatch_ = 1;
  bool growth_ = true;
  std::unique_ptr<Pages> buckets_pages_;
  HashTuple** buckets_ = nullptr;
  std::size_t allocated_buckets_ = 0;
  std::unique_ptr<Pages> chunks_;
  std::size_t chunks_used_ = 0;
  char* chunk_at_ = nullptr;
  std::size_t chunk_left_ = 0;
  std::vector<std::pair<char*, std::size_t>> chunk_starts_;
  std::size_t tuples_ = 0;
  std::size_t space_ = 0;
  std::uint64_t peak_ = 0;
  std::vector<TupleFile> inner_files_;
  std::vector<TupleFile> outer_files_;
};

class TupleForm : public HashJoinForm {
 public:
  explicit TupleForm(const HashJoinRun& run)
      : build_('b', run.build, run.keys(), run.width),
        probe_('p', run.probe, run.keys(), run.width) {}
  Result<HashJoinFigures> Run(const HashJoinRun& run) override {
    TupleJoin join(run, build_, probe_);
    return join.Run();
  }

 private:
  TupleTable build_;
  TupleTable probe_;
};

}  // namespace

Result<std::unique_ptr<HashJoinForm>> MakeTupleForm(const HashJoinRun& run) {
  if (kChunkBytes < 4 * (run.width + 64))
    return Fail(NotSupported("tuples that are longer than a quarter of a chunk"));
  return std::make_unique<TupleForm>(run);
}

}  // namespace relcache
