// Prints dates and times according to DateStyle (EncodeDateOnly, EncodeDateTime in
// utils/adt/datetime.c). Internal to types/.
#pragma once

#include <string>
#include <string_view>

#include "relcache/types/date_time/calendar.h"
#include "relcache/types/session_settings.h"

namespace relcache {

/// Whether printing a date needs a DateOrder that is not given. Then the functions below must not
/// be called.
inline bool LacksDateOrder(const SessionSettings& settings) {
  const bool by_order =
      settings.date_style == DateStyle::kSql || settings.date_style == DateStyle::kPostgres;
  return by_order && !settings.date_order;
}

void AppendDate(std::string& out, const CalendarTime& t, const SessionSettings& settings);

/// Appends hh:mm:ss, with a fraction if there is one.
void AppendTimeOfDay(std::string& out, const CalendarTime& t);

/// The zone that is printed after a time.
struct ShownZone {
  std::int32_t utc_offset = 0;
  std::string_view abbreviation;
};
/// `zone` is nullptr for a timestamp without zone.
void AppendDateTime(std::string& out, const CalendarTime& t, const ShownZone* zone,
                    const SessionSettings& settings);

/// "05.5": seconds (absolute) with as many fractional digits as needed; at least two before the
/// point when `fill`.
void AppendSeconds(std::string& out, std::int32_t second, std::int32_t usec, bool fill);
/// A number (not negative) with at least `width` digits.
void AppendPadded(std::string& out, std::int64_t number, std::size_t width);

}  // namespace relcache
