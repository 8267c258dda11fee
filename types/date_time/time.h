// The type time without time zone: microseconds since midnight, up to and including 24:00:00
// (utils/adt/date.c).
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"
#include "relcache/types/session_settings.h"

namespace relcache {

/// PostgreSQL's TimeADT.
using Time = std::int64_t;

Result<Time> TimeIn(std::string_view text, std::int32_t typmod, const SessionSettings& settings);
std::string_view TimeOut(Time value, MemoryContext& cx);
/// The cast time(time, int4): rounds to `typmod` fractional digits; -1 changes nothing.
Time TimeCoerce(Time value, std::int32_t typmod);

}  // namespace relcache
