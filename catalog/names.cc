#include "relcache/catalog/names.h"

#include <algorithm>
#include <vector>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

std::string Visible(std::string_view schema, std::string_view name) {
  const bool in_path = schema == "public" || schema == "pg_catalog";
  return QuoteQualifiedIdentifier(in_path ? std::string_view() : schema, name);
}

bool IsSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Removes one identifier from the beginning. Returns false if there is none.
bool TakeIdentifier(std::string_view& text, std::string& out) {
  out.clear();
  if (text.empty()) return false;
  if (text.front() != '"') {
    const std::size_t end = std::min(text.find_first_of(".\" \t\n\v\f\r"), text.size());
    for (const char c : text.substr(0, end)) {
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    text.remove_prefix(end);
    return end != 0;
  }
  std::size_t i = 1;
  for (;; ++i) {
    if (i >= text.size()) return false;
    if (text[i] == '"') {
      if (i + 1 >= text.size() || text[i + 1] != '"') break;
      ++i;
    }
    out += text[i];
  }
  text.remove_prefix(i + 1);
  return !out.empty();
}

void SkipSpace(std::string_view& text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
}

}  // namespace

Result<std::string> FormatTypeOf(Oid type, std::int32_t typmod, CatalogSource& source) {
  if (FindTypeInfo(type) != nullptr) return FormatType(type, typmod);
  const ContextPtr cx = Bump::CreateRoot("FormatTypeOf");
  RELCACHE_ASSIGN(const TypeRows* rows, source.LoadType(type, *cx));
  if (rows == nullptr) return std::string("???");
  const TypeRow& row = rows->pg_type;
  if (row.typcategory != 'A' || row.typlen != -1 || row.typelem == kInvalidOid) {
    return Visible(rows->nspname, row.typname);
  }
  // Arrays of arrays do not exist, so this recursion ends after one step unless the rows are
  // malformed.
  if (FindTypeInfo(row.typelem) != nullptr) return FormatType(row.typelem, typmod) + "[]";
  RELCACHE_ASSIGN(const TypeRows* element, source.LoadType(row.typelem, *cx));
  if (element == nullptr) return std::string("???[]");
  return Visible(element->nspname, element->pg_type.typname) + "[]";
}

Result<std::string> FormatProcOf(Oid proc, CatalogSource& source) {
  if (FindBuiltinProc(proc) != nullptr) return FormatProc(proc);
  const ContextPtr cx = Bump::CreateRoot("FormatProcOf");
  RELCACHE_ASSIGN(const ProcRow* row, source.LoadProc(proc, *cx));
  if (row == nullptr) return std::to_string(proc);
  std::string out = Visible(row->nspname, row->proname) + "(";
  for (std::size_t i = 0; i < row->proargtypes.size(); ++i) {
    RELCACHE_ASSIGN(const std::string type, FindTypeInfo(row->proargtypes[i]) != nullptr
                                                ? FormatTypeName(row->proargtypes[i])
                                                : FormatTypeOf(row->proargtypes[i], -1, source));
    if (i > 0) out += ",";
    out += type;
  }
  return out + ")";
}

std::string RelationKindName(char relkind) {
  switch (relkind) {
    case 'r':
      return "table";
    case 'p':
      return "partitioned table";
    case 'i':
      return "index";
    case 'I':
      return "partitioned index";
    case 'v':
      return "view";
    case 'm':
      return "materialized view";
    case 'c':
      return "composite type";
    case 'f':
      return "foreign table";
    case 'S':
      return "sequence";
    case 't':
      return "toast table";
    default:
      return "relation of kind '" + std::string(1, relkind) + "'";
  }
}

namespace {

/// Splits a search_path into schemas; returns false if it is malformed (SplitIdentifierString).
bool SchemasOf(std::string_view search_path, std::vector<std::string>& out) {
  SkipSpace(search_path);
  if (search_path.empty()) return true;
  for (;;) {
    // Unlike in a qualified name, only a comma or a space ends an unquoted schema.
    std::string& schema = out.emplace_back();
    if (search_path.empty()) return false;
    if (search_path.starts_with("\"\"") && !search_path.starts_with("\"\"\"")) {
      search_path.remove_prefix(2);  // the result of SET search_path = ''
    } else if (search_path.front() == '"') {
      if (!TakeIdentifier(search_path, schema)) return false;
    } else {
      const std::size_t end =
          std::min(search_path.find_first_of(", \t\n\v\f\r"), search_path.size());
      if (end == 0) return false;
      for (const char c : search_path.substr(0, end))
        schema += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      search_path.remove_prefix(end);
    }
    SkipSpace(search_path);
    if (search_path.empty()) return true;
    if (search_path.front() != ',') return false;
    search_path.remove_prefix(1);
    SkipSpace(search_path);
  }
}

}  // namespace

bool IsNameVisible(std::string_view search_path, std::string_view schema,
                   std::span<const std::string_view> namesakes) {
  std::vector<std::string> path;
  if (!SchemasOf(search_path, path)) path.clear();
  if (std::ranges::find(path, "pg_catalog") == path.end()) path.insert(path.begin(), "pg_catalog");
  for (const std::string& name : path) {
    if (name == schema) return true;
    if (std::ranges::find(namesakes, name) != namesakes.end()) return false;
  }
  return false;
}

Result<SqlName> ParseQualifiedName(std::string_view text) {
  const auto invalid = [] {
    return Fail(ErrorCode::kInvalidInput, "42602", "invalid name syntax");
  };
  SqlName parsed;
  SkipSpace(text);
  if (!TakeIdentifier(text, parsed.name)) return invalid();
  SkipSpace(text);
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    SkipSpace(text);
    parsed.schema = std::move(parsed.name);
    if (!TakeIdentifier(text, parsed.name)) return invalid();
    SkipSpace(text);
  }
  if (!text.empty()) return invalid();
  return parsed;
}

Result<Oid> FindRelation(std::string_view text, CatalogSource& source) {
  RELCACHE_ASSIGN(const SqlName parsed, ParseQualifiedName(text));
  RELCACHE_ASSIGN(const Oid oid,
                  source.LookupName(parsed.schema.empty() ? "public" : parsed.schema, parsed.name));
  if (oid != kInvalidOid) return oid;
  const std::string name = parsed.schema.empty() ? parsed.name : parsed.schema + "." + parsed.name;
  return Fail(ErrorCode::kNotFound, "42P01", "relation \"" + name + "\" does not exist");
}

}  // namespace relcache
