// bytea (utils/adt/varlena.c): hex and escape text, bytewise order.
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"
#include "relcache/types/session_settings.h"

namespace relcache {

Result<Datum> ByteaIn(std::string_view text, MemoryContext& cx);
std::string_view ByteaOut(std::string_view bytes, ByteaOutput form, MemoryContext& cx);

/// Unsigned bytes, then length.
inline int ByteaCompare(std::string_view a, std::string_view b) {
  return a.compare(b);
}

/// substring(bytea, from, count): from 1. Errors: 22011 "negative substring length not allowed".
Result<std::string_view> ByteaSubstring(std::string_view bytes, std::int32_t from,
                                        std::int32_t count);

}  // namespace relcache
