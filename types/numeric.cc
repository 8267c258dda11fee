#include "relcache/types/numeric.h"

#include <algorithm>
#include <climits>

#include "relcache/types/hash.h"
#include "relcache/types/input_error.h"
#include "relcache/types/numeric_var.h"

namespace relcache {
namespace {

// The first 16 bits say which of three forms follows: special, short (sign, scale and weight all in
// these bits) or long (sign and scale here, the weight in 16 bits more).
constexpr std::uint16_t kSignMask = 0xc000;
constexpr std::uint16_t kNegative = 0x4000;
constexpr std::uint16_t kShort = 0x8000;
constexpr std::uint16_t kSpecial = 0xc000;
constexpr std::uint16_t kSpecialMask = 0xf000;
constexpr std::uint16_t kPositiveInfinity = 0xd000;
constexpr std::uint16_t kNegativeInfinity = 0xf000;
constexpr std::uint16_t kShortNegative = 0x2000;
constexpr int kShortDscaleShift = 7;
constexpr int kShortDscaleMax = 0x3f;
constexpr int kShortWeightMin = -64;
constexpr int kShortWeightMax = 63;
constexpr int kWeightMax = 0x7fff;

// Signed in the low 7 bits.
constexpr std::int32_t ShortWeight(std::uint16_t header) {
  const int bits = header & 0x7f;
  return bits >= 64 ? bits - 128 : bits;
}

struct SpecialWord {
  std::string_view text;
  NumericSign sign;
};
constexpr SpecialWord kSpecialWords[] = {
    {"nan", NumericSign::kNan},
    {"infinity", NumericSign::kInfinity},
    {"+infinity", NumericSign::kInfinity},
    {"-infinity", NumericSign::kNegativeInfinity},
    {"inf", NumericSign::kInfinity},
    {"+inf", NumericSign::kInfinity},
    {"-inf", NumericSign::kNegativeInfinity},
};

Status CheckSpecialTypmod(NumericSign sign, std::int32_t typmod) {
  if (sign == NumericSign::kNan || typmod < static_cast<std::int32_t>(kVarHdrSz)) return {};
  return Fail(Error(ErrorCode::kEvaluation, "22003", "numeric field overflow")
                  .WithDetail("A field with precision " +
                              std::to_string(NumericTypmodPrecision(typmod)) + ", scale " +
                              std::to_string(NumericTypmodScale(typmod)) +
                              " cannot hold an infinite value."));
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

int CompareMagnitudes(const NumericView& a, const NumericView& b) {
  const Significant x = SignificantDigits(a);
  const Significant y = SignificantDigits(b);
  if (x.count == 0 || y.count == 0) return int{x.count != 0} - int{y.count != 0};
  const std::int32_t weight_a = a.weight() - x.first;
  const std::int32_t weight_b = b.weight() - y.first;
  if (weight_a != weight_b) return weight_a < weight_b ? -1 : 1;
  const int common = std::min(x.count, y.count);
  for (int i = 0; i < common; ++i) {
    const int difference = a.digit(x.first + i) - b.digit(y.first + i);
    if (difference != 0) return difference < 0 ? -1 : 1;
  }
  return int{x.count > y.count} - int{x.count < y.count};
}

int SignOf(const NumericView& n) {
  if (SignificantDigits(n).count == 0) return 0;
  return n.sign() == NumericSign::kNegative ? -1 : 1;
}

}  // namespace

NumericView::NumericView(Datum value) {
  const std::string_view bytes = VarData(value);
  std::uint16_t header;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::size_t header_size = sizeof header;
  switch (header & kSignMask) {
    case kSpecial: {
      const std::uint16_t which = header & kSpecialMask;
      sign_ = which == kPositiveInfinity   ? NumericSign::kInfinity
              : which == kNegativeInfinity ? NumericSign::kNegativeInfinity
                                           : NumericSign::kNan;
      return;
    }
    case kShort:
      sign_ = (header & kShortNegative) != 0 ? NumericSign::kNegative : NumericSign::kPositive;
      dscale_ = header >> kShortDscaleShift & kShortDscaleMax;
      weight_ = ShortWeight(header);
      break;
    default: {
      std::int16_t weight;
      std::memcpy(&weight, bytes.data() + sizeof header, sizeof weight);
      sign_ = (header & kNegative) != 0 ? NumericSign::kNegative : NumericSign::kPositive;
      dscale_ = header & kNumericMaxDscale;
      weight_ = weight;
      header_size += sizeof weight;
    }
  }
  digits_ = bytes.data() + header_size;
  ndigits_ = static_cast<int>((bytes.size() - header_size) / sizeof(NumericDigit));
}

NumericVar UnpackNumeric(Datum value) {
  const NumericView view(value);
  NumericVar out;
  out.sign = view.sign();
  out.weight = view.weight();
  out.dscale = view.dscale();
  out.digits.resize(static_cast<std::size_t>(view.ndigits()));
  for (int i = 0; i < view.ndigits(); ++i) out.digits[static_cast<std::size_t>(i)] = view.digit(i);
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
  switch (NumericView(value).sign()) {
    case NumericSign::kNan:
      return "NaN";
    case NumericSign::kInfinity:
      return "Infinity";
    case NumericSign::kNegativeInfinity:
      return "-Infinity";
    default:
      return cx.CopyString(PrintNumeric(UnpackNumeric(value)));
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
  const int rank_x = Rank(x.sign());
  const int rank_y = Rank(y.sign());
  if (rank_x != 0 || rank_y != 0) return int{rank_x > rank_y} - int{rank_x < rank_y};
  const int sign_x = SignOf(x);
  const int sign_y = SignOf(y);
  if (sign_x != sign_y) return sign_x < sign_y ? -1 : 1;
  return sign_x * CompareMagnitudes(x, y);
}

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
