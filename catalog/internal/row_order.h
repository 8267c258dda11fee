// The order in which a relation's or a type's rows are delivered.
#pragma once

#include <algorithm>

#include "relcache/catalog/rows.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

namespace internal {

template <class Row, class Key>
void SortSpan(std::span<const Row>& rows, Key key, MemoryContext& cx) {
  if (std::ranges::is_sorted(rows, {}, key)) return;
  const std::span<Row> sorted = cx.NewArray<Row>(rows.size());
  std::ranges::copy(rows, sorted.begin());
  std::ranges::stable_sort(sorted, {}, key);
  rows = sorted;
}

}  // namespace internal

/// Puts the rows of a relation into the order that RelationRows promises. Cost: nothing where they
/// are in order, else a new array in cx.
inline void SortRows(RelationRows& rows, MemoryContext& cx) {
  internal::SortSpan(rows.attributes, &AttributeRow::attnum, cx);
  internal::SortSpan(rows.constraints, &ConstraintRow::conname, cx);
  internal::SortSpan(rows.attrdefs, &AttrdefRow::adnum, cx);
  internal::SortSpan(rows.indexes, &IndexRow::indexrelid, cx);
  internal::SortSpan(rows.triggers, &TriggerRow::tgname, cx);
  internal::SortSpan(rows.rules, &RewriteRow::rulename, cx);
  internal::SortSpan(rows.policies, &PolicyRow::polname, cx);
  internal::SortSpan(rows.parents, &InheritsRow::inhseqno, cx);
  internal::SortSpan(rows.statistics, &StatisticExtRow::oid, cx);
}

/// The same for a type.
inline void SortRows(TypeRows& rows, MemoryContext& cx) {
  internal::SortSpan(rows.constraints, &ConstraintRow::conname, cx);
  internal::SortSpan(rows.enums, &EnumRow::enumsortorder, cx);
}

}  // namespace relcache
