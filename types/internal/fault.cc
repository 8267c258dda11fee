#include "relcache/types/internal/fault.h"

#include "relcache/base/check.h"
#include "relcache/types/session_settings.h"

namespace relcache {
namespace {

struct Text {
  const char* sqlstate;
  const char* message;
};

Text FaultText(Fault fault) {
  switch (fault) {
    case Fault::kNone:
    case Fault::kMomentNotGiven:
    case Fault::kStatementMomentNotGiven:
    case Fault::kTimeZoneNotGiven:
      break;
    case Fault::kSmallintOutOfRange:
      return {"22003", "smallint out of range"};
    case Fault::kIntegerOutOfRange:
      return {"22003", "integer out of range"};
    case Fault::kBigintOutOfRange:
      return {"22003", "bigint out of range"};
    case Fault::kOidOutOfRange:
      return {"22003", "OID out of range"};
    case Fault::kCharOutOfRange:
      return {"22003", "\"char\" out of range"};
    case Fault::kDivisionByZero:
      return {"22012", "division by zero"};
    case Fault::kFloatOverflow:
      return {"22003", "value out of range: overflow"};
    case Fault::kFloatUnderflow:
      return {"22003", "value out of range: underflow"};
    case Fault::kDateOutOfRange:
      return {"22008", "date out of range"};
    case Fault::kDateOutOfRangeForTimestamp:
      return {"22008", "date out of range for timestamp"};
    case Fault::kTimestampOutOfRange:
      return {"22008", "timestamp out of range"};
    case Fault::kIntervalOutOfRange:
      return {"22008", "interval out of range"};
    case Fault::kInfiniteDates:
      return {"22008", "cannot subtract infinite dates"};
    case Fault::kInfiniteTimestamps:
      return {"22008", "cannot subtract infinite timestamps"};
    case Fault::kNegativeSquareRoot:
      return {"2201F", "cannot take square root of a negative number"};
  }
  return {"XX000", "no fault"};
}

}  // namespace

Error FaultError(Fault fault) {
  RELCACHE_CHECK(fault != Fault::kNone);
  if (fault == Fault::kMomentNotGiven) return SettingNotGiven("current time, now");
  if (fault == Fault::kStatementMomentNotGiven)
    return SettingNotGiven("start of the statement, statement_now");
  if (fault == Fault::kTimeZoneNotGiven) return SettingNotGiven("TimeZone");
  const Text text = FaultText(fault);
  return Error(ErrorCode::kEvaluation, text.sqlstate, text.message);
}

}  // namespace relcache
