// Time zones by name, read from the zoneinfo files of the system (TZif files and the POSIX rules in
// them). PostgreSQL has its own copy of these files and of the code (src/timezone).
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/date_time/time_zone.h"

namespace relcache {

/// UTC.
const TimeZone& UtcZone();

/// The zone that PostgreSQL knows under `name`: a zoneinfo name in any case ("europe/berlin") or a
/// POSIX specification ("<+03>-3", "FOO5BAR,M3.2.0,M11.1.0"). nullptr if there is none. Zones are
/// read once and kept until the process ends.
/// Thread safety: any thread may call it.
/// Errors: kNotSupported for a zone that counts leap seconds; kLimit if too many different
/// specifications were requested.
Result<const TimeZone*> FindTimeZone(std::string_view name);

/// The zone with a fixed offset that SET TimeZone makes from a number of hours. The offset is in
/// seconds, positive to the east; the name is like "<+03>-03". nullptr if the offset is out of
/// range.
/// Errors: as FindTimeZone.
Result<const TimeZone*> FixedTimeZone(std::int64_t utc_offset);

}  // namespace relcache
