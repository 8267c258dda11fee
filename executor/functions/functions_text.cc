// text, character varying, character, name, bytea and uuid. What a collation may change says so in
// its entry; the compiler refuses what bytes alone cannot answer.
#include <functional>
#include <string>

#include "relcache/executor/functions/function_tables.h"
#include "relcache/executor/functions/kernel.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/internal/bytea.h"
#include "relcache/types/internal/text.h"
#include "relcache/types/internal/text_edit.h"
#include "relcache/types/internal/text_locale.h"
#include "relcache/types/internal/uuid.h"

namespace relcache {
namespace {

using kernel::Kernel;
using std::string_view;
using I4 = std::int32_t;

constexpr auto kNone = CollationUse::kNone;
constexpr auto kBytes = CollationUse::kBytes;
constexpr auto kEquality = CollationUse::kEquality;
constexpr auto kOrder = CollationUse::kOrder;
constexpr auto kCaselessMatch = CollationUse::kCaselessMatch;

template <class Op>
bool CompareText(string_view a, string_view b) {
  return Op{}(TextCompare(a, b), 0);
}
template <bool kSame>
bool EqualText(string_view a, string_view b) {
  return (a == b) == kSame;
}
template <class Op>
bool CompareBpchar(string_view a, string_view b) {
  return Op{}(BpcharCompare(a, b), 0);
}
template <class Op>
bool CompareNames(Datum a, Datum b) {
  return Op{}(TextCompare(NameData(a), NameData(b)), 0);
}
template <class Op>
bool CompareNameText(Datum a, string_view b) {
  return Op{}(TextCompare(NameData(a), b), 0);
}
template <class Op>
bool CompareTextName(string_view a, Datum b) {
  return Op{}(TextCompare(a, NameData(b)), 0);
}
template <class Op>
bool CompareBytea(string_view a, string_view b) {
  return Op{}(ByteaCompare(a, b), 0);
}
template <class Op>
bool CompareUuid(Datum a, Datum b) {
  return Op{}(UuidCompare(a, b), 0);
}

I4 OctetLength(string_view a) {
  return static_cast<I4>(a.size());
}
I4 BpcharLength(string_view a) {
  return CharLength(BpcharTrim(a));
}
string_view BoolToText(bool a) {
  return a ? "true" : "false";
}
string_view BpcharToText(string_view a) {
  return BpcharTrim(a);
}
Datum TextToName(string_view a, MemoryContext& cx) {
  return NameIn(a, cx);
}
Datum BpcharToName(string_view a, MemoryContext& cx) {
  return NameIn(BpcharTrim(a), cx);
}
string_view NameToText(Datum a) {
  return NameData(a);
}
template <bool kLike>
Result<bool> Like(string_view text, string_view pattern) {
  Result<bool> matches = TextLike(text, pattern);
  if (matches && !kLike) *matches = !*matches;
  return matches;
}
template <bool kLike>
Result<bool> NameLike(Datum text, string_view pattern) {
  return Like<kLike>(NameData(text), pattern);
}
template <bool kLike>
Result<bool> LikeBytea(string_view bytes, string_view pattern) {
  RELCACHE_ASSIGN(const bool matches, ByteaLike(bytes, pattern));
  return matches == kLike;
}
template <bool kLike>
Result<bool> ILike(string_view text, string_view pattern, MemoryContext& cx) {
  return Like<kLike>(LowerC(text, cx), LowerC(pattern, cx));
}
template <bool kLike>
Result<bool> NameILike(Datum text, string_view pattern, MemoryContext& cx) {
  return ILike<kLike>(NameData(text), pattern, cx);
}
string_view TextLarger(string_view a, string_view b) {
  return TextCompare(a, b) > 0 ? a : b;
}
string_view TextSmaller(string_view a, string_view b) {
  return TextCompare(a, b) < 0 ? a : b;
}

bool IsAscii(string_view text) {
  unsigned char any = 0;
  for (char c : text) any |= static_cast<unsigned char>(c);
  return any < 0x80;
}
Error OutsideAscii(string_view what) {
  return NotSupported("characters outside ASCII for " + std::string(what));
}
Result<Datum> GuardVarlena(Datum text, string_view what) {
  if (!IsAscii(VarData(text))) return Fail(OutsideAscii(what));
  return text;
}
Result<Datum> GuardName(Datum name, string_view what) {
  if (!IsAscii(NameData(name))) return Fail(OutsideAscii(what));
  return name;
}
Result<char> GuardChar(char c, string_view what) {
  if (!IsAscii({&c, 1})) return Fail(OutsideAscii(what));
  return c;
}

constexpr Function InAnyEncoding(Function f) {
  f.text = TextUse::kBytes;
  return f;
}
constexpr Function OfPattern(Function f) {
  f.text = TextUse::kPattern;
  return f;
}

string_view Substr2(string_view text, I4 from) {
  return TextSubstring(text, from);
}
Result<string_view> Substr3(string_view text, I4 from, I4 count) {
  return TextSubstring(text, from, count);
}
string_view Btrim1(string_view text) {
  return TextBtrim(text);
}
string_view Ltrim1(string_view text) {
  return TextLtrim(text);
}
string_view Rtrim1(string_view text) {
  return TextRtrim(text);
}
string_view Btrim2(string_view text, string_view set) {
  return TextBtrim(text, set);
}
string_view Ltrim2(string_view text, string_view set) {
  return TextLtrim(text, set);
}
string_view Rtrim2(string_view text, string_view set) {
  return TextRtrim(text, set);
}
bool StartsWith(string_view text, string_view prefix) {
  return text.starts_with(prefix);
}
char TextToChar(string_view text) {
  return text.empty() ? '\0' : CharIn(text);
}

Result<string_view> Overlay(string_view text, string_view by, I4 from, MemoryContext& cx) {
  return TextOverlay(text, by, from, CharLength(by), cx);
}
Result<string_view> LpadBlank(string_view text, I4 n, MemoryContext& cx) {
  return TextLpad(text, n, " ", cx);
}
Result<string_view> RpadBlank(string_view text, I4 n, MemoryContext& cx) {
  return TextRpad(text, n, " ", cx);
}
string_view Int4ToHex(I4 n, MemoryContext& cx) {
  return ToHex(static_cast<std::uint32_t>(n), cx);
}
string_view Int8ToHex(std::int64_t n, MemoryContext& cx) {
  return ToHex(static_cast<std::uint64_t>(n), cx);
}

#define COMPARISONS(F, name, eq, ne, lt, gt, le, ge, equality, order)         \
  InAnyEncoding(Kernel<F<std::equal_to<>>>(eq, name "eq", equality)),         \
      InAnyEncoding(Kernel<F<std::not_equal_to<>>>(ne, name "ne", equality)), \
      Kernel<F<std::less<>>>(lt, name "lt", order),                           \
      Kernel<F<std::greater<>>>(gt, name "gt", order),                        \
      Kernel<F<std::less_equal<>>>(le, name "le", order),                     \
      Kernel<F<std::greater_equal<>>>(ge, name "ge", order)

constexpr Function kFunctions[] = {
    InAnyEncoding(Kernel<EqualText<true>>(67, "texteq", kEquality)),
    InAnyEncoding(Kernel<EqualText<false>>(157, "textne", kEquality)),
    Kernel<CompareText<std::less<>>>(740, "text_lt", kOrder),
    Kernel<CompareText<std::greater<>>>(742, "text_gt", kOrder),
    Kernel<CompareText<std::less_equal<>>>(741, "text_le", kOrder),
    Kernel<CompareText<std::greater_equal<>>>(743, "text_ge", kOrder),
    Kernel<CompareText<std::less<>>>(2160, "text_pattern_lt", kBytes),
    Kernel<CompareText<std::greater<>>>(2164, "text_pattern_gt", kBytes),
    Kernel<CompareText<std::less_equal<>>>(2161, "text_pattern_le", kBytes),
    Kernel<CompareText<std::greater_equal<>>>(2163, "text_pattern_ge", kBytes),
    Kernel<TextLarger>(458, "text_larger", kOrder),
    Kernel<TextSmaller>(459, "text_smaller", kOrder),
    COMPARISONS(CompareBpchar, "bpchar", 1048, 1053, 1049, 1051, 1050, 1052, kEquality, kOrder),
    COMPARISONS(CompareNames, "name", 62, 659, 655, 657, 656, 658, kEquality, kOrder),
    InAnyEncoding(Kernel<CompareNameText<std::equal_to<>>>(240, "nameeqtext", kEquality)),
    InAnyEncoding(Kernel<CompareNameText<std::not_equal_to<>>>(245, "namenetext", kEquality)),
    InAnyEncoding(Kernel<CompareTextName<std::equal_to<>>>(247, "texteqname", kEquality)),
    InAnyEncoding(Kernel<CompareTextName<std::not_equal_to<>>>(252, "textnename", kEquality)),
    COMPARISONS(CompareBytea, "bytea", 1948, 1953, 1949, 1951, 1950, 1952, kNone, kNone),
    COMPARISONS(CompareUuid, "uuid_", 2956, 2959, 2954, 2958, 2955, 2957, kNone, kNone),

    Kernel<CharLength>(1381, "char_length"),
    Kernel<CharLength>(1369, "character_length"),
    Kernel<CharLength>(1317, "length"),
    Kernel<CharLength>(1257, "textlen"),
    Kernel<BpcharLength>(1372, "char_length"),
    Kernel<BpcharLength>(1367, "character_length"),
    Kernel<BpcharLength>(1318, "length"),
    Kernel<OctetLength>(1374, "octet_length"),
    Kernel<OctetLength>(1375, "octet_length"),
    Kernel<OctetLength>(720, "octet_length"),
    Kernel<OctetLength>(2010, "length"),

    Kernel<BoolToText>(2971, "text"),
    InAnyEncoding(Kernel<BpcharToText>(401, "text")),
    InAnyEncoding(Kernel<NameToText>(406, "text")),
    InAnyEncoding(Kernel<NameToText>(1401, "varchar")),
    InAnyEncoding(Kernel<NameToText>(408, "bpchar")),
    Kernel<TextToName>(407, "name"),
    Kernel<TextToName>(1400, "name"),
    Kernel<BpcharToName>(409, "name"),
    Kernel<TextToChar>(944, "char"),
    Kernel<VarcharCoerce>(669, "varchar"),
    Kernel<BpcharCoerce>(668, "bpchar"),

    Kernel<LowerC>(870, "lower", CollationUse::kLetterCase),
    Kernel<UpperC>(871, "upper", CollationUse::kLetterCase),
    Kernel<InitCapC>(872, "initcap", CollationUse::kWords),
    InAnyEncoding(Kernel<Btrim1>(885, "btrim")),
    InAnyEncoding(Kernel<Ltrim1>(881, "ltrim")),
    InAnyEncoding(Kernel<Rtrim1>(882, "rtrim")),
    Kernel<Btrim2>(884, "btrim"),
    Kernel<Ltrim2>(875, "ltrim"),
    Kernel<Rtrim2>(876, "rtrim"),
    Kernel<Substr2>(937, "substring"),
    Kernel<Substr3>(936, "substring"),
    Kernel<Substr2>(883, "substr"),
    Kernel<Substr3>(877, "substr"),
    Kernel<TextLeft>(3060, "left"),
    Kernel<TextRight>(3061, "right"),
    Kernel<TextPosition>(849, "position", kEquality),
    Kernel<TextPosition>(868, "strpos", kEquality),
    InAnyEncoding(Kernel<StartsWith>(3696, "starts_with", kEquality)),
    InAnyEncoding(Kernel<TextConcat>(1258, "textcat")),
    Kernel<TextReplace>(2087, "replace", kEquality),
    Kernel<TextTranslate>(878, "translate"),
    Kernel<TextSplitPart>(2088, "split_part", kEquality),
    Kernel<Overlay>(1405, "overlay"),
    Kernel<TextReverse>(3062, "reverse"),
    Kernel<TextRepeat>(1622, "repeat"),
    Kernel<TextLpad>(873, "lpad"),
    Kernel<LpadBlank>(879, "lpad"),
    Kernel<TextRpad>(874, "rpad"),
    Kernel<RpadBlank>(880, "rpad"),
    Kernel<TextAscii>(1620, "ascii"),
    Kernel<Int4ToHex>(2089, "to_hex"),
    Kernel<Int8ToHex>(2090, "to_hex"),
    Kernel<ByteaSubstring>(2012, "substring"),
    Kernel<ByteaSubstring>(2085, "substr"),

    OfPattern(Kernel<Like<true>>(850, "textlike", kEquality)),
    OfPattern(Kernel<Like<false>>(851, "textnlike", kEquality)),
    OfPattern(Kernel<Like<true>>(1569, "like", kEquality)),
    OfPattern(Kernel<Like<false>>(1570, "notlike", kEquality)),
    OfPattern(Kernel<Like<true>>(1631, "bpcharlike", kEquality)),
    OfPattern(Kernel<Like<false>>(1632, "bpcharnlike", kEquality)),
    OfPattern(Kernel<NameLike<true>>(858, "namelike", kEquality)),
    OfPattern(Kernel<NameLike<false>>(859, "namenlike", kEquality)),
    OfPattern(Kernel<NameLike<true>>(1571, "like", kEquality)),
    OfPattern(Kernel<NameLike<false>>(1572, "notlike", kEquality)),
    Kernel<ILike<true>>(1633, "texticlike", kCaselessMatch),
    Kernel<ILike<false>>(1634, "texticnlike", kCaselessMatch),
    Kernel<NameILike<true>>(1635, "nameiclike", kCaselessMatch),
    Kernel<NameILike<false>>(1636, "nameicnlike", kCaselessMatch),
    Kernel<ILike<true>>(1660, "bpchariclike", kCaselessMatch),
    Kernel<ILike<false>>(1661, "bpcharicnlike", kCaselessMatch),
    Kernel<LikeEscape>(1637, "like_escape"),
    Kernel<LikeBytea<true>>(2005, "bytealike"),
    Kernel<LikeBytea<false>>(2006, "byteanlike"),
    Kernel<LikeBytea<true>>(2007, "like"),
    Kernel<LikeBytea<false>>(2008, "notlike"),
    Kernel<ByteaLikeEscape>(2009, "like_escape"),
};

}  // namespace

std::span<const Function> TextFunctions() {
  return kFunctions;
}

const Function& AsciiGuard(Oid type) {
  static constexpr Function kVarlena = Kernel<GuardVarlena>(0, "ASCII text");
  static constexpr Function kName = Kernel<GuardName>(0, "ASCII name");
  static constexpr Function kChar = Kernel<GuardChar>(0, "ASCII character");
  return type == kNameOid ? kName : type == kCharOid ? kChar : kVarlena;
}

bool IsAsciiText(Oid type, Datum value) {
  if (type == kCharOid) return static_cast<unsigned char>(DatumGetChar(value)) < 0x80;
  return IsAscii(type == kNameOid ? NameData(value) : VarData(value));
}

}  // namespace relcache
