// The enums of node members; their numbers are the ones in the text.
#pragma once

#include "relcache/nodes/field.h"

namespace relcache {

enum class CoercionForm : std::uint8_t { kExplicitCall, kExplicitCast, kImplicitCast, kSqlSyntax };
RELCACHE_ENUM_RANGE(CoercionForm, kExplicitCall, kSqlSyntax)

enum class BoolExprType : std::uint8_t { kAnd, kOr, kNot };
RELCACHE_ENUM_RANGE(BoolExprType, kAnd, kNot)

enum class VarReturningType : std::uint8_t { kDefault, kOld, kNew };
RELCACHE_ENUM_RANGE(VarReturningType, kDefault, kNew)

enum class ParamKind : std::uint8_t { kExtern, kExec, kSublink, kMultiexpr };
RELCACHE_ENUM_RANGE(ParamKind, kExtern, kMultiexpr)

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

/// The btree strategies, of which CompareType (18) keeps the numbers.
enum class RowCompareType : std::uint8_t { kLt = 1, kLe, kEq, kGe, kGt, kNe };
RELCACHE_ENUM_RANGE(RowCompareType, kLt, kNe)

enum class MinMaxOp : std::uint8_t { kGreatest, kLeast };
RELCACHE_ENUM_RANGE(MinMaxOp, kGreatest, kLeast)

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

enum class XmlOptionType : std::uint8_t { kDocument, kContent };
RELCACHE_ENUM_RANGE(XmlOptionType, kDocument, kContent)

enum class JsonEncoding : std::uint8_t { kDefault, kUtf8, kUtf16, kUtf32 };
RELCACHE_ENUM_RANGE(JsonEncoding, kDefault, kUtf32)
enum class JsonFormatType : std::uint8_t { kDefault, kJson, kJsonb };
RELCACHE_ENUM_RANGE(JsonFormatType, kDefault, kJsonb)
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
enum class JsonValueType : std::uint8_t { kAny, kObject, kArray, kScalar };
RELCACHE_ENUM_RANGE(JsonValueType, kAny, kScalar)
enum class JsonWrapper : std::uint8_t { kUnspecified, kNone, kConditional, kUnconditional };
RELCACHE_ENUM_RANGE(JsonWrapper, kUnspecified, kUnconditional)
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
enum class JsonExprOp : std::uint8_t { kExists, kQuery, kValue, kTable };
RELCACHE_ENUM_RANGE(JsonExprOp, kExists, kTable)
enum class TableFuncType : std::uint8_t { kXmlTable, kJsonTable };
RELCACHE_ENUM_RANGE(TableFuncType, kXmlTable, kJsonTable)

enum class NullTestType : std::uint8_t { kIsNull, kIsNotNull };
RELCACHE_ENUM_RANGE(NullTestType, kIsNull, kIsNotNull)

enum class BoolTestType : std::uint8_t {
  kIsTrue,
  kIsNotTrue,
  kIsFalse,
  kIsNotFalse,
  kIsUnknown,
  kIsNotUnknown
};
RELCACHE_ENUM_RANGE(BoolTestType, kIsTrue, kIsNotUnknown)

/// Up to version 14 there was no MERGE: 5 is utility, 6 is nothing. Numbers stay as read; ask the
/// version of the tree.
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

enum class OverridingKind : std::uint8_t { kNotSet, kUserValue, kSystemValue };
RELCACHE_ENUM_RANGE(OverridingKind, kNotSet, kSystemValue)

enum class MergeMatchKind : std::uint8_t { kMatched, kNotMatchedBySource, kNotMatchedByTarget };
RELCACHE_ENUM_RANGE(MergeMatchKind, kMatched, kNotMatchedByTarget)

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

enum class OnConflictAction : std::uint8_t { kNone, kNothing, kUpdate };
RELCACHE_ENUM_RANGE(OnConflictAction, kNone, kUpdate)

enum class QuerySource : std::uint8_t {
  kOriginal,
  kParser,
  kInsteadRule,
  kQualInsteadRule,
  kNonInsteadRule
};
RELCACHE_ENUM_RANGE(QuerySource, kOriginal, kNonInsteadRule)

enum class LimitOption : std::uint8_t { kCount, kWithTies };
RELCACHE_ENUM_RANGE(LimitOption, kCount, kWithTies)

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

enum class WCOKind : std::uint8_t {
  kViewCheck,
  kRlsInsertCheck,
  kRlsUpdateCheck,
  kRlsConflictCheck,
  kRlsMergeUpdateCheck,
  kRlsMergeDeleteCheck
};
RELCACHE_ENUM_RANGE(WCOKind, kViewCheck, kRlsMergeDeleteCheck)

enum class GroupingSetKind : std::uint8_t { kEmpty, kSimple, kRollup, kCube, kSets };
RELCACHE_ENUM_RANGE(GroupingSetKind, kEmpty, kSets)

enum class CTEMaterialize : std::uint8_t { kDefault, kAlways, kNever };
RELCACHE_ENUM_RANGE(CTEMaterialize, kDefault, kNever)

enum class LockClauseStrength : std::uint8_t {
  kNone,
  kForKeyShare,
  kForShare,
  kForNoKeyUpdate,
  kForUpdate
};
RELCACHE_ENUM_RANGE(LockClauseStrength, kNone, kForUpdate)
enum class LockWaitPolicy : std::uint8_t { kBlock, kSkip, kError };
RELCACHE_ENUM_RANGE(LockWaitPolicy, kBlock, kError)

enum class SetOperation : std::uint8_t { kNone, kUnion, kIntersect, kExcept };
RELCACHE_ENUM_RANGE(SetOperation, kNone, kExcept)

enum class PartitionRangeDatumKind : std::int8_t { kMinValue = -1, kValue = 0, kMaxValue = 1 };
RELCACHE_ENUM_RANGE(PartitionRangeDatumKind, kMinValue, kMaxValue)

}  // namespace relcache
