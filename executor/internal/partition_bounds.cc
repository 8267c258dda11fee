#include "relcache/executor/internal/partition_bounds.h"

#include <algorithm>

#include "relcache/base/internal/format.h"
#include "relcache/nodes/primnodes.h"
#include "relcache/types/internal/hash.h"

namespace relcache::internal {
namespace {

/// The seed of hash functions in partition keys (partition.h).
constexpr std::uint64_t kHashPartitionSeed = 0x7A5B22367996DCFD;
/// The greatest modulus for which a table of all remainders is kept.
constexpr std::uint64_t kGreatestTable = 1 << 16;

Error Malformed(std::string_view partition, std::string_view what) {
  return {ErrorCode::kInvalidInput, "XX000",
          Format("invalid bound of partition \"{}\": {}", partition, what)};
}

Error Overlap(std::string_view a, std::string_view b) {
  return {ErrorCode::kInvalidInput, "42P17",
          Format("partition \"{}\" would overlap partition \"{}\"", a, b)};
}

}  // namespace

std::int64_t KeyOrder::WordOf(Datum value) const {
  switch (word) {
    case Word::kInt2:
      return DatumGetInt16(value);
    case Word::kInt4:
      return DatumGetInt32(value);
    case Word::kOid:
      return DatumGetObjectId(value);
    case Word::kBool:
      return DatumGetBool(value) ? 1 : 0;
    case Word::kChar:
      return static_cast<unsigned char>(DatumGetChar(value));
    case Word::kEnum: {
      const auto label = std::ranges::lower_bound(labels, DatumGetObjectId(value), {},
                                                  &std::pair<Oid, std::int64_t>::first);
      return label != labels.end() ? label->second : -1;
    }
    default:
      return DatumGetInt64(value);
  }
}

int KeyOrder::Compare(Datum a, Datum b) const {
  if (word == Word::kNone) return compare(a, b);
  const std::int64_t x = WordOf(a), y = WordOf(b);
  return int{x > y} - int{x < y};
}

Result<PartitionBounds> PartitionBounds::Make(char strategy, std::span<const KeyOrder> keys,
                                              std::span<const BoundOfPartition> partitions) {
  PartitionBounds out;
  out.strategy_ = strategy;
  out.keys_.assign(keys.begin(), keys.end());
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    const BoundOfPartition& partition = partitions[i];
    const auto index = static_cast<int>(i);
    if (partition.spec->strategy != strategy)
      return Fail(Malformed(partition.name, "it belongs to another strategy"));
    if (partition.spec->is_default) {
      if (strategy == 'h') return Fail(Malformed(partition.name, "a default partition of HASH"));
      if (out.default_ >= 0)
        return Fail(
            Overlap(partitions[static_cast<std::size_t>(out.default_)].name, partition.name));
      out.default_ = index;
    } else if (strategy == 'r') {
      RELCACHE_TRY(out.AddRange(partition, index));
    } else if (strategy == 'l') {
      RELCACHE_TRY(out.AddList(partition, index));
    }
  }
  if (strategy == 'r') {
    RELCACHE_TRY(out.FinishRange(partitions));
  } else if (strategy == 'l') {
    RELCACHE_TRY(out.FinishList(partitions));
  } else {
    RELCACHE_TRY(out.MakeHash(partitions));
  }
  return out;
}

int PartitionBounds::Find(const NullableDatum* values) const {
  switch (strategy_) {
    case 'r':
      return FindRange(values);
    case 'l':
      return FindList(values[0]);
    default:
      return FindHash(values);
  }
}

// ---- RANGE

Status PartitionBounds::AddRange(const BoundOfPartition& partition, int index) {
  for (const bool lower : {true, false}) {
    const Status added = AddRangeEnd(
        lower ? partition.spec->lowerdatums : partition.spec->upperdatums, index, lower);
    if (!added) return Fail(Malformed(partition.name, added.error().message));
  }
  return {};
}

Status PartitionBounds::AddRangeEnd(const List* datums, int index, bool lower) {
  if (datums == nullptr || datums->size() != keys_.size())
    return Fail(ErrorCode::kInvalidInput, "XX000", "not a value for each column of the key");
  bounds_.push_back({values_.size(), index, lower});
  for (std::size_t i = 0; i < datums->size(); ++i) {
    const auto* datum = As<PartitionRangeDatum>((*datums)[i]);
    if (datum == nullptr) return Fail(ErrorCode::kInvalidInput, "XX000", "not a range datum");
    RangeValue value{datum->kind, {}};
    if (datum->kind == PartitionRangeDatumKind::kValue) {
      const auto* constant = As<Const>(datum->value);
      if (constant == nullptr || constant->constisnull)
        return Fail(ErrorCode::kInvalidInput, "XX000", "a value that is not a constant");
      value.value = constant->constvalue;
    }
    values_.push_back(value);
  }
  return {};
}

/// The order of partition_rbound_cmp: what follows an infinite value has no meaning, and of two
/// equal bounds the upper one of the partition below comes first.
int PartitionBounds::CompareBounds(const RangeBound& a, const RangeBound& b) const {
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const RangeValue& x = values_[a.values + i];
    const RangeValue& y = values_[b.values + i];
    if (x.kind != y.kind) return x.kind < y.kind ? -1 : 1;
    if (x.kind != PartitionRangeDatumKind::kValue) return 0;
    if (const int order = keys_[i].Compare(x.value, y.value); order != 0) return order;
  }
  return 0;
}

Status PartitionBounds::FinishRange(std::span<const BoundOfPartition> partitions) {
  const auto before = [this](const RangeBound& a, const RangeBound& b) {
    const int order = CompareBounds(a, b);
    return order != 0 ? order < 0 : !a.lower && b.lower;
  };
  const auto name = [&](const RangeBound& bound) {
    return partitions[static_cast<std::size_t>(bound.partition)].name;
  };
  for (std::size_t i = 0; i + 1 < bounds_.size(); i += 2)
    if (CompareBounds(bounds_[i], bounds_[i + 1]) >= 0)
      return Fail(Malformed(name(bounds_[i]), "empty range bound specified"));
  std::ranges::stable_sort(bounds_, before);
  // Lower and upper bounds of partitions that do not overlap take turns.
  std::vector<RangeBound> distinct;
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    const RangeBound& bound = bounds_[i];
    if (bound.lower != (i % 2 == 0) ||
        (!bound.lower && bounds_[i - 1].partition != bound.partition))
      return Fail(Overlap(name(bounds_[i - 1]), name(bound)));
    const bool meets =
        bound.lower && !distinct.empty() && CompareBounds(distinct.back(), bound) == 0;
    if (meets) continue;
    if (bound.lower && !distinct.empty())
      holes_.push_back({false, distinct.back().partition, bound.partition});
    distinct.push_back(bound);
  }
  bounds_ = std::move(distinct);
  for (const RangeBound& bound : bounds_)
    targets_.push_back(bound.lower ? default_ : bound.partition);
  targets_.push_back(default_);
  if (default_ >= 0) holes_.clear();
  words_only_ = keys_.size() == 1 && keys_[0].word != KeyOrder::Word::kNone;
  if (!words_only_) return {};
  for (const RangeBound& bound : bounds_) {
    const RangeValue& value = values_[bound.values];
    below_ += value.kind == PartitionRangeDatumKind::kMinValue ? 1 : 0;
    if (value.kind == PartitionRangeDatumKind::kValue)
      words_.push_back(keys_[0].WordOf(value.value));
  }
  return {};
}

/// The order of a bound and the values of a key (partition_rbound_datum_cmp).
int PartitionBounds::CompareWithKey(std::size_t values, const NullableDatum* key) const {
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const RangeValue& bound = values_[values + i];
    if (bound.kind == PartitionRangeDatumKind::kMinValue) return -1;
    if (bound.kind == PartitionRangeDatumKind::kMaxValue) return 1;
    if (const int order = keys_[i].Compare(bound.value, key[i].value); order != 0) return order;
  }
  return 0;
}

int PartitionBounds::FindRange(const NullableDatum* values) const {
  for (std::size_t i = 0; i < keys_.size(); ++i)
    if (values[i].isnull) return default_;
  if (words_only_) return FindWord(keys_[0].WordOf(values[0].value));
  std::size_t low = 0, high = bounds_.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (CompareWithKey(bounds_[middle].values, values) <= 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return targets_[low];
}

// ---- LIST

Status PartitionBounds::AddList(const BoundOfPartition& partition, int index) {
  if (keys_.size() != 1 || partition.spec->listdatums == nullptr)
    return Fail(Malformed(partition.name, "not a list of values"));
  const List& datums = *partition.spec->listdatums;
  for (std::size_t i = 0; i < datums.size(); ++i) {
    const auto* constant = As<Const>(datums[i]);
    if (constant == nullptr)
      return Fail(Malformed(partition.name, "a value that is not a constant"));
    if (!constant->constisnull) {
      const bool is_word = keys_[0].word != KeyOrder::Word::kNone;
      list_.push_back(
          {constant->constvalue, is_word ? keys_[0].WordOf(constant->constvalue) : 0, index});
    } else if (null_partition_ >= 0 && null_partition_ != index) {
      return Fail(Malformed(partition.name, "another partition takes NULL, too"));
    } else {
      null_partition_ = index;
    }
  }
  return {};
}

Status PartitionBounds::FinishList(std::span<const BoundOfPartition> partitions) {
  const KeyOrder& key = keys_[0];
  std::ranges::stable_sort(list_, [&](const ListValue& a, const ListValue& b) {
    return key.Compare(a.value, b.value) < 0;
  });
  for (std::size_t i = 1; i < list_.size(); ++i)
    if (key.Compare(list_[i - 1].value, list_[i].value) == 0 &&
        list_[i - 1].partition != list_[i].partition)
      return Fail(Overlap(partitions[static_cast<std::size_t>(list_[i - 1].partition)].name,
                          partitions[static_cast<std::size_t>(list_[i].partition)].name));
  return {};
}

int PartitionBounds::FindList(const NullableDatum& value) const {
  if (value.isnull) return null_partition_ >= 0 ? null_partition_ : default_;
  const KeyOrder& key = keys_[0];
  const bool is_word = key.word != KeyOrder::Word::kNone;
  const std::int64_t word = is_word ? key.WordOf(value.value) : 0;
  std::size_t low = 0, high = list_.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const ListValue& at = list_[middle];
    const int order =
        is_word ? int{at.word > word} - int{at.word < word} : key.compare(at.value, value.value);
    if (order == 0) return at.partition;
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return default_;
}

// ---- HASH

Status PartitionBounds::MakeHash(std::span<const BoundOfPartition> partitions) {
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    const PartitionBoundSpec& spec = *partitions[i].spec;
    if (spec.modulus <= 0 || spec.remainder < 0 || spec.remainder >= spec.modulus)
      return Fail(Malformed(partitions[i].name, "modulus or remainder"));
    hash_bounds_.push_back({static_cast<std::uint64_t>(spec.modulus),
                            static_cast<std::uint64_t>(spec.remainder), static_cast<int>(i)});
  }
  if (hash_bounds_.empty()) return {};
  std::ranges::stable_sort(hash_bounds_, [](const HashBound& a, const HashBound& b) {
    return a.modulus != b.modulus ? a.modulus < b.modulus : a.remainder < b.remainder;
  });
  for (std::size_t i = 0; i < hash_bounds_.size(); ++i) {
    const HashBound& b = hash_bounds_[i];
    for (std::size_t j = 0; j < i; ++j) {
      const HashBound& a = hash_bounds_[j];
      if (b.modulus % a.modulus != 0)
        return Fail(Malformed(partitions[static_cast<std::size_t>(b.partition)].name,
                              "every hash partition modulus must be a factor of the next larger "
                              "modulus"));
      if (b.remainder % a.modulus == a.remainder)
        return Fail(Overlap(partitions[static_cast<std::size_t>(a.partition)].name,
                            partitions[static_cast<std::size_t>(b.partition)].name));
    }
  }
  const std::uint64_t greatest = hash_bounds_.back().modulus;
  if (greatest > kGreatestTable) return {};
  remainders_.assign(greatest, -1);
  for (const HashBound& bound : hash_bounds_)
    for (std::uint64_t r = bound.remainder; r < greatest; r += bound.modulus)
      remainders_[r] = bound.partition;
  for (std::size_t r = 0; r < remainders_.size(); ++r)
    if (remainders_[r] < 0)
      holes_.push_back({false, -1, -1, static_cast<int>(greatest), static_cast<int>(r)});
  return {};
}

int PartitionBounds::FindHash(const NullableDatum* values) const {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < keys_.size(); ++i)
    if (!values[i].isnull)
      hash = HashCombine64(hash, keys_[i].hash(values[i].value, kHashPartitionSeed));
  if (!remainders_.empty()) return remainders_[hash % remainders_.size()];
  for (const HashBound& bound : hash_bounds_)
    if (hash % bound.modulus == bound.remainder) return bound.partition;
  return -1;
}

}  // namespace relcache::internal
