// SQL/XML and SQL/JSON expressions and table functions (a part of PostgreSQL's nodes/primnodes.h).
#pragma once

#include "relcache/nodes/field.h"
#include "relcache/nodes/node_enums.h"
// clang-format off
#include "relcache/nodes/declare_begin.h"
// clang-format on

namespace relcache {

/// XMLTABLE, JSON_TABLE.
struct alignas(8) TableFunc final : Node {
  NODE(TableFunc, "TABLEFUNC");
  TableFuncType functype{};
  std::int32_t ordinalitycol{};
  ParseLoc location{kNoLocation};
  Child<List> ns_uris{};
  Child<List> ns_names{};
  Child<Node> docexpr{};
  Child<Node> rowexpr{};
  Child<List> colnames{};
  Child<OidList> coltypes{};
  Child<IntList> coltypmods{};
  Child<OidList> colcollations{};
  Child<List> colexprs{};
  Child<List> coldefexprs{};
  Child<List> colvalexprs{};
  Child<List> passingvalexprs{};
  Child<Bitmapset> notnulls{};
  Child<Node> plan{};
  FIELDS(FIELD(functype, .since = 17), FIELD(ns_uris), FIELD(ns_names), FIELD(docexpr),
         FIELD(rowexpr), FIELD(colnames), FIELD(coltypes, .names = ObjectKind::kType),
         FIELD(coltypmods), FIELD(colcollations, .names = ObjectKind::kCollation), FIELD(colexprs),
         FIELD(coldefexprs), FIELD(colvalexprs, .since = 17), FIELD(passingvalexprs, .since = 17),
         FIELD(notnulls), FIELD(plan, .since = 17), FIELD(ordinalitycol), FIELD(location))
};

struct alignas(8) XmlExpr final : Expr {
  NODE(XmlExpr, "XMLEXPR");
  XmlExprOp op{};
  XmlOptionType xmloption{};
  bool indent{};
  Oid type{};
  std::int32_t typmod{-1};
  ParseLoc location{kNoLocation};
  CString name{};
  Child<List> named_args{};
  Child<List> arg_names{};
  Child<List> args{};
  FIELDS(FIELD(op), FIELD(name), FIELD(named_args), FIELD(arg_names), FIELD(args), FIELD(xmloption),
         FIELD(indent, .since = 16), FIELD(type, .names = ObjectKind::kType), FIELD(typmod),
         FIELD(location))
};

struct alignas(8) JsonFormat final : Node {
  NODE(JsonFormat, Since(16, "JSONFORMAT"));
  JsonFormatType format_type{};
  JsonEncoding encoding{};
  ParseLoc location{kNoLocation};
  FIELDS(FIELD(format_type), FIELD(encoding), FIELD(location))
};

struct alignas(8) JsonReturning final : Node {
  NODE(JsonReturning, Since(16, "JSONRETURNING"));
  Oid typid{};
  std::int32_t typmod{-1};
  Child<JsonFormat> format{};
  FIELDS(FIELD(format), FIELD(typid, .names = ObjectKind::kType), FIELD(typmod))
};

struct alignas(8) JsonValueExpr final : Expr {
  NODE(JsonValueExpr, Since(16, "JSONVALUEEXPR"));
  Child<Expr> raw_expr{};
  Child<Expr> formatted_expr{};
  Child<JsonFormat> format{};
  FIELDS(FIELD(raw_expr), FIELD(formatted_expr), FIELD(format))
};

struct alignas(8) JsonConstructorExpr final : Expr {
  NODE(JsonConstructorExpr, Since(16, "JSONCONSTRUCTOREXPR"));
  JsonConstructorType type{JsonConstructorType::kObject};
  bool absent_on_null{};
  bool unique{};
  ParseLoc location{kNoLocation};
  Child<List> args{};
  Child<Expr> func{};
  Child<Expr> coercion{};
  Child<JsonReturning> returning{};
  FIELDS(FIELD(type), FIELD(args), FIELD(func), FIELD(coercion), FIELD(returning),
         FIELD(absent_on_null), FIELD(unique), FIELD(location))
};

/// expr IS JSON ...
struct alignas(8) JsonIsPredicate final : Expr {
  NODE(JsonIsPredicate, Since(16, "JSONISPREDICATE"));
  JsonValueType item_type{};
  bool unique_keys{};
  ParseLoc location{kNoLocation};
  Child<Node> expr{};
  Child<JsonFormat> format{};
  FIELDS(FIELD(expr), FIELD(format), FIELD(item_type), FIELD(unique_keys), FIELD(location))
};

/// ... ON EMPTY, ... ON ERROR
struct alignas(8) JsonBehavior final : Node {
  NODE(JsonBehavior, Since(17, "JSONBEHAVIOR"));
  JsonBehaviorType btype{};
  bool coerce{};
  ParseLoc location{kNoLocation};
  Child<Node> expr{};
  FIELDS(FIELD(btype), FIELD(expr), FIELD(coerce), FIELD(location))
};

/// JSON_EXISTS, JSON_QUERY, JSON_VALUE, JSON_TABLE
struct alignas(8) JsonExpr final : Expr {
  NODE(JsonExpr, Since(17, "JSONEXPR"));
  JsonExprOp op{};
  JsonWrapper wrapper{};
  bool use_io_coercion{};
  bool use_json_coercion{};
  bool omit_quotes{};
  Oid collation{};
  ParseLoc location{kNoLocation};
  CString column_name{};
  Child<Node> formatted_expr{};
  Child<JsonFormat> format{};
  Child<Node> path_spec{};
  Child<JsonReturning> returning{};
  Child<List> passing_names{};
  Child<List> passing_values{};
  Child<JsonBehavior> on_empty{};
  Child<JsonBehavior> on_error{};
  FIELDS(FIELD(op), FIELD(column_name), FIELD(formatted_expr), FIELD(format), FIELD(path_spec),
         FIELD(returning), FIELD(passing_names), FIELD(passing_values), FIELD(on_empty),
         FIELD(on_error), FIELD(use_io_coercion), FIELD(use_json_coercion), FIELD(wrapper),
         FIELD(omit_quotes), FIELD(collation, .names = ObjectKind::kCollation), FIELD(location))
};

struct alignas(8) JsonTablePath final : Node {
  NODE(JsonTablePath, Since(17, "JSONTABLEPATH"));
  Child<Const> value{};
  CString name{};
  FIELDS(FIELD(value), FIELD(name))
};

struct alignas(8) JsonTablePathScan final : Node {
  NODE(JsonTablePathScan, Since(17, "JSONTABLEPATHSCAN"));
  bool errorOnError{};
  std::int32_t colMin{-1};
  std::int32_t colMax{-1};
  Child<JsonTablePath> path{};
  Child<Node> child{};
  FIELDS(FIELD(path), FIELD(errorOnError), FIELD(child), FIELD(colMin), FIELD(colMax))
};

struct alignas(8) JsonTableSiblingJoin final : Node {
  NODE(JsonTableSiblingJoin, Since(17, "JSONTABLESIBLINGJOIN"));
  Child<Node> lplan{};
  Child<Node> rplan{};
  FIELDS(FIELD(lplan), FIELD(rplan))
};

}  // namespace relcache
#include "relcache/nodes/declare_end.h"
