// The type uuid, of 16 bytes (utils/adt/uuid.c).
#pragma once

#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"

namespace relcache {

inline constexpr std::size_t kUuidSize = 16;

Result<Datum> UuidIn(std::string_view text, MemoryContext& cx);
std::string_view UuidOut(Datum value, MemoryContext& cx);

inline int UuidCompare(Datum a, Datum b) {
  return std::memcmp(DatumGetPointer(a), DatumGetPointer(b), kUuidSize);
}

}  // namespace relcache
