// Relations for tests: rows of a small table, and trees as a server writes them.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/catalog/memory_catalog.h"
#include "relcache/types/builtin_types.h"

namespace relcache::testing {

inline std::string VarText(int attnum, Oid type) {
  const std::string n = std::to_string(attnum);
  return "{VAR :varno 1 :varattno " + n + " :vartype " + std::to_string(type) +
         " :vartypmod -1 :varcollid 0 :varlevelsup 0 :varnosyn 1 :varattnosyn " + n +
         " :location -1}";
}
inline std::string IntText(int value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += std::to_string(static_cast<signed char>(std::int64_t{value} >> (8 * i))) + " ";
  return "{CONST :consttype 23 :consttypmod -1 :constcollid 0 :constlen 4 :constbyval true "
         ":constisnull false :location -1 :constvalue 4 [ " +
         bytes + "]}";
}
inline std::string OperatorText(Oid opno, Oid function, Oid result, const std::string& args) {
  return "{OPEXPR :opno " + std::to_string(opno) + " :opfuncid " + std::to_string(function) +
         " :opresulttype " + std::to_string(result) +
         " :opretset false :opcollid 0 :inputcollid 0 :args (" + args + ") :location -1}";
}
inline std::string IntOperator(const std::string& left, std::string_view op, int value) {
  const bool gt = op == ">", lt = op == "<";
  return OperatorText(gt   ? 521
                      : lt ? 97
                           : 523,
                      gt   ? 147
                      : lt ? 66
                           : 149,
                      kBoolOid, left + " " + IntText(value));
}
/// column op value, for an integer column and >, < or <=.
inline std::string IntComparison(int attnum, std::string_view op, int value) {
  return IntOperator(VarText(attnum, kInt4Oid), op, value);
}
/// 1/column op value.
inline std::string OneByIntComparison(int attnum, std::string_view op, int value) {
  return IntOperator(OperatorText(528, 154, kInt4Oid, IntText(1) + " " + VarText(attnum, kInt4Oid)),
                     op, value);
}
/// A call of a function that no kernel is for: pg_column_size("any").
inline std::string Unsupported(int attnum) {
  return IntOperator(
      "{FUNCEXPR :funcid 1269 :funcresulttype 23 :funcretset false :funcvariadic "
      "false :funcformat 0 :funccollid 0 :inputcollid 0 :args (" +
          VarText(attnum, kInt4Oid) + ") :location -1}",
      ">", 0);
}

/// The rows of an ordinary table in schema public.
class RelationBuilder {
 public:
  RelationBuilder(Oid oid, std::string_view name) {
    rows_.pg_class.oid = oid;
    rows_.pg_class.relname = Keep(std::string(name));
    rows_.pg_class.relnamespace = kPublic;
    rows_.nspname = "public";
  }

  RelationBuilder& Column(std::string_view name, Oid type, bool not_null = false) {
    AttributeRow& a = attributes_.emplace_back();
    a.attname = Keep(std::string(name));
    a.atttypid = type;
    a.attnum = static_cast<AttrNumber>(attributes_.size());
    a.attnotnull = not_null;
    if (const TypeInfo* info = FindTypeInfo(type)) {
      a.attlen = info->typlen;
      a.attbyval = info->typbyval;
      a.attalign = info->typalign;
      a.attcollation = info->typcollation;
    } else {  // an enum, or a domain over integer
      a.attlen = 4;
      a.attbyval = true;
      a.attalign = 'i';
    }
    return *this;
  }
  /// A column `generated always as (tree)`, stored ('s') or virtual ('v').
  RelationBuilder& Generated(std::string_view name, Oid type, char attgenerated,
                             const std::string& tree, bool not_null = false) {
    Column(name, type, not_null);
    attributes_.back().attgenerated = attgenerated;
    attributes_.back().atthasdef = true;
    AttrdefRow& row = attrdefs_.emplace_back();
    row.oid = rows_.pg_class.oid + 2000 + static_cast<Oid>(attrdefs_.size());
    row.adnum = attributes_.back().attnum;
    row.adbin = Keep(tree);
    return *this;
  }
  RelationBuilder& Kind(char relkind) {
    rows_.pg_class.relkind = relkind;
    rows_.partitioned_table = relkind == 'p' ? &partitioned_table_ : nullptr;
    return *this;
  }
  /// pg_class.relchecks, where it is not the number of checks.
  RelationBuilder& RelChecks(int relchecks) {
    relchecks_ = relchecks;
    return *this;
  }
  RelationBuilder& Check(std::string_view name, const std::string& tree) {
    ConstraintRow& c = constraints_.emplace_back();
    c.oid = rows_.pg_class.oid + 1000 + static_cast<Oid>(constraints_.size());
    c.conname = Keep(std::string(name));
    c.contype = 'c';
    c.conrelid = rows_.pg_class.oid;
    c.conbin = Keep(tree);
    return *this;
  }
  Status PutInto(MemoryCatalog& catalog) {
    catalog.PutNamespace({kPublic, "public"});
    rows_.attributes = attributes_;
    rows_.constraints = constraints_;
    rows_.pg_class.relnatts = static_cast<std::int16_t>(attributes_.size());
    rows_.attrdefs = attrdefs_;
    rows_.pg_class.relchecks =
        static_cast<std::int16_t>(relchecks_.value_or(static_cast<int>(constraints_.size())));
    return catalog.Put(rows_);
  }

 private:
  static constexpr Oid kPublic = 2200;
  static constexpr AttrNumber kFirst[] = {1};
  static constexpr Oid kInt4Ops[] = {1978};
  static constexpr Oid kNoCollation[] = {0};
  std::string_view Keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  RelationRows rows_;
  PartitionedTableRow partitioned_table_ = {.partnatts = 1,
                                            .partattrs = kFirst,
                                            .partclass = kInt4Ops,
                                            .partcollation = kNoCollation,
                                            .partexprs = {}};
  std::vector<AttributeRow> attributes_;
  std::vector<ConstraintRow> constraints_;
  std::vector<AttrdefRow> attrdefs_;
  std::optional<int> relchecks_;
  std::deque<std::string> texts_;
};

}  // namespace relcache::testing
