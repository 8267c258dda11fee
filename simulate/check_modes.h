// The ways in which a statement can obtain the expressions of its constraints, which simulations
// compare, and a measurement of where the time goes.
#pragma once

#include <cstdint>

#include "relcache/base/result.h"
#include "relcache/executor/constraints.h"

namespace relcache {

enum class CheckMode : std::uint8_t {
  kNone,      ///< constraints are not verified
  kReparse,   ///< the text is parsed and compiled, as PostgreSQL does for each statement
  kCopy,      ///< the cached tree is copied, for callers that change it, and compiled
  kCached,    ///< the cached tree is compiled as it stands
  kCompiled,  ///< the program that is kept with the entry
};
inline constexpr CheckMode kCheckModes[] = {CheckMode::kNone, CheckMode::kReparse, CheckMode::kCopy,
                                            CheckMode::kCached, CheckMode::kCompiled};

/// "none", "reparse", "copy", "cached", "compiled".
const char* CheckModeName(CheckMode mode);

/// The time that statements spend in each stage, in ticks of a clock that the caller provides.
struct StageTimes {
  /// The clock. It should be cheap, because it is read several times per statement.
  std::uint64_t (*now)() = nullptr;
  std::uint64_t parse = 0;
  std::uint64_t copy = 0;
  std::uint64_t compile = 0;
  std::uint64_t evaluate = 0;
  /// The number of readings of the clock.
  std::uint64_t readings = 0;

  std::uint64_t Read() {
    ++readings;
    return now();
  }
};

/// Makes the constraints of a relation in cx in the given way; nullptr for kNone. Adds the time of
/// each stage to `times`, unless it is nullptr.
/// Errors: as ChecksOf.
Result<const RelationConstraints*> PrepareChecks(
    const RelationDescriptor& relation, CheckMode mode, MemoryContext& cx,
    StageTimes* times = nullptr,
    UnsupportedConstraints unsupported = UnsupportedConstraints::kFail);

}  // namespace relcache
