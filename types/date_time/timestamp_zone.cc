// AT TIME ZONE.
#include <algorithm>
#include <string>

#include "relcache/types/date_time/calendar.h"
#include "relcache/types/date_time/find_time_zone.h"
#include "relcache/types/date_time/time_zone_abbreviations.h"
#include "relcache/types/date_time/timestamp.h"
#include "relcache/types/internal/input_error.h"

namespace relcache {
namespace {

// A zone's name or an abbreviation, which may mean a fixed offset or depend on the time.
struct NamedZone {
  const TimeZone* zone = nullptr;
  const TimeZoneAbbreviation* abbreviation = nullptr;
};

// PostgreSQL reads the name into a buffer of fixed size, cut before the character that does not
// fit.
std::string_view CutName(std::string_view name) {
  constexpr std::size_t kMaxName = 255;
  if (name.size() <= kMaxName) return name;
  std::size_t end = kMaxName;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;
  return name.substr(0, end);
}

Result<NamedZone> FindNamedZone(std::string_view whole_name) {
  const std::string_view name = CutName(whole_name);
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), ToLower);
  // Abbreviations first, as in the input of timestamps: some of them are names of zones too.
  NamedZone out;
  out.abbreviation = FindTimeZoneAbbreviation(lower);
  if (out.abbreviation != nullptr && out.abbreviation->zone == nullptr) return out;
  RELCACHE_ASSIGN(
      out.zone, FindTimeZone(out.abbreviation != nullptr ? std::string_view(out.abbreviation->zone)
                                                         : std::string_view(lower)));
  if (out.zone == nullptr) {
    return Fail(ErrorCode::kEvaluation, "22023",
                "time zone \"" + std::string(name) + "\" not recognized");
  }
  return out;
}

std::int32_t OffsetOf(const NamedZone& named, UnixSeconds t, std::int32_t zone_offset) {
  if (named.abbreviation == nullptr) return zone_offset;
  std::string upper(named.abbreviation->name);
  std::ranges::transform(upper, upper.begin(), ToUpper);
  return named.zone->OffsetOfAbbreviation(upper, t).value_or(zone_offset);
}

Result<Timestamp> Shift(Timestamp value, std::int32_t seconds) {
  Timestamp out;
  if (__builtin_add_overflow(value, seconds * kUsecsPerSec, &out) || !IsValidTimestamp(out))
    return Fail(FaultError(Fault::kTimestampOutOfRange));
  return out;
}

}  // namespace

Result<Timestamp> TimestamptzAtZone(std::string_view zone, TimestampTz value) {
  if (!IsFinite(value)) return value;
  RELCACHE_ASSIGN(const NamedZone named, FindNamedZone(zone));
  if (named.zone == nullptr) return Shift(value, named.abbreviation->utc_offset);
  const UnixSeconds t = FloorDiv(value, kUsecsPerSec) + kUnixToPostgresSeconds;
  return Shift(value, OffsetOf(named, t, named.zone->At(t).utc_offset));
}

Result<TimestampTz> TimestampAtZone(std::string_view zone, Timestamp value) {
  if (!IsFinite(value)) return value;
  RELCACHE_ASSIGN(const NamedZone named, FindNamedZone(zone));
  if (named.zone == nullptr) return Shift(value, -named.abbreviation->utc_offset);
  CalendarTime t;
  if (!ToCalendar(value, t) || !IsValidJulian(t))
    return Fail(FaultError(Fault::kTimestampOutOfRange));
  const std::int64_t local = LocalSeconds(t);
  const std::int32_t offset = named.zone->OffsetAtLocal(local);
  return Shift(value, -OffsetOf(named, local - offset, offset));
}

}  // namespace relcache
