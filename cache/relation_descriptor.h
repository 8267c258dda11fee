// RelationDescriptor holds everything that the catalogs say about one relation, as of one moment.
// It corresponds to PostgreSQL's RelationData with its TupleDesc, triggers, rules and partition
// key. A RelationPin gives access to it. Where a row is returned, catalog/rows.h describes its
// members. All that these classes return lives as long as the pin, and any thread may call them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "relcache/cache/dependencies.h"
#include "relcache/cache/derived.h"
#include "relcache/cache/expression_slot.h"
#include "relcache/catalog/catalog_source.h"
#include "relcache/catalog/rows.h"

namespace relcache {

/// A CHECK constraint (PostgreSQL's ConstrCheck). text() is its expression as a node tree in text
/// form, PostgreSQL's ccbin.
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

/// The DEFAULT of a column, or the expression of a generated column (PostgreSQL's AttrDefault).
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

/// An index of the relation. The descriptor of an index contains the index itself.
class IndexDescriptor {
 public:
  Oid oid() const noexcept { return row_->indexrelid; }
  std::string_view name() const noexcept { return row_->relname; }
  const IndexRow& row() const noexcept { return *row_; }
  /// The expressions of key columns, a list with one element for each zero in indkey; nullptr if
  /// there are none.
  const ExpressionSlot* expressions() const noexcept { return expressions_; }
  /// The WHERE condition of a partial index, or nullptr.
  const ExpressionSlot* predicate() const noexcept { return predicate_; }

 private:
  friend class RelationDescriptorBuilder;
  const IndexRow* row_ = nullptr;
  const ExpressionSlot* expressions_ = nullptr;
  const ExpressionSlot* predicate_ = nullptr;
};

/// A trigger: a function that runs before or after a row is changed.
class TriggerDescriptor {
 public:
  std::string_view name() const noexcept { return row_->tgname; }
  const TriggerRow& row() const noexcept { return *row_; }
  /// The WHEN condition, or nullptr.
  const ExpressionSlot* when() const noexcept { return when_; }

 private:
  friend class RelationDescriptorBuilder;
  const TriggerRow* row_ = nullptr;
  const ExpressionSlot* when_ = nullptr;
};

/// A rule, which rewrites statements on the relation.
class RuleDescriptor {
 public:
  std::string_view name() const noexcept { return row_->rulename; }
  const RewriteRow& row() const noexcept { return *row_; }
  /// The condition of the rule, or nullptr.
  const ExpressionSlot* qual() const noexcept { return qual_; }
  /// The list of queries to execute, or nullptr if the row has none.
  const ExpressionSlot* action() const noexcept { return action_; }

 private:
  friend class RelationDescriptorBuilder;
  const RewriteRow* row_ = nullptr;
  const ExpressionSlot* qual_ = nullptr;
  const ExpressionSlot* action_ = nullptr;
};

/// A policy of row-level security: which rows a role may read or write.
class PolicyDescriptor {
 public:
  std::string_view name() const noexcept { return row_->polname; }
  const PolicyRow& row() const noexcept { return *row_; }
  /// The USING condition, which selects the rows, or nullptr.
  const ExpressionSlot* using_qual() const noexcept { return using_qual_; }
  /// The WITH CHECK condition, which new rows must satisfy, or nullptr.
  const ExpressionSlot* with_check() const noexcept { return with_check_; }

 private:
  friend class RelationDescriptorBuilder;
  const PolicyRow* row_ = nullptr;
  const ExpressionSlot* using_qual_ = nullptr;
  const ExpressionSlot* with_check_ = nullptr;
};

/// Extended statistics: an instruction to gather statistics about columns and expressions.
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

/// One version of a relation. It never changes; trees and derived values are added once, when they
/// are first needed.
/// Lifetime: valid while a pin on it is held.
/// Thread safety: any thread may make any call.
class RelationDescriptor {
 public:
  Oid oid() const noexcept { return rows_->pg_class.oid; }
  std::string_view name() const noexcept { return rows_->pg_class.relname; }
  std::string_view schema() const noexcept { return rows_->nspname; }
  /// The kind of relation: 'r' table, 'p' partitioned table, 'i' index, 'v' view and so on; see
  /// ClassRow.
  char relkind() const noexcept { return rows_->pg_class.relkind; }
  /// The number that the source gave this state of the relation; later states have larger numbers.
  std::uint64_t version() const noexcept { return rows_->version; }
  /// The major version of the PostgreSQL server that wrote the texts.
  int pg_version() const noexcept { return pg_version_; }
  /// The source that delivered the relation, for the types, functions and collations that its
  /// expressions refer to. Lifetime: it outlives the cache and therefore every pin.
  CatalogSource& source() const noexcept { return *source_; }

  /// All rows as the source delivered them.
  const RelationRows& rows() const noexcept { return *rows_; }
  const ClassRow& pg_class() const noexcept { return rows_->pg_class; }
  /// The columns. attributes()[n] has the attnum (column number) n + 1; dropped columns are
  /// included.
  std::span<const AttributeRow> attributes() const noexcept { return rows_->attributes; }
  /// The column with this number, or nullptr unless the number is from 1 to relnatts.
  const AttributeRow* attribute(AttrNumber attnum) const noexcept;
  /// The column with this name, or nullptr. Dropped columns are not found.
  const AttributeRow* attribute(std::string_view attname) const noexcept;
  /// Constraints of all kinds, ordered by name.
  std::span<const ConstraintRow> constraints() const noexcept { return rows_->constraints; }

  /// The CHECK constraints, ordered by name, which is the order in which PostgreSQL evaluates them.
  std::span<const CheckConstraint> checks() const noexcept { return checks_; }
  /// The default and generated expressions, ordered by attnum.
  std::span<const ColumnDefault> defaults() const noexcept { return defaults_; }
  /// The default of a column, or nullptr.
  const ColumnDefault* default_of(AttrNumber attnum) const noexcept;
  /// The indexes, ordered by oid.
  std::span<const IndexDescriptor> indexes() const noexcept { return indexes_; }
  /// The triggers, ordered by name, which is the order in which PostgreSQL fires them.
  std::span<const TriggerDescriptor> triggers() const noexcept { return triggers_; }
  /// The rules, ordered by name.
  std::span<const RuleDescriptor> rules() const noexcept { return rules_; }
  /// The policies, ordered by name.
  std::span<const PolicyDescriptor> policies() const noexcept { return policies_; }
  /// The extended statistics, ordered by oid.
  std::span<const StatisticsDescriptor> statistics() const noexcept { return statistics_; }

  /// The row of pg_partitioned_table, or nullptr if the relation is not partitioned.
  const PartitionedTableRow* partitioned_table() const noexcept { return rows_->partitioned_table; }
  /// The expressions of the partition key; nullptr if there is no key or it consists of columns
  /// only.
  const ExpressionSlot* partition_key() const noexcept { return partition_key_; }
  /// The bound, which says which rows belong here; nullptr if the relation is not a partition.
  const ExpressionSlot* partition_bound() const noexcept { return partition_bound_; }
  /// The tables that this one inherits from, and those that inherit from it.
  std::span<const InheritsRow> parents() const noexcept { return rows_->parents; }
  std::span<const InheritsRow> children() const noexcept { return rows_->children; }

  /// The objects whose change invalidates the entry, besides the relation itself; sorted.
  std::span<const EntryDependency> dependencies() const noexcept { return dependencies_; }
  /// All stored expressions, in no particular order.
  std::span<const ExpressionSlot> expressions() const noexcept { return expressions_; }
  /// Values that were derived from the relation as a whole, such as a routing table.
  const DerivedValues& derived() const noexcept { return *derived_; }

  /// The bytes that the entry takes at the moment, including trees and derived values.
  std::size_t bytes() const noexcept;
  /// The part of these bytes that is in use, without the unused ends of the contexts' blocks.
  std::size_t bytes_used() const noexcept;

 private:
  friend class RelationDescriptorBuilder;

  const RelationRows* rows_ = nullptr;
  CatalogSource* source_ = nullptr;
  const internal::CacheEntry* entry_ = nullptr;
  const DerivedValues* derived_ = nullptr;
  std::span<const ExpressionSlot> expressions_;
  std::span<const EntryDependency> dependencies_;
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
