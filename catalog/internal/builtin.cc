#include "relcache/catalog/internal/builtin.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "relcache/catalog/internal/builtin_tables.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

constexpr Oid kPgCatalog = 11;

template <class Entry, class Key, class Project>
const Entry* Find(std::span<const Entry> table, const Key& key, Project project) {
  const auto found = std::ranges::lower_bound(table, key, {}, project);
  return found != table.end() && std::invoke(project, *found) == key ? &*found : nullptr;
}

template <class Entry>
std::vector<const Entry*> Named(std::span<const Entry> table, std::span<const std::uint16_t> order,
                                std::string_view Entry::*name, std::string_view wanted) {
  const auto name_of = [&](std::uint16_t i) { return table[i].*name; };
  std::vector<const Entry*> entries;
  for (auto i = std::ranges::lower_bound(order, wanted, {}, name_of);
       i != order.end() && name_of(*i) == wanted; ++i) {
    entries.push_back(&table[*i]);
  }
  return entries;
}

}  // namespace

const BuiltinProc* FindBuiltinProc(Oid oid) {
  return Find(internal::Procs(), oid, &BuiltinProc::oid);
}
std::span<const BuiltinProc> BuiltinProcs() {
  return internal::Procs();
}
std::vector<const BuiltinProc*> BuiltinProcsNamed(std::string_view proname) {
  return Named(internal::Procs(), internal::ProcsByName(), &BuiltinProc::proname, proname);
}

std::string FormatProc(Oid oid) {
  const BuiltinProc* proc = FindBuiltinProc(oid);
  if (proc == nullptr) return std::to_string(oid);
  std::string out = QuoteIdentifier(proc->proname) + "(";
  for (std::size_t i = 0; i < proc->proargtypes.size(); ++i) {
    if (i > 0) out += ",";
    out += FormatTypeName(proc->proargtypes[i]);
  }
  return out + ")";
}

const BuiltinOperator* FindBuiltinOperator(Oid oid) {
  return Find(internal::Operators(), oid, &BuiltinOperator::oid);
}
const BuiltinOperator* FindBuiltinOperator(std::string_view oprname, Oid left, Oid right) {
  for (const BuiltinOperator* op : BuiltinOperatorsNamed(oprname)) {
    if (op->oprleft == left && op->oprright == right) return op;
  }
  return nullptr;
}
std::span<const BuiltinOperator> BuiltinOperators() {
  return internal::Operators();
}
std::vector<const BuiltinOperator*> BuiltinOperatorsNamed(std::string_view oprname) {
  return Named(internal::Operators(), internal::OperatorsByName(), &BuiltinOperator::oprname,
               oprname);
}

std::string FormatOperator(Oid oid) {
  const BuiltinOperator* op = FindBuiltinOperator(oid);
  if (op == nullptr) return std::to_string(oid);
  const auto side = [](Oid type) {
    return type == kInvalidOid ? std::string("NONE") : FormatTypeName(type);
  };
  return std::string(op->oprname) + "(" + side(op->oprleft) + "," + side(op->oprright) + ")";
}

const BuiltinCast* FindBuiltinCast(Oid source, Oid target) {
  return Find(internal::Casts(), std::pair(source, target),
              [](const BuiltinCast& cast) { return std::pair(cast.castsource, cast.casttarget); });
}
std::span<const BuiltinCast> BuiltinCasts() {
  return internal::Casts();
}

const TypeRows* BuiltinTypeRows(Oid oid, MemoryContext& cx) {
  const TypeInfo* info = FindTypeInfo(oid);
  if (info == nullptr) return nullptr;
  TypeRows& rows = *cx.New<TypeRows>();
  rows.nspname = "pg_catalog";
  TypeRow& type = rows.pg_type;
  type.oid = oid;
  type.typname = cx.CopyString(info->typname);
  type.typnamespace = kPgCatalog;
  type.typlen = info->typlen;
  type.typbyval = info->typbyval;
  type.typtype = info->typtype;
  type.typcategory = info->typcategory;
  type.typispreferred = info->typispreferred;
  type.typdelim = info->typdelim;
  type.typelem = info->typelem;
  type.typarray = info->typarray;
  type.typalign = info->typalign;
  type.typcollation = info->typcollation;
  if (const auto* extra = Find(internal::TypeExtras(), oid, &internal::BuiltinTypeExtra::oid)) {
    type.typrelid = extra->typrelid;
    type.typinput = extra->typinput;
    type.typoutput = extra->typoutput;
    type.typmodin = extra->typmodin;
    type.typmodout = extra->typmodout;
    type.typstorage = extra->typstorage;
  }
  if (const auto* range = Find(internal::Ranges(), oid, &internal::BuiltinRange::rngtypid)) {
    rows.range = cx.New<RangeRow>(range->row);
  }
  return &rows;
}

const ProcRow* BuiltinProcRow(Oid oid, MemoryContext& cx) {
  const BuiltinProc* proc = FindBuiltinProc(oid);
  if (proc == nullptr) return nullptr;
  ProcRow& row = *cx.New<ProcRow>();
  row.oid = oid;
  row.proname = cx.CopyString(proc->proname);
  row.pronamespace = kPgCatalog;
  row.nspname = "pg_catalog";
  row.proowner = 10;
  row.prolang = proc->prolang;
  row.provariadic = proc->provariadic;
  row.prokind = proc->prokind;
  row.proleakproof = proc->proleakproof;
  row.proisstrict = proc->proisstrict;
  row.proretset = proc->proretset;
  row.provolatile = proc->provolatile;
  row.proparallel = proc->proparallel;
  row.pronargs = static_cast<std::int16_t>(proc->proargtypes.size());
  row.pronargdefaults = proc->pronargdefaults;
  row.prorettype = proc->prorettype;
  const std::span<Oid> args = cx.NewArray<Oid>(proc->proargtypes.size());
  std::ranges::copy(proc->proargtypes, args.begin());
  row.proargtypes = args;
  return &row;
}

const OperatorRow* BuiltinOperatorRow(Oid oid, MemoryContext& cx) {
  const BuiltinOperator* op = FindBuiltinOperator(oid);
  if (op == nullptr) return nullptr;
  OperatorRow& row = *cx.New<OperatorRow>();
  row.oid = oid;
  row.oprname = cx.CopyString(op->oprname);
  row.oprnamespace = kPgCatalog;
  row.nspname = "pg_catalog";
  row.oprkind = op->oprkind;
  row.oprcanmerge = op->oprcanmerge;
  row.oprcanhash = op->oprcanhash;
  row.oprleft = op->oprleft;
  row.oprright = op->oprright;
  row.oprresult = op->oprresult;
  row.oprcom = op->oprcom;
  row.oprnegate = op->oprnegate;
  row.oprcode = op->oprcode;
  return &row;
}

const CollationRow* BuiltinCollationRow(Oid oid, MemoryContext& cx) {
  const auto* collation = Find(internal::Collations(), oid, &internal::BuiltinCollation::oid);
  if (collation == nullptr) return nullptr;
  CollationRow& row = *cx.New<CollationRow>();
  row.oid = oid;
  row.collname = collation->collname;
  row.collnamespace = kPgCatalog;
  row.nspname = "pg_catalog";
  row.collprovider = collation->collprovider;
  row.collisdeterministic = collation->collisdeterministic;
  row.collencoding = collation->collencoding;
  row.collcollate = collation->collcollate;
  row.collctype = collation->collctype;
  return &row;
}

const OpclassRow* BuiltinOpclassRow(Oid oid, MemoryContext& cx) {
  const auto* opclass = Find(internal::Opclasses(), oid, &internal::BuiltinOpclass::oid);
  if (opclass == nullptr) return nullptr;
  OpclassRow& row = *cx.New<OpclassRow>();
  row.oid = oid;
  row.opcname = opclass->opcname;
  row.opcnamespace = kPgCatalog;
  row.nspname = "pg_catalog";
  row.amname = opclass->amname;
  row.opcfamily = opclass->opcfamily;
  row.opcintype = opclass->opcintype;
  row.opcdefault = opclass->opcdefault;
  row.opckeytype = opclass->opckeytype;
  row.amprocs = opclass->amprocs;
  return &row;
}

const NamespaceRow* BuiltinNamespaceRow(Oid oid, MemoryContext& cx) {
  static constexpr NamespaceRow kNamespaces[] = {
      {kPgCatalog, "pg_catalog"}, {99, "pg_toast"}, {2200, "public"}};
  const auto* row = Find(std::span<const NamespaceRow>(kNamespaces), oid, &NamespaceRow::oid);
  return row == nullptr ? nullptr : cx.New<NamespaceRow>(*row);
}

std::string QuoteIdentifier(std::string_view name) {
  const auto plain = [](char c, bool first) {
    return (c >= 'a' && c <= 'z') || c == '_' || (!first && c >= '0' && c <= '9');
  };
  bool safe = !name.empty() && plain(name.front(), true);
  for (const char c : name) safe = safe && plain(c, false);
  safe = safe && !std::ranges::binary_search(internal::ReservedKeywords(), name);
  if (safe) return std::string(name);
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"') out += c;
    out += c;
  }
  return out + "\"";
}

std::string QuoteQualifiedIdentifier(std::string_view schema, std::string_view name) {
  if (schema.empty()) return QuoteIdentifier(name);
  return QuoteIdentifier(schema) + "." + QuoteIdentifier(name);
}

}  // namespace relcache
