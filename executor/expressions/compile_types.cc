// Which values may be read as which types, and what collations allow. A node tree is input and may
// lie about types, but a kernel that follows a pointer must be given one; so every argument is
// checked against the declared type.
#include <algorithm>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/executor/expressions/internal/compiler.h"
#include "relcache/executor/functions/kernel.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

constexpr Oid kAnyArrayOid = 2277, kAnyElementOid = 2283, kAnyNonArrayOid = 2776,
              kAnyEnumOid = 3500, kAnyOid = 2276;

/// The pairs of types that pg_cast calls binary coercible and that no rule of CheckReadable covers.
bool HaveOneForm(Oid from, Oid to) {
  constexpr Oid kBit = 1560, kVarbit = 1562;
  return (from == kCidrOid && to == kInetOid) || (from == kBit && to == kVarbit) ||
         (from == kVarbit && to == kBit);
}

std::int32_t SignedWord(Oid value) {
  return static_cast<std::int32_t>(value);
}
Oid UnsignedWord(std::int32_t value) {
  return static_cast<Oid>(value);
}

bool IsString(Oid type) {
  return type == kTextOid || type == kVarcharOid || type == kBpcharOid;
}

}  // namespace

bool Compiler::LayoutOf(Oid type, Layout& out) {
  BaseType base{type, nullptr};
  if (FindTypeInfo(type) == nullptr && options_.objects != nullptr) {
    Result<BaseType> found = FindBaseType(type, *options_.objects);
    if (!found) return Fail(std::move(found).error());
    base = *found;
  }
  if (const TypeInfo* info = FindTypeInfo(base.oid)) {
    out = {base.oid, info->typlen, info->typbyval, info->typalign};
    return true;
  }
  if (base.rows == nullptr) return Refuse("TYPE", NameOfType(base.oid));
  const TypeRow& row = base.rows->pg_type;
  if (!row.typisdefined) return Refuse("TYPE", NameOfType(base.oid) + ", which is not defined yet");
  out = {base.oid, row.typlen, row.typbyval, row.typalign};
  return true;
}

bool Compiler::FormOfColumn(const InputColumn& column, ColumnForm& out) {
  out = ColumnFormOf(column.type, column.typlen, column.typbyval);
  Layout layout;
  if (FindTypeInfo(column.type) == nullptr) {
    if (options_.objects == nullptr) return true;
    Result<const TypeRows*> rows = options_.objects->FindType(column.type);
    if (!rows) return Fail(std::move(rows).error());
    if (*rows == nullptr) return true;
  }
  if (!LayoutOf(column.type, layout)) return false;
  if (layout.typlen != column.typlen || layout.typbyval != column.typbyval)
    return Malformed("a value of type " + NameOfType(column.type) + " that is laid out otherwise");
  out = FormOfBase(layout);
  return true;
}

bool Compiler::ReadAs(Oid type, Value& value) {
  if (value.type == type) return true;
  Layout layout;
  if (!CheckReadable(value.type, type) || !LayoutOf(type, layout)) return false;
  value.type = type;
  const ColumnForm from = std::exchange(value.form, FormOfBase(layout));
  // Both have four bytes, but in a Datum an int4 is extended with its sign and an oid with zeros. A
  // comparison of whole words needs the right one.
  const bool is_signed = from == ColumnForm::kOid && value.form == ColumnForm::kInt4;
  if (!is_signed && (from != ColumnForm::kInt4 || value.form != ColumnForm::kOid)) return true;
  if (value.operand.is_constant()) {
    NullableDatum constant = ConstantOf(value);
    if (!constant.isnull)
      constant.value = is_signed ? Int32GetDatum(SignedWord(DatumGetObjectId(constant.value)))
                                 : ObjectIdGetDatum(UnsignedWord(DatumGetInt32(constant.value)));
    value = AddConstant(constant, value.form, type);
    return true;
  }
  static constexpr Function kSigned = kernel::Kernel<SignedWord>(0, "int4");
  static constexpr Function kUnsigned = kernel::Kernel<UnsignedWord>(0, "oid");
  const Operand word =
      std::exchange(value.operand, Operand(Operand::Space::kRegister, NewRegister()));
  Instruction& call = EmitCall(is_signed ? kSigned : kUnsigned, value.operand.index());
  std::fill(std::begin(call.args), std::end(call.args), word);
  return true;
}

bool Compiler::CheckReadable(Oid from, Oid to) {
  if (from == to) return true;
  Layout a, b;
  if (!LayoutOf(from, a) || !LayoutOf(to, b)) return false;
  if (a.base == b.base) return true;
  // An integer can be read as another one of the same width. Only 0 and 1 are booleans, however.
  const bool by_value =
      a.typbyval && b.typbyval && a.typlen == b.typlen && a.base != kBoolOid && b.base != kBoolOid;
  // The content of any varlena can be read as characters or bytes, but not as a numeric or an
  // array, whose readers rely on its structure.
  const bool as_bytes =
      a.typlen == -1 && b.typlen == -1 && (IsString(b.base) || b.base == kByteaOid);
  const TypeInfo* a_info = FindTypeInfo(a.base);
  const TypeInfo* b_info = FindTypeInfo(b.base);
  // An array's header contains the element type, which is checked when the elements are read.
  const bool as_array =
      a_info != nullptr && b_info != nullptr && IsArrayType(*a_info) && IsArrayType(*b_info);
  // A string type of an extension, such as citext. Only functions on strings will read it.
  const bool string_to_extension = IsString(a.base) && b_info == nullptr && b.typlen == -1;
  if (by_value || as_bytes || as_array || string_to_extension || HaveOneForm(a.base, b.base))
    return true;
  // For types that are not built in, only their casts would tell, and those are not known here.
  if (a_info == nullptr || b_info == nullptr)
    return Refuse("TYPE", NameOfType(from) + " read as " + NameOfType(to));
  return Malformed("a value of type " + NameOfType(from) + " where " + NameOfType(to) +
                   " is expected");
}

bool Compiler::CheckArgument(Oid declared, const Value& value) {
  switch (declared) {
    case kAnyOid:
    case kAnyElementOid:
    case kAnyNonArrayOid:
      return true;
    case kAnyEnumOid: {
      Layout layout;
      if (!LayoutOf(value.type, layout)) return false;
      if (layout.typbyval && layout.typlen == 4) return true;
      break;
    }
    case kAnyArrayOid: {
      Layout layout;
      if (!LayoutOf(value.type, layout)) return false;
      const TypeInfo* info = FindTypeInfo(layout.base);
      if (layout.typlen == -1 && (info == nullptr || IsArrayType(*info))) return true;
      break;
    }
    default:
      return CheckReadable(value.type, declared);
  }
  return Malformed("an argument of type " + NameOfType(value.type) + " for " +
                   NameOfType(declared));
}

bool Compiler::CheckConst(const Const& node) {
  Layout layout;
  if (const TypeInfo* info = FindTypeInfo(node.consttype)) {
    layout = {info->oid, info->typlen, info->typbyval, info->typalign};
  } else if (!node.constbyval && node.constlen != -1) {
    if (!LayoutOf(node.consttype, layout)) return false;
  } else {
    layout = {node.consttype, node.constlen, node.constbyval, 'i'};
  }
  bool good = layout.typlen == node.constlen && layout.typbyval == node.constbyval;
  if (good && !node.constisnull && !node.constbyval) {
    const std::string_view bytes = node.bytes();
    if (layout.typlen > 0) {
      good = bytes.size() == static_cast<std::size_t>(layout.typlen);
    } else if (layout.typlen == -1) {
      good =
          bytes.size() >= kVarHdrSz && VarData(node.constvalue).size() == bytes.size() - kVarHdrSz;
    }
    // A numeric has a header of two or four bytes and then whole digits of two bytes.
    if (good && layout.base == kNumericOid) {
      const std::string_view payload = VarData(node.constvalue);
      good = payload.size() >= 2 && payload.size() % 2 == 0;
      if (good) {
        std::uint16_t head;
        std::memcpy(&head, payload.data(), sizeof head);
        good = (head & 0x8000) != 0 || payload.size() >= 4;
      }
    }
  }
  return good || Malformed("a Const whose value is none of type " + NameOfType(node.consttype));
}

bool Compiler::TraitsOfCollation(Oid collation, CollationTraits& out) {
  if (collation == kDefaultCollationOid) {
    // A default collation is always deterministic, so equality of bytes decides even if nothing
    // else is known.
    out.name = "\"default\"";
    if (options_.objects != nullptr) out = DefaultTraits(options_.objects->info());
    return true;
  }
  const CollationRow* row = nullptr;
  if (options_.objects != nullptr) {
    Result<const CollationRow*> found = options_.objects->FindCollation(collation);
    if (!found) return Fail(std::move(found).error());
    row = *found;
  }
  if (row == nullptr) row = BuiltinCollationRow(collation, cx_);
  if (row == nullptr) return Refuse("COLLATION", std::to_string(collation));
  out = TraitsOf(*row);
  return true;
}

bool Compiler::LocaleOf(const CollationTraits& traits, const TextLocale*& out) {
  for (const MadeLocale& made : locales_) {
    if (made.provider != *traits.provider || made.order != traits.icu_order ||
        made.name != traits.locale)
      continue;
    out = made.locale;
    return true;
  }
  Result<const TextLocale*> locale =
      TextLocale::Make(*traits.provider, traits.locale, traits.icu_order, cx_);
  if (!locale) return Fail(std::move(locale).error());
  out = *locale;
  locales_.push_back({*traits.provider, traits.icu_order, traits.locale, out});
  return true;
}

bool Compiler::ComparisonOf(Oid type, Oid collation, Comparison& out) {
  Layout layout;
  if (!LayoutOf(type, layout)) return false;
  const TypeOps* ops = FindTypeOps(layout.base);
  if (ops == nullptr || ops->compare == nullptr)
    return Refuse("TYPE", NameOfType(type) + " in a comparison");
  const TypeInfo* info = FindTypeInfo(layout.base);
  if (info != nullptr && info->typcollation != kInvalidOid) {
    if (collation == kInvalidOid)
      return Fail(Error(ErrorCode::kInvalidInput, "42P22",
                        "could not determine which collation to use for string comparison"));
    CollationTraits traits;
    if (!TraitsOfCollation(collation, traits)) return false;
    const bool by_locale = !traits.bytewise && traits.icu_order;
    if (by_locale) out.in_locale = LocaleCompareOf(layout.base);
    if (!traits.bytewise && out.in_locale == nullptr)
      return Refuse("COLLATION", traits.name + " in a comparison");
    if (!utf8_) return Refuse("TYPE", NameOfType(type) + " in a comparison" + InEncoding());
    if (by_locale && !LocaleOf(traits, out.locale)) return false;
  }
  out.compare = ops->compare;
  return true;
}

std::string Compiler::NameOfType(Oid type) {
  if (FindTypeInfo(type) != nullptr) return FormatTypeName(type);
  if (options_.objects != nullptr) {
    const Result<const TypeRows*> rows = options_.objects->FindType(type);
    if (rows && *rows != nullptr) {
      const std::string_view schema = (*rows)->nspname;
      return QuoteQualifiedIdentifier(schema == "public" || schema == "pg_catalog" ? "" : schema,
                                      (*rows)->pg_type.typname);
    }
  }
  return std::to_string(type);
}

std::string Compiler::NameOfFunction(Oid oid) {
  if (FindBuiltinProc(oid) != nullptr) return FormatProc(oid);
  if (options_.objects != nullptr) {
    const Result<const ProcRow*> found = options_.objects->FindProc(oid);
    if (found && *found != nullptr) {
      const ProcRow& row = **found;
      const bool plain = row.nspname == "public" || row.nspname == "pg_catalog";
      std::string name = QuoteQualifiedIdentifier(plain ? "" : row.nspname, row.proname) + "(";
      for (std::size_t i = 0; i < row.proargtypes.size(); ++i)
        name += (i > 0 ? "," : "") + NameOfType(row.proargtypes[i]);
      return name + ")";
    }
  }
  return std::to_string(oid);
}

}  // namespace relcache
