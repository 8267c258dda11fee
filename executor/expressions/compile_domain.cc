// Casts to domains. The constraints of the domain, and of the domains that it is based on, are
// compiled in place (PostgreSQL's ExecInitCoerceToDomain, and load_domaintype_info in typcache.c).
#include <algorithm>

#include "relcache/base/internal/format.h"
#include "relcache/catalog/internal/builtin.h"
#include "relcache/executor/expressions/internal/compiler.h"
#include "relcache/nodes/read.h"
#include "relcache/types/builtin_types.h"

namespace relcache {

Result<DomainProgram> CompileDomain(Oid domain, ObjectLookup& objects, MemoryContext& cx) {
  DomainProgram out;
  out.base = domain;
  InputColumn column;
  for (int i = 0;; ++i) {
    if (i > kDomainsOverDomains)
      return Fail(ErrorCode::kInvalidInput, "XX000", "domain is based on itself");
    RELCACHE_ASSIGN(const TypeRows* const rows, objects.FindType(out.base));
    if (rows == nullptr)
      return Fail(ErrorCode::kNotFound, "42704",
                  Format("type with OID {} does not exist", out.base));
    const TypeRow& row = rows->pg_type;
    column = {row.oid, row.typlen, row.typbyval, false};
    if (row.typtype != 'd') break;
    if (out.typmod == -1) out.typmod = row.typtypmod;
    out.base = row.typbasetype;
  }
  Var* value = MakeNode<Var>(cx);
  value->varno = 1;
  value->varattno = 1;
  value->vartype = out.base;
  CoerceToDomain* cast = MakeNode<CoerceToDomain>(cx);
  cast->arg = value;
  cast->resulttype = domain;
  CompileOptions options;
  options.columns = {&column, 1};
  options.objects = &objects;
  RELCACHE_ASSIGN(out.program, Compile(*cast, options, cx));
  return out;
}

bool Compiler::Domain(const CoerceToDomain& node, Value& out) {
  if (!Expression(node.arg, out)) return false;
  Layout layout;
  if (!LayoutOf(node.resulttype, layout) || !ReadAs(layout.base, out)) return false;
  DomainDemands demands;
  if (!DemandsOf(node.resulttype, 0, demands)) return false;
  if (demands.any()) {
    // The planner does not treat a cast to a domain with constraints as a constant. The constraints
    // are evaluated when the cast is reached, and not at all in a branch that is not taken.
    if (out.operand.is_constant()) out = Opaque(out);
    const std::uint32_t after = next_register_;
    Details name;
    if (!NameForMessages(node.resulttype, name)) return false;
    if (demands.not_null) Named(EmitDetailed(Opcode::kDomainNotNull, Value{}, {&out, 1}), name);
    const Value value = out;
    for (const ConstraintRow* check : demands.checks)
      if (!DomainCheck(*check, name, value)) return false;
    next_register_ = after;
  }
  out.type = node.resulttype;
  return true;
}

bool Compiler::DemandsOf(Oid type, int depth, DomainDemands& out) {
  if (options_.objects == nullptr) return Refuse("TYPE", NameOfType(type));
  Result<const TypeRows*> rows = options_.objects->FindType(type);
  if (!rows) return Fail(std::move(rows).error());
  if (*rows == nullptr || (*rows)->pg_type.typtype != 'd') return true;
  if (depth > kDomainsOverDomains) return Malformed("a domain that is based on itself");
  const TypeRow& row = (*rows)->pg_type;
  if (!DemandsOf(row.typbasetype, depth + 1, out)) return false;
  // PostgreSQL checks NOT NULL first, whichever of the domains has it, and then the CHECK
  // constraints of the base domains before those of the domain itself.
  out.not_null = out.not_null || row.typnotnull;
  for (const ConstraintRow& constraint : (*rows)->constraints) {
    // Whether the domain is NOT NULL is in typnotnull; the row of kind 'n' (PostgreSQL 17) only
    // names the constraint.
    if (constraint.contype == 'c') out.checks.push_back(&constraint);
  }
  return true;
}

bool Compiler::NameForMessages(Oid type, Details& name) {
  Result<const TypeRows*> rows = options_.objects->FindType(type);
  if (!rows) return Fail(std::move(rows).error());
  name.type_schema = (*rows)->nspname;
  name.type_name = (*rows)->pg_type.typname;
  auto schemas = options_.objects->SchemasOfType(name.type_name);
  if (!schemas) return Fail(std::move(schemas).error());
  // The schemas that have a type of the same name: whether the message names the schema depends on
  // the session's search_path and is decided when the message is made.
  const std::size_t builtin = FindTypeInfo(name.type_name) != nullptr ? 1 : 0;
  const std::span<std::string_view> all = cx_.NewArray<std::string_view>(schemas->size() + builtin);
  std::ranges::copy(*schemas, all.begin());
  if (builtin != 0) all.back() = "pg_catalog";
  name.namesakes = all;
  return true;
}

void Compiler::Named(Details& details, const Details& name) {
  details.type_schema = name.type_schema;
  details.type_name = name.type_name;
  details.namesakes = name.namesakes;
}

bool Compiler::DomainCheck(const ConstraintRow& check, const Details& name, const Value& value) {
  TreeOptions read;
  read.pg_version = options_.objects->info().pg_version();
  // The tree is read into the program's context, so its constants are used where they are.
  Result<Node*> tree = StringToNode(check.conbin, read, cx_);
  if (!tree)
    return Fail(
        std::move(tree).error().At("constraint " + std::string(check.conname) + " of domain " +
                                   QuoteQualifiedIdentifier(name.type_schema, name.type_name)));
  const Value* const outer = std::exchange(domain_value_, &value);
  const std::uint32_t before = next_register_;
  Value verdict;
  const bool ok = Expression(*tree, verdict) && CheckReadable(verdict.type, 16);
  domain_value_ = outer;
  if (!ok) return false;
  Details& details = EmitDetailed(Opcode::kDomainCheck, Value{}, {&verdict, 1});
  Named(details, name);
  details.constraint_name = cx_.CopyString(check.conname);
  next_register_ = before;
  return true;
}

}  // namespace relcache
