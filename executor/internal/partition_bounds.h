// The bounds of the partitions of one table in the form in which they are searched: sorted bounds
// for RANGE, sorted values for LIST, a table of remainders for HASH (partitioning/partbounds.c).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/nodes/parsenodes.h"
#include "relcache/types/datum.h"
#include "relcache/types/type_ops.h"

namespace relcache::internal {

/// How the values of one column of a partition key are ordered and hashed.
struct KeyOrder {
  /// Values that are passed by value and ordered as integers are compared without a call. Values of
  /// an enum are replaced by their position first.
  enum class Word : std::uint8_t { kNone, kInt2, kInt4, kInt8, kOid, kBool, kChar, kEnum };
  Word word = Word::kNone;
  /// For an enum: oid and position of each label, ordered by oid.
  std::vector<std::pair<Oid, std::int64_t>> labels;
  /// nullptr where the strategy does not need it.
  CompareFunction compare = nullptr;
  HashExtendedFunction hash = nullptr;

  std::int64_t WordOf(Datum value) const;
  int Compare(Datum a, Datum b) const;
};

/// A partition and what its bound says. `spec` must outlive the bounds.
struct BoundOfPartition {
  std::string_view name;
  const PartitionBoundSpec* spec = nullptr;
};

/// Something about the bounds that a person should know. An overlap cannot exist in a server.
struct BoundProblem {
  bool is_overlap = false;
  /// The partitions concerned: two that overlap, or those below and above a hole (-1: none).
  int first = -1, second = -1;
  /// For a hole in HASH: the modulus and the remainder that no partition has.
  int modulus = 0, remainder = 0;
};

class PartitionBounds {
 public:
  /// Errors: SQLSTATE XX000 for bounds that do not belong to the strategy or the key, and for
  /// bounds that overlap.
  static Result<PartitionBounds> Make(char strategy, std::span<const KeyOrder> keys,
                                      std::span<const BoundOfPartition> partitions);

  /// The partition for the values of the key, as an index into `partitions`, or -1.
  int Find(const NullableDatum* values) const;
  /// The same for a key of one column that is ordered as integers, for RANGE.
  bool is_range_of_words() const { return strategy_ == 'r' && words_only_; }
  int FindWord(std::int64_t word) const {
    // The number of bounds that are not above the word. Two comparisons cannot be predicted any
    // better than one; conditional moves need no prediction.
    const std::int64_t* at = words_.data();
    for (std::size_t n = words_.size(); n > 0;) {
      const std::size_t half = n / 2;
      const bool right = at[half] <= word;
      at = right ? at + half + 1 : at;
      n = right ? n - half - 1 : half;
    }
    return targets_[below_ + static_cast<std::size_t>(at - words_.data())];
  }
  int default_partition() const { return default_; }
  std::span<const KeyOrder> keys() const { return keys_; }
  std::span<const BoundProblem> holes() const { return holes_; }

 private:
  struct RangeValue {
    PartitionRangeDatumKind kind{};
    Datum value{};
  };
  /// One end of a partition: as many values as the key has columns, from `values_` on.
  struct RangeBound {
    std::size_t values = 0;
    int partition = -1;
    bool lower = false;
  };
  struct ListValue {
    Datum value{};
    std::int64_t word = 0;
    int partition = -1;
  };

  Status AddRange(const BoundOfPartition& partition, int index);
  Status AddRangeEnd(const List* datums, int index, bool lower);
  Status AddList(const BoundOfPartition& partition, int index);
  Status FinishRange(std::span<const BoundOfPartition> partitions);
  Status FinishList(std::span<const BoundOfPartition> partitions);
  Status MakeHash(std::span<const BoundOfPartition> partitions);
  int CompareBounds(const RangeBound& a, const RangeBound& b) const;
  int CompareWithKey(std::size_t values, const NullableDatum* key) const;
  int FindRange(const NullableDatum* values) const;
  int FindList(const NullableDatum& value) const;
  int FindHash(const NullableDatum* values) const;

  char strategy_ = 'r';
  std::vector<KeyOrder> keys_;
  int default_ = -1;
  int null_partition_ = -1;
  std::vector<BoundProblem> holes_;

  /// RANGE: the distinct bounds in ascending order, and the partition below each of them and above
  /// the last; -1 or the default where there is none.
  std::vector<RangeValue> values_;
  std::vector<RangeBound> bounds_;
  std::vector<int> targets_;
  /// RANGE over one column of words: the finite bounds, of which `below_` infinite ones lie below.
  bool words_only_ = false;
  std::vector<std::int64_t> words_;
  std::size_t below_ = 0;

  std::vector<ListValue> list_;

  /// HASH: the partition of each remainder of the greatest modulus, if that is of a size to be kept
  /// in a table; else the bounds one by one.
  std::vector<int> remainders_;
  struct HashBound {
    std::uint64_t modulus = 0, remainder = 0;
    int partition = -1;
  };
  std::vector<HashBound> hash_bounds_;
};

}  // namespace relcache::internal
