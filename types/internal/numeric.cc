#include "relcache/types/internal/numeric.h"

#include <algorithm>
#include <climits>

#include "relcache/base/internal/format.h"
#include "relcache/types/internal/hash.h"
#include "relcache/types/internal/input_error.h"
#include "relcache/types/internal/numeric_var.h"

namespace relcache {
namespace {

using namespace numeric_header;

struct SpecialWord {
  std::string_view text;
  NumericSign sign;
};
// The first word that the text begins with counts, so each long form stands before its short one.
constexpr SpecialWord kSpecialWords[] = {
    {"nan", NumericSign::kNan},
    {"infinity", NumericSign::kInfinity},
    {"+infinity", NumericSign::kInfinity},
    {"-infinity", NumericSign::kNegativeInfinity},
    {"inf", NumericSign::kInfinity},
    {"+inf", NumericSign::kInfinity},
    {"-inf", NumericSign::kNegativeInfinity},
};

// Any typmod admits NaN (apply_typmod_special). An infinity does not fit into a limited number of
// digits.
Status CheckSpecialTypmod(NumericSign sign, std::int32_t typmod) {
  if (sign == NumericSign::kNan || typmod < static_cast<std::int32_t>(kVarHdrSz)) return {};
  return Fail(
      Error(ErrorCode::kEvaluation, "22003", "numeric field overflow")
          .WithDetail(Format("A field with precision {}, scale {} cannot hold an infinite value.",
                             NumericTypmodPrecision(typmod), NumericTypmodScale(typmod))));
}

// Rank of what is not a finite number: below all, among them, above all.
int Rank(NumericSign sign) {
  switch (sign) {
    case NumericSign::kNegativeInfinity:
      return -1;
    case NumericSign::kInfinity:
      return 1;
    case NumericSign::kNan:
      return 2;
    default:
      return 0;
  }
}

// The digits that count: without zeros at either end.
struct Significant {
  int first = 0;
  int count = 0;
};
Significant SignificantDigits(const NumericView& n) {
  Significant out;
  while (out.first < n.ndigits() && n.digit(out.first) == 0) ++out.first;
  int end = n.ndigits();
  while (end > out.first && n.digit(end - 1) == 0) --end;
  out.count = end - out.first;
  return out;
}

// Digits from the first weight that both have; those before it decide when they are not zero
// (cmp_abs_common).
int CompareMagnitudes(const NumericView& a, const NumericView& b) {
  int i = 0;
  int j = 0;
  std::int32_t weight_a = a.weight();
  std::int32_t weight_b = b.weight();
  for (; weight_a > weight_b && i < a.ndigits(); --weight_a)
    if (a.digit(i++) != 0) return 1;
  for (; weight_b > weight_a && j < b.ndigits(); --weight_b)
    if (b.digit(j++) != 0) return -1;
  if (weight_a == weight_b) {
    while (i < a.ndigits() && j < b.ndigits()) {
      const int difference = a.digit(i++) - b.digit(j++);
      if (difference != 0) return difference < 0 ? -1 : 1;
    }
  }
  while (i < a.ndigits())
    if (a.digit(i++) != 0) return 1;
  while (j < b.ndigits())
    if (b.digit(j++) != 0) return -1;
  return 0;
}

// A stored zero has no digits.
int SignOf(const NumericView& n) {
  if (n.ndigits() == 0) return 0;
  return n.sign() == NumericSign::kNegative ? -1 : 1;
}

}  // namespace

NumericVar UnpackNumeric(Datum value) {
  const NumericView view(value);
  NumericVar out;
  out.sign = view.sign();
  out.weight = view.weight();
  out.dscale = view.dscale();
  out.digits.resize(static_cast<std::size_t>(view.ndigits()));
  for (int i = 0; i < view.ndigits(); ++i) {
    const NumericDigit digit = view.digit(i);
    if (digit < 0 || digit >= kNumericBase) {
      out.digits.clear();
      out.sign = NumericSign::kNan;
      return out;
    }
    out.digits[static_cast<std::size_t>(i)] = digit;
  }
  if (!out.special()) out.Strip();
  return out;
}

Error NumericOverflowsFormat() {
  return Error(ErrorCode::kEvaluation, "22003", "value overflows numeric format");
}

Result<Datum> PackNumeric(NumericVar& var, MemoryContext& cx) {
  if (var.special()) return PackSpecialNumeric(var.sign, cx);
  var.Strip();
  if (var.weight > kWeightMax || var.weight < -kWeightMax - 1 || var.dscale > kNumericMaxDscale)
    return Fail(NumericOverflowsFormat());
  const bool is_short = var.dscale <= kShortDscaleMax && var.weight >= kShortWeightMin &&
                        var.weight <= kShortWeightMax;
  // Built in place: MakeVarlena would need header and digits in one piece first.
  const std::size_t head = kVarHdrSz + (is_short ? 2 : 4);
  const std::size_t size = head + var.digits.size() * sizeof(NumericDigit);
  char* bytes = static_cast<char*>(cx.Allocate(size));
  const auto length = static_cast<std::uint32_t>(size << 2);
  std::memcpy(bytes, &length, sizeof length);
  const bool negative = var.negative();
  std::uint16_t header;
  if (is_short) {
    header = static_cast<std::uint16_t>(kShort | (negative ? kShortNegative : 0) |
                                        var.dscale << kShortDscaleShift | (var.weight & 0x7f));
  } else {
    header = static_cast<std::uint16_t>((negative ? kNegative : 0) | var.dscale);
    const auto weight = static_cast<std::int16_t>(var.weight);
    std::memcpy(bytes + kVarHdrSz + sizeof header, &weight, sizeof weight);
  }
  std::memcpy(bytes + kVarHdrSz, &header, sizeof header);
  if (!var.digits.empty())
    std::memcpy(bytes + head, var.digits.data(), var.digits.size() * sizeof(NumericDigit));
  return PointerGetDatum(bytes);
}

Datum PackSpecialNumeric(NumericSign sign, MemoryContext& cx) {
  const std::uint16_t header = sign == NumericSign::kInfinity           ? kPositiveInfinity
                               : sign == NumericSign::kNegativeInfinity ? kNegativeInfinity
                                                                        : kSpecial;
  char bytes[sizeof header];
  std::memcpy(bytes, &header, sizeof header);
  return MakeVarlena({bytes, sizeof bytes}, cx);
}

Result<Datum> NumericIn(std::string_view text, std::int32_t typmod, MemoryContext& cx) {
  std::string_view rest = text;
  while (!rest.empty() && IsSpace(rest.front())) rest.remove_prefix(1);
  for (const SpecialWord& word : kSpecialWords) {
    if (!StartsWithNoCase(rest, word.text)) continue;
    if (!TrimSpace(rest.substr(word.text.size())).empty())
      return Fail(InvalidSyntax("numeric", text));
    RELCACHE_TRY(CheckSpecialTypmod(word.sign, typmod));
    return PackSpecialNumeric(word.sign, cx);
  }
  RELCACHE_ASSIGN(NumericVar var, ParseNumeric(rest, text, &rest));
  if (!TrimSpace(rest).empty()) return Fail(InvalidSyntax("numeric", text));
  RELCACHE_TRY(ApplyNumericTypmod(var, typmod));
  return PackNumeric(var, cx);
}

std::string_view NumericOut(Datum value, MemoryContext& cx) {
  const NumericVar var = UnpackNumeric(value);
  switch (var.sign) {
    case NumericSign::kNan:
      return "NaN";
    case NumericSign::kInfinity:
      return "Infinity";
    case NumericSign::kNegativeInfinity:
      return "-Infinity";
    default:
      return cx.CopyString(PrintNumeric(var));
  }
}

Result<Datum> NumericCoerce(Datum value, std::int32_t typmod, MemoryContext& cx) {
  if (typmod < static_cast<std::int32_t>(kVarHdrSz)) return value;
  const NumericView view(value);
  if (view.special()) {
    RELCACHE_TRY(CheckSpecialTypmod(view.sign(), typmod));
    return value;
  }
  NumericVar var = UnpackNumeric(value);
  RELCACHE_TRY(ApplyNumericTypmod(var, typmod));
  return PackNumeric(var, cx);
}

int NumericCompare(Datum a, Datum b) {
  const NumericView x(a);
  const NumericView y(b);
  if (x.special() || y.special()) {
    const int rank_x = Rank(x.sign());
    const int rank_y = Rank(y.sign());
    return int{rank_x > rank_y} - int{rank_x < rank_y};
  }
  const int sign_x = SignOf(x);
  const int sign_y = SignOf(y);
  if (sign_x != sign_y) return sign_x < sign_y ? -1 : 1;
  return sign_x * CompareMagnitudes(x, y);
}

// The values are those of hash_numeric: 0 for NaN and the infinities, and -1 for zero. The scale
// takes no part, because 1.0 equals 1.00.
std::uint32_t NumericHash(Datum value) {
  const NumericView n(value);
  if (n.special()) return 0;
  const Significant s = SignificantDigits(n);
  if (s.count == 0) return 0xffffffffu;
  const auto weight = static_cast<std::uint32_t>(n.weight() - s.first);
  return HashBytes(n.digit_bytes(s.first, s.count)) ^ weight;
}

std::uint64_t NumericHashExtended(Datum value, std::uint64_t seed) {
  const NumericView n(value);
  if (n.special()) return seed;
  const Significant s = SignificantDigits(n);
  if (s.count == 0) return seed - 1;
  const auto weight = static_cast<std::uint64_t>(std::int64_t{n.weight() - s.first});
  return HashBytesExtended(n.digit_bytes(s.first, s.count), seed) ^ weight;
}

bool NumericIsNan(Datum value) {
  return NumericView(value).sign() == NumericSign::kNan;
}

bool NumericIsInf(Datum value) {
  const NumericSign sign = NumericView(value).sign();
  return sign == NumericSign::kInfinity || sign == NumericSign::kNegativeInfinity;
}

std::int32_t NumericScale(Datum a) {
  return NumericView(a).dscale();
}

}  // namespace relcache
