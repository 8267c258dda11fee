#include "relcache/types/date_time/print.h"

#include <cstdlib>

namespace relcache {
namespace {

constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::string_view kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::size_t kMaxAbbreviation = 10;  // MAXTZLEN, at which EncodeDateTime cuts

void AppendYear(std::string& out, const CalendarTime& t) {
  // The year 0 is 1 BC.
  AppendPadded(out, t.year > 0 ? t.year : 1 - std::int64_t{t.year}, 4);
}

// Day and month in the order that DateOrder has them.
void AppendDayMonth(std::string& out, const CalendarTime& t, char separator,
                    const SessionSettings& settings) {
  const bool day_first = settings.date_order == DateOrder::kDmy;
  AppendPadded(out, day_first ? t.day : t.month, 2);
  out += separator;
  AppendPadded(out, day_first ? t.month : t.day, 2);
}

void AppendDateFields(std::string& out, const CalendarTime& t, const SessionSettings& settings) {
  switch (settings.date_style) {
    case DateStyle::kIso:
      AppendYear(out, t);
      out += '-';
      AppendPadded(out, t.month, 2);
      out += '-';
      AppendPadded(out, t.day, 2);
      return;
    case DateStyle::kSql:
      AppendDayMonth(out, t, '/', settings);
      out += '/';
      break;
    case DateStyle::kGerman:
      AppendPadded(out, t.day, 2);
      out += '.';
      AppendPadded(out, t.month, 2);
      out += '.';
      break;
    case DateStyle::kPostgres:
      AppendDayMonth(out, t, '-', settings);
      out += '-';
      break;
  }
  AppendYear(out, t);
}

void AppendOffset(std::string& out, std::int32_t utc_offset) {
  const std::int32_t seconds = std::abs(utc_offset);
  out += utc_offset >= 0 ? '+' : '-';
  AppendPadded(out, seconds / 3600, 2);
  if (seconds % 3600 == 0) return;
  out += ':';
  AppendPadded(out, seconds / 60 % 60, 2);
  if (seconds % 60 == 0) return;
  out += ':';
  AppendPadded(out, seconds % 60, 2);
}

// "Sun Feb 16 17:32:01 1997".
void AppendPostgresStyle(std::string& out, const CalendarTime& t, const SessionSettings& settings) {
  const std::string_view month = kMonths[t.month - 1];
  out += kDays[DayOfWeek(ToJulian(t.year, t.month, t.day))];
  out += ' ';
  if (settings.date_order == DateOrder::kDmy) {
    AppendPadded(out, t.day, 2);
    out += ' ';
    out += month;
  } else {
    out += month;
    out += ' ';
    AppendPadded(out, t.day, 2);
  }
  out += ' ';
  AppendTimeOfDay(out, t);
  out += ' ';
  AppendYear(out, t);
}

}  // namespace

void AppendTimeOfDay(std::string& out, const CalendarTime& t) {
  AppendPadded(out, t.hour, 2);
  out += ':';
  AppendPadded(out, t.minute, 2);
  out += ':';
  AppendSeconds(out, t.second, t.usec, true);
}

void AppendPadded(std::string& out, std::int64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

void AppendSeconds(std::string& out, std::int32_t second, std::int32_t usec, bool fill) {
  AppendPadded(out, std::abs(second), fill ? 2 : 1);
  if (usec == 0) return;
  out += '.';
  AppendPadded(out, std::abs(usec), 6);
  while (out.back() == '0') out.pop_back();
}

void AppendDate(std::string& out, const CalendarTime& t, const SessionSettings& settings) {
  AppendDateFields(out, t, settings);
  if (t.year <= 0) out += " BC";
}

void AppendDateTime(std::string& out, const CalendarTime& t, const ShownZone* zone,
                    const SessionSettings& settings) {
  if (settings.date_style == DateStyle::kPostgres) {
    AppendPostgresStyle(out, t, settings);
  } else {
    AppendDateFields(out, t, settings);
    out += ' ';
    AppendTimeOfDay(out, t);
  }
  if (zone != nullptr) {
    if (settings.date_style == DateStyle::kIso) {
      AppendOffset(out, zone->utc_offset);
    } else {
      out += ' ';
      out += zone->abbreviation.substr(0, kMaxAbbreviation);
    }
  }
  if (t.year <= 0) out += " BC";
}

}  // namespace relcache
