// The enums of node members. Their numbers are those in PostgreSQL's text form of nodes, and the
// names follow PostgreSQL's (kInner is JOIN_INNER).
#pragma once

#include "relcache/nodes/field.h"

namespace relcache {

/// How a function call or cast was written, which matters for printing it: as f(x), as a cast, not
/// at all (an implicit cast), or in a syntax of its own such as EXTRACT.
enum class CoercionForm : std::uint8_t { kExplicitCall, kExplicitCast, kImplicitCast, kSqlSyntax };
RELCACHE_ENUM_RANGE(CoercionForm, kExplicitCall, kSqlSyntax)

/// The boolean operators.
enum class BoolExprType : std::uint8_t { kAnd, kOr, kNot };
RELCACHE_ENUM_RANGE(BoolExprType, kAnd, kNot)

/// Which row a column of RETURNING is read from.
enum class VarReturningType : std::uint8_t { kDefault, kOld, kNew };
RELCACHE_ENUM_RANGE(VarReturningType, kDefault, kNew)

/// Where the value of a Param comes from: the client or caller, another part of the plan, the
/// surrounding SubLink, or the subquery of SET (a, b) = (...).
enum class ParamKind : std::uint8_t { kExtern, kExec, kSublink, kMultiexpr };
RELCACHE_ENUM_RANGE(ParamKind, kExtern, kMultiexpr)

/// What a SubLink makes of its rows: EXISTS, op ALL, op ANY, a row comparison, the value of the
/// only row, SET (a, b) = (...), ARRAY; kCte stands in plans only.
enum class SubLinkType : std::uint8_t {
  kExists,
  kAll,
  kAny,
  kRowCompare,
  kExpr,
  kMultiexpr,
  kArray,
  kCte
};
RELCACHE_ENUM_RANGE(SubLinkType, kExists, kCte)

/// The comparison operators. Their numbers are those by which an index of the kind btree knows them
/// (its strategies); PostgreSQL 18, where the enum is called CompareType, has kept them.
enum class RowCompareType : std::uint8_t { kLt = 1, kLe, kEq, kGe, kGt, kNe };
RELCACHE_ENUM_RANGE(RowCompareType, kLt, kNe)

/// The two functions of MinMaxExpr.
enum class MinMaxOp : std::uint8_t { kGreatest, kLeast };
RELCACHE_ENUM_RANGE(MinMaxOp, kGreatest, kLeast)

/// The functions of SQLValueFunction. A name that ends in N means the form with a precision.
enum class SQLValueFunctionOp : std::uint8_t {
  kCurrentDate,
  kCurrentTime,
  kCurrentTimeN,
  kCurrentTimestamp,
  kCurrentTimestampN,
  kLocaltime,
  kLocaltimeN,
  kLocaltimestamp,
  kLocaltimestampN,
  kCurrentRole,
  kCurrentUser,
  kUser,
  kSessionUser,
  kCurrentCatalog,
  kCurrentSchema
};
RELCACHE_ENUM_RANGE(SQLValueFunctionOp, kCurrentDate, kCurrentSchema)

/// The functions of XmlExpr: XMLCONCAT, XMLELEMENT ..., and IS DOCUMENT.
enum class XmlExprOp : std::uint8_t {
  kConcat,
  kElement,
  kForest,
  kParse,
  kPi,
  kRoot,
  kSerialize,
  kDocument
};
RELCACHE_ENUM_RANGE(XmlExprOp, kConcat, kDocument)

/// What XMLPARSE and XMLSERIALIZE take a text to be.
enum class XmlOptionType : std::uint8_t { kDocument, kContent };
RELCACHE_ENUM_RANGE(XmlOptionType, kDocument, kContent)

/// ENCODING of FORMAT JSON.
enum class JsonEncoding : std::uint8_t { kDefault, kUtf8, kUtf16, kUtf32 };
RELCACHE_ENUM_RANGE(JsonEncoding, kDefault, kUtf32)
/// FORMAT of a JSON expression.
enum class JsonFormatType : std::uint8_t { kDefault, kJson, kJsonb };
RELCACHE_ENUM_RANGE(JsonFormatType, kDefault, kJsonb)
/// The functions of JsonConstructorExpr.
enum class JsonConstructorType : std::uint8_t {
  kObject = 1,
  kArray,
  kObjectAgg,
  kArrayAgg,
  kParse,
  kScalar,
  kSerialize
};
RELCACHE_ENUM_RANGE(JsonConstructorType, kObject, kSerialize)
/// The kind of value that IS JSON asks for.
enum class JsonValueType : std::uint8_t { kAny, kObject, kArray, kScalar };
RELCACHE_ENUM_RANGE(JsonValueType, kAny, kScalar)
/// WRAPPER of JSON_QUERY.
enum class JsonWrapper : std::uint8_t { kUnspecified, kNone, kConditional, kUnconditional };
RELCACHE_ENUM_RANGE(JsonWrapper, kUnspecified, kUnconditional)
/// What ON EMPTY and ON ERROR return.
enum class JsonBehaviorType : std::uint8_t {
  kNull,
  kError,
  kEmpty,
  kTrue,
  kFalse,
  kUnknown,
  kEmptyArray,
  kEmptyObject,
  kDefault
};
RELCACHE_ENUM_RANGE(JsonBehaviorType, kNull, kDefault)
/// The functions of JsonExpr.
enum class JsonExprOp : std::uint8_t { kExists, kQuery, kValue, kTable };
RELCACHE_ENUM_RANGE(JsonExprOp, kExists, kTable)
/// The functions of TableFunc.
enum class TableFuncType : std::uint8_t { kXmlTable, kJsonTable };
RELCACHE_ENUM_RANGE(TableFuncType, kXmlTable, kJsonTable)

/// IS NULL and IS NOT NULL.
enum class NullTestType : std::uint8_t { kIsNull, kIsNotNull };
RELCACHE_ENUM_RANGE(NullTestType, kIsNull, kIsNotNull)

/// The tests of BooleanTest.
enum class BoolTestType : std::uint8_t {
  kIsTrue,
  kIsNotTrue,
  kIsFalse,
  kIsNotFalse,
  kIsUnknown,
  kIsNotUnknown
};
RELCACHE_ENUM_RANGE(BoolTestType, kIsTrue, kIsNotUnknown)

/// The kinds of statement. Up to version 14 there was no MERGE: 5 means utility and 6 means
/// nothing. A tree keeps the numbers that were read, so their meaning depends on the version of the
/// tree.
enum class CmdType : std::uint8_t {
  kUnknown,
  kSelect,
  kUpdate,
  kInsert,
  kDelete,
  kMerge,
  kUtility,
  kNothing
};
RELCACHE_ENUM_RANGE(CmdType, kUnknown, kNothing)

/// OVERRIDING USER VALUE or SYSTEM VALUE of an INSERT.
enum class OverridingKind : std::uint8_t { kNotSet, kUserValue, kSystemValue };
RELCACHE_ENUM_RANGE(OverridingKind, kNotSet, kSystemValue)

/// WHEN MATCHED, WHEN NOT MATCHED BY SOURCE, WHEN NOT MATCHED [BY TARGET].
enum class MergeMatchKind : std::uint8_t { kMatched, kNotMatchedBySource, kNotMatchedByTarget };
RELCACHE_ENUM_RANGE(MergeMatchKind, kMatched, kNotMatchedByTarget)

/// The kinds of join. Stored trees have the first four; the planner makes the others.
enum class JoinType : std::uint8_t {
  kInner,
  kLeft,
  kFull,
  kRight,
  kSemi,
  kAnti,
  kRightSemi,
  kRightAnti,
  kUniqueOuter,
  kUniqueInner
};
RELCACHE_ENUM_RANGE(JoinType, kInner, kUniqueInner)

/// What ON CONFLICT does.
enum class OnConflictAction : std::uint8_t { kNone, kNothing, kUpdate };
RELCACHE_ENUM_RANGE(OnConflictAction, kNone, kUpdate)

/// Where a query came from: the user, the parser (unused), or a rule: INSTEAD, INSTEAD with a
/// condition, ALSO.
enum class QuerySource : std::uint8_t {
  kOriginal,
  kParser,
  kInsteadRule,
  kQualInsteadRule,
  kNonInsteadRule
};
RELCACHE_ENUM_RANGE(QuerySource, kOriginal, kNonInsteadRule)

/// FETCH FIRST ... ONLY or WITH TIES.
enum class LimitOption : std::uint8_t { kCount, kWithTies };
RELCACHE_ENUM_RANGE(LimitOption, kCount, kWithTies)

/// What a range table entry is. kNamedTuplestore: a transition table of a trigger; kResult: no
/// rows of its own, made by the planner; kGroup: the GROUP BY step.
enum class RTEKind : std::uint8_t {
  kRelation,
  kSubquery,
  kJoin,
  kFunction,
  kTableFunc,
  kValues,
  kCte,
  kNamedTuplestore,
  kResult,
  kGroup
};
RELCACHE_ENUM_RANGE(RTEKind, kRelation, kGroup)

/// Which check a WithCheckOption is: of a view, or of a row security policy for a command.
enum class WCOKind : std::uint8_t {
  kViewCheck,
  kRlsInsertCheck,
  kRlsUpdateCheck,
  kRlsConflictCheck,
  kRlsMergeUpdateCheck,
  kRlsMergeDeleteCheck
};
RELCACHE_ENUM_RANGE(WCOKind, kViewCheck, kRlsMergeDeleteCheck)

/// The kinds of GroupingSet: (), a plain list, ROLLUP, CUBE, GROUPING SETS.
enum class GroupingSetKind : std::uint8_t { kEmpty, kSimple, kRollup, kCube, kSets };
RELCACHE_ENUM_RANGE(GroupingSetKind, kEmpty, kSets)

/// MATERIALIZED and NOT MATERIALIZED of a WITH query.
enum class CTEMaterialize : std::uint8_t { kDefault, kAlways, kNever };
RELCACHE_ENUM_RANGE(CTEMaterialize, kDefault, kNever)

/// The row locks of FOR UPDATE and the like, weakest first.
enum class LockClauseStrength : std::uint8_t {
  kNone,
  kForKeyShare,
  kForShare,
  kForNoKeyUpdate,
  kForUpdate
};
RELCACHE_ENUM_RANGE(LockClauseStrength, kNone, kForUpdate)
/// What to do about a row that is locked: wait, SKIP LOCKED, NOWAIT.
enum class LockWaitPolicy : std::uint8_t { kBlock, kSkip, kError };
RELCACHE_ENUM_RANGE(LockWaitPolicy, kBlock, kError)

/// The operations of SetOperationStmt.
enum class SetOperation : std::uint8_t { kNone, kUnion, kIntersect, kExcept };
RELCACHE_ENUM_RANGE(SetOperation, kNone, kExcept)

/// MINVALUE, a value, or MAXVALUE in a partition bound.
enum class PartitionRangeDatumKind : std::int8_t { kMinValue = -1, kValue = 0, kMaxValue = 1 };
RELCACHE_ENUM_RANGE(PartitionRangeDatumKind, kMinValue, kMaxValue)

}  // namespace relcache
