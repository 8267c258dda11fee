// time without time zone: microseconds since midnight, 24:00:00 included (utils/adt/date.c).
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
/// time(time, int4): rounds to `typmod` fractional digits (-1 leaves it alone).
Time TimeCoerce(Time value, std::int32_t typmod);

}  // namespace relcache
