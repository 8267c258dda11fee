// The type bytea, byte strings (utils/adt/varlena.c): text in the formats hex and escape, and
// bytewise order.
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"
#include "relcache/types/session_settings.h"

namespace relcache {

Result<Datum> ByteaIn(std::string_view text, MemoryContext& cx);
std::string_view ByteaOut(std::string_view bytes, ByteaOutput form, MemoryContext& cx);

/// Compares bytes as unsigned numbers, then the lengths.
inline int ByteaCompare(std::string_view a, std::string_view b) {
  return a.compare(b);
}

/// The SQL function substring(bytea, from, count), where positions count from 1.
/// Errors: SQLSTATE 22011 "negative substring length not allowed".
Result<std::string_view> ByteaSubstring(std::string_view bytes, std::int32_t from,
                                        std::int32_t count);

}  // namespace relcache
