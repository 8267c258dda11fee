// Computes what the fields of a date or time text mean together (DecodeDateTime in
// utils/adt/datetime.c). Internal to types/.
#pragma once

#include <cstddef>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/date_time/decoded.h"
#include "relcache/types/session_settings.h"

namespace relcache {

/// Errors mention `type`; `buffer_size` is DateTimeFields' size for it.
/// Errors: DateTimeError; SQLSTATE 22023 `time zone "x" not recognized`; kNotSupported for a zone,
/// and for a text that depends on a setting which is not given.
Result<DecodedDateTime> DecodeDateTime(std::string_view text, std::string_view type,
                                       std::size_t buffer_size, const SessionSettings& settings);

/// The same for a time of day. A date is read only if the zone needs one.
Result<DecodedDateTime> DecodeTimeOnly(std::string_view text, std::string_view type,
                                       const SessionSettings& settings);

}  // namespace relcache
