#include "relcache/types/date_time/date.h"

#include <string>

#include "relcache/types/date_time/calendar.h"
#include "relcache/types/date_time/decode.h"
#include "relcache/types/date_time/fields.h"
#include "relcache/types/date_time/print.h"

namespace relcache {

Result<Date> DateIn(std::string_view text, const SessionSettings& settings) {
  RELCACHE_ASSIGN(const DecodedDateTime decoded,
                  DecodeDateTime(text, "date", DateTimeFields::kDateBuffer, settings));
  switch (decoded.kind) {
    case DecodedDateTime::Kind::kInfinity:
      return kDateInfinity;
    case DecodedDateTime::Kind::kNegativeInfinity:
      return kDateNegativeInfinity;
    case DecodedDateTime::Kind::kEpoch:
      return Date{kUnixEpochJulian - kPostgresEpochJulian};
    case DecodedDateTime::Kind::kDate:
      break;
  }
  const CalendarTime& t = decoded.time;
  const auto out_of_range = [text] {
    return Fail(ErrorCode::kInvalidInput, "22008",
                "date out of range: \"" + std::string(text) + "\"");
  };
  if (!IsValidJulian(t)) return out_of_range();
  const std::int64_t date = std::int64_t{ToJulian(t.year, t.month, t.day)} - kPostgresEpochJulian;
  if (!IsValidDate(date)) return out_of_range();
  return static_cast<Date>(date);
}

Result<std::string_view> DateOut(Date value, const SessionSettings& settings, MemoryContext& cx) {
  if (value == kDateInfinity) return "infinity";
  if (value == kDateNegativeInfinity) return "-infinity";
  if (LacksDateOrder(settings)) return Fail(SettingNotGiven("DateStyle"));
  CalendarTime t;
  // Unsigned, because a stored value need not be a valid date.
  FromJulian(static_cast<std::int32_t>(static_cast<std::uint32_t>(value) +
                                       static_cast<std::uint32_t>(kPostgresEpochJulian)),
             t);
  std::string out;
  AppendDate(out, t, settings);
  return cx.CopyString(out);
}

Fault DateAddDays(Date a, std::int32_t days, Date& out) {
  out = a;
  if (!IsFinite(a)) return Fault::kNone;
  const std::int64_t sum = std::int64_t{a} + days;
  out = static_cast<Date>(sum);
  return IsValidDate(sum) ? Fault::kNone : Fault::kDateOutOfRange;
}

Fault DateSubDays(Date a, std::int32_t days, Date& out) {
  out = a;
  if (!IsFinite(a)) return Fault::kNone;
  const std::int64_t difference = std::int64_t{a} - days;
  out = static_cast<Date>(difference);
  return IsValidDate(difference) ? Fault::kNone : Fault::kDateOutOfRange;
}

Fault DateDiff(Date a, Date b, std::int32_t& out) {
  if (!IsFinite(a) || !IsFinite(b)) return Fault::kInfiniteDates;
  out = static_cast<std::int32_t>(std::int64_t{a} - b);
  return Fault::kNone;
}

}  // namespace relcache
