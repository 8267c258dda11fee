#include "relcache/types/internal/int.h"

#include <charconv>

#include "relcache/types/internal/input_error.h"

namespace relcache {
namespace {

template <class T>
Result<T> IntIn(std::string_view text, std::string_view type) {
  const char* p = text.data();
  const char* end = p + text.size();
  while (p < end && IsSpace(*p)) ++p;
  const bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) ++p;
  if (p == end || !IsDigit(*p)) return Fail(InvalidSyntax(type, text));
  // Accumulated below zero, where the range is larger by one. What does not fit is reported before
  // what follows the digits is looked at.
  T value = 0;
  for (; p < end && IsDigit(*p); ++p) {
    if (__builtin_mul_overflow(value, T{10}, &value) ||
        __builtin_sub_overflow(value, static_cast<T>(*p - '0'), &value))
      return Fail(ValueOutOfRange(type, text));
  }
  while (p < end && IsSpace(*p)) ++p;
  if (p != end) return Fail(InvalidSyntax(type, text));
  if (negative) return value;
  if (value == std::numeric_limits<T>::min()) return Fail(ValueOutOfRange(type, text));
  return static_cast<T>(-value);
}

}  // namespace

Result<std::int16_t> Int2In(std::string_view text) {
  return IntIn<std::int16_t>(text, "smallint");
}

Result<std::int32_t> Int4In(std::string_view text) {
  return IntIn<std::int32_t>(text, "integer");
}

Result<std::int64_t> Int8In(std::string_view text) {
  return IntIn<std::int64_t>(text, "bigint");
}

Result<Oid> OidIn(std::string_view text) {
  std::string_view digits = TrimSpace(text);
  const bool negative = !digits.empty() && digits.front() == '-';
  if (!digits.empty() && (digits.front() == '-' || digits.front() == '+')) digits.remove_prefix(1);
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (stop == digits.data()) return Fail(InvalidSyntax("oid", text));
  if (error == std::errc::result_out_of_range) return Fail(ValueOutOfRange("oid", text));
  if (stop != end) return Fail(InvalidSyntax("oid", text));
  if (negative) value = 0 - value;
  // Also what a 32-bit signed number would be after widening: -1 is the largest oid.
  const auto oid = static_cast<Oid>(value);
  const auto widened = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(oid)});
  if (value != oid && value != widened) return Fail(ValueOutOfRange("oid", text));
  return oid;
}

std::string_view IntOut(std::int64_t value, MemoryContext& cx) {
  char buffer[24];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return cx.CopyString({buffer, end});
}

}  // namespace relcache
