#include "relcache/executor/functions/functions_locale.h"

#include <algorithm>
#include <functional>

#include "relcache/executor/functions/kernel.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/internal/text.h"

namespace relcache {
namespace {

using kernel::Kernel;
using std::string_view;

const TextLocale& LocaleOf(Datum locale) {
  return *static_cast<const TextLocale*>(static_cast<const void*>(DatumGetPointer(locale)));
}

Result<int> CompareTexts(Datum a, Datum b, const TextLocale& locale) {
  return locale.Compare(VarData(a), VarData(b));
}
Result<int> CompareBpchars(Datum a, Datum b, const TextLocale& locale) {
  return locale.Compare(BpcharTrim(VarData(a)), BpcharTrim(VarData(b)));
}
Result<int> CompareNames(Datum a, Datum b, const TextLocale& locale) {
  return locale.Compare(NameData(a), NameData(b));
}

template <LocaleCompare kCompare, class Op>
Result<bool> InOrder(Datum a, Datum b, Datum locale) {
  RELCACHE_ASSIGN(const int order, kCompare(a, b, LocaleOf(locale)));
  return Op{}(order, 0);
}
Result<Datum> TextLarger(Datum a, Datum b, Datum locale) {
  RELCACHE_ASSIGN(const int order, CompareTexts(a, b, LocaleOf(locale)));
  return order > 0 ? a : b;
}
Result<Datum> TextSmaller(Datum a, Datum b, Datum locale) {
  RELCACHE_ASSIGN(const int order, CompareTexts(a, b, LocaleOf(locale)));
  return order < 0 ? a : b;
}

Result<string_view> Lower(string_view text, Datum locale, MemoryContext& cx) {
  return LocaleOf(locale).Lower(text, cx);
}
Result<string_view> Upper(string_view text, Datum locale, MemoryContext& cx) {
  return LocaleOf(locale).Upper(text, cx);
}
Result<string_view> InitCap(string_view text, Datum locale, MemoryContext& cx) {
  return LocaleOf(locale).InitCap(text, cx);
}

/// Compares what lower() makes of both (Generic_Text_IC_like).
template <bool kLike>
Result<bool> ILike(string_view text, string_view pattern, Datum locale, MemoryContext& cx) {
  RELCACHE_ASSIGN(const string_view lower_pattern, LocaleOf(locale).Lower(pattern, cx));
  RELCACHE_ASSIGN(const string_view lower_text, LocaleOf(locale).Lower(text, cx));
  RELCACHE_ASSIGN(const bool matches, TextLike(lower_text, lower_pattern));
  return matches == kLike;
}
template <bool kLike>
Result<bool> NameILike(Datum name, string_view pattern, Datum locale, MemoryContext& cx) {
  return ILike<kLike>(NameData(name), pattern, locale, cx);
}

#define ORDER(compare, name, lt, gt, le, ge)                      \
  Kernel<InOrder<compare, std::less<>>>(lt, name "lt"),           \
      Kernel<InOrder<compare, std::greater<>>>(gt, name "gt"),    \
      Kernel<InOrder<compare, std::less_equal<>>>(le, name "le"), \
      Kernel<InOrder<compare, std::greater_equal<>>>(ge, name "ge")

constexpr Function kFunctions[] = {
    ORDER(CompareTexts, "text_", 740, 742, 741, 743),
    ORDER(CompareBpchars, "bpchar", 1049, 1051, 1050, 1052),
    ORDER(CompareNames, "name", 655, 657, 656, 658),
    Kernel<TextLarger>(458, "text_larger"),
    Kernel<TextSmaller>(459, "text_smaller"),
    Kernel<Lower>(870, "lower"),
    Kernel<Upper>(871, "upper"),
    Kernel<InitCap>(872, "initcap"),
    Kernel<ILike<true>>(1633, "texticlike"),
    Kernel<ILike<false>>(1634, "texticnlike"),
    Kernel<NameILike<true>>(1635, "nameiclike"),
    Kernel<NameILike<false>>(1636, "nameicnlike"),
    Kernel<ILike<true>>(1660, "bpchariclike"),
    Kernel<ILike<false>>(1661, "bpcharicnlike"),
};

}  // namespace

const Function* FindLocaleFunction(Oid oid) {
  const auto* const found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                         [oid](const Function& f) { return f.oid == oid; });
  return found == std::end(kFunctions) ? nullptr : found;
}

LocaleCompare LocaleCompareOf(Oid type) {
  switch (type) {
    case kTextOid:
    case kVarcharOid:
      return CompareTexts;
    case kBpcharOid:
      return CompareBpchars;
    case kNameOid:
      return CompareNames;
    default:
      return nullptr;
  }
}

}  // namespace relcache
