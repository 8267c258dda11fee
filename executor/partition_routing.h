// Finds the partition that a row of a partitioned table belongs to, and verifies rows that are
// inserted into a partition directly (PostgreSQL's execPartition.c and partbounds.c).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "relcache/base/result.h"
#include "relcache/cache/relation_cache.h"
#include "relcache/cache/relation_descriptor.h"
#include "relcache/executor/batch/column_batch.h"
#include "relcache/executor/expressions/evaluate.h"

namespace relcache {

/// A gap between the partitions of a table: keys that no partition takes.
struct PartitionHole {
  /// The partitioned table, "schema.table".
  std::string table;
  /// "no partition between "p1" and "p2"", "no partition for modulus 4, remainder 3".
  std::string text;
};

/// The ways from a partitioned table to its leaves, the partitions that store rows.
///
/// Rows are those of the table that was given, with a value for each of its columns, generated
/// columns included; everything below it is found by name, so partitions may have their columns in
/// another order. Partitions that are being detached are left out, as in a new transaction. The
/// partition key may contain expressions; their values, and those of the columns, are compared and
/// hashed exactly as by PostgreSQL's default operator classes.
///
/// Lifetime: it holds pins on the table and on all partitions; the cache must outlive it. It
/// describes the state at which it was made: make a new one when it is stale().
/// Thread safety: const; any number of threads may route at once, each with a Scratch of its own.
class PartitionRouter {
 public:
  /// Opens the table and all that is below it.
  /// Errors: those of opening; SQLSTATE 42809 `"t" is not a partitioned table`; kNotSupported for a
  /// key whose type, operator class, collation or expression is not supported; SQLSTATE 42P17
  /// `partition "a" would overlap partition "b"`; XX000 for bounds that contradict the key; 42804
  /// for a partition whose columns do not match.
  static Result<std::unique_ptr<PartitionRouter>> Make(RelationCache& cache, Oid table);
  PartitionRouter(const PartitionRouter&) = delete;
  PartitionRouter& operator=(const PartitionRouter&) = delete;
  ~PartitionRouter();

  struct Leaf {
    const RelationDescriptor* relation = nullptr;
    /// For each column of the leaf, the number of the column in the routed row; 0 for a dropped
    /// one. Empty if the rows have the same columns in the same places.
    std::span<const AttrNumber> columns;
  };
  std::span<const Leaf> leaves() const;
  const RelationDescriptor& table() const;
  /// The gaps between partitions: keys between the ranges of two partitions, and remainders of a
  /// hash for which there is no partition. Not reported are keys below the first and above the last
  /// range, values that occur in no list, and, of a table with a default partition, anything.
  /// Lifetime: the router's, as of all that its members return.
  std::span<const PartitionHole> holes() const;
  /// Whether the table or a partition has changed since.
  bool stale() const;

  /// The leaf of a row, as an index into leaves().
  /// Cost: a binary search for each level. No allocation, except by expressions in keys.
  /// Errors: SQLSTATE 23514 `no partition of relation "t" found for row` with the detail "Partition
  /// key of the failing row contains (a) = (1)."; those of expressions.
  Result<std::size_t> Route(DatumRow row, Scratch& scratch) const;

  /// What RouteBatch says of a row that goes nowhere; Route has the error.
  static constexpr std::int32_t kNotRouted = -1;
  /// The leaves of all rows of a batch; `leaves` must have at least batch.rows elements.
  void RouteBatch(const ColumnBatch& batch, Scratch& scratch, std::span<std::int32_t> leaves) const;

 private:
  struct Impl;
  explicit PartitionRouter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Puts the values of a routed row into the places that they have in a leaf. `out` must have
/// exactly one element for each column of the leaf; this is not checked. Values that are passed by
/// reference are not copied: the result refers to the memory of the row.
void ConvertToLeaf(const PartitionRouter::Leaf& leaf, DatumRow row, std::span<NullableDatum> out);

/// The constraint that the bounds of a partition and of the partitions above it imply. PostgreSQL
/// verifies it for rows that are inserted into the partition directly.
/// Lifetime, thread safety: as PartitionRouter.
class PartitionConstraint {
 public:
  /// Opens the partition and, for each level above it, the table and all its partitions.
  /// Errors: as PartitionRouter::Make; SQLSTATE 42809 if the relation is not a partition.
  static Result<std::unique_ptr<PartitionConstraint>> Make(RelationCache& cache, Oid partition);
  PartitionConstraint(const PartitionConstraint&) = delete;
  PartitionConstraint& operator=(const PartitionConstraint&) = delete;
  ~PartitionConstraint();

  const RelationDescriptor& partition() const;
  bool stale() const;
  /// Whether the row belongs into the partition.
  /// Errors: those of expressions.
  Result<bool> Holds(DatumRow row, Scratch& scratch) const;

 private:
  struct Impl;
  explicit PartitionConstraint(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace relcache
