// The tables of kernels, one for each family of types, and the look-up by oid. executor/README.md
// says how to add a function.
#pragma once

#include <span>

#include "relcache/executor/functions/function.h"
#include "relcache/types/server_version.h"

namespace relcache {

/// For boolean, "char", oid, and the types from smallint to double precision.
std::span<const Function> NumberFunctions();
/// For text, character, name, bytea and uuid.
std::span<const Function> TextFunctions();
std::span<const Function> NumericFunctions();
/// For date, time, timestamp, timestamptz and interval.
std::span<const Function> TimeFunctions();
/// For arrays of any type, and enums.
std::span<const Function> ArrayFunctions();
std::span<const Function> JsonFunctions();

/// Replaces a function of version 15 in the releases `first` to `last`, which are values of
/// server_version_num.
struct VersionedFunction {
  std::int32_t first;
  std::int32_t last;
  Function function;
};
std::span<const VersionedFunction> VersionedFunctions();

/// The function with this oid as a release defines it; nullptr if there is no kernel for it.
/// Cost: a hash look-up, and for releases other than 15 also a walk along the short table of
/// functions that differ.
const Function* FindFunction(Oid oid, ServerVersion version = {});

/// All functions that have a kernel, in the order of the tables.
std::span<const Function* const> AllFunctions();

}  // namespace relcache
