// Random expressions as trees, over columns of every form: AND, OR, NOT, CASE, COALESCE, NULLIF,
// IN, ANY, ALL, domains, GREATEST and LEAST, comparisons of rows, divisions that fail.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "relcache/catalog/memory_catalog.h"
#include "relcache/executor/expressions/compile.h"
#include "relcache/tests/executor/relations.h"
#include "relcache/types/builtin_types.h"

namespace relcache::testing {

class RandomExpressions {
 public:
  static constexpr Oid kEnum = 16600, kIntDomain = 16601, kBoolDomain = 16602, kDateDomain = 16603,
                       kFloatDomain = 16604, kDomainOfDomain = 16605;
  struct TypeOfColumn {
    InputColumn input;
    Oid base;
  };
  static constexpr std::array kColumns = {
      TypeOfColumn{{kBoolOid, 1, true}, kBoolOid},
      TypeOfColumn{{kBoolOid, 1, true}, kBoolOid},
      TypeOfColumn{{kBoolDomain, 1, true}, kBoolOid},
      TypeOfColumn{{kInt4Oid, 4, true}, kInt4Oid},
      TypeOfColumn{{kInt4Oid, 4, true}, kInt4Oid},
      TypeOfColumn{{kIntDomain, 4, true}, kInt4Oid},
      TypeOfColumn{{kDomainOfDomain, 4, true}, kInt4Oid},
      TypeOfColumn{{kInt2Oid, 2, true}, kInt2Oid},
      TypeOfColumn{{kInt8Oid, 8, true}, kInt8Oid},
      TypeOfColumn{{kOidOid, 4, true}, kOidOid},
      TypeOfColumn{{kDateDomain, 4, true}, kDateOid},
      TypeOfColumn{{kFloatDomain, 4, true}, kFloat4Oid},
      TypeOfColumn{{kFloat8Oid, 8, true}, kFloat8Oid},
      TypeOfColumn{{kTextOid, -1, false}, kTextOid},
      TypeOfColumn{{kEnum, 4, true}, kEnum},
  };

  explicit RandomExpressions(std::uint32_t seed) : random_(seed) {}

  /// The enum and the domains; kIntDomain refuses -3, kDomainOfDomain NULL.
  static void PutTypes(MemoryCatalog& catalog) {
    catalog.PutNamespace({2200, "public"});
    Put(catalog, kEnum, "color", 'e', kInvalidOid, 4, false, "");
    const std::string value =
        "{COERCETODOMAINVALUE :typeId 23 :typeMod -1 :collation 0 :location -1}";
    Put(catalog, kIntDomain, "int_domain", 'd', kInt4Oid, 4, false,
        OperatorText(518, 144, kBoolOid, value + " " + IntText(-3)));
    Put(catalog, kBoolDomain, "bool_domain", 'd', kBoolOid, 1, false, "");
    Put(catalog, kDateDomain, "date_domain", 'd', kDateOid, 4, false, "");
    Put(catalog, kFloatDomain, "float_domain", 'd', kFloat4Oid, 4, false, "");
    Put(catalog, kDomainOfDomain, "outer_domain", 'd', kIntDomain, 4, true, "");
  }

  std::string Bool(int depth) {
    if (depth <= 0) return Leaf();
    switch (Below(16)) {
      case 0:
      case 1:
      case 2:
      case 3: {
        std::string parts;
        for (std::uint32_t i = 0, n = 2 + Below(Below(4) == 0 ? 12 : 3); i < n; ++i)
          parts += (i > 0 ? " " : "") + Bool(depth - 1);
        return BoolText(Below(2) == 0 ? "and" : "or", parts);
      }
      case 4:
        return BoolText("not", Bool(depth - 1));
      case 5:
        return "{BOOLEANTEST :arg " + Bool(depth - 1) + " :booltesttype " +
               std::to_string(Below(6)) + " :location -1}";
      case 6: {
        const Oid type = AnyType();
        return IsNull(Of(type, depth - 1));
      }
      case 7:
      case 8: {
        const Oid type = AnyType();
        return Compare(type, Of(type, depth - 1), Of(type, depth - 1));
      }
      case 9: {
        const Oid type = AnyType();
        const Operators ops = OperatorsOf(type);
        return "{DISTINCTEXPR :opno " + std::to_string(ops.eq) + " :opfuncid " +
               std::to_string(ops.eq_function) +
               " :opresulttype 16 :opretset false :opcollid 0 :inputcollid " + Collation(type) +
               " :args (" + Of(type, depth - 1) + " " + Of(type, depth - 1) + ") :location -1}";
      }
      case 10:
      case 11:
        return InList(depth);
      case 12:
        return RowComparison(depth);
      default:
        return Of(kBoolOid, depth);
    }
  }

  /// An expression of a type (not a domain).
  std::string Of(Oid type, int depth) {
    if (depth <= 0) return Simple(type);
    switch (Below(8)) {
      case 0: {
        std::string arms;
        for (std::uint32_t i = 0, n = 1 + Below(3); i < n; ++i)
          arms += "{CASEWHEN :expr " + Bool(depth - 1) + " :result " + Of(type, depth - 1) +
                  " :location -1}" + (i + 1 < n ? " " : "");
        return "{CASEEXPR :casetype " + std::to_string(type) + " :casecollid " + Collation(type) +
               " :arg <> :args (" + arms + ") :defresult " +
               (Below(4) == 0 ? "<>" : Of(type, depth - 1)) + " :location -1}";
      }
      case 1: {
        std::string args;
        for (std::uint32_t i = 0, n = 2 + Below(2); i < n; ++i)
          args += (i > 0 ? " " : "") + Of(type, depth - 1);
        return "{COALESCEEXPR :coalescetype " + std::to_string(type) + " :coalescecollid " +
               Collation(type) + " :args (" + args + ") :location -1}";
      }
      case 2: {
        const Operators ops = OperatorsOf(type);
        return "{NULLIFEXPR :opno " + std::to_string(ops.eq) + " :opfuncid " +
               std::to_string(ops.eq_function) + " :opresulttype " + std::to_string(type) +
               " :opretset false :opcollid 0 :inputcollid " + Collation(type) + " :args (" +
               Of(type, depth - 1) + " " + Of(type, depth - 1) + ") :location -1}";
      }
      case 3: {
        if (type == kTextOid || type == kEnum) break;
        std::string args;
        for (std::uint32_t i = 0, n = 1 + Below(3); i < n; ++i)
          args += (i > 0 ? " " : "") + Of(type, depth - 1);
        return "{MINMAXEXPR :minmaxtype " + std::to_string(type) +
               " :minmaxcollid 0 :inputcollid 0 :op " + std::to_string(Below(2)) + " :args (" +
               args + ") :location -1}";
      }
      case 4:
        if (type == kBoolOid) return Bool(depth);
        if (type == kInt4Oid) {
          const bool divide = Below(3) == 0;  // it may fail
          return OperatorText(divide ? 528 : 551, divide ? 154 : 177, kInt4Oid,
                              Of(kInt4Oid, depth - 1) + " " + Of(kInt4Oid, depth - 1));
        }
        break;
      case 5:
        if (type == kInt4Oid) return Relabel(AsDomain(Of(kInt4Oid, depth - 1)), kInt4Oid);
        if (type == kOidOid) return Relabel(Of(kInt4Oid, depth - 1), kOidOid);
        break;
      case 6:
        if (type == kInt4Oid) return Relabel(Of(kOidOid, depth - 1), kInt4Oid);
        break;
      default:
        break;
    }
    return Simple(type);
  }

  Oid AnyType() {
    static constexpr Oid kTypes[] = {kBoolOid, kInt4Oid, kInt4Oid,   kInt4Oid,   kInt2Oid, kInt8Oid,
                                     kOidOid,  kDateOid, kFloat4Oid, kFloat8Oid, kTextOid, kEnum};
    return kTypes[Below(std::size(kTypes))];
  }
  std::uint32_t Below(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
  std::mt19937& random() { return random_; }

  static std::string BoolText(const char* op, const std::string& args) {
    return std::string("{BOOLEXPR :boolop ") + op + " :args (" + args + ") :location -1}";
  }

 private:
  struct Operators {
    Oid eq, eq_function, lt, lt_function;
  };
  static Operators OperatorsOf(Oid type) {
    switch (type) {
      case kBoolOid:
        return {91, 60, 58, 56};
      case kInt2Oid:
        return {94, 63, 95, 64};
      case kInt4Oid:
        return {96, 65, 97, 66};
      case kInt8Oid:
        return {410, 467, 412, 469};
      case kOidOid:
        return {607, 184, 609, 716};
      case kDateOid:
        return {1093, 1086, 1095, 1087};
      case kFloat4Oid:
        return {620, 287, 622, 289};
      case kFloat8Oid:
        return {670, 293, 672, 295};
      case kTextOid:
        return {98, 67, 531, 157};  // text <> text, as its order needs a locale
      default:
        return {3516, 3508, 3517, 3509};  // anyenum <> anyenum
    }
  }
  static std::string Collation(Oid type) { return type == kTextOid ? "100" : "0"; }

  static void Put(MemoryCatalog& catalog, Oid oid, std::string_view name, char typtype, Oid base,
                  std::int16_t typlen, bool not_null, const std::string& check) {
    TypeRows rows;
    rows.nspname = "public";
    rows.pg_type.oid = oid;
    rows.pg_type.typname = name;
    rows.pg_type.typnamespace = 2200;
    rows.pg_type.typlen = typlen;
    rows.pg_type.typbyval = true;
    rows.pg_type.typtype = typtype;
    rows.pg_type.typbasetype = base;
    rows.pg_type.typnotnull = not_null;
    ConstraintRow row;
    row.oid = oid + 100;
    row.conname = "domain_check";
    row.contype = 'c';
    row.contypid = oid;
    row.conbin = check;
    if (!check.empty()) rows.constraints = {&row, 1};
    const Status put = catalog.PutType(rows);
    RELCACHE_CHECK(put.has_value());
  }

  static std::string ConstText(Oid type, std::int64_t value, int length, bool null) {
    std::string text = "{CONST :consttype " + std::to_string(type) +
                       " :consttypmod -1 :constcollid 0 :constlen " + std::to_string(length) +
                       " :constbyval true :constisnull " + (null ? "true" : "false") +
                       " :location -1 :constvalue ";
    if (null) return text + "<>}";
    text += std::to_string(length) + " [ ";
    for (int i = 0; i < 8; ++i)
      text += std::to_string(static_cast<signed char>(value >> (8 * i))) + " ";
    return text + "]}";
  }
  static std::string TextConst(const std::string& value) {
    const std::size_t bytes = value.size() + 4;
    std::string text =
        "{CONST :consttype 25 :consttypmod -1 :constcollid 100 :constlen -1 :constbyval false "
        ":constisnull false :location -1 :constvalue " +
        std::to_string(bytes) + " [ " + std::to_string(bytes << 2) + " 0 0 0 ";
    for (const char c : value) text += std::to_string(int{c}) + " ";
    return text + "]}";
  }
  std::string Constant(Oid type) {
    const bool null = Below(6) == 0;
    const std::int64_t small = std::int64_t{Below(7)} - 3;
    switch (type) {
      case kBoolOid:
        return ConstText(type, Below(2), 1, null);
      case kInt2Oid:
        return ConstText(type, small, 2, null);
      case kInt4Oid:
      case kDateOid:
        return ConstText(type, small, 4, null);
      case kOidOid:
        return ConstText(type, Below(4), 4, null);
      case kEnum:
        return ConstText(type, 17000 + Below(3), 4, null);
      case kInt8Oid:
        return ConstText(type, small, 8, null);
      case kFloat4Oid:
        return ConstText(type, Below(2) == 0 ? 0x3f800000 : -0x40800000LL, 4, null);  // 1, -1
      case kFloat8Oid:
        return ConstText(type, Below(2) == 0 ? 0x3ff0000000000000LL : -0x4010000000000000LL, 8,
                         null);
      default:
        return TextConst(std::string(Below(3), 'x'));
    }
  }
  std::string Column(Oid type) {
    for (;;) {
      const std::size_t c = Below(kColumns.size());
      if (kColumns[c].base != type) continue;
      const std::string var = VarText(static_cast<int>(c + 1), kColumns[c].input.type);
      return kColumns[c].input.type == type ? var : Relabel(var, type);
    }
  }
  std::string Simple(Oid type) { return Below(4) == 0 ? Constant(type) : Column(type); }
  std::string Leaf() {
    const Oid type = AnyType();
    switch (Below(4)) {
      case 0:
        return Column(kBoolOid);
      case 1:
        return IsNull(Column(type));
      default:
        return Compare(type, Column(type), Simple(type));
    }
  }
  std::string IsNull(const std::string& arg) {
    return "{NULLTEST :arg " + arg + " :nulltesttype " + std::to_string(Below(2)) +
           " :argisrow false :location -1}";
  }
  std::string Compare(Oid type, const std::string& a, const std::string& b) {
    const Operators ops = OperatorsOf(type);
    const bool equal = Below(2) == 0;
    return "{OPEXPR :opno " + std::to_string(equal ? ops.eq : ops.lt) + " :opfuncid " +
           std::to_string(equal ? ops.eq_function : ops.lt_function) +
           " :opresulttype 16 :opretset false :opcollid 0 :inputcollid " + Collation(type) +
           " :args (" + a + " " + b + ") :location -1}";
  }
  static std::string Relabel(const std::string& arg, Oid type) {
    return "{RELABELTYPE :arg " + arg + " :resulttype " + std::to_string(type) +
           " :resulttypmod -1 :resultcollid 0 :relabelformat 2 :location -1}";
  }
  std::string AsDomain(const std::string& arg) {
    return "{COERCETODOMAIN :arg " + arg + " :resulttype " +
           std::to_string(Below(4) == 0 ? kDomainOfDomain : kIntDomain) +
           " :resulttypmod -1 :resultcollid 0 :coercionformat 2 :location -1}";
  }
  std::string InList(int depth) {
    static constexpr std::pair<Oid, Oid> kArrays[] = {{kInt4Oid, 1007}, {kInt2Oid, 1005},
                                                      {kInt8Oid, 1016}, {kOidOid, 1028},
                                                      {kTextOid, 1009}, {kFloat8Oid, 1022}};
    const auto [type, array] = kArrays[Below(std::size(kArrays))];
    const bool constants = Below(2) == 0;
    std::string elements;
    for (std::uint32_t i = 0, n = 1 + Below(20); i < n; ++i)
      elements +=
          (i > 0 ? " " : "") + (constants || Below(3) > 0 ? Constant(type) : Of(type, depth - 1));
    const Operators ops = OperatorsOf(type);
    const bool equal = Below(3) > 0;
    return "{SCALARARRAYOPEXPR :opno " + std::to_string(equal ? ops.eq : ops.lt) + " :opfuncid " +
           std::to_string(equal ? ops.eq_function : ops.lt_function) +
           " :hashfuncid 0 :negfuncid 0 :useOr " + (Below(2) == 0 ? "true" : "false") +
           " :inputcollid " + Collation(type) + " :args (" + Of(type, depth - 1) +
           " {ARRAYEXPR :array_typeid " + std::to_string(array) +
           " :array_collid 0 :element_typeid " + std::to_string(type) + " :elements (" + elements +
           ") :multidims false :location -1}) :location -1}";
  }
  std::string RowComparison(int depth) {
    static constexpr Oid kTypes[] = {kInt4Oid, kInt2Oid, kInt8Oid, kDateOid, kFloat8Oid, kOidOid};
    std::string left, right, operators, families, collations;
    for (std::uint32_t i = 0, n = 2 + Below(2); i < n; ++i) {
      const Oid type = kTypes[Below(std::size(kTypes))];
      left += " " + Of(type, depth - 1);
      right += " " + Of(type, depth - 1);
      operators += " " + std::to_string(OperatorsOf(type).lt);
      families += " 1976";
      collations += " 0";
    }
    static constexpr int kTests[] = {1, 2, 4, 5};
    return "{ROWCOMPAREEXPR :rctype " + std::to_string(kTests[Below(4)]) + " :opnos (o" +
           operators + ") :opfamilies (o" + families + ") :inputcollids (o" + collations +
           ") :largs (" + left.substr(1) + ") :rargs (" + right.substr(1) + ")}";
  }

  std::mt19937 random_;
};

}  // namespace relcache::testing
