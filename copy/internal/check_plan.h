// What a RowChecker prepares once and its runs share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "relcache/copy/internal/column_input.h"
#include "relcache/copy/row_checker.h"
#include "relcache/executor/expressions/program.h"

namespace relcache::internal {

/// A column that the file has values for.
struct FileColumn {
  AttrNumber attnum = 0;
  ColumnInput input;
  bool force_null = false;
  bool force_not_null = false;
};

/// A column whose value an expression computes: a default, or a stored generated column.
struct ComputedColumn {
  AttrNumber attnum = 0;
  const Program* program = nullptr;
};

/// What is known of the values of a column.
enum class Knowledge : std::uint8_t {
  kValue,    ///< they are in the file, or computed
  kNotNull,  ///< that they are not NULL, as those of a sequence
  kNothing,
};

/// The constraints of a relation without those that depend on values which are not known.
/// Not copied, because `constraints` refers to the other members.
struct KnownConstraints {
  KnownConstraints() = default;
  KnownConstraints(KnownConstraints&&) = default;
  KnownConstraints& operator=(KnownConstraints&&) = default;

  RelationConstraints constraints;
  std::vector<AttrNumber> not_null;
  std::vector<PreparedNotNull> virtual_not_null;
  std::vector<PreparedCheck> checks;
};

/// The constraints of a leaf of a partitioned table.
struct LeafChecks {
  KnownConstraints known;
  /// Whether they are those of the partitioned table, so that a row that satisfies the ones
  /// satisfies the others.
  bool covered = false;
};

struct CheckPlan {
  RelationPin pin;
  RowCheckOptions options;
  ContextPtr cx = AllocSet::CreateRoot("row check plan");
  std::vector<FileColumn> file_columns;
  std::vector<ComputedColumn> defaults, generated;
  /// For each column of the relation what is known of it, and the form of its values. A column of
  /// which less is known than its value is NULL in the rows, and no constraint may read it.
  std::vector<Knowledge> knowledge;
  /// For each column whether the file, a default or an expression sets it.
  std::vector<bool> is_set;
  std::vector<ColumnForm> forms;
  /// The constraints that are verified.
  KnownConstraints table;
  std::unique_ptr<PartitionRouter> router;
  std::unique_ptr<PartitionConstraint> partition;
  std::vector<LeafChecks> leaves;
  std::vector<std::string> skipped;
  /// The text of NULL in the file, for FORCE_NULL and FORCE_NOT_NULL.
  std::string null_text;

  const AttributeRow& column(AttrNumber attnum) const {
    return pin->attributes()[static_cast<std::size_t>(attnum) - 1];
  }
};

/// Errors: as RowChecker::Make.
Status MakeCheckPlan(RelationCache& cache, Oid relation, const CopyColumns& columns,
                     const RowCheckOptions& options, CheckPlan& plan);

}  // namespace relcache::internal
