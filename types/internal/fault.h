// What arithmetic on by-value types can fail with, in one byte, so that kernels stay inline and
// the Error is only made when there is one.
#pragma once

#include <cstdint>

#include "relcache/base/error.h"

namespace relcache {

/// kNone is zero: `if (fault != Fault::kNone) return Fail(FaultError(fault));`
enum class [[nodiscard]] Fault : std::uint8_t{
    kNone,
    kSmallintOutOfRange,
    kIntegerOutOfRange,
    kBigintOutOfRange,
    kOidOutOfRange,
    kCharOutOfRange,
    kDivisionByZero,
    kFloatOverflow,
    kFloatUnderflow,
    kDateOutOfRange,
    kDateOutOfRangeForTimestamp,
    kTimestampOutOfRange,
    kIntervalOutOfRange,
    kInfiniteDates,
    kInfiniteTimestamps,
    kNegativeSquareRoot,
    // What the session's settings do not say: refused, not PostgreSQL's.
    kMomentNotGiven,
    kStatementMomentNotGiven,
    kTimeZoneNotGiven,
};

/// PostgreSQL's message and SQLSTATE, or SettingNotGiven. `fault` is not kNone.
[[gnu::cold]] Error FaultError(Fault fault);

}  // namespace relcache
