// The tables of kernels, one per family of types. To add a function: README.md.
#pragma once

#include <span>

#include "relcache/executor/functions/function.h"

namespace relcache {

/// boolean, "char", oid, smallint ... double precision.
std::span<const Function> NumberFunctions();
/// text, character, name, bytea, uuid.
std::span<const Function> TextFunctions();
std::span<const Function> NumericFunctions();
/// date, time, timestamp, timestamptz, interval.
std::span<const Function> TimeFunctions();
/// Arrays of any type, enums.
std::span<const Function> ArrayFunctions();
std::span<const Function> JsonFunctions();

/// What takes the place of a function of 15 in the releases `first` to `last`, by
/// server_version_num.
struct VersionedFunction {
  std::int32_t first;
  std::int32_t last;
  Function function;
};
std::span<const VersionedFunction> VersionedFunctions();

}  // namespace relcache
