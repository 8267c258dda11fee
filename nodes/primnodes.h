// Expressions (PostgreSQL's nodes/primnodes.h).
//
// Each struct declares its members, packed as they pack best, and then its fields in the order of
// the text with the versions that write them. Members keep PostgreSQL's names. What a field means
// is said in PostgreSQL's own header; here stand types, versions, and what the oids name.
#pragma once

#include "relcache/nodes/field.h"
#include "relcache/nodes/node_enums.h"
// clang-format off
#include "relcache/nodes/declare_begin.h"
// clang-format on

namespace relcache {

struct alignas(8) Alias final : Node {
  NODE(Alias, "ALIAS");
  CString aliasname{};
  Child<List> colnames{};  ///< of String
  FIELDS(FIELD(aliasname), FIELD(colnames))
};

/// A column of a range table entry. System columns have other numbers before version 12.
struct alignas(8) Var final : Expr {
  NODE(Var, "VAR");
  AttrNumber varattno{};     ///< 0 = the whole row
  AttrNumber varattnosyn{};  ///< as the user wrote it; "varoattno" up to 12
  VarReturningType varreturningtype{};
  std::int32_t varno{};
  Oid vartype{};
  std::int32_t vartypmod{-1};
  Oid varcollid{};
  std::uint32_t varlevelsup{};
  std::uint32_t varnosyn{};  ///< "varnoold" up to 12
  ParseLoc location{kNoLocation};
  Child<Bitmapset> varnullingrels{};
  FIELDS(FIELD(varno), FIELD(varattno), FIELD(vartype, .names = ObjectKind::kType),
         FIELD(vartypmod), FIELD(varcollid, .names = ObjectKind::kCollation),
         FIELD(varnullingrels, .since = 16), FIELD(varlevelsup),
         FIELD(varreturningtype, .since = 18),
         FIELD_AS(varnosyn, "varnoold", .until = 12, .compare = Compare::kNever),
         FIELD_AS(varattnosyn, "varoattno", .until = 12, .compare = Compare::kNever),
         FIELD(varnosyn, .since = 13, .compare = Compare::kNever),
         FIELD(varattnosyn, .since = 13, .compare = Compare::kNever), FIELD(location))
};

/// A value. By reference (constbyval false), constvalue points to its bytes in the tree's memory:
/// constlen of them, a varlena with an uncompressed 4-byte header (-1), or a C string (-2).
struct alignas(8) Const final : Expr {
  NODE(Const, "CONST");
  std::int16_t constlen{};
  bool constbyval{};
  bool constisnull{};
  bool bytes_unsigned{};  ///< the text gave bytes above 127 as such: from a machine where char is
                          ///< unsigned
  Oid consttype{};
  std::int32_t consttypmod{-1};
  Oid constcollid{};
  ParseLoc location{kNoLocation};
  Datum constvalue{};
  FIELDS(FIELD(consttype, .names = ObjectKind::kType), FIELD(consttypmod),
         FIELD(constcollid, .names = ObjectKind::kCollation), FIELD(constlen), FIELD(constbyval),
         FIELD(constisnull), FIELD(location), FIELD(constvalue), UNWRITTEN(bytes_unsigned))

  /// The bytes of a value by reference; none if it is null or by value.
  std::string_view bytes() const;
};

struct alignas(8) Param final : Expr {
  NODE(Param, "PARAM");
  ParamKind paramkind{};
  std::int32_t paramid{};
  Oid paramtype{};
  std::int32_t paramtypmod{-1};
  Oid paramcollid{};
  ParseLoc location{kNoLocation};
  FIELDS(FIELD(paramkind), FIELD(paramid), FIELD(paramtype, .names = ObjectKind::kType),
         FIELD(paramtypmod), FIELD(paramcollid, .names = ObjectKind::kCollation), FIELD(location))
};

struct alignas(8) Aggref final : Expr {
  NODE(Aggref, "AGGREF");
  bool aggstar{};
  bool aggvariadic{};
  char aggkind{};  ///< n, o, h
  bool aggpresorted{};
  Oid aggfnoid{};
  Oid aggtype{};
  Oid aggcollid{};
  Oid inputcollid{};
  Oid aggtranstype{};
  std::uint32_t agglevelsup{};
  std::int32_t aggsplit{};
  std::int32_t aggno{-1};
  std::int32_t aggtransno{-1};
  ParseLoc location{kNoLocation};
  Child<OidList> aggargtypes{};
  Child<List> aggdirectargs{};
  Child<List> args{};  ///< of TargetEntry
  Child<List> aggorder{};
  Child<List> aggdistinct{};
  Child<Expr> aggfilter{};
  FIELDS(FIELD(aggfnoid, .names = ObjectKind::kFunction),
         FIELD(aggtype, .names = ObjectKind::kType),
         FIELD(aggcollid, .names = ObjectKind::kCollation),
         FIELD(inputcollid, .names = ObjectKind::kCollation),
         FIELD(aggtranstype, .compare = Compare::kNever, .names = ObjectKind::kType),
         FIELD(aggargtypes, .names = ObjectKind::kType), FIELD(aggdirectargs), FIELD(args),
         FIELD(aggorder), FIELD(aggdistinct), FIELD(aggfilter), FIELD(aggstar), FIELD(aggvariadic),
         FIELD(aggkind), FIELD(aggpresorted, .since = 16, .compare = Compare::kNever),
         FIELD(agglevelsup), FIELD(aggsplit), FIELD(aggno, .since = 14),
         FIELD(aggtransno, .since = 14), FIELD(location))
};

struct alignas(8) GroupingFunc final : Expr {
  NODE(GroupingFunc, "GROUPINGFUNC");
  std::uint32_t agglevelsup{};
  ParseLoc location{kNoLocation};
  Child<List> args{};
  Child<IntList> refs{};
  Child<IntList> cols{};
  FIELDS(FIELD(args), FIELD(refs, .compare = Compare::kNever),
         FIELD(cols, .compare = Compare::kNever), FIELD(agglevelsup), FIELD(location))
};

struct alignas(8) WindowFunc final : Expr {
  NODE(WindowFunc, "WINDOWFUNC");
  bool winstar{};
  bool winagg{};
  Oid winfnoid{};
  Oid wintype{};
  Oid wincollid{};
  Oid inputcollid{};
  std::uint32_t winref{};
  ParseLoc location{kNoLocation};
  Child<List> args{};
  Child<Expr> aggfilter{};
  Child<List> runCondition{};
  FIELDS(FIELD(winfnoid, .names = ObjectKind::kFunction),
         FIELD(wintype, .names = ObjectKind::kType),
         FIELD(wincollid, .names = ObjectKind::kCollation),
         FIELD(inputcollid, .names = ObjectKind::kCollation), FIELD(args), FIELD(aggfilter),
         FIELD(runCondition, .since = 17), FIELD(winref), FIELD(winstar), FIELD(winagg),
         FIELD(location))
};

/// merge_action()
struct alignas(8) MergeSupportFunc final : Expr {
  NODE(MergeSupportFunc, Since(17, "MERGESUPPORTFUNC"));
  Oid msftype{};
  Oid msfcollid{};
  ParseLoc location{kNoLocation};
  FIELDS(FIELD(msftype, .names = ObjectKind::kType),
         FIELD(msfcollid, .names = ObjectKind::kCollation), FIELD(location))
};

/// a[1], a[2:3], and assignment to them; ArrayRef up to 11.
struct alignas(8) SubscriptingRef final : Expr {
  NODE(SubscriptingRef, Until(11, "ARRAYREF"), Since(12, "SUBSCRIPTINGREF"));
  Oid refcontainertype{};  ///< "refarraytype" up to 11
  Oid refelemtype{};
  Oid refrestype{};
  std::int32_t reftypmod{-1};
  Oid refcollid{};
  Child<List> refupperindexpr{};  ///< null elements: an open bound
  Child<List> reflowerindexpr{};
  Child<Expr> refexpr{};
  Child<Expr> refassgnexpr{};
  FIELDS(FIELD_AS(refcontainertype, "refarraytype", .until = 11, .names = ObjectKind::kType),
         FIELD(refcontainertype, .since = 12, .names = ObjectKind::kType),
         FIELD(refelemtype, .names = ObjectKind::kType),
         FIELD(refrestype, .since = 14, .names = ObjectKind::kType), FIELD(reftypmod),
         FIELD(refcollid, .names = ObjectKind::kCollation), FIELD(refupperindexpr),
         FIELD(reflowerindexpr), FIELD(refexpr), FIELD(refassgnexpr))
};

struct alignas(8) FuncExpr final : Expr {
  NODE(FuncExpr, "FUNCEXPR");
  bool funcretset{};
  bool funcvariadic{};
  CoercionForm funcformat{};
  Oid funcid{};
  Oid funcresulttype{};
  Oid funccollid{};
  Oid inputcollid{};
  ParseLoc location{kNoLocation};
  Child<List> args{};
  FIELDS(FIELD(funcid, .names = ObjectKind::kFunction),
         FIELD(funcresulttype, .names = ObjectKind::kType), FIELD(funcretset), FIELD(funcvariadic),
         FIELD(funcformat), FIELD(funccollid, .names = ObjectKind::kCollation),
         FIELD(inputcollid, .names = ObjectKind::kCollation), FIELD(args), FIELD(location))
};

/// f(name => arg)
struct alignas(8) NamedArgExpr final : Expr {
  NODE(NamedArgExpr, "NAMEDARGEXPR");
  std::int32_t argnumber{};
  ParseLoc location{kNoLocation};
  Child<Expr> arg{};
  CString name{};
  FIELDS(FIELD(arg), FIELD(name), FIELD(argnumber), FIELD(location))
};

struct alignas(8) OpExpr final : Expr {
  NODE(OpExpr, "OPEXPR");
  bool opretset{};
  Oid opno{};
  Oid opfuncid{};  ///< 0 until looked up
  Oid opresulttype{};
  Oid opcollid{};
  Oid inputcollid{};
  ParseLoc location{kNoLocation};
  Child<List> args{};  ///< one or two
  FIELDS(FIELD(opno, .names = ObjectKind::kOperator),
         FIELD(opfuncid, .compare = Compare::kUnlessZero, .names = ObjectKind::kFunction),
         FIELD(opresulttype, .names = ObjectKind::kType), FIELD(opretset),
         FIELD(opcollid, .names = ObjectKind::kCollation),
         FIELD(inputcollid, .names = ObjectKind::kCollation), FIELD(args), FIELD(location))
};

/// a IS DISTINCT FROM b; opno is its "=".
struct alignas(8) DistinctExpr final : Expr {
  NODE(DistinctExpr, "DISTINCTEXPR");
  bool opretset{};
  Oid opno{};
  Oid opfuncid{};
  Oid opresulttype{};
  Oid opcollid{};
  Oid inputcollid{};
  ParseLoc location{kNoLocation};
  Child<List> args{};
  FIELDS(FIELD(opno, .names = ObjectKind::kOperator),
         FIELD(opfuncid, .compare = Compare::kUnlessZero, .names = ObjectKind::kFunction),
         FIELD(opresulttype, .names = ObjectKind::kType), FIELD(opretset),
         FIELD(opcollid, .names = ObjectKind::kCollation),
         FIELD(inputcollid, .names = ObjectKind::kCollation), FIELD(args), FIELD(location))
};

/// NULLIF(a, b); opno is its "=".
struct alignas(8) NullIfExpr final : Expr {
  NODE(NullIfExpr, "NULLIFEXPR");
  bool opretset{};
  Oid opno{};
  Oid opfuncid{};
  Oid opresulttype{};
  Oid opcollid{};
  Oid inputcollid{};
  ParseLoc location{kNoLocation};
  Child<List> args{};
  FIELDS(FIELD(opno, .names = ObjectKind::kOperator),
         FIELD(opfuncid, .compare = Compare::kUnlessZero, .names = ObjectKind::kFunction),
         FIELD(opresulttype, .names = ObjectKind::kType), FIELD(opretset),
         FIELD(opcollid, .names = ObjectKind::kCollation),
         FIELD(inputcollid, .names = ObjectKind::kCollation), FIELD(args), FIELD(location))
};

/// a op ANY (array), a op ALL (array)
struct alignas(8) ScalarArrayOpExpr final : Expr {
  NODE(ScalarArrayOpExpr, "SCALARARRAYOPEXPR");
  bool useOr{};  ///< ANY
  Oid opno{};
  Oid opfuncid{};
  Oid hashfuncid{};
  Oid negfuncid{};
  Oid inputcollid{};
  ParseLoc location{kNoLocation};
  Child<List> args{};
  FIELDS(FIELD(opno, .names = ObjectKind::kOperator),
         FIELD(opfuncid, .compare = Compare::kUnlessZero, .names = ObjectKind::kFunction),
         FIELD(hashfuncid, .since = 14, .compare = Compare::kUnlessZero,
               .names = ObjectKind::kFunction),
         FIELD(negfuncid, .since = 15, .compare = Compare::kUnlessZero,
               .names = ObjectKind::kFunction),
         FIELD(useOr), FIELD(inputcollid, .names = ObjectKind::kCollation), FIELD(args),
         FIELD(location))
};

struct alignas(8) BoolExpr final : Expr {
  NODE(BoolExpr, "BOOLEXPR");
  BoolExprType boolop{};
  ParseLoc location{kNoLocation};
  Child<List> args{};
  FIELDS(FIELD(boolop), FIELD(args), FIELD(location))
};

struct alignas(8) SubLink final : Expr {
  NODE(SubLink, "SUBLINK");
  SubLinkType subLinkType{};
  std::int32_t subLinkId{};
  ParseLoc location{kNoLocation};
  Child<Node> testexpr{};
  Child<List> operName{};
  Child<Node> subselect{};  ///< a Query
  FIELDS(FIELD(subLinkType), FIELD(subLinkId), FIELD(testexpr), FIELD(operName), FIELD(subselect),
         FIELD(location))
};

struct alignas(8) FieldSelect final : Expr {
  NODE(FieldSelect, "FIELDSELECT");
  AttrNumber fieldnum{};
  Oid resulttype{};
  std::int32_t resulttypmod{-1};
  Oid resultcollid{};
  Child<Expr> arg{};
  FIELDS(FIELD(arg), FIELD(fieldnum), FIELD(resulttype, .names = ObjectKind::kType),
         FIELD(resulttypmod), FIELD(resultcollid, .names = ObjectKind::kCollation))
};

struct alignas(8) FieldStore final : Expr {
  NODE(FieldStore, "FIELDSTORE");
  Oid resulttype{};
  Child<Expr> arg{};
  Child<List> newvals{};
  Child<IntList> fieldnums{};
  FIELDS(FIELD(arg), FIELD(newvals), FIELD(fieldnums),
         FIELD(resulttype, .names = ObjectKind::kType))
};

/// A cast that changes no bit.
struct alignas(8) RelabelType final : Expr {
  NODE(RelabelType, "RELABELTYPE");
  CoercionForm relabelformat{};
  Oid resulttype{};
  std::int32_t resulttypmod{-1};
  Oid resultcollid{};
  ParseLoc location{kNoLocation};
  Child<Expr> arg{};
  FIELDS(FIELD(arg), FIELD(resulttype, .names = ObjectKind::kType), FIELD(resulttypmod),
         FIELD(resultcollid, .names = ObjectKind::kCollation), FIELD(relabelformat),
         FIELD(location))
};

/// A cast by output and input function.
struct alignas(8) CoerceViaIO final : Expr {
  NODE(CoerceViaIO, "COERCEVIAIO");
  CoercionForm coerceformat{};
  Oid resulttype{};
  Oid resultcollid{};
  ParseLoc location{kNoLocation};
  Child<Expr> arg{};
  FIELDS(FIELD(arg), FIELD(resulttype, .names = ObjectKind::kType),
         FIELD(resultcollid, .names = ObjectKind::kCollation), FIELD(coerceformat), FIELD(location))
};

/// A cast of each element: by elemexpr, or (10) by the function elemfuncid.
struct alignas(8) ArrayCoerceExpr final : Expr {
  NODE(ArrayCoerceExpr, "ARRAYCOERCEEXPR");
  CoercionForm coerceformat{};
  bool isExplicit{};
  Oid elemfuncid{};
  Oid resulttype{};
  std::int32_t resulttypmod{-1};
  Oid resultcollid{};
  ParseLoc location{kNoLocation};
  Child<Expr> arg{};
  Child<Expr> elemexpr{};
  FIELDS(FIELD(arg), FIELD(elemexpr, .since = 11),
         FIELD(elemfuncid, .until = 10, .names = ObjectKind::kFunction),
         FIELD(resulttype, .names = ObjectKind::kType), FIELD(resulttypmod),
         FIELD(resultcollid, .names = ObjectKind::kCollation), FIELD(isExplicit, .until = 10),
         FIELD(coerceformat), FIELD(location))
};

struct alignas(8) ConvertRowtypeExpr final : Expr {
  NODE(ConvertRowtypeExpr, "CONVERTROWTYPEEXPR");
  CoercionForm convertformat{};
  Oid resulttype{};
  ParseLoc location{kNoLocation};
  Child<Expr> arg{};
  FIELDS(FIELD(arg), FIELD(resulttype, .names = ObjectKind::kType), FIELD(convertformat),
         FIELD(location))
};

struct alignas(8) CollateExpr final : Expr {
  NODE(CollateExpr, Until(14, "COLLATE"), Since(15, "COLLATEEXPR"));
  Oid collOid{};
  ParseLoc location{kNoLocation};
  Child<Expr> arg{};
  FIELDS(FIELD(arg), FIELD(collOid, .names = ObjectKind::kCollation), FIELD(location))
};

struct alignas(8) CaseExpr final : Expr {
  NODE(CaseExpr, Until(14, "CASE"), Since(15, "CASEEXPR"));
  Oid casetype{};
  Oid casecollid{};
  ParseLoc location{kNoLocation};
  Child<Expr> arg{};   ///< CASE arg WHEN: the conditions hold a CaseTestExpr in its place
  Child<List> args{};  ///< of CaseWhen
  Child<Expr> defresult{};
  FIELDS(FIELD(casetype, .names = ObjectKind::kType),
         FIELD(casecollid, .names = ObjectKind::kCollation), FIELD(arg), FIELD(args),
         FIELD(defresult), FIELD(location))
};

struct alignas(8) CaseWhen final : Expr {
  NODE(CaseWhen, Until(14, "WHEN"), Since(15, "CASEWHEN"));
  ParseLoc location{kNoLocation};
  Child<Expr> expr{};
  Child<Expr> result{};
  FIELDS(FIELD(expr), FIELD(result), FIELD(location))
};

struct alignas(8) CaseTestExpr final : Expr {
  NODE(CaseTestExpr, "CASETESTEXPR");
  Oid typeId{};
  std::int32_t typeMod{-1};
  Oid collation{};
  FIELDS(FIELD(typeId, .names = ObjectKind::kType), FIELD(typeMod),
         FIELD(collation, .names = ObjectKind::kCollation))
};

/// ARRAY[...]
struct alignas(8) ArrayExpr final : Expr {
  NODE(ArrayExpr, Until(14, "ARRAY"), Since(15, "ARRAYEXPR"));
  bool multidims{};
  Oid array_typeid{};
  Oid array_collid{};
  Oid element_typeid{};
  ParseLoc list_start{kNoLocation};
  ParseLoc list_end{kNoLocation};
  ParseLoc location{kNoLocation};
  Child<List> elements{};
  FIELDS(FIELD(array_typeid, .names = ObjectKind::kType),
         FIELD(array_collid, .names = ObjectKind::kCollation),
         FIELD(element_typeid, .names = ObjectKind::kType), FIELD(elements), FIELD(multidims),
         FIELD(list_start, .since = 18), FIELD(list_end, .since = 18), FIELD(location))
};

struct alignas(8) RowExpr final : Expr {
  NODE(RowExpr, Until(14, "ROW"), Since(15, "ROWEXPR"));
  CoercionForm row_format{};
  Oid row_typeid{};
  ParseLoc location{kNoLocation};
  Child<List> args{};
  Child<List> colnames{};
  FIELDS(FIELD(args), FIELD(row_typeid, .names = ObjectKind::kType), FIELD(row_format),
         FIELD(colnames), FIELD(location))
};

/// (a, b) < (c, d)
struct alignas(8) RowCompareExpr final : Expr {
  NODE(RowCompareExpr, Until(14, "ROWCOMPARE"), Since(15, "ROWCOMPAREEXPR"));
  RowCompareType rctype{RowCompareType::kLt};  ///< "cmptype" from 18
  Child<OidList> opnos{};
  Child<OidList> opfamilies{};
  Child<OidList> inputcollids{};
  Child<List> largs{};
  Child<List> rargs{};
  FIELDS(FIELD(rctype, .until = 17), FIELD_AS(rctype, "cmptype", .since = 18),
         FIELD(opnos, .names = ObjectKind::kOperator),
         FIELD(opfamilies, .names = ObjectKind::kOperatorFamily),
         FIELD(inputcollids, .names = ObjectKind::kCollation), FIELD(largs), FIELD(rargs))
};

struct alignas(8) CoalesceExpr final : Expr {
  NODE(CoalesceExpr, Until(14, "COALESCE"), Since(15, "COALESCEEXPR"));
  Oid coalescetype{};
  Oid coalescecollid{};
  ParseLoc location{kNoLocation};
  Child<List> args{};
  FIELDS(FIELD(coalescetype, .names = ObjectKind::kType),
         FIELD(coalescecollid, .names = ObjectKind::kCollation), FIELD(args), FIELD(location))
};

struct alignas(8) MinMaxExpr final : Expr {
  NODE(MinMaxExpr, Until(14, "MINMAX"), Since(15, "MINMAXEXPR"));
  MinMaxOp op{};
  Oid minmaxtype{};
  Oid minmaxcollid{};
  Oid inputcollid{};
  ParseLoc location{kNoLocation};
  Child<List> args{};
  FIELDS(FIELD(minmaxtype, .names = ObjectKind::kType),
         FIELD(minmaxcollid, .names = ObjectKind::kCollation),
         FIELD(inputcollid, .names = ObjectKind::kCollation), FIELD(op), FIELD(args),
         FIELD(location))
};

/// CURRENT_DATE, SESSION_USER ...
struct alignas(8) SQLValueFunction final : Expr {
  NODE(SQLValueFunction, "SQLVALUEFUNCTION");
  SQLValueFunctionOp op{};
  Oid type{};
  std::int32_t typmod{-1};
  ParseLoc location{kNoLocation};
  FIELDS(FIELD(op), FIELD(type, .names = ObjectKind::kType), FIELD(typmod), FIELD(location))
};

struct alignas(8) NullTest final : Expr {
  NODE(NullTest, "NULLTEST");
  NullTestType nulltesttype{};
  bool argisrow{};
  ParseLoc location{kNoLocation};
  Child<Expr> arg{};
  FIELDS(FIELD(arg), FIELD(nulltesttype), FIELD(argisrow), FIELD(location))
};

struct alignas(8) BooleanTest final : Expr {
  NODE(BooleanTest, "BOOLEANTEST");
  BoolTestType booltesttype{};
  ParseLoc location{kNoLocation};
  Child<Expr> arg{};
  FIELDS(FIELD(arg), FIELD(booltesttype), FIELD(location))
};

struct alignas(8) CoerceToDomain final : Expr {
  NODE(CoerceToDomain, "COERCETODOMAIN");
  CoercionForm coercionformat{};
  Oid resulttype{};
  std::int32_t resulttypmod{-1};
  Oid resultcollid{};
  ParseLoc location{kNoLocation};
  Child<Expr> arg{};
  FIELDS(FIELD(arg), FIELD(resulttype, .names = ObjectKind::kType), FIELD(resulttypmod),
         FIELD(resultcollid, .names = ObjectKind::kCollation), FIELD(coercionformat),
         FIELD(location))
};

/// VALUE in a domain's CHECK.
struct alignas(8) CoerceToDomainValue final : Expr {
  NODE(CoerceToDomainValue, "COERCETODOMAINVALUE");
  Oid typeId{};
  std::int32_t typeMod{-1};
  Oid collation{};
  ParseLoc location{kNoLocation};
  FIELDS(FIELD(typeId, .names = ObjectKind::kType), FIELD(typeMod),
         FIELD(collation, .names = ObjectKind::kCollation), FIELD(location))
};

/// DEFAULT in VALUES.
struct alignas(8) SetToDefault final : Expr {
  NODE(SetToDefault, "SETTODEFAULT");
  Oid typeId{};
  std::int32_t typeMod{-1};
  Oid collation{};
  ParseLoc location{kNoLocation};
  FIELDS(FIELD(typeId, .names = ObjectKind::kType), FIELD(typeMod),
         FIELD(collation, .names = ObjectKind::kCollation), FIELD(location))
};

/// WHERE CURRENT OF cursor
struct alignas(8) CurrentOfExpr final : Expr {
  NODE(CurrentOfExpr, "CURRENTOFEXPR");
  std::uint32_t cvarno{};
  std::int32_t cursor_param{};
  CString cursor_name{};
  FIELDS(FIELD(cvarno), FIELD(cursor_name), FIELD(cursor_param))
};

/// The next value of an identity column.
struct alignas(8) NextValueExpr final : Expr {
  NODE(NextValueExpr, "NEXTVALUEEXPR");
  Oid seqid{};
  Oid typeId{};
  FIELDS(FIELD(seqid, .names = ObjectKind::kRelation), FIELD(typeId, .names = ObjectKind::kType))
};

/// An element of ON CONFLICT (...).
struct alignas(8) InferenceElem final : Expr {
  NODE(InferenceElem, "INFERENCEELEM");
  Oid infercollid{};
  Oid inferopclass{};
  Child<Node> expr{};
  FIELDS(FIELD(expr), FIELD(infercollid, .names = ObjectKind::kCollation),
         FIELD(inferopclass, .names = ObjectKind::kOperatorClass))
};

/// OLD and NEW in RETURNING, once a view is expanded.
struct alignas(8) ReturningExpr final : Expr {
  NODE(ReturningExpr, Since(18, "RETURNINGEXPR"));
  bool retold{};
  std::int32_t retlevelsup{};
  Child<Expr> retexpr{};
  FIELDS(FIELD(retlevelsup), FIELD(retold), FIELD(retexpr))
};

}  // namespace relcache
#include "relcache/nodes/declare_end.h"
