// The key of a partitioned table: where its values come from in a row, how they are compared, and
// how they are printed (RelationBuildPartitionKey, pg_get_partkeydef_columns).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/cache/relation_descriptor.h"
#include "relcache/executor/expressions/objects.h"
#include "relcache/executor/expressions/program.h"
#include "relcache/executor/internal/partition_bounds.h"
#include "relcache/memory/memory_context.h"
#include "relcache/types/session_settings.h"

namespace relcache::internal {

/// One column of a partition key.
struct KeyPart {
  /// The index of the column in the rows that are routed, unless the part is an expression.
  std::size_t column = 0;
  const Program* program = nullptr;
  /// The type of the values, and the type that they have if it is a domain or a domain over one.
  Oid type = kInvalidOid;
  Oid base = kInvalidOid;
};

struct PartitionKey {
  char strategy = 'r';
  std::vector<KeyPart> parts;
  std::vector<KeyOrder> orders;
  /// "a, lower(b)", or empty if one of the expressions cannot be printed.
  std::string columns;
};

/// The key of a partitioned table for rows of another relation, `rows`, which is the table itself
/// or one of its ancestors. `map` gives for each column of the table the number of the column of
/// `rows`, or 0 for a dropped one. Programs lie in cx.
/// Errors: kNotSupported for a type whose values cannot be compared or hashed, for an operator
/// class that is not that of the type, and for an order of texts that is not that of their bytes;
/// those of compiling the expressions; SQLSTATE XX000 for rows that contradict each other.
Result<PartitionKey> MakePartitionKey(const RelationDescriptor& table,
                                      const RelationDescriptor& rows,
                                      std::span<const AttrNumber> map, ObjectLookup& objects,
                                      MemoryContext& cx);

/// The columns of `from` that have the names of those of `to`: for each column of `to` the number
/// in `from`, or 0 if it is dropped (build_attrmap_by_name).
/// Errors: SQLSTATE 42804 `could not convert row type` if one is missing or of another type.
Result<std::vector<AttrNumber>> MapColumnsByName(const RelationDescriptor& to,
                                                 const RelationDescriptor& from);

/// The text "(a, b) = (1, null)" of messages about a row (ExecBuildSlotPartitionKeyDescription), or
/// nothing if a part cannot be printed.
std::optional<std::string> DescribeKey(const PartitionKey& key, const NullableDatum* values,
                                       const SessionSettings& settings, CatalogSource& source,
                                       MemoryContext& cx);

}  // namespace relcache::internal
