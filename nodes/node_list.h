// The list of all node types (PostgreSQL's NodeTag). To add a type, declare a struct in
// primnodes.h, jsonnodes.h or parsenodes.h, and put its name here.
#pragma once

#include <cstdint>

/// The node types whose text form is {LABEL :field value ...}.
// clang-format off
#define RELCACHE_NODE_LIST(X) \
  X(Alias) \
  X(TableFunc) \
  X(Var) \
  X(Const) \
  X(Param) \
  X(Aggref) \
  X(GroupingFunc) \
  X(WindowFunc) \
  X(MergeSupportFunc) \
  X(SubscriptingRef) \
  X(FuncExpr) \
  X(NamedArgExpr) \
  X(OpExpr) \
  X(DistinctExpr) \
  X(NullIfExpr) \
  X(ScalarArrayOpExpr) \
  X(BoolExpr) \
  X(SubLink) \
  X(FieldSelect) \
  X(FieldStore) \
  X(RelabelType) \
  X(CoerceViaIO) \
  X(ArrayCoerceExpr) \
  X(ConvertRowtypeExpr) \
  X(CollateExpr) \
  X(CaseExpr) \
  X(CaseWhen) \
  X(CaseTestExpr) \
  X(ArrayExpr) \
  X(RowExpr) \
  X(RowCompareExpr) \
  X(CoalesceExpr) \
  X(MinMaxExpr) \
  X(SQLValueFunction) \
  X(XmlExpr) \
  X(JsonFormat) \
  X(JsonReturning) \
  X(JsonValueExpr) \
  X(JsonConstructorExpr) \
  X(JsonIsPredicate) \
  X(JsonBehavior) \
  X(JsonExpr) \
  X(JsonTablePath) \
  X(JsonTablePathScan) \
  X(JsonTableSiblingJoin) \
  X(NullTest) \
  X(BooleanTest) \
  X(MergeAction) \
  X(CoerceToDomain) \
  X(CoerceToDomainValue) \
  X(SetToDefault) \
  X(CurrentOfExpr) \
  X(NextValueExpr) \
  X(InferenceElem) \
  X(ReturningExpr) \
  X(TargetEntry) \
  X(RangeTblRef) \
  X(JoinExpr) \
  X(FromExpr) \
  X(OnConflictExpr) \
  X(Query) \
  X(RangeTblEntry) \
  X(RTEPermissionInfo) \
  X(RangeTblFunction) \
  X(TableSampleClause) \
  X(WithCheckOption) \
  X(SortGroupClause) \
  X(GroupingSet) \
  X(WindowClause) \
  X(RowMarkClause) \
  X(CTESearchClause) \
  X(CTECycleClause) \
  X(CommonTableExpr) \
  X(SetOperationStmt) \
  X(NotifyStmt) \
  X(PartitionBoundSpec) \
  X(PartitionRangeDatum)
// clang-format on

/// The node types that have a text form of their own: ({..} {..}), (i 1 2), (o 1 2), (b 1 2),
/// "text".
#define RELCACHE_VALUE_NODE_LIST(X) X(List) X(IntList) X(OidList) X(Bitmapset) X(String)

namespace relcache {

/// The type of a Node (PostgreSQL's NodeTag, with other numbers).
enum class NodeTag : std::uint16_t {
#define RELCACHE_NODE_TAG(N) k##N,
  RELCACHE_NODE_LIST(RELCACHE_NODE_TAG) RELCACHE_VALUE_NODE_LIST(RELCACHE_NODE_TAG)
#undef RELCACHE_NODE_TAG
};

#define RELCACHE_NODE_FORWARD(N) struct N;
RELCACHE_NODE_LIST(RELCACHE_NODE_FORWARD)
RELCACHE_VALUE_NODE_LIST(RELCACHE_NODE_FORWARD)
#undef RELCACHE_NODE_FORWARD

/// The tag of a type, also if the type is not complete yet.
template <class T>
inline constexpr NodeTag kTagOf{};
#define RELCACHE_NODE_TAG_OF(N) \
  template <>                   \
  inline constexpr NodeTag kTagOf<N> = NodeTag::k##N;
RELCACHE_NODE_LIST(RELCACHE_NODE_TAG_OF)
RELCACHE_VALUE_NODE_LIST(RELCACHE_NODE_TAG_OF)
#undef RELCACHE_NODE_TAG_OF

#define RELCACHE_NODE_COUNT(N) +1
/// The number of types in RELCACHE_NODE_LIST, whose tags come first, and in both lists.
inline constexpr int kNumStructTypes = 0 RELCACHE_NODE_LIST(RELCACHE_NODE_COUNT);
inline constexpr int kNumNodeTypes = kNumStructTypes RELCACHE_VALUE_NODE_LIST(RELCACHE_NODE_COUNT);
#undef RELCACHE_NODE_COUNT

}  // namespace relcache
