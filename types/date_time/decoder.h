// The class behind DecodeDateTime and DecodeTimeOnly, which processes the fields of a text one by
// one. Internal to types/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "relcache/base/error.h"
#include "relcache/types/date_time/calendar.h"
#include "relcache/types/date_time/decoded.h"
#include "relcache/types/date_time/fields.h"
#include "relcache/types/date_time/time_zone.h"
#include "relcache/types/date_time/time_zone_abbreviations.h"
#include "relcache/types/session_settings.h"

/// Returns a DateTimeFault from the calling function.
#define RELCACHE_TRY_FIELD(expression)                             \
  do {                                                             \
    const ::relcache::DateTimeFault fault_ = (expression);         \
    if (fault_ != ::relcache::DateTimeFault::kNone) return fault_; \
  } while (false)

namespace relcache {

/// Whether a time of day is after 24:00:00 or has a field that is out of range.
inline bool TimeOverflows(const CalendarTime& t) {
  if (t.hour < 0 || t.hour > 24 || t.minute < 0 || t.minute > 59 || t.second < 0 || t.second > 60 ||
      t.usec < 0 || t.usec > kUsecsPerSec)
    return true;
  return TimeOfDay(t) > kUsecsPerDay;
}

// Interprets the fields in their order, because the meaning of a number depends on the fields
// before it.
class DateTimeDecoder {
 public:
  enum class Goal : std::uint8_t { kDateAndTime, kTimeOfDay };

  DateTimeDecoder(DateTimeFields& fields, const SessionSettings& settings, Goal goal)
      : fields_(fields), settings_(settings), only_time_(goal == Goal::kTimeOfDay) {}

  DateTimeFault Decode(DecodedDateTime& out);
  /// After a failed Decode: an error that a DateTimeFault cannot express.
  std::optional<Error>& error() { return error_; }

  DateTimeDecoder(const DateTimeDecoder&) = delete;
  DateTimeDecoder& operator=(const DateTimeDecoder&) = delete;

 private:
  enum class Meridian : std::uint8_t { kNone, kAm, kPm };

  // decoder.cc: fields of one kind each; they set seen_ to what they found.
  DateTimeFault Field(int i);
  DateTimeFault DateField(int i);
  DateTimeFault TimeField(int i);
  DateTimeFault NumberField(int i);
  DateTimeFault LabelledNumber(int i);
  DateTimeFault WordField(int i);
  DateTimeFault AbbreviatedZone(const TimeZoneAbbreviation& zone, const char* text);
  DateTimeFault MonthWord(std::int32_t month);
  DateTimeFault TimeLabel(int i);
  DateTimeFault ReservedWord(Reserved word);
  DateTimeFault ZoneName(const char* name);
  DateTimeFault FullZoneName(const char* name);
  DateTimeFault TimeAndZone(char* text);

  // decoder_digits.cc: numbers, by their length and place.
  DateTimeFault DelimitedDate(char* text);
  DateTimeFault DateNumber(const char* text, std::size_t length, bool text_month, FieldMask have);
  DateTimeFault RunTogether(const char* text, FieldMask have);

  // decoder_resolve.cc: after the last field.
  DateTimeFault ValidateDate();
  DateTimeFault ApplyMeridian();
  DateTimeFault ResolveZone(const CalendarTime& at);
  DateTimeFault ResolveZoneOfTimeOfDay();

  bool KnowsNow() const { return settings_.now && settings_.time_zone != nullptr; }
  // The present local time.
  DateTimeFault Now(CalendarTime& now, std::int32_t& utc_offset);
  // The DateOrder of the session.
  DateTimeFault Order(DateOrder& out);

  DateTimeFields& fields_;
  const SessionSettings& settings_;
  const bool only_time_;
  CalendarTime time_;
  std::int32_t utc_offset_ = 0;
  DecodedDateTime::Kind kind_ = DecodedDateTime::Kind::kDate;

  FieldMask have_ = 0;        // fields found so far
  FieldMask seen_ = 0;        // fields found in the current one
  Unit label_ = Unit::kNone;  // what the next number is, as in "y2001m02d04"
  Meridian meridian_ = Meridian::kNone;
  bool text_month_ = false;
  bool is_julian_ = false;
  bool two_digits_ = false;
  bool bc_ = false;
  bool zone_not_given_ = false;
  const TimeZone* zone_ = nullptr;
  const TimeZone* abbreviated_zone_ = nullptr;
  std::string abbreviation_;
  std::optional<Error> error_;  // more than a DateTimeFault can say
};

}  // namespace relcache
