// The nodes of expressions (PostgreSQL's nodes/primnodes.h).
//
// Each struct declares its members, in an order that saves space, and then its fields: in the order
// of the text form, with the versions that write them and the kind of object that their oids refer
// to. Members have PostgreSQL's names.
//
// The *range table* is the list of tables, subqueries, joins and functions that a query reads
// (Query::rtable). For an expression of a single table, such as a CHECK constraint, that table is
// entry 1. "Until planned" means that only PostgreSQL's planner sets the member, so that it has its
// default in a stored tree. An oid is the number of a catalog object; the comments name the catalog
// (pg_proc ...) where it is not a type, operator or collation. docs/postgresql_for_cpp_engineers.md
// explains oids, type modifiers and collations.
#pragma once

#include "relcache/nodes/field.h"
#include "relcache/nodes/node_enums.h"
// clang-format off
#include "relcache/nodes/declare_begin.h"
// clang-format on

namespace relcache {

/// A name that the query gives to a table, and perhaps to its columns: AS aliasname (colnames).
struct alignas(8) Alias final : Node {
  NODE(Alias, "ALIAS");
  CString aliasname{};     ///< the name of the table
  Child<List> colnames{};  ///< of String: the names of the columns
  FIELDS(FIELD(aliasname), FIELD(colnames))
};

/// A column of a range table entry. System columns have other numbers before version 12.
struct alignas(8) Var final : Expr {
  NODE(Var, "VAR");
  AttrNumber varattno{};     ///< the column; 0 = the whole row, below 0 = a system column
  AttrNumber varattnosyn{};  ///< varattno as the query named it; "varoattno" up to 12
  VarReturningType varreturningtype{};  ///< whether RETURNING asked for OLD or NEW
  std::int32_t varno{};                 ///< which range table entry, counted from 1
  Oid vartype{};                        ///< the type of the column
  std::int32_t vartypmod{-1};           ///< its type modifier, -1 = none
  Oid varcollid{};                      ///< its collation, 0 = none
  std::uint32_t varlevelsup{};  ///< how many queries further out the range table is; 0 = the query
                                ///< that the column stands in
  std::uint32_t varnosyn{};     ///< varno as the query named it; "varnoold" up to 12
  ParseLoc location{kNoLocation};     ///< where it stands in the statement
  Child<Bitmapset> varnullingrels{};  ///< the outer joins that can make it null, by their index in
                                      ///< the range table
  FIELDS(FIELD(varno), FIELD(varattno), FIELD(vartype, .names = ObjectKind::kType),
         FIELD(vartypmod), FIELD(varcollid, .names = ObjectKind::kCollation),
         FIELD(varnullingrels, .since = 16), FIELD(varlevelsup),
         FIELD(varreturningtype, .since = 18),
         FIELD_AS(varnosyn, "varnoold", .until = 12, .compare = FieldCompare::kNever),
         FIELD_AS(varattnosyn, "varoattno", .until = 12, .compare = FieldCompare::kNever),
         FIELD(varnosyn, .since = 13, .compare = FieldCompare::kNever),
         FIELD(varattnosyn, .since = 13, .compare = FieldCompare::kNever), FIELD(location))
};

/// A value. By reference (constbyval false), constvalue points to its bytes in the tree's memory:
/// constlen of them, a varlena with an uncompressed 4-byte header (-1), or a C string (-2).
struct alignas(8) Const final : Expr {
  NODE(Const, "CONST");
  std::int16_t constlen{};  ///< bytes of its type; -1 = varlena, -2 = C string
  bool constbyval{};        ///< constvalue is the value, not a pointer to it
  bool constisnull{};       ///< the value is null, and constvalue means nothing
  bool bytes_unsigned{};    ///< the text gave bytes above 127 as such: from a machine where char is
                            ///< unsigned
  Oid consttype{};          ///< the type of the value
  std::int32_t consttypmod{-1};    ///< its type modifier, -1 = none
  Oid constcollid{};               ///< its collation, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Datum constvalue{};              ///< the value or where its bytes are
  FIELDS(FIELD(consttype, .names = ObjectKind::kType), FIELD(consttypmod),
         FIELD(constcollid, .names = ObjectKind::kCollation), FIELD(constlen), FIELD(constbyval),
         FIELD(constisnull), FIELD(location), FIELD(constvalue), UNWRITTEN(bytes_unsigned))

  /// The bytes of a value by reference; none if it is null or by value.
  std::string_view bytes() const;
};

/// A value that is supplied when the expression is run: $1 of a prepared statement or a function.
struct alignas(8) Param final : Expr {
  NODE(Param, "PARAM");
  ParamKind paramkind{};           ///< where the value comes from
  std::int32_t paramid{};          ///< its number: of $1 it is 1
  Oid paramtype{};                 ///< the type of the value
  std::int32_t paramtypmod{-1};    ///< its type modifier, -1 = none
  Oid paramcollid{};               ///< its collation, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  FIELDS(FIELD(paramkind), FIELD(paramid), FIELD(paramtype, .names = ObjectKind::kType),
         FIELD(paramtypmod), FIELD(paramcollid, .names = ObjectKind::kCollation), FIELD(location))
};

/// A call of an aggregate function: sum(x), percentile_cont(0.5) WITHIN GROUP (ORDER BY x).
struct alignas(8) Aggref final : Expr {
  NODE(Aggref, "AGGREF");
  bool aggstar{};       ///< written as count(*)
  bool aggvariadic{};   ///< the last argument was marked VARIADIC
  char aggkind{};       ///< n = normal, o = ordered set (WITHIN GROUP), h = hypothetical set
  bool aggpresorted{};  ///< the planner delivers the input in the order that aggorder asks for
  Oid aggfnoid{};       ///< the function (pg_proc)
  Oid aggtype{};        ///< the type of the result
  Oid aggcollid{};      ///< the collation of the result, 0 = none
  Oid inputcollid{};    ///< the collation that the function uses, 0 = none
  Oid aggtranstype{};   ///< the type of the state; 0 until planned
  std::uint32_t agglevelsup{};     ///< how many queries further out its rows come from
  std::int32_t aggsplit{};         ///< which part of a split aggregation, as bits; 0 until planned
  std::int32_t aggno{-1};          ///< the same for equal calls; -1 until planned
  std::int32_t aggtransno{-1};     ///< the number of its state; -1 until planned
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<OidList> aggargtypes{};    ///< the types of all arguments, direct ones first
  Child<List> aggdirectargs{};     ///< of Expr: the direct arguments of an ordered-set aggregate
  Child<List> args{};      ///< of TargetEntry: the aggregated arguments and what they are sorted by
  Child<List> aggorder{};  ///< of SortGroupClause: ORDER BY within the call
  Child<List> aggdistinct{};  ///< of SortGroupClause: DISTINCT within the call
  Child<Expr> aggfilter{};    ///< FILTER (WHERE ...), or null
  FIELDS(FIELD(aggfnoid, .names = ObjectKind::kFunction),
         FIELD(aggtype, .names = ObjectKind::kType),
         FIELD(aggcollid, .names = ObjectKind::kCollation),
         FIELD(inputcollid, .names = ObjectKind::kCollation),
         FIELD(aggtranstype, .compare = FieldCompare::kNever, .names = ObjectKind::kType),
         FIELD(aggargtypes, .names = ObjectKind::kType), FIELD(aggdirectargs), FIELD(args),
         FIELD(aggorder), FIELD(aggdistinct), FIELD(aggfilter), FIELD(aggstar), FIELD(aggvariadic),
         FIELD(aggkind), FIELD(aggpresorted, .since = 16, .compare = FieldCompare::kNever),
         FIELD(agglevelsup), FIELD(aggsplit), FIELD(aggno, .since = 14),
         FIELD(aggtransno, .since = 14), FIELD(location))
};

/// GROUPING(a, b): which of these columns the current grouping set leaves out.
struct alignas(8) GroupingFunc final : Expr {
  NODE(GroupingFunc, "GROUPINGFUNC");
  std::uint32_t agglevelsup{};     ///< how many queries further out its grouping sets are
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<List> args{};              ///< of Expr: the arguments as written
  Child<IntList> refs{};           ///< the ressortgroupref of each argument
  Child<IntList> cols{};           ///< the columns that each argument became; set by the planner
  FIELDS(FIELD(args), FIELD(refs, .compare = FieldCompare::kNever),
         FIELD(cols, .compare = FieldCompare::kNever), FIELD(agglevelsup), FIELD(location))
};

/// A call of a function over a window: rank() OVER w.
struct alignas(8) WindowFunc final : Expr {
  NODE(WindowFunc, "WINDOWFUNC");
  bool winstar{};                  ///< written as count(*)
  bool winagg{};                   ///< the function is a plain aggregate
  Oid winfnoid{};                  ///< the function (pg_proc)
  Oid wintype{};                   ///< the type of the result
  Oid wincollid{};                 ///< the collation of the result, 0 = none
  Oid inputcollid{};               ///< the collation that the function uses, 0 = none
  std::uint32_t winref{};          ///< the winref of the WindowClause it belongs to
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<List> args{};              ///< of Expr: the arguments
  Child<Expr> aggfilter{};         ///< FILTER (WHERE ...), or null
  Child<List> runCondition{};  ///< conditions under which the planner may stop early; empty in what
                               ///< is stored
  FIELDS(FIELD(winfnoid, .names = ObjectKind::kFunction),
         FIELD(wintype, .names = ObjectKind::kType),
         FIELD(wincollid, .names = ObjectKind::kCollation),
         FIELD(inputcollid, .names = ObjectKind::kCollation), FIELD(args), FIELD(aggfilter),
         FIELD(runCondition, .since = 17), FIELD(winref), FIELD(winstar), FIELD(winagg),
         FIELD(location))
};

/// MERGE_ACTION() in the RETURNING list of a MERGE.
struct alignas(8) MergeSupportFunc final : Expr {
  NODE(MergeSupportFunc, SinceVersion(17, "MERGESUPPORTFUNC"));
  Oid msftype{};                   ///< the type of the result
  Oid msfcollid{};                 ///< its collation, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  FIELDS(FIELD(msftype, .names = ObjectKind::kType),
         FIELD(msfcollid, .names = ObjectKind::kCollation), FIELD(location))
};

/// a[1], a[2:3], and assignment to them; ArrayRef up to 11.
struct alignas(8) SubscriptingRef final : Expr {
  NODE(SubscriptingRef, UntilVersion(11, "ARRAYREF"), SinceVersion(12, "SUBSCRIPTINGREF"));
  Oid refcontainertype{};         ///< "refarraytype" up to 11
  Oid refelemtype{};              ///< the type of an element
  Oid refrestype{};               ///< the type of the result; before 14 it follows from the others
  std::int32_t reftypmod{-1};     ///< the type modifier of the result, -1 = none
  Oid refcollid{};                ///< the collation of the result, 0 = none
  Child<List> refupperindexpr{};  ///< the subscripts, or the upper bounds of a slice; a null
                                  ///< element is an open bound
  Child<List> reflowerindexpr{};  ///< the lower bounds of a slice; null if it is none
  Child<Expr> refexpr{};          ///< the array, or whatever is subscripted
  Child<Expr> refassgnexpr{};     ///< the value to assign; null in a plain reference
  FIELDS(FIELD_AS(refcontainertype, "refarraytype", .until = 11, .names = ObjectKind::kType),
         FIELD(refcontainertype, .since = 12, .names = ObjectKind::kType),
         FIELD(refelemtype, .names = ObjectKind::kType),
         FIELD(refrestype, .since = 14, .names = ObjectKind::kType), FIELD(reftypmod),
         FIELD(refcollid, .names = ObjectKind::kCollation), FIELD(refupperindexpr),
         FIELD(reflowerindexpr), FIELD(refexpr), FIELD(refassgnexpr))
};

/// A call of a function that is written as a call or as a cast.
struct alignas(8) FuncExpr final : Expr {
  NODE(FuncExpr, "FUNCEXPR");
  bool funcretset{};          ///< returns a set of rows
  bool funcvariadic{};        ///< the last argument was marked VARIADIC or collected into an array
  CoercionForm funcformat{};  ///< how it was written: as a call or a cast
  Oid funcid{};               ///< the function (pg_proc)
  Oid funcresulttype{};       ///< the type of the result
  Oid funccollid{};           ///< the collation of the result, 0 = none
  Oid inputcollid{};          ///< the collation that the function uses, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<List> args{};              ///< of Expr: the arguments
  FIELDS(FIELD(funcid, .names = ObjectKind::kFunction),
         FIELD(funcresulttype, .names = ObjectKind::kType), FIELD(funcretset), FIELD(funcvariadic),
         FIELD(funcformat), FIELD(funccollid, .names = ObjectKind::kCollation),
         FIELD(inputcollid, .names = ObjectKind::kCollation), FIELD(args), FIELD(location))
};

/// An argument that is passed by name: f(name => arg). It stands only in the args of a FuncExpr.
struct alignas(8) NamedArgExpr final : Expr {
  NODE(NamedArgExpr, "NAMEDARGEXPR");
  std::int32_t argnumber{};        ///< the position of the parameter, from 0
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Expr> arg{};               ///< the argument
  CString name{};                  ///< the name of the parameter
  FIELDS(FIELD(arg), FIELD(name), FIELD(argnumber), FIELD(location))
};

/// An operator with its operands: a + b, - a.
struct alignas(8) OpExpr final : Expr {
  NODE(OpExpr, "OPEXPR");
  bool opretset{};                 ///< returns a set of rows
  Oid opno{};                      ///< the operator (pg_operator)
  Oid opfuncid{};                  ///< its function (pg_proc), 0 until looked up
  Oid opresulttype{};              ///< the type of the result
  Oid opcollid{};                  ///< the collation of the result, 0 = none
  Oid inputcollid{};               ///< the collation that the operator uses, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<List> args{};              ///< of Expr: one or two operands
  FIELDS(FIELD(opno, .names = ObjectKind::kOperator),
         FIELD(opfuncid, .compare = FieldCompare::kUnlessZero, .names = ObjectKind::kFunction),
         FIELD(opresulttype, .names = ObjectKind::kType), FIELD(opretset),
         FIELD(opcollid, .names = ObjectKind::kCollation),
         FIELD(inputcollid, .names = ObjectKind::kCollation), FIELD(args), FIELD(location))
};

/// a IS DISTINCT FROM b, which is true or false even for nulls.
struct alignas(8) DistinctExpr final : Expr {
  NODE(DistinctExpr, "DISTINCTEXPR");
  bool opretset{};                 ///< returns a set of rows
  Oid opno{};                      ///< the "=" that compares (pg_operator)
  Oid opfuncid{};                  ///< its function (pg_proc), 0 until looked up
  Oid opresulttype{};              ///< the type of the result
  Oid opcollid{};                  ///< the collation of the result, 0 = none
  Oid inputcollid{};               ///< the collation that the operator uses, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<List> args{};              ///< of Expr: the two operands
  FIELDS(FIELD(opno, .names = ObjectKind::kOperator),
         FIELD(opfuncid, .compare = FieldCompare::kUnlessZero, .names = ObjectKind::kFunction),
         FIELD(opresulttype, .names = ObjectKind::kType), FIELD(opretset),
         FIELD(opcollid, .names = ObjectKind::kCollation),
         FIELD(inputcollid, .names = ObjectKind::kCollation), FIELD(args), FIELD(location))
};

/// NULLIF(a, b): null if they are equal, else a.
struct alignas(8) NullIfExpr final : Expr {
  NODE(NullIfExpr, "NULLIFEXPR");
  bool opretset{};                 ///< returns a set of rows
  Oid opno{};                      ///< the "=" that compares (pg_operator)
  Oid opfuncid{};                  ///< its function (pg_proc), 0 until looked up
  Oid opresulttype{};              ///< the type of the result
  Oid opcollid{};                  ///< the collation of the result, 0 = none
  Oid inputcollid{};               ///< the collation that the operator uses, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<List> args{};              ///< of Expr: a and b
  FIELDS(FIELD(opno, .names = ObjectKind::kOperator),
         FIELD(opfuncid, .compare = FieldCompare::kUnlessZero, .names = ObjectKind::kFunction),
         FIELD(opresulttype, .names = ObjectKind::kType), FIELD(opretset),
         FIELD(opcollid, .names = ObjectKind::kCollation),
         FIELD(inputcollid, .names = ObjectKind::kCollation), FIELD(args), FIELD(location))
};

/// a op ANY (array), a op ALL (array); a IN (b, c) is the first with "=".
struct alignas(8) ScalarArrayOpExpr final : Expr {
  NODE(ScalarArrayOpExpr, "SCALARARRAYOPEXPR");
  bool useOr{};       ///< true = ANY, false = ALL
  Oid opno{};         ///< the operator (pg_operator)
  Oid opfuncid{};     ///< its function, 0 until looked up
  Oid hashfuncid{};   ///< the hash function by which the planner has the array searched, or 0
  Oid negfuncid{};    ///< the function of the "=" whose negation the operator is, if NOT IN is
                      ///< hashed; else 0
  Oid inputcollid{};  ///< the collation that the operator uses, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<List> args{};              ///< of Expr: the value and the array
  FIELDS(FIELD(opno, .names = ObjectKind::kOperator),
         FIELD(opfuncid, .compare = FieldCompare::kUnlessZero, .names = ObjectKind::kFunction),
         FIELD(hashfuncid, .since = 14, .compare = FieldCompare::kUnlessZero,
               .names = ObjectKind::kFunction),
         FIELD(negfuncid, .since = 15, .compare = FieldCompare::kUnlessZero,
               .names = ObjectKind::kFunction),
         FIELD(useOr), FIELD(inputcollid, .names = ObjectKind::kCollation), FIELD(args),
         FIELD(location))
};

/// AND and OR of two or more arguments, NOT of one.
struct alignas(8) BoolExpr final : Expr {
  NODE(BoolExpr, "BOOLEXPR");
  BoolExprType boolop{};           ///< which of the three
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<List> args{};              ///< of Expr: the arguments
  FIELDS(FIELD(boolop), FIELD(args), FIELD(location))
};

/// A subquery in an expression: EXISTS (...), a IN (SELECT ...), ARRAY(SELECT ...).
struct alignas(8) SubLink final : Expr {
  NODE(SubLink, "SUBLINK");
  SubLinkType subLinkType{};  ///< what is made of its rows
  std::int32_t subLinkId{};  ///< the number of a kMultiexpr (UPDATE ... SET (a, b) = (...)), else 0
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Node> testexpr{};   ///< what is compared with a row, its columns as Params; null for EXISTS
                            ///< and the like
  Child<List> operName{};   ///< of String: the operator as written; null = IN
  Child<Node> subselect{};  ///< the Query
  FIELDS(FIELD(subLinkType), FIELD(subLinkId), FIELD(testexpr), FIELD(operName), FIELD(subselect),
         FIELD(location))
};

/// One field of a row: (arg).name.
struct alignas(8) FieldSelect final : Expr {
  NODE(FieldSelect, "FIELDSELECT");
  AttrNumber fieldnum{};          ///< the number of the field, from 1
  Oid resulttype{};               ///< the type of the field
  std::int32_t resulttypmod{-1};  ///< its type modifier, -1 = none
  Oid resultcollid{};             ///< its collation, 0 = none
  Child<Expr> arg{};              ///< the row
  FIELDS(FIELD(arg), FIELD(fieldnum), FIELD(resulttype, .names = ObjectKind::kType),
         FIELD(resulttypmod), FIELD(resultcollid, .names = ObjectKind::kCollation))
};

/// A row with some fields replaced: UPDATE ... SET column.field = value.
struct alignas(8) FieldStore final : Expr {
  NODE(FieldStore, "FIELDSTORE");
  Oid resulttype{};            ///< the type of the row
  Child<Expr> arg{};           ///< the row before
  Child<List> newvals{};       ///< of Expr: the new values
  Child<IntList> fieldnums{};  ///< the numbers of the fields they replace
  FIELDS(FIELD(arg), FIELD(newvals), FIELD(fieldnums),
         FIELD(resulttype, .names = ObjectKind::kType))
};

/// A cast between types whose values have the same bytes.
struct alignas(8) RelabelType final : Expr {
  NODE(RelabelType, "RELABELTYPE");
  CoercionForm relabelformat{};    ///< how it was written
  Oid resulttype{};                ///< the type cast to
  std::int32_t resulttypmod{-1};   ///< its type modifier, -1 = none
  Oid resultcollid{};              ///< the collation of the result, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Expr> arg{};               ///< what is cast
  FIELDS(FIELD(arg), FIELD(resulttype, .names = ObjectKind::kType), FIELD(resulttypmod),
         FIELD(resultcollid, .names = ObjectKind::kCollation), FIELD(relabelformat),
         FIELD(location))
};

/// A cast by way of text: the output function of one type, then the input function of the other.
struct alignas(8) CoerceViaIO final : Expr {
  NODE(CoerceViaIO, "COERCEVIAIO");
  CoercionForm coerceformat{};     ///< how it was written
  Oid resulttype{};                ///< the type cast to
  Oid resultcollid{};              ///< the collation of the result, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Expr> arg{};               ///< what is cast
  FIELDS(FIELD(arg), FIELD(resulttype, .names = ObjectKind::kType),
         FIELD(resultcollid, .names = ObjectKind::kCollation), FIELD(coerceformat), FIELD(location))
};

/// A cast of each element of an array: by elemexpr, or (10) by the function elemfuncid.
struct alignas(8) ArrayCoerceExpr final : Expr {
  NODE(ArrayCoerceExpr, "ARRAYCOERCEEXPR");
  CoercionForm coerceformat{};     ///< how it was written
  bool isExplicit{};               ///< up to 10: the cast was explicit
  Oid elemfuncid{};                ///< up to 10: the function for an element, 0 = none is needed
  Oid resulttype{};                ///< the type cast to
  std::int32_t resulttypmod{-1};   ///< its type modifier, -1 = none
  Oid resultcollid{};              ///< the collation of the result, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Expr> arg{};               ///< what is cast
  Child<Expr> elemexpr{};  ///< from 11: the cast of one element, which a CaseTestExpr stands for
  FIELDS(FIELD(arg), FIELD(elemexpr, .since = 11),
         FIELD(elemfuncid, .until = 10, .names = ObjectKind::kFunction),
         FIELD(resulttype, .names = ObjectKind::kType), FIELD(resulttypmod),
         FIELD(resultcollid, .names = ObjectKind::kCollation), FIELD(isExplicit, .until = 10),
         FIELD(coerceformat), FIELD(location))
};

/// A row of one table as a row of another, usually its parent: columns are matched by name.
struct alignas(8) ConvertRowtypeExpr final : Expr {
  NODE(ConvertRowtypeExpr, "CONVERTROWTYPEEXPR");
  CoercionForm convertformat{};    ///< how it was written
  Oid resulttype{};                ///< the row type converted to
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Expr> arg{};               ///< the row
  FIELDS(FIELD(arg), FIELD(resulttype, .names = ObjectKind::kType), FIELD(convertformat),
         FIELD(location))
};

/// arg COLLATE name.
struct alignas(8) CollateExpr final : Expr {
  NODE(CollateExpr, UntilVersion(14, "COLLATE"), SinceVersion(15, "COLLATEEXPR"));
  Oid collOid{};                   ///< the collation (pg_collation)
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Expr> arg{};               ///< the expression
  FIELDS(FIELD(arg), FIELD(collOid, .names = ObjectKind::kCollation), FIELD(location))
};

/// CASE [arg] WHEN ... THEN ... ELSE defresult END.
struct alignas(8) CaseExpr final : Expr {
  NODE(CaseExpr, UntilVersion(14, "CASE"), SinceVersion(15, "CASEEXPR"));
  Oid casetype{};                  ///< the type of the result
  Oid casecollid{};                ///< its collation, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Expr> arg{};        ///< CASE arg WHEN: the conditions hold a CaseTestExpr in its place
  Child<List> args{};       ///< of CaseWhen
  Child<Expr> defresult{};  ///< ELSE; null = the result is null
  FIELDS(FIELD(casetype, .names = ObjectKind::kType),
         FIELD(casecollid, .names = ObjectKind::kCollation), FIELD(arg), FIELD(args),
         FIELD(defresult), FIELD(location))
};

/// WHEN expr THEN result.
struct alignas(8) CaseWhen final : Expr {
  NODE(CaseWhen, UntilVersion(14, "WHEN"), SinceVersion(15, "CASEWHEN"));
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Expr> expr{};              ///< the condition
  Child<Expr> result{};            ///< the result if it is true
  FIELDS(FIELD(expr), FIELD(result), FIELD(location))
};

/// The value that a surrounding node tests or converts: the arg of a CASE, an element of an
/// array.
struct alignas(8) CaseTestExpr final : Expr {
  NODE(CaseTestExpr, "CASETESTEXPR");
  Oid typeId{};              ///< the type of the value
  std::int32_t typeMod{-1};  ///< its type modifier, -1 = none
  Oid collation{};           ///< its collation, 0 = none
  FIELDS(FIELD(typeId, .names = ObjectKind::kType), FIELD(typeMod),
         FIELD(collation, .names = ObjectKind::kCollation))
};

/// ARRAY[a, b].
struct alignas(8) ArrayExpr final : Expr {
  NODE(ArrayExpr, UntilVersion(14, "ARRAY"), SinceVersion(15, "ARRAYEXPR"));
  bool multidims{};                  ///< the elements are arrays, whose dimension is one less
  Oid array_typeid{};                ///< the type of the array
  Oid array_collid{};                ///< its collation, 0 = none
  Oid element_typeid{};              ///< the type of an element (of the innermost arrays)
  ParseLoc list_start{kNoLocation};  ///< where the first bracket stands
  ParseLoc list_end{kNoLocation};    ///< where the last bracket stands
  ParseLoc location{kNoLocation};    ///< where it stands in the statement
  Child<List> elements{};            ///< of Expr: the elements, or arrays of them
  FIELDS(FIELD(array_typeid, .names = ObjectKind::kType),
         FIELD(array_collid, .names = ObjectKind::kCollation),
         FIELD(element_typeid, .names = ObjectKind::kType), FIELD(elements), FIELD(multidims),
         FIELD(list_start, .since = 18), FIELD(list_end, .since = 18), FIELD(location))
};

/// ROW(a, b).
struct alignas(8) RowExpr final : Expr {
  NODE(RowExpr, UntilVersion(14, "ROW"), SinceVersion(15, "ROWEXPR"));
  CoercionForm row_format{};       ///< how it was written
  Oid row_typeid{};                ///< the type of the row: record or that of a table
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<List> args{};              ///< of Expr: the fields
  Child<List> colnames{};  ///< of String: the names of the fields; null unless the type is record
  FIELDS(FIELD(args), FIELD(row_typeid, .names = ObjectKind::kType), FIELD(row_format),
         FIELD(colnames), FIELD(location))
};

/// (a, b) < (c, d): the first fields that differ decide.
struct alignas(8) RowCompareExpr final : Expr {
  NODE(RowCompareExpr, UntilVersion(14, "ROWCOMPARE"), SinceVersion(15, "ROWCOMPAREEXPR"));
  RowCompareType rctype{RowCompareType::kLt};  ///< which comparison; "cmptype" from 18
  Child<OidList> opnos{};                      ///< the operator of each pair of fields
  Child<OidList> opfamilies{};                 ///< the operator family of each
  Child<OidList> inputcollids{};               ///< the collation of each, 0 = none
  Child<List> largs{};                         ///< of Expr: the fields on the left
  Child<List> rargs{};                         ///< of Expr: the fields on the right
  FIELDS(FIELD(rctype, .until = 17), FIELD_AS(rctype, "cmptype", .since = 18),
         FIELD(opnos, .names = ObjectKind::kOperator),
         FIELD(opfamilies, .names = ObjectKind::kOperatorFamily),
         FIELD(inputcollids, .names = ObjectKind::kCollation), FIELD(largs), FIELD(rargs))
};

/// COALESCE(a, b): the first argument that is not null.
struct alignas(8) CoalesceExpr final : Expr {
  NODE(CoalesceExpr, UntilVersion(14, "COALESCE"), SinceVersion(15, "COALESCEEXPR"));
  Oid coalescetype{};              ///< the type of the result
  Oid coalescecollid{};            ///< its collation, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<List> args{};              ///< of Expr: the arguments
  FIELDS(FIELD(coalescetype, .names = ObjectKind::kType),
         FIELD(coalescecollid, .names = ObjectKind::kCollation), FIELD(args), FIELD(location))
};

/// GREATEST(a, b) and LEAST(a, b); nulls are ignored.
struct alignas(8) MinMaxExpr final : Expr {
  NODE(MinMaxExpr, UntilVersion(14, "MINMAX"), SinceVersion(15, "MINMAXEXPR"));
  MinMaxOp op{};                   ///< which of the two
  Oid minmaxtype{};                ///< the type of the arguments and the result
  Oid minmaxcollid{};              ///< the collation of the result, 0 = none
  Oid inputcollid{};               ///< the collation that compares, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<List> args{};              ///< of Expr: the arguments
  FIELDS(FIELD(minmaxtype, .names = ObjectKind::kType),
         FIELD(minmaxcollid, .names = ObjectKind::kCollation),
         FIELD(inputcollid, .names = ObjectKind::kCollation), FIELD(op), FIELD(args),
         FIELD(location))
};

/// CURRENT_DATE, SESSION_USER and others that are written without parentheses.
struct alignas(8) SQLValueFunction final : Expr {
  NODE(SQLValueFunction, "SQLVALUEFUNCTION");
  SQLValueFunctionOp op{};         ///< which function
  Oid type{};                      ///< the type of the result
  std::int32_t typmod{-1};         ///< its precision as a type modifier, -1 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  FIELDS(FIELD(op), FIELD(type, .names = ObjectKind::kType), FIELD(typmod), FIELD(location))
};

/// arg IS NULL, arg IS NOT NULL.
struct alignas(8) NullTest final : Expr {
  NODE(NullTest, "NULLTEST");
  NullTestType nulltesttype{};     ///< which of the two
  bool argisrow{};                 ///< the fields of a row are tested, not the row
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Expr> arg{};               ///< what is tested
  FIELDS(FIELD(arg), FIELD(nulltesttype), FIELD(argisrow), FIELD(location))
};

/// arg IS TRUE, arg IS NOT UNKNOWN ...: never null.
struct alignas(8) BooleanTest final : Expr {
  NODE(BooleanTest, "BOOLEANTEST");
  BoolTestType booltesttype{};     ///< which test
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Expr> arg{};               ///< what is tested
  FIELDS(FIELD(arg), FIELD(booltesttype), FIELD(location))
};

/// A value of the base type as one of a domain, whose constraints are checked.
struct alignas(8) CoerceToDomain final : Expr {
  NODE(CoerceToDomain, "COERCETODOMAIN");
  CoercionForm coercionformat{};   ///< how it was written
  Oid resulttype{};                ///< the domain
  std::int32_t resulttypmod{-1};   ///< its type modifier, -1 = none
  Oid resultcollid{};              ///< the collation of the result, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Expr> arg{};               ///< the value
  FIELDS(FIELD(arg), FIELD(resulttype, .names = ObjectKind::kType), FIELD(resulttypmod),
         FIELD(resultcollid, .names = ObjectKind::kCollation), FIELD(coercionformat),
         FIELD(location))
};

/// VALUE in the CHECK of a domain.
struct alignas(8) CoerceToDomainValue final : Expr {
  NODE(CoerceToDomainValue, "COERCETODOMAINVALUE");
  Oid typeId{};                    ///< the type of the value
  std::int32_t typeMod{-1};        ///< its type modifier, -1 = none
  Oid collation{};                 ///< its collation, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  FIELDS(FIELD(typeId, .names = ObjectKind::kType), FIELD(typeMod),
         FIELD(collation, .names = ObjectKind::kCollation), FIELD(location))
};

/// DEFAULT in VALUES or SET, before it is replaced by the default of its column.
struct alignas(8) SetToDefault final : Expr {
  NODE(SetToDefault, "SETTODEFAULT");
  Oid typeId{};                    ///< the type of the value
  std::int32_t typeMod{-1};        ///< its type modifier, -1 = none
  Oid collation{};                 ///< its collation, 0 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  FIELDS(FIELD(typeId, .names = ObjectKind::kType), FIELD(typeMod),
         FIELD(collation, .names = ObjectKind::kCollation), FIELD(location))
};

/// WHERE CURRENT OF cursor.
struct alignas(8) CurrentOfExpr final : Expr {
  NODE(CurrentOfExpr, "CURRENTOFEXPR");
  std::uint32_t cvarno{};       ///< which range table entry is updated
  std::int32_t cursor_param{};  ///< the number of the Param that holds the cursor, else 0
  CString cursor_name{};        ///< the name of the cursor; null if it is a Param
  FIELDS(FIELD(cvarno), FIELD(cursor_name), FIELD(cursor_param))
};

/// The next value of the sequence of an identity column.
struct alignas(8) NextValueExpr final : Expr {
  NODE(NextValueExpr, "NEXTVALUEEXPR");
  Oid seqid{};   ///< the sequence (pg_class)
  Oid typeId{};  ///< the type of the value
  FIELDS(FIELD(seqid, .names = ObjectKind::kRelation), FIELD(typeId, .names = ObjectKind::kType))
};

/// A column or expression in ON CONFLICT (...), by which a unique index is found.
struct alignas(8) InferenceElem final : Expr {
  NODE(InferenceElem, "INFERENCEELEM");
  Oid infercollid{};   ///< the collation that was asked for, 0 = any
  Oid inferopclass{};  ///< the operator class that was asked for, 0 = any
  Child<Node> expr{};  ///< the column or expression
  FIELDS(FIELD(expr), FIELD(infercollid, .names = ObjectKind::kCollation),
         FIELD(inferopclass, .names = ObjectKind::kOperatorClass))
};

/// An expression in RETURNING that is null if there is no old (or new) row; made when a view is
/// expanded.
struct alignas(8) ReturningExpr final : Expr {
  NODE(ReturningExpr, SinceVersion(18, "RETURNINGEXPR"));
  bool retold{};               ///< of the old row, not the new one
  std::int32_t retlevelsup{};  ///< how many queries further out its rows come from
  Child<Expr> retexpr{};       ///< the expression
  FIELDS(FIELD(retlevelsup), FIELD(retold), FIELD(retexpr))
};

}  // namespace relcache
#include "relcache/nodes/declare_end.h"
