// Queries, as rules, views and function bodies store them, and partition bounds (PostgreSQL's
// nodes/parsenodes.h, and the joins and targets of primnodes.h).
#pragma once

#include "relcache/nodes/field.h"
#include "relcache/nodes/node_enums.h"
// clang-format off
#include "relcache/nodes/declare_begin.h"
// clang-format on

namespace relcache {

// ---- targets and joins of a query

struct alignas(8) TargetEntry final : Expr {
  NODE(TargetEntry, "TARGETENTRY");
  AttrNumber resno{};
  AttrNumber resorigcol{};
  bool resjunk{};
  std::uint32_t ressortgroupref{};
  Oid resorigtbl{};
  Child<Expr> expr{};
  CString resname{};
  FIELDS(FIELD(expr), FIELD(resno), FIELD(resname), FIELD(ressortgroupref),
         FIELD(resorigtbl, .names = ObjectKind::kRelation), FIELD(resorigcol), FIELD(resjunk))
};

struct alignas(8) RangeTblRef final : Node {
  NODE(RangeTblRef, "RANGETBLREF");
  std::int32_t rtindex{};
  FIELDS(FIELD(rtindex))
};

struct alignas(8) JoinExpr final : Node {
  NODE(JoinExpr, "JOINEXPR");
  JoinType jointype{};
  bool isNatural{};
  std::int32_t rtindex{};
  Child<Node> larg{};
  Child<Node> rarg{};
  Child<List> usingClause{};
  Child<Alias> join_using_alias{};
  Child<Node> quals{};
  Child<Alias> alias{};
  FIELDS(FIELD(jointype), FIELD(isNatural), FIELD(larg), FIELD(rarg), FIELD(usingClause),
         FIELD(join_using_alias, .since = 14), FIELD(quals), FIELD(alias), FIELD(rtindex))
};

struct alignas(8) FromExpr final : Node {
  NODE(FromExpr, "FROMEXPR");
  Child<List> fromlist{};
  Child<Node> quals{};
  FIELDS(FIELD(fromlist), FIELD(quals))
};

struct alignas(8) OnConflictExpr final : Node {
  NODE(OnConflictExpr, "ONCONFLICTEXPR");
  OnConflictAction action{};
  Oid constraint{};
  std::int32_t exclRelIndex{};
  Child<List> arbiterElems{};
  Child<Node> arbiterWhere{};
  Child<List> onConflictSet{};
  Child<Node> onConflictWhere{};
  Child<List> exclRelTlist{};
  FIELDS(FIELD(action), FIELD(arbiterElems), FIELD(arbiterWhere),
         FIELD(constraint, .names = ObjectKind::kConstraint), FIELD(onConflictSet),
         FIELD(onConflictWhere), FIELD(exclRelIndex), FIELD(exclRelTlist))
};

/// WHEN [NOT] MATCHED of MERGE.
struct alignas(8) MergeAction final : Node {
  NODE(MergeAction, Since(15, "MERGEACTION"));
  bool matched{};              ///< up to 16
  MergeMatchKind matchKind{};  ///< from 17
  CmdType commandType{};
  OverridingKind override{};
  Child<Node> qual{};
  Child<List> targetList{};
  Child<IntList> updateColnos{};
  FIELDS(FIELD(matched, .until = 16), FIELD(matchKind, .since = 17), FIELD(commandType),
         FIELD(override), FIELD(qual), FIELD(targetList), FIELD(updateColnos))
};

// ---- the query

struct alignas(8) Query final : Node {
  NODE(Query, "QUERY");
  CmdType commandType{};
  QuerySource querySource{};
  OverridingKind override{};
  LimitOption limitOption{};
  bool canSetTag{};
  bool hasAggs{};
  bool hasWindowFuncs{};
  bool hasTargetSRFs{};
  bool hasSubLinks{};
  bool hasDistinctOn{};
  bool hasRecursive{};
  bool hasModifyingCTE{};
  bool hasForUpdate{};
  bool hasRowSecurity{};
  bool hasGroupRTE{};
  bool isReturn{};
  bool mergeUseOuterJoin{};
  bool groupDistinct{};
  std::int32_t resultRelation{};
  std::int32_t mergeTargetRelation{};
  ParseLoc stmt_location{kNoLocation};
  ParseLoc stmt_len{};
  Child<Node> utilityStmt{};
  Child<List> cteList{};
  Child<List> rtable{};
  Child<List> rteperminfos{};
  Child<FromExpr> jointree{};
  Child<List> mergeActionList{};
  Child<Node> mergeJoinCondition{};
  Child<List> targetList{};
  Child<OnConflictExpr> onConflict{};
  CString returningOldAlias{};
  CString returningNewAlias{};
  Child<List> returningList{};
  Child<List> groupClause{};
  Child<List> groupingSets{};
  Child<Node> havingQual{};
  Child<List> windowClause{};
  Child<List> distinctClause{};
  Child<List> sortClause{};
  Child<Node> limitOffset{};
  Child<Node> limitCount{};
  Child<List> rowMarks{};
  Child<Node> setOperations{};
  Child<OidList> constraintDeps{};
  Child<List> withCheckOptions{};
  FIELDS(FIELD(commandType), FIELD(querySource), FIELD(canSetTag), FIELD(utilityStmt),
         FIELD(resultRelation), FIELD(hasAggs), FIELD(hasWindowFuncs), FIELD(hasTargetSRFs),
         FIELD(hasSubLinks), FIELD(hasDistinctOn), FIELD(hasRecursive), FIELD(hasModifyingCTE),
         FIELD(hasForUpdate), FIELD(hasRowSecurity), FIELD(hasGroupRTE, .since = 18),
         FIELD(isReturn, .since = 14), FIELD(cteList), FIELD(rtable),
         FIELD(rteperminfos, .since = 16), FIELD(jointree), FIELD(mergeActionList, .since = 16),
         FIELD(mergeUseOuterJoin, .since = 16, .until = 16),
         FIELD(mergeTargetRelation, .since = 17), FIELD(mergeJoinCondition, .since = 17),
         FIELD(targetList), FIELD(override), FIELD(onConflict),
         FIELD(returningOldAlias, .since = 18), FIELD(returningNewAlias, .since = 18),
         FIELD(returningList), FIELD(groupClause), FIELD(groupDistinct, .since = 14),
         FIELD(groupingSets), FIELD(havingQual), FIELD(windowClause), FIELD(distinctClause),
         FIELD(sortClause), FIELD(limitOffset), FIELD(limitCount), FIELD(limitOption, .since = 13),
         FIELD(rowMarks), FIELD(setOperations),
         FIELD(constraintDeps, .names = ObjectKind::kConstraint),
         FIELD(withCheckOptions, .since = 12), FIELD(mergeActionList, .since = 15, .until = 15),
         FIELD(mergeUseOuterJoin, .since = 15, .until = 15), FIELD(stmt_location), FIELD(stmt_len))
};

/// A range table entry: rtekind says which fields are written.
struct alignas(8) RangeTblEntry final : Node {
  NODE(RangeTblEntry, Until(14, "RTE"), Since(15, "RANGETBLENTRY"));
  RTEKind rtekind{};
  JoinType jointype{};
  char relkind{};
  bool security_barrier{};
  bool funcordinality{};
  bool self_reference{};
  bool lateral{};
  bool inh{};
  bool inFromCl{};
  Oid relid{};
  std::int32_t rellockmode{};
  std::uint32_t perminfoindex{};
  std::int32_t joinmergedcols{};
  std::uint32_t ctelevelsup{};
  std::uint32_t requiredPerms{};  ///< this and the next five: in RTEPermissionInfo from 16
  Oid checkAsUser{};
  Child<Bitmapset> selectedCols{};
  Child<Bitmapset> insertedCols{};
  Child<Bitmapset> updatedCols{};
  Child<Bitmapset> extraUpdatedCols{};
  Child<Alias> alias{};
  Child<Alias> eref{};
  Child<TableSampleClause> tablesample{};
  Child<Query> subquery{};
  Child<List> joinaliasvars{};
  Child<IntList> joinleftcols{};
  Child<IntList> joinrightcols{};
  Child<Alias> join_using_alias{};
  Child<List> functions{};
  Child<TableFunc> tablefunc{};
  Child<List> values_lists{};
  CString ctename{};
  Child<OidList> coltypes{};
  Child<IntList> coltypmods{};
  Child<OidList> colcollations{};
  CString enrname{};
  double enrtuples{};
  Child<List> groupexprs{};
  Child<List> securityQuals{};

  static constexpr std::uint16_t kRel = 1 << 0, kSubquery = 1 << 1, kJoin = 1 << 2,
                                 kFunction = 1 << 3, kTableFunc = 1 << 4, kValues = 1 << 5,
                                 kCte = 1 << 6, kTuplestore = 1 << 7, kGroup = 1 << 9,
                                 kColumns = kValues | kCte | kTuplestore;
  FIELDS(FIELD(alias), FIELD(eref), FIELD(rtekind),
         // the query, and from 16 the relation of the view that it was
         FIELD(subquery, .rtekinds = kSubquery), FIELD(security_barrier, .rtekinds = kSubquery),
         FIELD(relid, .names = ObjectKind::kRelation, .rtekinds = kRel),
         FIELD(relid, .since = 16, .names = ObjectKind::kRelation, .rtekinds = kSubquery),
         FIELD(inh, .since = 17, .rtekinds = kRel | kSubquery), FIELD(relkind, .rtekinds = kRel),
         FIELD(relkind, .since = 16, .rtekinds = kSubquery),
         FIELD(rellockmode, .since = 12, .rtekinds = kRel),
         FIELD(rellockmode, .since = 16, .rtekinds = kSubquery),
         FIELD(perminfoindex, .since = 17, .rtekinds = kRel), FIELD(tablesample, .rtekinds = kRel),
         FIELD(perminfoindex, .since = 16, .until = 16, .rtekinds = kRel),
         FIELD(perminfoindex, .since = 16, .rtekinds = kSubquery),
         FIELD(jointype, .rtekinds = kJoin), FIELD(joinmergedcols, .since = 13, .rtekinds = kJoin),
         FIELD(joinaliasvars, .rtekinds = kJoin),
         FIELD(joinleftcols, .since = 13, .rtekinds = kJoin),
         FIELD(joinrightcols, .since = 13, .rtekinds = kJoin),
         FIELD(join_using_alias, .since = 14, .rtekinds = kJoin),
         FIELD(functions, .rtekinds = kFunction), FIELD(funcordinality, .rtekinds = kFunction),
         FIELD(tablefunc, .rtekinds = kTableFunc), FIELD(values_lists, .rtekinds = kValues),
         FIELD(ctename, .rtekinds = kCte), FIELD(ctelevelsup, .rtekinds = kCte),
         FIELD(self_reference, .rtekinds = kCte), FIELD(enrname, .rtekinds = kTuplestore),
         FIELD(enrtuples, .rtekinds = kTuplestore),
         FIELD(relid, .until = 15, .names = ObjectKind::kRelation, .rtekinds = kTuplestore),
         FIELD(coltypes, .names = ObjectKind::kType, .rtekinds = kColumns),
         FIELD(coltypmods, .rtekinds = kColumns),
         FIELD(colcollations, .names = ObjectKind::kCollation, .rtekinds = kColumns),
         FIELD(relid, .since = 16, .names = ObjectKind::kRelation, .rtekinds = kTuplestore),
         FIELD(groupexprs, .since = 18, .rtekinds = kGroup), FIELD(lateral),
         FIELD(inh, .until = 16), FIELD(inFromCl), FIELD(requiredPerms, .until = 15),
         FIELD(checkAsUser, .until = 15, .names = ObjectKind::kRole),
         FIELD(selectedCols, .until = 15), FIELD(insertedCols, .until = 15),
         FIELD(updatedCols, .until = 15), FIELD(extraUpdatedCols, .since = 12, .until = 15),
         FIELD(securityQuals))
};

struct alignas(8) RTEPermissionInfo final : Node {
  NODE(RTEPermissionInfo, Since(16, "RTEPERMISSIONINFO"));
  bool inh{};
  Oid relid{};
  Oid checkAsUser{};
  std::uint64_t requiredPerms{};
  Child<Bitmapset> selectedCols{};
  Child<Bitmapset> insertedCols{};
  Child<Bitmapset> updatedCols{};
  FIELDS(FIELD(relid, .names = ObjectKind::kRelation), FIELD(inh), FIELD(requiredPerms),
         FIELD(checkAsUser, .names = ObjectKind::kRole), FIELD(selectedCols), FIELD(insertedCols),
         FIELD(updatedCols))
};

struct alignas(8) RangeTblFunction final : Node {
  NODE(RangeTblFunction, "RANGETBLFUNCTION");
  std::int32_t funccolcount{};
  Child<Node> funcexpr{};
  Child<List> funccolnames{};
  Child<OidList> funccoltypes{};
  Child<IntList> funccoltypmods{};
  Child<OidList> funccolcollations{};
  Child<Bitmapset> funcparams{};
  FIELDS(FIELD(funcexpr), FIELD(funccolcount), FIELD(funccolnames),
         FIELD(funccoltypes, .names = ObjectKind::kType), FIELD(funccoltypmods),
         FIELD(funccolcollations, .names = ObjectKind::kCollation), FIELD(funcparams))
};

struct alignas(8) TableSampleClause final : Node {
  NODE(TableSampleClause, "TABLESAMPLECLAUSE");
  Oid tsmhandler{};
  Child<List> args{};
  Child<Expr> repeatable{};
  FIELDS(FIELD(tsmhandler, .names = ObjectKind::kFunction), FIELD(args), FIELD(repeatable))
};

struct alignas(8) WithCheckOption final : Node {
  NODE(WithCheckOption, "WITHCHECKOPTION");
  WCOKind kind{};
  bool cascaded{};
  CString relname{};
  CString polname{};
  Child<Node> qual{};
  FIELDS(FIELD(kind), FIELD(relname), FIELD(polname), FIELD(qual), FIELD(cascaded))
};

struct alignas(8) SortGroupClause final : Node {
  NODE(SortGroupClause, "SORTGROUPCLAUSE");
  bool reverse_sort{};
  bool nulls_first{};
  bool hashable{};
  std::uint32_t tleSortGroupRef{};
  Oid eqop{};
  Oid sortop{};
  FIELDS(FIELD(tleSortGroupRef), FIELD(eqop, .names = ObjectKind::kOperator),
         FIELD(sortop, .names = ObjectKind::kOperator), FIELD(reverse_sort, .since = 18),
         FIELD(nulls_first), FIELD(hashable))
};

struct alignas(8) GroupingSet final : Node {
  NODE(GroupingSet, "GROUPINGSET");
  GroupingSetKind kind{};
  ParseLoc location{kNoLocation};
  Child<Node> content{};  ///< an IntList of ressortgrouprefs, or a List of GroupingSet
  FIELDS(FIELD(kind), FIELD(content), FIELD(location))
};

struct alignas(8) WindowClause final : Node {
  NODE(WindowClause, "WINDOWCLAUSE");
  bool inRangeAsc{};
  bool inRangeNullsFirst{};
  bool copiedOrder{};
  std::int32_t frameOptions{};  ///< other bits in version 10
  Oid startInRangeFunc{};
  Oid endInRangeFunc{};
  Oid inRangeColl{};
  std::uint32_t winref{};
  CString name{};
  CString refname{};
  Child<List> partitionClause{};
  Child<List> orderClause{};
  Child<Node> startOffset{};
  Child<Node> endOffset{};
  Child<List> runCondition{};
  FIELDS(FIELD(name), FIELD(refname), FIELD(partitionClause), FIELD(orderClause),
         FIELD(frameOptions), FIELD(startOffset), FIELD(endOffset),
         FIELD(runCondition, .since = 15, .until = 16),
         FIELD(startInRangeFunc, .since = 11, .names = ObjectKind::kFunction),
         FIELD(endInRangeFunc, .since = 11, .names = ObjectKind::kFunction),
         FIELD(inRangeColl, .since = 11, .names = ObjectKind::kCollation),
         FIELD(inRangeAsc, .since = 11), FIELD(inRangeNullsFirst, .since = 11), FIELD(winref),
         FIELD(copiedOrder))
};

struct alignas(8) RowMarkClause final : Node {
  NODE(RowMarkClause, "ROWMARKCLAUSE");
  LockClauseStrength strength{};
  LockWaitPolicy waitPolicy{};
  bool pushedDown{};
  std::uint32_t rti{};
  FIELDS(FIELD(rti), FIELD(strength), FIELD(waitPolicy), FIELD(pushedDown))
};

struct alignas(8) CTESearchClause final : Node {
  NODE(CTESearchClause, Since(14, "CTESEARCHCLAUSE"));
  bool search_breadth_first{};
  ParseLoc location{kNoLocation};
  Child<List> search_col_list{};
  CString search_seq_column{};
  FIELDS(FIELD(search_col_list), FIELD(search_breadth_first), FIELD(search_seq_column),
         FIELD(location))
};

struct alignas(8) CTECycleClause final : Node {
  NODE(CTECycleClause, Since(14, "CTECYCLECLAUSE"));
  Oid cycle_mark_type{};
  std::int32_t cycle_mark_typmod{};
  Oid cycle_mark_collation{};
  Oid cycle_mark_neop{};
  ParseLoc location{kNoLocation};
  Child<List> cycle_col_list{};
  CString cycle_mark_column{};
  Child<Node> cycle_mark_value{};
  Child<Node> cycle_mark_default{};
  CString cycle_path_column{};
  FIELDS(FIELD(cycle_col_list), FIELD(cycle_mark_column), FIELD(cycle_mark_value),
         FIELD(cycle_mark_default), FIELD(cycle_path_column), FIELD(location),
         FIELD(cycle_mark_type, .names = ObjectKind::kType), FIELD(cycle_mark_typmod),
         FIELD(cycle_mark_collation, .names = ObjectKind::kCollation),
         FIELD(cycle_mark_neop, .names = ObjectKind::kOperator))
};

struct alignas(8) CommonTableExpr final : Node {
  NODE(CommonTableExpr, "COMMONTABLEEXPR");
  CTEMaterialize ctematerialized{};
  bool cterecursive{};
  std::int32_t cterefcount{};
  ParseLoc location{kNoLocation};
  CString ctename{};
  Child<List> aliascolnames{};
  Child<Node> ctequery{};
  Child<CTESearchClause> search_clause{};
  Child<CTECycleClause> cycle_clause{};
  Child<List> ctecolnames{};
  Child<OidList> ctecoltypes{};
  Child<IntList> ctecoltypmods{};
  Child<OidList> ctecolcollations{};
  FIELDS(FIELD(ctename), FIELD(aliascolnames), FIELD(ctematerialized, .since = 12), FIELD(ctequery),
         FIELD(search_clause, .since = 14), FIELD(cycle_clause, .since = 14), FIELD(location),
         FIELD(cterecursive), FIELD(cterefcount), FIELD(ctecolnames),
         FIELD(ctecoltypes, .names = ObjectKind::kType), FIELD(ctecoltypmods),
         FIELD(ctecolcollations, .names = ObjectKind::kCollation))
};

/// UNION, INTERSECT, EXCEPT
struct alignas(8) SetOperationStmt final : Node {
  NODE(SetOperationStmt, "SETOPERATIONSTMT");
  SetOperation op{};
  bool all{};
  Child<Node> larg{};
  Child<Node> rarg{};
  Child<OidList> colTypes{};
  Child<IntList> colTypmods{};
  Child<OidList> colCollations{};
  Child<List> groupClauses{};
  FIELDS(FIELD(op), FIELD(all), FIELD(larg), FIELD(rarg),
         FIELD(colTypes, .names = ObjectKind::kType), FIELD(colTypmods),
         FIELD(colCollations, .names = ObjectKind::kCollation), FIELD(groupClauses))
};

/// The only utility statement that a rule may hold.
struct alignas(8) NotifyStmt final : Node {
  NODE(NotifyStmt, Until(14, "NOTIFY"), Since(15, "NOTIFYSTMT"));
  CString conditionname{};
  CString payload{};
  FIELDS(FIELD(conditionname), FIELD(payload))
};

// ---- partitions

/// FOR VALUES ... of a partition (pg_class.relpartbound).
struct alignas(8) PartitionBoundSpec final : Node {
  NODE(PartitionBoundSpec, "PARTITIONBOUNDSPEC");
  char strategy{};  ///< l, r, h
  bool is_default{};
  std::int32_t modulus{};
  std::int32_t remainder{};
  ParseLoc location{kNoLocation};
  Child<List> listdatums{};   ///< of Const
  Child<List> lowerdatums{};  ///< of PartitionRangeDatum
  Child<List> upperdatums{};
  FIELDS(FIELD(strategy), FIELD(is_default, .since = 11), FIELD(modulus, .since = 11),
         FIELD(remainder, .since = 11), FIELD(listdatums), FIELD(lowerdatums), FIELD(upperdatums),
         FIELD(location))
};

struct alignas(8) PartitionRangeDatum final : Node {
  NODE(PartitionRangeDatum, "PARTITIONRANGEDATUM");
  PartitionRangeDatumKind kind{};
  ParseLoc location{kNoLocation};
  Child<Node> value{};  ///< a Const
  FIELDS(FIELD(kind), FIELD(value), FIELD(location))
};

}  // namespace relcache
#include "relcache/nodes/declare_end.h"
