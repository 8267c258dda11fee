// The nodes of SQL/XML and SQL/JSON expressions and table functions (a part of PostgreSQL's
// nodes/primnodes.h). primnodes.h explains how nodes are declared.
#pragma once

#include "relcache/nodes/field.h"
#include "relcache/nodes/node_enums.h"
// clang-format off
#include "relcache/nodes/declare_begin.h"
// clang-format on

namespace relcache {

/// XMLTABLE and JSON_TABLE in FROM: a document divided into rows.
struct alignas(8) TableFunc final : Node {
  NODE(TableFunc, "TABLEFUNC");
  TableFuncType functype{};        ///< which of the two
  std::int32_t ordinalitycol{};    ///< the column that is FOR ORDINALITY, from 0; -1 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<List> ns_uris{};           ///< of Expr: the URIs of XML namespaces
  Child<List> ns_names{};       ///< of String: their names; a null element is the default namespace
  Child<Node> docexpr{};        ///< the document
  Child<Node> rowexpr{};        ///< the path that finds rows
  Child<List> colnames{};       ///< of String: the names of the columns
  Child<OidList> coltypes{};    ///< their types
  Child<IntList> coltypmods{};  ///< their type modifiers
  Child<OidList> colcollations{};  ///< their collations, 0 = none
  Child<List> colexprs{};          ///< of Expr: the path of each column (XMLTABLE)
  Child<List> coldefexprs{};       ///< of Expr: the default of each column, or null
  Child<List> colvalexprs{};       ///< of JsonExpr: how each column is computed (JSON_TABLE)
  Child<List> passingvalexprs{};   ///< of Expr: the values of PASSING
  Child<Bitmapset> notnulls{};     ///< the columns that are NOT NULL, from 0
  Child<Node> plan{};              ///< of JSON_TABLE: a JsonTablePathScan or JsonTableSiblingJoin
  FIELDS(FIELD(functype, .since = 17), FIELD(ns_uris), FIELD(ns_names), FIELD(docexpr),
         FIELD(rowexpr), FIELD(colnames), FIELD(coltypes, .names = ObjectKind::kType),
         FIELD(coltypmods), FIELD(colcollations, .names = ObjectKind::kCollation), FIELD(colexprs),
         FIELD(coldefexprs), FIELD(colvalexprs, .since = 17), FIELD(passingvalexprs, .since = 17),
         FIELD(notnulls), FIELD(plan, .since = 17), FIELD(ordinalitycol), FIELD(location))
};

/// XMLELEMENT, XMLCONCAT and the other functions of SQL/XML.
struct alignas(8) XmlExpr final : Expr {
  NODE(XmlExpr, "XMLEXPR");
  XmlExprOp op{};                  ///< which function
  XmlOptionType xmloption{};       ///< DOCUMENT or CONTENT
  bool indent{};                   ///< XMLSERIALIZE ... INDENT
  Oid type{};                      ///< the type that XMLSERIALIZE makes
  std::int32_t typmod{-1};         ///< its type modifier, -1 = none
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  CString name{};                  ///< the name of the element or processing instruction
  Child<List> named_args{};        ///< of Expr: the attributes, or the elements of XMLFOREST
  Child<List> arg_names{};         ///< of String: their names
  Child<List> args{};              ///< of Expr: the other arguments
  FIELDS(FIELD(op), FIELD(name), FIELD(named_args), FIELD(arg_names), FIELD(args), FIELD(xmloption),
         FIELD(indent, .since = 16), FIELD(type, .names = ObjectKind::kType), FIELD(typmod),
         FIELD(location))
};

/// FORMAT JSON [ENCODING ...].
struct alignas(8) JsonFormat final : Node {
  NODE(JsonFormat, SinceVersion(16, "JSONFORMAT"));
  JsonFormatType format_type{};    ///< JSON, JSONB or not given
  JsonEncoding encoding{};         ///< the encoding, if it was given
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  FIELDS(FIELD(format_type), FIELD(encoding), FIELD(location))
};

/// RETURNING type [FORMAT ...].
struct alignas(8) JsonReturning final : Node {
  NODE(JsonReturning, SinceVersion(16, "JSONRETURNING"));
  Oid typid{};                 ///< the type of the result
  std::int32_t typmod{-1};     ///< its type modifier, -1 = none
  Child<JsonFormat> format{};  ///< FORMAT
  FIELDS(FIELD(format), FIELD(typid, .names = ObjectKind::kType), FIELD(typmod))
};

/// A value that is to be read as JSON: expr FORMAT JSON.
struct alignas(8) JsonValueExpr final : Expr {
  NODE(JsonValueExpr, SinceVersion(16, "JSONVALUEEXPR"));
  Child<Expr> raw_expr{};        ///< the value as given
  Child<Expr> formatted_expr{};  ///< the same, converted to JSON
  Child<JsonFormat> format{};    ///< FORMAT
  FIELDS(FIELD(raw_expr), FIELD(formatted_expr), FIELD(format))
};

/// JSON_OBJECT, JSON_ARRAY, JSON() and the others that make JSON.
struct alignas(8) JsonConstructorExpr final : Expr {
  NODE(JsonConstructorExpr, SinceVersion(16, "JSONCONSTRUCTOREXPR"));
  JsonConstructorType type{JsonConstructorType::kObject};  ///< which of them
  bool absent_on_null{};             ///< ABSENT ON NULL: leave null values out
  bool unique{};                     ///< WITH UNIQUE KEYS
  ParseLoc location{kNoLocation};    ///< where it stands in the statement
  Child<List> args{};                ///< of Expr: keys and values in turn, or elements
  Child<Expr> func{};                ///< the function or aggregate that makes it, or null
  Child<Expr> coercion{};            ///< the cast to the type of RETURNING; null = none is needed
  Child<JsonReturning> returning{};  ///< RETURNING
  FIELDS(FIELD(type), FIELD(args), FIELD(func), FIELD(coercion), FIELD(returning),
         FIELD(absent_on_null), FIELD(unique), FIELD(location))
};

/// expr IS JSON [OBJECT ...].
struct alignas(8) JsonIsPredicate final : Expr {
  NODE(JsonIsPredicate, SinceVersion(16, "JSONISPREDICATE"));
  JsonValueType item_type{};       ///< which kind of JSON value is asked for
  bool unique_keys{};              ///< WITH UNIQUE KEYS
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Node> expr{};              ///< what is tested
  Child<JsonFormat> format{};      ///< how it is read
  FIELDS(FIELD(expr), FIELD(format), FIELD(item_type), FIELD(unique_keys), FIELD(location))
};

/// The behaviour that ON EMPTY or ON ERROR asks for.
struct alignas(8) JsonBehavior final : Node {
  NODE(JsonBehavior, SinceVersion(17, "JSONBEHAVIOR"));
  JsonBehaviorType btype{};        ///< which value, or an error
  bool coerce{};                   ///< expr has to be cast at run time to the type of the result
  ParseLoc location{kNoLocation};  ///< where it stands in the statement
  Child<Node> expr{};              ///< the value
  FIELDS(FIELD(btype), FIELD(expr), FIELD(coerce), FIELD(location))
};

/// JSON_EXISTS, JSON_QUERY, JSON_VALUE, and a column of JSON_TABLE.
struct alignas(8) JsonExpr final : Expr {
  NODE(JsonExpr, SinceVersion(17, "JSONEXPR"));
  JsonExprOp op{};                   ///< which of them
  JsonWrapper wrapper{};             ///< WITH or WITHOUT WRAPPER
  bool use_io_coercion{};            ///< the result is cast by the input function of its type
  bool use_json_coercion{};          ///< the result is cast from JSON to its type
  bool omit_quotes{};                ///< OMIT QUOTES
  Oid collation{};                   ///< the collation of the result, 0 = none
  ParseLoc location{kNoLocation};    ///< where it stands in the statement
  CString column_name{};             ///< the column of JSON_TABLE that it computes, or null
  Child<Node> formatted_expr{};      ///< the document as jsonb
  Child<JsonFormat> format{};        ///< how the document is read
  Child<Node> path_spec{};           ///< the path
  Child<JsonReturning> returning{};  ///< RETURNING
  Child<List> passing_names{};       ///< of String: the names of PASSING
  Child<List> passing_values{};      ///< of Expr: their values
  Child<JsonBehavior> on_empty{};    ///< ON EMPTY, or null
  Child<JsonBehavior> on_error{};    ///< ON ERROR
  FIELDS(FIELD(op), FIELD(column_name), FIELD(formatted_expr), FIELD(format), FIELD(path_spec),
         FIELD(returning), FIELD(passing_names), FIELD(passing_values), FIELD(on_empty),
         FIELD(on_error), FIELD(use_io_coercion), FIELD(use_json_coercion), FIELD(wrapper),
         FIELD(omit_quotes), FIELD(collation, .names = ObjectKind::kCollation), FIELD(location))
};

/// A path of JSON_TABLE with the name of its rows.
struct alignas(8) JsonTablePath final : Node {
  NODE(JsonTablePath, SinceVersion(17, "JSONTABLEPATH"));
  Child<Const> value{};  ///< the path
  CString name{};        ///< the name
  FIELDS(FIELD(value), FIELD(name))
};

/// One level of JSON_TABLE: the rows that a path finds, joined with those of the nested paths.
struct alignas(8) JsonTablePathScan final : Node {
  NODE(JsonTablePathScan, SinceVersion(17, "JSONTABLEPATHSCAN"));
  bool errorOnError{};          ///< ERROR ON ERROR
  std::int32_t colMin{-1};      ///< the first column of this level, from 0; -1 = none
  std::int32_t colMax{-1};      ///< the last one
  Child<JsonTablePath> path{};  ///< the path
  Child<Node> child{};  ///< the nested paths: a JsonTablePathScan or JsonTableSiblingJoin, or null
  FIELDS(FIELD(path), FIELD(errorOnError), FIELD(child), FIELD(colMin), FIELD(colMax))
};

/// Two nested paths side by side, whose rows are united.
struct alignas(8) JsonTableSiblingJoin final : Node {
  NODE(JsonTableSiblingJoin, SinceVersion(17, "JSONTABLESIBLINGJOIN"));
  Child<Node> lplan{};  ///< the first
  Child<Node> rplan{};  ///< the second
  FIELDS(FIELD(lplan), FIELD(rplan))
};

}  // namespace relcache
#include "relcache/nodes/declare_end.h"
