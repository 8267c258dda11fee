// What a pin gives: everything the catalogs say about one relation, as of one moment (PostgreSQL's
// RelationData with its TupleDesc, triggers, rules, partition key ...).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "relcache/cache/dependencies.h"
#include "relcache/cache/derived.h"
#include "relcache/cache/expression_slot.h"
#include "relcache/catalog/rows.h"

namespace relcache {

/// A CHECK constraint (PostgreSQL's ConstrCheck, whose ccbin is text() here).
class CheckConstraint {
 public:
  std::string_view name() const noexcept { return row_->conname; }
  std::string_view text() const noexcept { return row_->conbin; }
  const ConstraintRow& row() const noexcept { return *row_; }
  const ExpressionSlot& expression() const noexcept { return *expression_; }

 private:
  friend class RelationDescriptorBuilder;
  const ConstraintRow* row_ = nullptr;
  const ExpressionSlot* expression_ = nullptr;
};

/// A column's DEFAULT or its GENERATED expression (AttrDefault).
class ColumnDefault {
 public:
  AttrNumber attnum() const noexcept { return row_->adnum; }
  std::string_view text() const noexcept { return row_->adbin; }
  const AttrdefRow& row() const noexcept { return *row_; }
  const ExpressionSlot& expression() const noexcept { return *expression_; }

 private:
  friend class RelationDescriptorBuilder;
  const AttrdefRow* row_ = nullptr;
  const ExpressionSlot* expression_ = nullptr;
};

/// An index of the relation; of an index, itself.
class IndexDescriptor {
 public:
  Oid oid() const noexcept { return row_->indexrelid; }
  std::string_view name() const noexcept { return row_->relname; }
  const IndexRow& row() const noexcept { return *row_; }
  /// The list of expressions that stand for zeros in indkey, or nullptr.
  const ExpressionSlot* expressions() const noexcept { return expressions_; }
  /// The WHERE of a partial index, or nullptr.
  const ExpressionSlot* predicate() const noexcept { return predicate_; }

 private:
  friend class RelationDescriptorBuilder;
  const IndexRow* row_ = nullptr;
  const ExpressionSlot* expressions_ = nullptr;
  const ExpressionSlot* predicate_ = nullptr;
};

class TriggerDescriptor {
 public:
  std::string_view name() const noexcept { return row_->tgname; }
  const TriggerRow& row() const noexcept { return *row_; }
  /// WHEN (...), or nullptr.
  const ExpressionSlot* when() const noexcept { return when_; }

 private:
  friend class RelationDescriptorBuilder;
  const TriggerRow* row_ = nullptr;
  const ExpressionSlot* when_ = nullptr;
};

class RuleDescriptor {
 public:
  std::string_view name() const noexcept { return row_->rulename; }
  const RewriteRow& row() const noexcept { return *row_; }
  /// The rule's WHERE, or nullptr.
  const ExpressionSlot* qual() const noexcept { return qual_; }
  /// A list of queries; nullptr if the row has none.
  const ExpressionSlot* action() const noexcept { return action_; }

 private:
  friend class RelationDescriptorBuilder;
  const RewriteRow* row_ = nullptr;
  const ExpressionSlot* qual_ = nullptr;
  const ExpressionSlot* action_ = nullptr;
};

class PolicyDescriptor {
 public:
  std::string_view name() const noexcept { return row_->polname; }
  const PolicyRow& row() const noexcept { return *row_; }
  /// USING (...), or nullptr.
  const ExpressionSlot* using_qual() const noexcept { return using_qual_; }
  /// WITH CHECK (...), or nullptr.
  const ExpressionSlot* with_check() const noexcept { return with_check_; }

 private:
  friend class RelationDescriptorBuilder;
  const PolicyRow* row_ = nullptr;
  const ExpressionSlot* using_qual_ = nullptr;
  const ExpressionSlot* with_check_ = nullptr;
};

class StatisticsDescriptor {
 public:
  std::string_view name() const noexcept { return row_->stxname; }
  const StatisticExtRow& row() const noexcept { return *row_; }
  /// The list of expressions, or nullptr.
  const ExpressionSlot* expressions() const noexcept { return expressions_; }

 private:
  friend class RelationDescriptorBuilder;
  const StatisticExtRow* row_ = nullptr;
  const ExpressionSlot* expressions_ = nullptr;
};

/// One version of a relation. Nothing in it ever changes; lazy values appear, once.
/// Lifetime: that of the pins on it. Thread safety: all calls from any thread.
class RelationDescriptor {
 public:
  Oid oid() const noexcept { return rows_->pg_class.oid; }
  std::string_view name() const noexcept { return rows_->pg_class.relname; }
  std::string_view schema() const noexcept { return rows_->nspname; }
  /// 'r' table, 'p' partitioned table, 'i' index, 'v' view ...
  char relkind() const noexcept { return rows_->pg_class.relkind; }
  /// The source's stamp of this state.
  std::uint64_t version() const noexcept { return rows_->version; }
  /// The major version of PostgreSQL that wrote the texts.
  int pg_version() const noexcept { return pg_version_; }

  /// Every row as it was delivered.
  const RelationRows& rows() const noexcept { return *rows_; }
  const ClassRow& pg_class() const noexcept { return rows_->pg_class; }
  /// attributes()[n] is attnum n + 1; dropped columns are there.
  std::span<const AttributeRow> attributes() const noexcept { return rows_->attributes; }
  /// The column of a number from 1 to relnatts, else nullptr.
  const AttributeRow* attribute(AttrNumber attnum) const noexcept;
  /// The column of a name that is not dropped, or nullptr.
  const AttributeRow* attribute(std::string_view attname) const noexcept;
  /// Of every kind, by name.
  std::span<const ConstraintRow> constraints() const noexcept { return rows_->constraints; }

  /// The CHECK constraints by name: the order in which PostgreSQL evaluates them.
  std::span<const CheckConstraint> checks() const noexcept { return checks_; }
  /// By attnum.
  std::span<const ColumnDefault> defaults() const noexcept { return defaults_; }
  /// The default of a column, or nullptr.
  const ColumnDefault* default_of(AttrNumber attnum) const noexcept;
  /// By oid.
  std::span<const IndexDescriptor> indexes() const noexcept { return indexes_; }
  /// By name: the order in which PostgreSQL fires them.
  std::span<const TriggerDescriptor> triggers() const noexcept { return triggers_; }
  /// By name.
  std::span<const RuleDescriptor> rules() const noexcept { return rules_; }
  /// By name.
  std::span<const PolicyDescriptor> policies() const noexcept { return policies_; }
  /// By oid.
  std::span<const StatisticsDescriptor> statistics() const noexcept { return statistics_; }

  /// The row of pg_partitioned_table, or nullptr: the relation is not partitioned.
  const PartitionedTableRow* partitioned_table() const noexcept { return rows_->partitioned_table; }
  /// The expressions of the partition key, or nullptr: it is none or made of columns only.
  const ExpressionSlot* partition_key() const noexcept { return partition_key_; }
  /// The bound of a partition, or nullptr: the relation is no partition.
  const ExpressionSlot* partition_bound() const noexcept { return partition_bound_; }
  std::span<const InheritsRow> parents() const noexcept { return rows_->parents; }
  std::span<const InheritsRow> children() const noexcept { return rows_->children; }

  /// What the entry answers to besides its own oid, sorted.
  std::span<const Dependency> dependencies() const noexcept { return dependencies_; }
  /// Every stored expression, in no particular order.
  std::span<const ExpressionSlot> expressions() const noexcept { return expressions_; }
  /// Values that belong to the relation as a whole (a routing table, a plan for a row's checks).
  const DerivedValues& derived() const noexcept { return *derived_; }

  /// Bytes that the entry takes as of now, trees and derived values included.
  std::size_t bytes() const noexcept;
  /// Of them, bytes that are in use: the free ends of the contexts' blocks left out.
  std::size_t bytes_used() const noexcept;

 private:
  friend class RelationDescriptorBuilder;

  const RelationRows* rows_ = nullptr;
  const internal::CacheEntry* entry_ = nullptr;
  const DerivedValues* derived_ = nullptr;
  std::span<const ExpressionSlot> expressions_;
  std::span<const Dependency> dependencies_;
  std::span<const CheckConstraint> checks_;
  std::span<const ColumnDefault> defaults_;
  std::span<const IndexDescriptor> indexes_;
  std::span<const TriggerDescriptor> triggers_;
  std::span<const RuleDescriptor> rules_;
  std::span<const PolicyDescriptor> policies_;
  std::span<const StatisticsDescriptor> statistics_;
  const ExpressionSlot* partition_key_ = nullptr;
  const ExpressionSlot* partition_bound_ = nullptr;
  int pg_version_ = 0;
};

}  // namespace relcache
