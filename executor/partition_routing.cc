#include "relcache/executor/partition_routing.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "relcache/base/internal/format.h"
#include "relcache/executor/internal/partition_bounds.h"
#include "relcache/executor/internal/partition_key.h"
#include "relcache/nodes/tree_image.h"

namespace relcache {
namespace {

using internal::BoundOfPartition;
using internal::BoundProblem;
using internal::KeyOrder;
using internal::KeyPart;
using internal::PartitionBounds;
using internal::PartitionKey;

/// PostgreSQL's limit on the columns of a key (PARTITION_MAX_KEYS).
constexpr std::size_t kMaxKeyColumns = 32;
/// How deep partitions may be nested, which guards against a catalog that contains a circle.
constexpr int kMaxLevels = 100;

/// One partitioned table: its key over the rows that are routed, and the bounds of its partitions.
struct Level {
  const RelationDescriptor* table = nullptr;
  PartitionKey key;
  PartitionBounds bounds;
  /// What a partition is: a leaf, or another level.
  struct Target {
    bool is_leaf = true;
    std::size_t index = 0;
  };
  std::vector<Target> targets;
};

Error NotPartitioned(const RelationDescriptor& relation) {
  return {ErrorCode::kInvalidInput, "42809",
          Format("\"{}\" is not a partitioned table", relation.name())};
}

/// The bounds of partitions, in the order of the pins.
Result<PartitionBounds> BoundsOf(const PartitionKey& key, std::span<const RelationPin> partitions) {
  std::vector<BoundOfPartition> bounds;
  for (const RelationPin& partition : partitions) {
    const PartitionBoundSpec* spec = nullptr;
    if (partition->partition_bound() != nullptr) {
      RELCACHE_ASSIGN(const TreeImage* image, partition->partition_bound()->Get());
      spec = As<PartitionBoundSpec>(image->root());
    }
    if (spec == nullptr)
      return Fail(ErrorCode::kInvalidInput, "XX000",
                  Format("missing or invalid relpartbound of relation \"{}\"", partition->name()));
    bounds.push_back({partition->name(), spec});
  }
  return PartitionBounds::Make(key.strategy, key.orders, bounds);
}

/// Opens the partitions of a table.
Result<std::vector<RelationPin>> OpenPartitions(RelationCache& cache,
                                                const RelationDescriptor& table) {
  std::vector<Oid> oids;
  for (const InheritsRow& child : table.children())
    if (!child.inhdetachpending) oids.push_back(child.inhrelid);
  RELCACHE_TRY(cache.Warm(oids));
  std::vector<RelationPin> out;
  for (const Oid oid : oids) {
    RELCACHE_ASSIGN(RelationPin pin, cache.Open(oid));
    out.push_back(std::move(pin));
  }
  return out;
}

/// The values of the key of a row.
Status KeyOf(const Level& level, DatumRow row, Scratch& scratch, NullableDatum* values) {
  for (std::size_t i = 0; i < level.key.parts.size(); ++i) {
    const KeyPart& part = level.key.parts[i];
    if (part.program == nullptr) {
      values[i] = row[part.column];
    } else {
      RELCACHE_ASSIGN(values[i], Evaluate(*part.program, row, scratch));
    }
  }
  return {};
}

Error NoPartition(const Level& level, const NullableDatum* values, const Scratch& scratch) {
  Error error(ErrorCode::kViolation, "23514",
              Format("no partition of relation \"{}\" found for row", level.table->name()));
  if (const auto key = internal::DescribeKey(level.key, values, scratch.settings(),
                                             level.table->source(), scratch.cx()))
    error.detail = "Partition key of the failing row contains " + *key + ".";
  return error;
}

}  // namespace

// ---- PartitionRouter

struct PartitionRouter::Impl {
  ContextPtr cx = AllocSet::CreateRoot("partition routing");
  RelationPin root;
  std::vector<RelationPin> pins;
  std::vector<Level> levels;
  std::vector<Leaf> leaves;
  std::vector<PartitionHole> holes;

  Status AddLevel(RelationCache& cache, const RelationDescriptor& table, int depth);
  Status AddLeaf(const RelationDescriptor& relation);
  void AddHoles(const Level& level, std::span<const std::string_view> names);
  /// From a level on; the row is that of the root.
  Result<std::size_t> RouteFrom(std::size_t level, DatumRow row, Scratch& scratch) const;
  template <class T>
  void RouteWords(const BatchColumn& column, std::size_t rows, std::span<std::int32_t> out) const;
};

Status PartitionRouter::Impl::AddLevel(RelationCache& cache, const RelationDescriptor& table,
                                       int depth) {
  if (table.partitioned_table() == nullptr) return Fail(NotPartitioned(table));
  if (depth > kMaxLevels)
    return Fail(ErrorCode::kLimit, "54001",
                Format("partitions of relation \"{}\" are nested too deeply", table.name()));
  const std::size_t index = levels.size();
  levels.emplace_back();
  Level level;
  level.table = &table;
  RELCACHE_ASSIGN(const std::vector<AttrNumber> map, internal::MapColumnsByName(table, *root));
  SourceObjects objects(table.source(), *cx);
  RELCACHE_ASSIGN(level.key, internal::MakePartitionKey(table, *root, map, objects, *cx));
  if (level.key.parts.size() > kMaxKeyColumns)
    return Fail(ErrorCode::kInvalidInput, "XX000",
                Format("partition key of relation \"{}\": too many columns", table.name()));
  RELCACHE_ASSIGN(std::vector<RelationPin> partitions, OpenPartitions(cache, table));
  RELCACHE_ASSIGN(level.bounds, BoundsOf(level.key, partitions));
  std::vector<std::string_view> names;
  for (RelationPin& pin : partitions) {
    const RelationDescriptor& partition = *pins.emplace_back(std::move(pin));
    names.push_back(partition.name());
    if (partition.relkind() == 'p') {
      level.targets.push_back({false, levels.size()});
      RELCACHE_TRY(AddLevel(cache, partition, depth + 1));
    } else {
      level.targets.push_back({true, leaves.size()});
      RELCACHE_TRY(AddLeaf(partition));
    }
  }
  AddHoles(level, names);
  levels[index] = std::move(level);
  return {};
}

Status PartitionRouter::Impl::AddLeaf(const RelationDescriptor& relation) {
  RELCACHE_ASSIGN(const std::vector<AttrNumber> map, internal::MapColumnsByName(relation, *root));
  bool same = map.size() == root->attributes().size();
  for (std::size_t i = 0; same && i < map.size(); ++i)
    same = map[i] == static_cast<AttrNumber>(i + 1) ||
           (map[i] == 0 && root->attributes()[i].attisdropped);
  Leaf leaf{&relation, {}};
  if (!same) {
    const std::span<AttrNumber> kept = cx->NewArray<AttrNumber>(map.size());
    std::ranges::copy(map, kept.begin());
    leaf.columns = kept;
  }
  leaves.push_back(leaf);
  return {};
}

void PartitionRouter::Impl::AddHoles(const Level& level, std::span<const std::string_view> names) {
  const std::string table = Format("{}.{}", level.table->schema(), level.table->name());
  for (const BoundProblem& hole : level.bounds.holes()) {
    std::string text = hole.modulus > 0 ? Format("no partition for modulus {}, remainder {}",
                                                 hole.modulus, hole.remainder)
                                        : Format("no partition between \"{}\" and \"{}\"",
                                                 names[static_cast<std::size_t>(hole.first)],
                                                 names[static_cast<std::size_t>(hole.second)]);
    holes.push_back({table, std::move(text)});
  }
}

PartitionRouter::PartitionRouter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PartitionRouter::~PartitionRouter() = default;

Result<std::unique_ptr<PartitionRouter>> PartitionRouter::Make(RelationCache& cache, Oid table) {
  auto impl = std::make_unique<Impl>();
  RELCACHE_ASSIGN(impl->root, cache.Open(table));
  RELCACHE_TRY(impl->AddLevel(cache, *impl->root, 0));
  return std::unique_ptr<PartitionRouter>(new PartitionRouter(std::move(impl)));
}

std::span<const PartitionRouter::Leaf> PartitionRouter::leaves() const {
  return impl_->leaves;
}
const RelationDescriptor& PartitionRouter::table() const {
  return *impl_->root;
}
std::span<const PartitionHole> PartitionRouter::holes() const {
  return impl_->holes;
}
bool PartitionRouter::stale() const {
  return impl_->root.stale() || std::ranges::any_of(impl_->pins, &RelationPin::stale);
}

Result<std::size_t> PartitionRouter::Impl::RouteFrom(std::size_t level, DatumRow row,
                                                     Scratch& scratch) const {
  NullableDatum values[kMaxKeyColumns];
  for (;;) {
    const Level& at = levels[level];
    RELCACHE_TRY(KeyOf(at, row, scratch, values));
    const int partition = at.bounds.Find(values);
    if (partition < 0) return Fail(NoPartition(at, values, scratch));
    const Level::Target& target = at.targets[static_cast<std::size_t>(partition)];
    if (target.is_leaf) return target.index;
    level = target.index;
  }
}

Result<std::size_t> PartitionRouter::Route(DatumRow row, Scratch& scratch) const {
  return impl_->RouteFrom(0, row, scratch);
}

/// The partitions of the root, for a key of one column that is ordered as integers.
template <class T>
void PartitionRouter::Impl::RouteWords(const BatchColumn& column, std::size_t rows,
                                       std::span<std::int32_t> out) const {
  const PartitionBounds& bounds = levels[0].bounds;
  const T* values = column.data<T>();
  for (std::size_t row = 0; row < rows; ++row)
    out[row] = bounds.FindWord(static_cast<std::int64_t>(values[row]));
  if (column.nulls == nullptr) return;
  for (std::size_t row = 0; row < rows; ++row)
    if (column.nulls[row] != 0) out[row] = bounds.default_partition();
}

namespace {

/// Rows of a batch one by one, each made when it is first asked for.
class RowsOfBatch {
 public:
  explicit RowsOfBatch(const ColumnBatch& batch) : batch_(batch) {}
  DatumRow Row(std::size_t row) {
    if (made_ != row + 1) {
      row_.resize(batch_.columns.size());
      for (std::size_t i = 0; i < row_.size(); ++i) row_[i] = batch_.columns[i].Get(row);
      made_ = row + 1;
    }
    return row_;
  }

 private:
  const ColumnBatch& batch_;
  std::vector<NullableDatum> row_;
  std::size_t made_ = 0;
};

/// The partitions of a level for the rows of a slice; kFailed where an expression failed.
constexpr std::int32_t kFailed = -2;
void FindInSlice(const Level& level, const ColumnBatch& batch, std::size_t first, std::size_t rows,
                 Scratch& scratch, std::span<std::int32_t> out) {
  const std::size_t parts = level.key.parts.size();
  std::vector<NullableDatum> values(rows * parts);
  std::vector<std::uint8_t> failed(rows);
  for (std::size_t i = 0; i < parts; ++i) {
    const KeyPart& part = level.key.parts[i];
    if (part.program == nullptr) {
      const BatchColumn& column = batch.columns[part.column];
      for (std::size_t row = 0; row < rows; ++row)
        values[row * parts + i] = column.Get(first + row);
      continue;
    }
    const BatchResult result = EvaluateSlice(*part.program, batch, first, rows, scratch);
    for (const std::uint16_t row : result.failed) failed[row] = 1;
    for (std::size_t row = 0; row < rows; ++row)
      if (failed[row] == 0) values[row * parts + i] = result.column.Get(row);
  }
  for (std::size_t row = 0; row < rows; ++row)
    out[row] = failed[row] != 0 ? kFailed : level.bounds.Find(values.data() + row * parts);
}

}  // namespace

void PartitionRouter::RouteBatch(const ColumnBatch& batch, Scratch& scratch,
                                 std::span<std::int32_t> leaves) const {
  RELCACHE_CHECK_LE(batch.rows, leaves.size());
  const Level& root = impl_->levels[0];
  const KeyPart& first = root.key.parts[0];
  if (root.bounds.is_range_of_words() && first.program == nullptr &&
      root.bounds.keys()[0].word != KeyOrder::Word::kEnum) {
    const BatchColumn& column = batch.columns[first.column];
    if (column.form == ColumnForm::kInt4) {
      impl_->RouteWords<std::int32_t>(column, batch.rows, leaves);
    } else if (column.form == ColumnForm::kInt8) {
      impl_->RouteWords<std::int64_t>(column, batch.rows, leaves);
    } else {
      for (std::size_t row = 0; row < batch.rows; ++row) {
        const NullableDatum value = column.Get(row);
        leaves[row] = root.bounds.Find(&value);
      }
    }
  } else {
    for (std::size_t row = 0; row < batch.rows; row += Scratch::kSliceRows) {
      const std::size_t rows = std::min(Scratch::kSliceRows, batch.rows - row);
      FindInSlice(root, batch, row, rows, scratch, leaves.subspan(row, rows));
    }
  }
  RowsOfBatch rows(batch);
  for (std::size_t row = 0; row < batch.rows; ++row) {
    if (leaves[row] < 0) {
      leaves[row] = kNotRouted;
      continue;
    }
    const Level::Target& target = root.targets[static_cast<std::size_t>(leaves[row])];
    if (target.is_leaf) {
      leaves[row] = static_cast<std::int32_t>(target.index);
      continue;
    }
    const Result<std::size_t> leaf = impl_->RouteFrom(target.index, rows.Row(row), scratch);
    leaves[row] = leaf ? static_cast<std::int32_t>(*leaf) : kNotRouted;
  }
}

void ConvertToLeaf(const PartitionRouter::Leaf& leaf, DatumRow row, std::span<NullableDatum> out) {
  if (leaf.columns.empty()) {
    std::ranges::copy(row.first(out.size()), out.begin());
    return;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const AttrNumber from = leaf.columns[i];
    out[i] = from == 0 ? NullableDatum{} : row[static_cast<std::size_t>(from) - 1];
  }
}

// ---- PartitionConstraint

struct PartitionConstraint::Impl {
  ContextPtr cx = AllocSet::CreateRoot("partition constraint");
  RelationPin partition;
  std::vector<RelationPin> pins;
  /// From the topmost table down, with the partition that the row must go to.
  struct Step {
    Level level;
    int partition = -1;
  };
  std::vector<Step> steps;

  Status AddStep(RelationCache& cache, const RelationDescriptor& child);
};

Status PartitionConstraint::Impl::AddStep(RelationCache& cache, const RelationDescriptor& child) {
  RELCACHE_ASSIGN(RelationPin parent, cache.Open(child.parents()[0].inhparent));
  const RelationDescriptor& table = *pins.emplace_back(std::move(parent));
  if (table.partitioned_table() == nullptr) return Fail(NotPartitioned(table));
  Step step;
  step.level.table = &table;
  RELCACHE_ASSIGN(const std::vector<AttrNumber> map, internal::MapColumnsByName(table, *partition));
  SourceObjects objects(table.source(), *cx);
  RELCACHE_ASSIGN(step.level.key, internal::MakePartitionKey(table, *partition, map, objects, *cx));
  if (step.level.key.parts.size() > kMaxKeyColumns)
    return Fail(ErrorCode::kInvalidInput, "XX000",
                Format("partition key of relation \"{}\": too many columns", table.name()));
  RELCACHE_ASSIGN(std::vector<RelationPin> partitions, OpenPartitions(cache, table));
  RELCACHE_ASSIGN(step.level.bounds, BoundsOf(step.level.key, partitions));
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    if (partitions[i]->oid() == child.oid()) step.partition = static_cast<int>(i);
    pins.push_back(std::move(partitions[i]));
  }
  steps.insert(steps.begin(), std::move(step));
  return {};
}

PartitionConstraint::PartitionConstraint(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PartitionConstraint::~PartitionConstraint() = default;

Result<std::unique_ptr<PartitionConstraint>> PartitionConstraint::Make(RelationCache& cache,
                                                                       Oid partition) {
  auto impl = std::make_unique<Impl>();
  RELCACHE_ASSIGN(impl->partition, cache.Open(partition));
  const RelationDescriptor* at = &*impl->partition;
  if (!at->pg_class().relispartition || at->parents().empty())
    return Fail(ErrorCode::kInvalidInput, "42809", Format("\"{}\" is not a partition", at->name()));
  for (int depth = 0; at->pg_class().relispartition && !at->parents().empty(); ++depth) {
    if (depth > kMaxLevels)
      return Fail(ErrorCode::kLimit, "54001",
                  Format("partition \"{}\" is nested too deeply", impl->partition->name()));
    // The pin of the parent comes first among those that the step adds.
    const std::size_t parent = impl->pins.size();
    RELCACHE_TRY(impl->AddStep(cache, *at));
    at = &*impl->pins[parent];
  }
  return std::unique_ptr<PartitionConstraint>(new PartitionConstraint(std::move(impl)));
}

const RelationDescriptor& PartitionConstraint::partition() const {
  return *impl_->partition;
}
bool PartitionConstraint::stale() const {
  return impl_->partition.stale() || std::ranges::any_of(impl_->pins, &RelationPin::stale);
}

Result<bool> PartitionConstraint::Holds(DatumRow row, Scratch& scratch) const {
  NullableDatum values[kMaxKeyColumns];
  for (const Impl::Step& step : impl_->steps) {
    RELCACHE_TRY(KeyOf(step.level, row, scratch, values));
    if (step.level.bounds.Find(values) != step.partition) return false;
  }
  return true;
}

}  // namespace relcache
