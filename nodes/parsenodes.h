// The nodes of queries, as rules, views and function bodies store them, and of partition bounds
// (PostgreSQL's nodes/parsenodes.h, and the joins and target lists of primnodes.h). primnodes.h
// explains how nodes are declared and what the range table is.
#pragma once

#include "relcache/nodes/field.h"
#include "relcache/nodes/node_enums.h"
// clang-format off
#include "relcache/nodes/declare_begin.h"
// clang-format on

namespace relcache {

// ---- targets and joins of a query

/// An expression in a target list: a column of SELECT, a value of INSERT or UPDATE.
struct alignas(8) TargetEntry final : Expr {
  NODE(TargetEntry, "TARGETENTRY");
  AttrNumber resno{};       ///< its position, from 1; in INSERT and UPDATE the number of the column
  AttrNumber resorigcol{};  ///< the column of resorigtbl that it is, 0 = none
  bool resjunk{};           ///< needed for sorting or the like, not part of the result
  std::uint32_t ressortgroupref{};  ///< its number in ORDER BY, GROUP BY ..., 0 = none
  Oid resorigtbl{};                 ///< the table whose column it is, 0 = none
  Child<Expr> expr{};               ///< the expression
  CString resname{};                ///< the name of the column
  FIELDS(FIELD(expr), FIELD(resno), FIELD(resname), FIELD(ressortgroupref),
         FIELD(resorigtbl, .names = ObjectKind::kRelation), FIELD(resorigcol), FIELD(resjunk))
};

/// A range table entry in FROM.
struct alignas(8) RangeTblRef final : Node {
  NODE(RangeTblRef, "RANGETBLREF");
  std::int32_t rtindex{};  ///< which entry, from 1
  FIELDS(FIELD(rtindex))
};

/// larg JOIN rarg in FROM.
struct alignas(8) JoinExpr final : Node {
  NODE(JoinExpr, "JOINEXPR");
  JoinType jointype{};              ///< inner, left ...
  bool isNatural{};                 ///< NATURAL
  std::int32_t rtindex{};           ///< the range table entry of the join, 0 = none
  Child<Node> larg{};               ///< the left side: a RangeTblRef or JoinExpr
  Child<Node> rarg{};               ///< the right side
  Child<List> usingClause{};        ///< of String: the columns of USING
  Child<Alias> join_using_alias{};  ///< USING (...) AS alias
  Child<Node> quals{};              ///< ON, or what USING means; null = none
  Child<Alias> alias{};             ///< (... JOIN ...) AS alias
  FIELDS(FIELD(jointype), FIELD(isNatural), FIELD(larg), FIELD(rarg), FIELD(usingClause),
         FIELD(join_using_alias, .since = 14), FIELD(quals), FIELD(alias), FIELD(rtindex))
};

/// FROM and WHERE.
struct alignas(8) FromExpr final : Node {
  NODE(FromExpr, "FROMEXPR");
  Child<List> fromlist{};  ///< of RangeTblRef and JoinExpr
  Child<Node> quals{};     ///< WHERE, or null
  FIELDS(FIELD(fromlist), FIELD(quals))
};

/// INSERT ... ON CONFLICT.
struct alignas(8) OnConflictExpr final : Node {
  NODE(OnConflictExpr, "ONCONFLICTEXPR");
  OnConflictAction action{};      ///< DO NOTHING or DO UPDATE
  Oid constraint{};               ///< ON CONSTRAINT (pg_constraint), 0 = not given
  std::int32_t exclRelIndex{};    ///< the range table entry of EXCLUDED
  Child<List> arbiterElems{};     ///< of InferenceElem: ON CONFLICT (...)
  Child<Node> arbiterWhere{};     ///< their WHERE, by which partial indexes are found
  Child<List> onConflictSet{};    ///< of TargetEntry: SET
  Child<Node> onConflictWhere{};  ///< WHERE of DO UPDATE
  Child<List> exclRelTlist{};     ///< of TargetEntry: the columns of EXCLUDED
  FIELDS(FIELD(action), FIELD(arbiterElems), FIELD(arbiterWhere),
         FIELD(constraint, .names = ObjectKind::kConstraint), FIELD(onConflictSet),
         FIELD(onConflictWhere), FIELD(exclRelIndex), FIELD(exclRelTlist))
};

/// WHEN [NOT] MATCHED ... THEN ... of MERGE.
struct alignas(8) MergeAction final : Node {
  NODE(MergeAction, SinceVersion(15, "MERGEACTION"));
  bool matched{};                 ///< WHEN MATCHED; up to 16
  MergeMatchKind matchKind{};     ///< which WHEN; from 17
  CmdType commandType{};          ///< INSERT, UPDATE, DELETE, or kNothing
  OverridingKind override{};      ///< OVERRIDING
  Child<Node> qual{};             ///< AND condition
  Child<List> targetList{};       ///< of TargetEntry: what it sets
  Child<IntList> updateColnos{};  ///< the columns that UPDATE sets; null until planned
  FIELDS(FIELD(matched, .until = 16), FIELD(matchKind, .since = 17), FIELD(commandType),
         FIELD(override), FIELD(qual), FIELD(targetList), FIELD(updateColnos))
};

// ---- the query

/// A statement after analysis, as views, rules and function bodies store it. Its parts name
/// tables by their index in rtable.
struct alignas(8) Query final : Node {
  NODE(Query, "QUERY");
  CmdType commandType{};      ///< SELECT, INSERT ...
  QuerySource querySource{};  ///< where it came from: the user, or which kind of rule
  OverridingKind override{};  ///< OVERRIDING of INSERT
  LimitOption limitOption{};  ///< whether LIMIT is WITH TIES
  bool canSetTag{};           ///< whether it sets the result of the command that the client sees
  bool hasAggs{};             ///< aggregates in targetList or havingQual
  bool hasWindowFuncs{};      ///< window functions in targetList
  bool hasTargetSRFs{};       ///< functions that return sets in targetList
  bool hasSubLinks{};         ///< it contains a SubLink
  bool hasDistinctOn{};       ///< DISTINCT ON, not DISTINCT
  bool hasRecursive{};        ///< WITH RECURSIVE
  bool hasModifyingCTE{};     ///< INSERT, UPDATE, DELETE or MERGE in WITH
  bool hasForUpdate{};        ///< has FOR UPDATE or the like
  bool hasRowSecurity{};      ///< row security was applied
  bool hasGroupRTE{};         ///< rtable has an entry for the GROUP BY step
  bool isReturn{};            ///< a RETURN statement of a function
  bool mergeUseOuterJoin{};   ///< 15 and 16: MERGE has to join the target by an outer join
  bool groupDistinct{};       ///< GROUP BY DISTINCT
  std::int32_t resultRelation{};        ///< the range table entry that is changed; 0 = SELECT
  std::int32_t mergeTargetRelation{};   ///< the entry that MERGE joins; differs from resultRelation
                                        ///< for a view
  ParseLoc stmt_location{kNoLocation};  ///< where the statement begins in its source text
  ParseLoc stmt_len{};                  ///< its length in bytes, 0 = the rest
  Child<Node> utilityStmt{};            ///< the statement if it is none of these; else null
  Child<List> cteList{};                ///< of CommonTableExpr: WITH
  Child<List> rtable{};                 ///< of RangeTblEntry: the range table
  Child<List> rteperminfos{};           ///< of RTEPermissionInfo: the rights that its entries need
  Child<FromExpr> jointree{};           ///< FROM and WHERE
  Child<List> mergeActionList{};        ///< of MergeAction: the WHEN clauses of MERGE
  Child<Node> mergeJoinCondition{};     ///< ON of MERGE
  Child<List> targetList{};             ///< of TargetEntry
  Child<OnConflictExpr> onConflict{};   ///< ON CONFLICT, or null
  CString returningOldAlias{};          ///< the name that RETURNING gives OLD
  CString returningNewAlias{};          ///< the name that RETURNING gives NEW
  Child<List> returningList{};          ///< of TargetEntry: RETURNING
  Child<List> groupClause{};            ///< of SortGroupClause: GROUP BY
  Child<List> groupingSets{};           ///< of GroupingSet
  Child<Node> havingQual{};             ///< HAVING, or null
  Child<List> windowClause{};           ///< of WindowClause: WINDOW and OVER
  Child<List> distinctClause{};         ///< of SortGroupClause: DISTINCT
  Child<List> sortClause{};             ///< of SortGroupClause: ORDER BY
  Child<Node> limitOffset{};            ///< OFFSET, or null
  Child<Node> limitCount{};             ///< LIMIT, or null
  Child<List> rowMarks{};               ///< of RowMarkClause: FOR UPDATE ...
  Child<Node> setOperations{};      ///< the root of UNION and the like: a SetOperationStmt, or null
  Child<OidList> constraintDeps{};  ///< the primary keys on which ungrouped columns rely
  Child<List> withCheckOptions{};   ///< of WithCheckOption: of the view that is changed
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
  NODE(RangeTblEntry, UntilVersion(14, "RTE"), SinceVersion(15, "RANGETBLENTRY"));
  RTEKind rtekind{};              ///< what it is
  JoinType jointype{};            ///< which join
  char relkind{};                 ///< pg_class.relkind of the relation
  bool security_barrier{};        ///< the view is a security barrier
  bool funcordinality{};          ///< WITH ORDINALITY
  bool self_reference{};          ///< a recursive reference to the WITH query that it stands in
  bool lateral{};                 ///< LATERAL was written or is implied
  bool inh{};                     ///< with the tables that inherit from it
  bool inFromCl{};                ///< stands in FROM; OLD and NEW of a rule do not
  Oid relid{};                    ///< the relation (pg_class)
  std::int32_t rellockmode{};     ///< the lock that the query takes on it
  std::uint32_t perminfoindex{};  ///< its place in rteperminfos, from 1; 0 = none
  std::int32_t joinmergedcols{};  ///< how many columns USING merged
  std::uint32_t ctelevelsup{};    ///< how many queries further out the WITH is
  std::uint32_t requiredPerms{};  ///< the rights that are needed, as bits of ACL; this and the next
                                  ///< five are in RTEPermissionInfo from 16
  Oid checkAsUser{};              ///< the role whose rights are checked, 0 = the current one
  Child<Bitmapset> selectedCols{};  ///< the columns that are read, shifted so that system columns
                                    ///< are not negative
  Child<Bitmapset> insertedCols{};  ///< the columns that are inserted
  Child<Bitmapset> updatedCols{};   ///< the columns that are updated
  Child<Bitmapset> extraUpdatedCols{};  ///< generated columns that change with them
  Child<Alias> alias{};                 ///< the name that the user gave, or null
  Child<Alias> eref{};                  ///< the names by which the query knows it and its columns
  Child<TableSampleClause> tablesample{};  ///< TABLESAMPLE, or null
  Child<Query> subquery{};                 ///< the query in parentheses, or that of a view
  Child<List> joinaliasvars{};             ///< of Expr: what each column of the join stands for
  Child<IntList> joinleftcols{};           ///< the column numbers in the left side
  Child<IntList> joinrightcols{};          ///< the column numbers in the right side
  Child<Alias> join_using_alias{};         ///< USING (...) AS alias
  Child<List> functions{};                 ///< of RangeTblFunction: one, or those of ROWS FROM
  Child<TableFunc> tablefunc{};            ///< XMLTABLE or JSON_TABLE
  Child<List> values_lists{};              ///< of List of Expr: the rows of VALUES
  CString ctename{};                       ///< the name of the WITH query
  Child<OidList> coltypes{};       ///< of VALUES, WITH queries and tuplestores: the columns' types
  Child<IntList> coltypmods{};     ///< their type modifiers
  Child<OidList> colcollations{};  ///< their collations, 0 = none
  CString enrname{};               ///< the name of the tuplestore: a transition table of a trigger
  double enrtuples{};              ///< how many rows it has or may have
  Child<List> groupexprs{};        ///< of Expr: what is grouped by
  Child<List> securityQuals{};     ///< of Expr: conditions of security barriers and row security

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

/// The rights that a query needs on one relation.
struct alignas(8) RTEPermissionInfo final : Node {
  NODE(RTEPermissionInfo, SinceVersion(16, "RTEPERMISSIONINFO"));
  bool inh{};                       ///< with the tables that inherit from it
  Oid relid{};                      ///< the relation (pg_class)
  Oid checkAsUser{};                ///< the role whose rights are checked, 0 = the current one
  std::uint64_t requiredPerms{};    ///< the rights, as bits of ACL
  Child<Bitmapset> selectedCols{};  ///< the columns that are read, shifted so that system columns
                                    ///< are not negative
  Child<Bitmapset> insertedCols{};  ///< the columns that are inserted
  Child<Bitmapset> updatedCols{};   ///< the columns that are updated
  FIELDS(FIELD(relid, .names = ObjectKind::kRelation), FIELD(inh), FIELD(requiredPerms),
         FIELD(checkAsUser, .names = ObjectKind::kRole), FIELD(selectedCols), FIELD(insertedCols),
         FIELD(updatedCols))
};

/// A function in FROM.
struct alignas(8) RangeTblFunction final : Node {
  NODE(RangeTblFunction, "RANGETBLFUNCTION");
  std::int32_t funccolcount{};  ///< how many columns it gives
  Child<Node> funcexpr{};       ///< the call
  Child<List> funccolnames{};   ///< of String: the names of a column definition list; this and the
                                ///< next three are null without one
  Child<OidList> funccoltypes{};       ///< the types in it
  Child<IntList> funccoltypmods{};     ///< the type modifiers in it
  Child<OidList> funccolcollations{};  ///< the collations in it
  Child<Bitmapset> funcparams{};       ///< the Params that the call depends on; set by the planner
  FIELDS(FIELD(funcexpr), FIELD(funccolcount), FIELD(funccolnames),
         FIELD(funccoltypes, .names = ObjectKind::kType), FIELD(funccoltypmods),
         FIELD(funccolcollations, .names = ObjectKind::kCollation), FIELD(funcparams))
};

/// TABLESAMPLE method (args) REPEATABLE (repeatable).
struct alignas(8) TableSampleClause final : Node {
  NODE(TableSampleClause, "TABLESAMPLECLAUSE");
  Oid tsmhandler{};          ///< the handler function of the method
  Child<List> args{};        ///< of Expr: the arguments
  Child<Expr> repeatable{};  ///< the seed, or null
  FIELDS(FIELD(tsmhandler, .names = ObjectKind::kFunction), FIELD(args), FIELD(repeatable))
};

/// WITH CHECK OPTION of a view, or the check of a row security policy, that a changed row must
/// pass.
struct alignas(8) WithCheckOption final : Node {
  NODE(WithCheckOption, "WITHCHECKOPTION");
  WCOKind kind{};      ///< which of them, and for which command
  bool cascaded{};     ///< CASCADED: the views below are checked as well
  CString relname{};   ///< the name of the view or table
  CString polname{};   ///< the name of the policy, or null
  Child<Node> qual{};  ///< the condition
  FIELDS(FIELD(kind), FIELD(relname), FIELD(polname), FIELD(qual), FIELD(cascaded))
};

/// An element of ORDER BY, GROUP BY, DISTINCT or PARTITION BY.
struct alignas(8) SortGroupClause final : Node {
  NODE(SortGroupClause, "SORTGROUPCLAUSE");
  bool reverse_sort{};              ///< sorts in descending order
  bool nulls_first{};               ///< NULLS FIRST
  bool hashable{};                  ///< eqop can be hashed
  std::uint32_t tleSortGroupRef{};  ///< the ressortgroupref of the TargetEntry meant
  Oid eqop{};                       ///< the "=" of its type
  Oid sortop{};                     ///< the "<" or ">" that sorts, 0 = it cannot be sorted
  FIELDS(FIELD(tleSortGroupRef), FIELD(eqop, .names = ObjectKind::kOperator),
         FIELD(sortop, .names = ObjectKind::kOperator), FIELD(reverse_sort, .since = 18),
         FIELD(nulls_first), FIELD(hashable))
};

/// An element of GROUP BY that is ROLLUP, CUBE, GROUPING SETS or a part of one.
struct alignas(8) GroupingSet final : Node {
  NODE(GroupingSet, "GROUPINGSET");
  GroupingSetKind kind{};          ///< which of them
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Node> content{};           ///< an IntList of ressortgrouprefs, or a List of GroupingSet
  FIELDS(FIELD(kind), FIELD(content), FIELD(location))
};

/// A window: PARTITION BY, ORDER BY and the frame.
struct alignas(8) WindowClause final : Node {
  NODE(WindowClause, "WINDOWCLAUSE");
  bool inRangeAsc{};              ///< RANGE: the order is ascending
  bool inRangeNullsFirst{};       ///< RANGE: nulls come first
  bool copiedOrder{};             ///< orderClause was taken from the window refname
  std::int32_t frameOptions{};    ///< the frame, as bits; other bits in version 10
  Oid startInRangeFunc{};         ///< RANGE: the in_range function for startOffset
  Oid endInRangeFunc{};           ///< RANGE: the in_range function for endOffset
  Oid inRangeColl{};              ///< the collation that these use, 0 = none
  std::uint32_t winref{};         ///< the number by which a WindowFunc names it
  CString name{};                 ///< its name; null = written in OVER
  CString refname{};              ///< the window that it extends, or null
  Child<List> partitionClause{};  ///< of SortGroupClause: PARTITION BY
  Child<List> orderClause{};      ///< of SortGroupClause: ORDER BY
  Child<Node> startOffset{};      ///< the n of n PRECEDING or FOLLOWING where the frame starts
  Child<Node> endOffset{};        ///< the same where it ends
  Child<List> runCondition{};     ///< 15 and 16: conditions under which the planner may stop early
  FIELDS(FIELD(name), FIELD(refname), FIELD(partitionClause), FIELD(orderClause),
         FIELD(frameOptions), FIELD(startOffset), FIELD(endOffset),
         FIELD(runCondition, .since = 15, .until = 16),
         FIELD(startInRangeFunc, .since = 11, .names = ObjectKind::kFunction),
         FIELD(endInRangeFunc, .since = 11, .names = ObjectKind::kFunction),
         FIELD(inRangeColl, .since = 11, .names = ObjectKind::kCollation),
         FIELD(inRangeAsc, .since = 11), FIELD(inRangeNullsFirst, .since = 11), FIELD(winref),
         FIELD(copiedOrder))
};

/// FOR UPDATE, FOR SHARE and the like, of one table.
struct alignas(8) RowMarkClause final : Node {
  NODE(RowMarkClause, "ROWMARKCLAUSE");
  LockClauseStrength strength{};  ///< which lock
  LockWaitPolicy waitPolicy{};    ///< NOWAIT, SKIP LOCKED, or wait
  bool pushedDown{};              ///< was written for a query further out
  std::uint32_t rti{};            ///< which range table entry
  FIELDS(FIELD(rti), FIELD(strength), FIELD(waitPolicy), FIELD(pushedDown))
};

/// SEARCH ... FIRST BY ... SET of a recursive WITH query.
struct alignas(8) CTESearchClause final : Node {
  NODE(CTESearchClause, SinceVersion(14, "CTESEARCHCLAUSE"));
  bool search_breadth_first{};     ///< BREADTH, not DEPTH
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<List> search_col_list{};   ///< of String: BY
  CString search_seq_column{};     ///< the column that SET names
  FIELDS(FIELD(search_col_list), FIELD(search_breadth_first), FIELD(search_seq_column),
         FIELD(location))
};

/// CYCLE ... SET ... USING of a recursive WITH query.
struct alignas(8) CTECycleClause final : Node {
  NODE(CTECycleClause, SinceVersion(14, "CTECYCLECLAUSE"));
  Oid cycle_mark_type{};             ///< the type of the mark
  std::int32_t cycle_mark_typmod{};  ///< its type modifier
  Oid cycle_mark_collation{};        ///< its collation, 0 = none
  Oid cycle_mark_neop{};             ///< the "<>" of its type
  ParseLoc location{kNoLocation};    ///< where it stands in the statement
  Child<List> cycle_col_list{};      ///< of String: the columns that are watched
  CString cycle_mark_column{};       ///< the column that SET names
  Child<Node> cycle_mark_value{};    ///< its value in a cycle
  Child<Node> cycle_mark_default{};  ///< its value elsewhere
  CString cycle_path_column{};       ///< the column that USING names
  FIELDS(FIELD(cycle_col_list), FIELD(cycle_mark_column), FIELD(cycle_mark_value),
         FIELD(cycle_mark_default), FIELD(cycle_path_column), FIELD(location),
         FIELD(cycle_mark_type, .names = ObjectKind::kType), FIELD(cycle_mark_typmod),
         FIELD(cycle_mark_collation, .names = ObjectKind::kCollation),
         FIELD(cycle_mark_neop, .names = ObjectKind::kOperator))
};

/// One query of WITH.
struct alignas(8) CommonTableExpr final : Node {
  NODE(CommonTableExpr, "COMMONTABLEEXPR");
  CTEMaterialize ctematerialized{};        ///< MATERIALIZED, NOT MATERIALIZED, or neither
  bool cterecursive{};                     ///< it refers to itself
  std::int32_t cterefcount{};              ///< how often the query refers to it
  ParseLoc location{kNoLocation};          ///< where it stands in the statement
  CString ctename{};                       ///< its name
  Child<List> aliascolnames{};             ///< of String: the column names that the user gave
  Child<Node> ctequery{};                  ///< the Query
  Child<CTESearchClause> search_clause{};  ///< SEARCH, or null
  Child<CTECycleClause> cycle_clause{};    ///< CYCLE, or null
  Child<List> ctecolnames{};               ///< of String: the names of its columns
  Child<OidList> ctecoltypes{};            ///< their types
  Child<IntList> ctecoltypmods{};          ///< their type modifiers
  Child<OidList> ctecolcollations{};       ///< their collations, 0 = none
  FIELDS(FIELD(ctename), FIELD(aliascolnames), FIELD(ctematerialized, .since = 12), FIELD(ctequery),
         FIELD(search_clause, .since = 14), FIELD(cycle_clause, .since = 14), FIELD(location),
         FIELD(cterecursive), FIELD(cterefcount), FIELD(ctecolnames),
         FIELD(ctecoltypes, .names = ObjectKind::kType), FIELD(ctecoltypmods),
         FIELD(ctecolcollations, .names = ObjectKind::kCollation))
};

/// UNION, INTERSECT and EXCEPT of two queries.
struct alignas(8) SetOperationStmt final : Node {
  NODE(SetOperationStmt, "SETOPERATIONSTMT");
  SetOperation op{};               ///< which of them
  bool all{};                      ///< ALL
  Child<Node> larg{};              ///< the left side: a RangeTblRef or SetOperationStmt
  Child<Node> rarg{};              ///< the right side
  Child<OidList> colTypes{};       ///< the types of the columns
  Child<IntList> colTypmods{};     ///< their type modifiers
  Child<OidList> colCollations{};  ///< their collations, 0 = none
  Child<List> groupClauses{};  ///< of SortGroupClause: how rows are compared; null for UNION ALL
  FIELDS(FIELD(op), FIELD(all), FIELD(larg), FIELD(rarg),
         FIELD(colTypes, .names = ObjectKind::kType), FIELD(colTypmods),
         FIELD(colCollations, .names = ObjectKind::kCollation), FIELD(groupClauses))
};

/// NOTIFY: the only utility statement that a rule may hold.
struct alignas(8) NotifyStmt final : Node {
  NODE(NotifyStmt, UntilVersion(14, "NOTIFY"), SinceVersion(15, "NOTIFYSTMT"));
  CString conditionname{};  ///< the channel
  CString payload{};        ///< the message, or null
  FIELDS(FIELD(conditionname), FIELD(payload))
};

// ---- partitions

/// FOR VALUES ... or DEFAULT of a partition (pg_class.relpartbound).
struct alignas(8) PartitionBoundSpec final : Node {
  NODE(PartitionBoundSpec, "PARTITIONBOUNDSPEC");
  char strategy{};                 ///< l = list, r = range, h = hash
  bool is_default{};               ///< DEFAULT
  std::int32_t modulus{};          ///< WITH (MODULUS ...)
  std::int32_t remainder{};        ///< WITH (REMAINDER ...)
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<List> listdatums{};        ///< of Const: IN (...)
  Child<List> lowerdatums{};       ///< of PartitionRangeDatum: FROM (...)
  Child<List> upperdatums{};       ///< of PartitionRangeDatum: TO (...)
  FIELDS(FIELD(strategy), FIELD(is_default, .since = 11), FIELD(modulus, .since = 11),
         FIELD(remainder, .since = 11), FIELD(listdatums), FIELD(lowerdatums), FIELD(upperdatums),
         FIELD(location))
};

/// One value of FROM (...) or TO (...).
struct alignas(8) PartitionRangeDatum final : Node {
  NODE(PartitionRangeDatum, "PARTITIONRANGEDATUM");
  PartitionRangeDatumKind kind{};  ///< MINVALUE, a value, or MAXVALUE
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Node> value{};             ///< a Const; null unless kind is kValue
  FIELDS(FIELD(kind), FIELD(value), FIELD(location))
};

}  // namespace relcache
#include "relcache/nodes/declare_end.h"
