// Fault says in one byte how arithmetic on types that are passed by value can fail. Kernels return
// it so that they can be inlined and vectorized, and an Error is made only after a failure.
#pragma once

#include <cstdint>

#include "relcache/base/error.h"

namespace relcache {

/// kNone is zero. Usage: `if (fault != Fault::kNone) return Fail(FaultError(fault));`
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
    // A session setting that is needed was not given. PostgreSQL has no such error.
    kMomentNotGiven,
    kStatementMomentNotGiven,
    kTimeZoneNotGiven,
};

/// The Error for a fault other than kNone: PostgreSQL's message and SQLSTATE, or SettingNotGiven.
[[gnu::cold]] Error FaultError(Fault fault);

}  // namespace relcache
