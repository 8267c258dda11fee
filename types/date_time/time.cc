#include "relcache/types/date_time/time.h"

#include <string>

#include "relcache/types/date_time/calendar.h"
#include "relcache/types/date_time/decode.h"
#include "relcache/types/date_time/print.h"
#include "relcache/types/date_time/timestamp.h"

namespace relcache {

Result<Time> TimeIn(std::string_view text, std::int32_t typmod, const SessionSettings& settings) {
  RELCACHE_ASSIGN(const DecodedDateTime decoded, DecodeTimeOnly(text, "time", settings));
  return TimeCoerce(TimeOfDay(decoded.time), typmod);
}

std::string_view TimeOut(Time value, MemoryContext& cx) {
  CalendarTime t;
  SetTimeOfDay(value, t);
  std::string out;
  AppendTimeOfDay(out, t);
  return cx.CopyString(out);
}

Time TimeCoerce(Time value, std::int32_t typmod) {
  return TimestampCoerce(value, typmod);
}

}  // namespace relcache
