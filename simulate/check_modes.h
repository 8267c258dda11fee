// How a statement that keeps nothing of its own gets at its constraints' expressions: the ways that
// simulations compare, and where the time goes.
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

/// Where the time of statements goes, in ticks of a clock of the caller's.
struct StageTimes {
  /// The clock: a cheap one, as it is read several times a statement.
  std::uint64_t (*now)() = nullptr;
  std::uint64_t parse = 0;
  std::uint64_t copy = 0;
  std::uint64_t compile = 0;
  std::uint64_t evaluate = 0;
  /// How often the clock was read.
  std::uint64_t readings = 0;

  std::uint64_t Read() {
    ++readings;
    return now();
  }
};

/// The checks of a relation in cx, made in the given way; nullptr for kNone. The time that each
/// stage takes is added to `times`, if any. Errors: as ChecksOf.
Result<const RelationConstraints*> PrepareChecks(
    const RelationDescriptor& relation, CheckMode mode, CatalogSource& source, MemoryContext& cx,
    StageTimes* times = nullptr,
    UnsupportedConstraints unsupported = UnsupportedConstraints::kFail);

}  // namespace relcache
