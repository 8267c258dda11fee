#include "relcache/simulate/partition_insert.h"

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/cache/relation_cache.h"
#include "relcache/catalog/memory_catalog.h"
#include "relcache/nodes/node_type.h"
#include "relcache/nodes/read.h"
#include "relcache/nodes/write.h"
#include "relcache/simulate/clock.h"
#include "relcache/simulate/insert_session.h"
#include "relcache/types/internal/numeric.h"

namespace relcache {
namespace {

constexpr std::int32_t kKeys = 100'000'000;  // c is 1 to this
constexpr int kRuns = 3;
/// Tables are emptied when they have this many rows. They then stay in the processor's caches, and
/// the time that the system needs for new pages is not attributed to any mode.
constexpr std::size_t kKeepRows = 20'000;

/// Rounded to the digits that are printed, so that the printed numbers add up to 1.
double Rounded(double share) {
  return std::floor(share * 10000) / 10000;
}

/// Keys from 1 to a maximum in an arbitrary order, which is the same in every run.
class Keys {
 public:
  std::int32_t Next(std::int32_t highest) {
    key_ = static_cast<std::uint32_t>((std::uint64_t{key_} * 48271) % 2147483647);
    return static_cast<std::int32_t>(key_ % static_cast<std::uint32_t>(highest)) + 1;
  }

 private:
  std::uint32_t key_ = 1;
};

double Seconds() {
  return NowMs() / 1000;
}

/// The sample's parent and child, with as many children and checks as asked for.
class Job {
 public:
  static Result<std::unique_ptr<Job>> Make(const PartitionInsertOptions& options,
                                           CatalogSource& sample);

  MemoryCatalog& catalog() { return catalog_; }
  Oid parent() const { return parent_; }
  std::span<const Oid> children() const { return children_; }
  std::string_view check_text() const { return check_text_; }
  /// The child for a key: the first whose upper bound is not below it.
  std::size_t Route(std::int32_t key) const {
    return static_cast<std::size_t>(std::lower_bound(upper_.begin(), upper_.end(), key) -
                                    upper_.begin());
  }
  std::int32_t upper(std::size_t child) const { return upper_[child]; }

  /// Row number n. Its text and numeric are the job's.
  void Fill(std::uint64_t n, std::int32_t key, std::span<NullableDatum> row) const {
    row[0] = {Int64GetDatum(static_cast<std::int64_t>(n)), false};
    row[1] = {Int64GetDatum(700'000'000'000'000 + static_cast<std::int64_t>(n)), false};
    row[2] = {Int32GetDatum(key), false};
    row[3] = {reading_, false};
    row[4] = {note_, false};
  }
  std::size_t columns() const { return 5; }

 private:
  Job() : cx_(AllocSet::CreateRoot("job")) {}
  Status AddChild(const RelationRows& child, const ConstraintRow& check, int number,
                  const PartitionInsertOptions& options);
  Result<std::string_view> CheckBetween(std::string_view text, std::int32_t low, std::int32_t high);

  ContextPtr cx_;
  MemoryCatalog catalog_;
  Oid parent_ = kInvalidOid;
  std::vector<Oid> children_;
  std::vector<std::int32_t> upper_;
  std::string_view check_text_;
  Datum reading_{}, note_{};
};

/// The sample's tree, c > 0 AND c <= 100000000, with other bounds.
Result<std::string_view> Job::CheckBetween(std::string_view text, std::int32_t low,
                                           std::int32_t high) {
  RELCACHE_ASSIGN(Node* const tree, StringToNode(text, {}, *cx_));
  auto* both = As<BoolExpr>(tree);
  const std::int32_t bounds[] = {low, high};
  if (both == nullptr || !both->args || both->args->size() != 2)
    return Fail(ErrorCode::kInvalidInput, "XX000",
                "the sample's constraint is not c > a AND c <= b");
  for (std::size_t i = 0; i < 2; ++i) {
    auto* comparison = As<OpExpr>((*both->args)[i]);
    auto* bound = comparison != nullptr && comparison->args && comparison->args->size() == 2
                      ? As<Const>((*comparison->args)[1])
                      : nullptr;
    if (bound == nullptr)
      return Fail(ErrorCode::kInvalidInput, "XX000",
                  "the sample's constraint is not c > a AND c <= b");
    bound->constvalue = Int32GetDatum(bounds[i]);
  }
  return NodeToString(tree, {}, *cx_);
}

Status Job::AddChild(const RelationRows& child, const ConstraintRow& check, int number,
                     const PartitionInsertOptions& options) {
  const auto width = static_cast<std::int64_t>(kKeys);
  const auto low = static_cast<std::int32_t>(width * number / options.partitions);
  const auto high = static_cast<std::int32_t>(width * (number + 1) / options.partitions);
  RELCACHE_ASSIGN(const std::string_view text, CheckBetween(check.conbin, low, high));
  if (number == 0) check_text_ = text;

  RelationRows rows = child;
  rows.pg_class.oid = child.pg_class.oid + static_cast<Oid>(number);
  rows.pg_class.reltype = kInvalidOid;
  rows.pg_class.relname = cx_->CopyString(Format("measurement_{}", number + 1));
  std::span<ConstraintRow> checks =
      cx_->NewArray<ConstraintRow>(static_cast<std::size_t>(options.checks));
  for (int k = 0; k < options.checks; ++k) {
    ConstraintRow& row = checks[static_cast<std::size_t>(k)];
    row = check;
    row.oid = kFirstUnpinnedObjectId * 100 + static_cast<Oid>(number * options.checks + k);
    row.conrelid = rows.pg_class.oid;
    const std::string name = Format("measurement_{}_c_check", number + 1);
    row.conname = cx_->CopyString(k == 0 ? name : Format("{}{}", name, k));
    row.conbin = text;
  }
  rows.constraints = checks;
  rows.pg_class.relchecks = static_cast<std::int16_t>(options.checks);
  std::span<InheritsRow> parents = cx_->NewArray<InheritsRow>(child.parents.size());
  std::copy(child.parents.begin(), child.parents.end(), parents.begin());
  for (InheritsRow& row : parents) row.inhrelid = rows.pg_class.oid;
  rows.parents = parents;
  children_.push_back(rows.pg_class.oid);
  upper_.push_back(high);
  return catalog_.Put(rows);
}

Result<std::unique_ptr<Job>> Job::Make(const PartitionInsertOptions& options,
                                       CatalogSource& sample) {
  std::unique_ptr<Job> job(new Job);
  RELCACHE_ASSIGN(job->parent_, sample.LookupName("public", "measurement"));
  RELCACHE_ASSIGN(const Oid child, sample.LookupName("public", "measurement_1"));
  const Oid oids[] = {job->parent_, child};
  RELCACHE_ASSIGN(const auto rows, sample.Load(oids, *job->cx_));
  for (std::size_t i = 0; i < std::size(oids); ++i)
    if (rows[i] == nullptr)
      return Fail(ErrorCode::kNotFound, "42P01",
                  std::string("the sample has no relation \"") +
                      (i == 0 ? "measurement" : "measurement_1") + "\"");
  const Oid schema = rows[0]->pg_class.relnamespace;
  RELCACHE_ASSIGN(const NamespaceRow* nsp, sample.LoadNamespace(schema, *job->cx_));
  if (nsp != nullptr) job->catalog_.PutNamespace(*nsp);
  RelationRows parent = *rows[0];
  parent.children = {};
  RELCACHE_TRY(job->catalog_.Put(parent));
  const ConstraintRow* check = nullptr;
  for (const ConstraintRow& row : rows[1]->constraints)
    if (row.contype == 'c') check = &row;
  if (check == nullptr)
    return Fail(ErrorCode::kNotFound, "42704", "the sample's child has no constraint");
  for (int i = 0; i < options.partitions; ++i)
    RELCACHE_TRY(job->AddChild(*rows[1], *check, i, options));
  RELCACHE_ASSIGN(job->reading_, NumericIn("21.500", -1, *job->cx_));
  job->note_ = MakeVarlena("a reading", *job->cx_);
  return job;
}

/// Keeps what tables free when they are truncated in the process. Else the table whose blocks end
/// the heap gives them back to the system each time and pays for their pages again, and the others
/// do not.
void KeepFreedMemory() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

/// One mode's runs.
class Run {
 public:
  Run(Job& job, CheckMode mode, int checks)
      : job_(job), checks_(checks), cache_(job.catalog()), session_(cache_, settings_) {
    session_.set_check_mode(mode);
    session_.AddTrigger(job.parent(), "measurement_route",
                        [this](TriggerContext& t) -> Result<TriggerAction> {
                          const std::size_t child = job_.Route(DatumGetInt32(t.row[2].value));
                          RELCACHE_TRY(t.session.Insert(job_.children()[child], t.row));
                          return TriggerAction::kSkip;
                        });
  }

  Result<EntryBytes> MeasureEntry() {
    RELCACHE_ASSIGN(const RelationPin pin, cache_.Open(job_.children()[0]));
    return EntryBytes{pin->bytes(), pin->bytes_used()};
  }

  /// Rows through the parent, each a statement; seconds.
  Result<double> Routed(std::uint64_t rows) {
    RELCACHE_TRY(Truncate());
    std::vector<NullableDatum> row(job_.columns());
    Keys keys;
    std::uint64_t since = 0;
    const double begin = Seconds();
    for (std::uint64_t n = 0; n < rows; ++n) {
      job_.Fill(n, keys.Next(kKeys), row);
      RELCACHE_TRY(session_.Insert(job_.parent(), row));
      if (++since == kKeepRows) {
        RELCACHE_TRY(Truncate());
        since = 0;
      }
    }
    return Seconds() - begin;
  }

  /// One statement that puts rows into the first child; seconds.
  Result<double> Direct(std::uint64_t rows) {
    RELCACHE_TRY(Truncate());
    RELCACHE_ASSIGN(HeapTable* const table, session_.Table(job_.children()[0]));
    const std::int32_t high = job_.upper(0);
    std::uint64_t n = 0;
    Keys keys;
    const double begin = Seconds();
    RELCACHE_TRY(
        session_.InsertAll(job_.children()[0], [&](std::span<NullableDatum> row, MemoryContext&) {
          if (n == rows) return false;
          if (n % kKeepRows == 0) table->Truncate();
          job_.Fill(n++, keys.Next(high), row);
          return true;
        }));
    return Seconds() - begin;
  }

  /// A separate run in which the clock is read before and after each stage. Rows during which
  /// another process had the processor are not counted.
  Status Shares(std::uint64_t rows, PartitionInsertFigures& out) {
    StageTimes times;
    times.now = Ticks;
    session_.set_times(&times);
    RELCACHE_TRY(Truncate());
    std::vector<NullableDatum> row(job_.columns());
    std::vector<std::uint64_t> first_rows;
    std::uint64_t longest = UINT64_MAX, total = 0, counted = 0;
    Keys keys;
    for (std::uint64_t n = 0; n < rows; ++n) {
      if (n % kKeepRows == 0) RELCACHE_TRY(Truncate());
      job_.Fill(n, keys.Next(kKeys), row);
      const StageTimes before = times;
      const std::uint64_t begin = Ticks();
      RELCACHE_TRY(session_.Insert(job_.parent(), row));
      const std::uint64_t took = Ticks() - begin;
      if (n < 1000) {
        first_rows.push_back(took);
        std::sort(first_rows.begin(), first_rows.end());
        longest = 5 * first_rows[first_rows.size() / 2];
      }
      if (took > longest) {
        times = before;
        continue;
      }
      total += took;
      ++counted;
    }
    session_.set_times(nullptr);
    // The cost of reading the clock is subtracted. Of the two readings around a stage, one falls
    // into the stage.
    const double reading = TicksOfReading();
    const auto statements = static_cast<double>(counted);
    const double expressions = statements * checks_;
    const double whole =
        static_cast<double>(total) - reading * static_cast<double>(times.readings + counted);
    const auto spent = [&](std::uint64_t ticks, double stages) {
      return std::max(0.0, static_cast<double>(ticks) - reading * stages);
    };
    out.parse = spent(times.parse, expressions);
    out.copy = spent(times.copy, expressions);
    out.compile = spent(times.compile, expressions);
    out.evaluate = spent(times.evaluate, statements);
    // Of few rows the readings may come to more than the whole.
    const double stages = out.parse + out.copy + out.compile + out.evaluate;
    for (double* share : {&out.parse, &out.copy, &out.compile, &out.evaluate})
      *share = stages == 0 ? 0 : Rounded(*share / std::max(whole, stages));
    out.rest = std::max(0.0, 1 - out.parse - out.copy - out.compile - out.evaluate);
    return {};
  }

 private:
  Status Truncate() {
    for (const Oid child : job_.children()) {
      RELCACHE_ASSIGN(HeapTable* const table, session_.Table(child));
      table->Truncate();
    }
    return {};
  }

  Job& job_;
  const int checks_;
  SessionSettings settings_ = AssumeUtcAndMdy(CurrentTimestamp());
  RelationCache cache_;
  InsertSession session_;
};

/// What the tree takes when each node is allocated by itself, as malloc counts it (its header of 8
/// bytes included, multiples of 16 from 32 on).
std::size_t NodeByNodeBytes(std::string_view text) {
  const ContextPtr cx = AllocSet::CreateRoot("tree");
  const Result<Node*> tree = StringToNode(text, {}, *cx);
  std::size_t sum = 0;
  auto allocate = [&sum](std::size_t bytes) {
    sum += std::max<std::size_t>(32, (bytes + 8 + 15) / 16 * 16);
  };
  std::vector<const Node*> open;
  if (tree && *tree != nullptr) open.push_back(*tree);
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (const List* list = As<List>(node)) {
      allocate(sizeof(List) + list->size() * sizeof(List::Element));
      for (const Node* element : *list)
        if (element != nullptr) open.push_back(element);
      continue;
    }
    if (!IsStructNode(node->tag)) continue;
    if (const Const* constant = As<Const>(node); constant != nullptr && !constant->bytes().empty())
      allocate(constant->bytes().size());
    const NodeType& type = NodeTypeOf(node->tag);
    allocate(type.size);
    for (const NodeField& field : type.fields) {
      if (field.kind != FieldKind::kNode || !IsFieldWritten(field, *node, kDefaultPgVersion))
        continue;
      const Node* child = nullptr;
      std::memcpy(&child, reinterpret_cast<const char*>(node) + field.offset, sizeof child);
      if (child != nullptr) open.push_back(child);
    }
  }
  return sum;
}

}  // namespace

const PartitionInsertFigures* PartitionInsertReport::Find(CheckMode mode) const {
  const auto found = std::ranges::find(modes, mode, &PartitionInsertFigures::mode);
  return found == modes.end() ? nullptr : &*found;
}

std::optional<double> PartitionInsertReport::Gain(const PartitionInsertFigures& figures) const {
  const PartitionInsertFigures* reparse = Find(CheckMode::kReparse);
  if (reparse == nullptr) return {};
  return 1 - figures.ns_per_routed_row / reparse->ns_per_routed_row;
}

std::optional<double> PartitionInsertReport::GivenUp() const {
  const PartitionInsertFigures* copy = Find(CheckMode::kCopy);
  const PartitionInsertFigures* cached = Find(CheckMode::kCached);
  if (Find(CheckMode::kReparse) == nullptr || copy == nullptr || cached == nullptr) return {};
  const double gain = *Gain(*cached);
  return gain > 0 ? std::optional((gain - *Gain(*copy)) / gain) : std::nullopt;
}

Result<PartitionInsertReport> MeasurePartitionInsert(const PartitionInsertOptions& options,
                                                     CatalogSource& sample) {
  RELCACHE_ASSIGN(const std::unique_ptr<Job> job, Job::Make(options, sample));
  KeepFreedMemory();
  std::vector<std::unique_ptr<Run>> runs;
  PartitionInsertReport report;
  std::vector<PartitionInsertFigures>& figures = report.modes;
  for (const CheckMode mode : options.modes) {
    runs.push_back(std::make_unique<Run>(*job, mode, options.checks));
    figures.emplace_back().mode = mode;
  }
  for (std::size_t m = 0; m < runs.size(); ++m) {
    RELCACHE_ASSIGN(figures[m].before, runs[m]->MeasureEntry());
    RELCACHE_TRY(runs[m]->Routed(std::min<std::uint64_t>(options.rows, 1000)));
    RELCACHE_ASSIGN(figures[m].after, runs[m]->MeasureEntry());
  }
  for (int run = 0; run < kRuns; ++run) {
    for (std::size_t m = 0; m < runs.size(); ++m) {
      RELCACHE_ASSIGN(const double seconds, runs[m]->Routed(options.rows));
      figures[m].routed_seconds.push_back(seconds);
    }
  }
  for (int run = 0; run < kRuns; ++run) {
    for (std::size_t m = 0; m < runs.size(); ++m) {
      figures[m].direct_rows = 10 * options.rows;
      RELCACHE_ASSIGN(const double seconds, runs[m]->Direct(figures[m].direct_rows));
      figures[m].direct_seconds.push_back(seconds);
    }
  }
  for (std::size_t m = 0; m < runs.size(); ++m) {
    RELCACHE_TRY(runs[m]->Shares(options.rows, figures[m]));
    figures[m].ns_per_routed_row =
        1e9 *
        *std::min_element(figures[m].routed_seconds.begin(), figures[m].routed_seconds.end()) /
        static_cast<double>(options.rows);
  }
  report.tree_node_by_node_bytes = NodeByNodeBytes(job->check_text());
  return report;
}

}  // namespace relcache
