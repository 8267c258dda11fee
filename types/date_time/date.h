// The type date: days since 2000-01-01 in the proleptic Gregorian calendar (utils/adt/date.c).
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/date_time/representation.h"
#include "relcache/types/datum.h"
#include "relcache/types/internal/fault.h"
#include "relcache/types/session_settings.h"

namespace relcache {

Result<Date> DateIn(std::string_view text, const SessionSettings& settings);
/// Errors: SettingNotGiven("DateStyle").
Result<std::string_view> DateOut(Date value, const SessionSettings& settings, MemoryContext& cx);

/// date + integer, date - integer: infinity stays. Fault: "date out of range".
Fault DateAddDays(Date a, std::int32_t days, Date& out);
Fault DateSubDays(Date a, std::int32_t days, Date& out);
/// date - date, in days. Fault: "cannot subtract infinite dates".
Fault DateDiff(Date a, Date b, std::int32_t& out);

}  // namespace relcache
