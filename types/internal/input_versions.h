// How the input and output of other releases differs from that of PostgreSQL 15. Internal to
// types/; type_io.h uses it.
#pragma once

#include <optional>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"
#include "relcache/types/internal/array.h"
#include "relcache/types/server_version.h"
#include "relcache/types/session_settings.h"

namespace relcache {

/// The result of a scalar type's input function in another release, if it can differ from that of
/// 15: the value, the error, or a refusal. nullopt means that 15's input function is correct for
/// this release too.
std::optional<Result<Datum>> InputOfVersion(Oid type, std::int32_t typmod, std::string_view text,
                                            const SessionSettings& settings, ServerVersion version,
                                            MemoryContext& cx);

/// The same of array_in: refuses what releases from 17 on, which read arrays in one pass, might
/// see otherwise. `read` is what 15 makes of the text.
std::optional<Error> ArrayInputOfVersion(std::string_view text, const Result<Datum>& read,
                                         bool element_failed, ServerVersion version);

/// The same for output.
std::optional<Result<std::string_view>> OutputOfVersion(Oid type, Datum value,
                                                        ServerVersion version);

/// Whether the name of a zone is a POSIX text that does not say when summer time begins and ends:
/// PostgreSQL 12 takes that from a file that says nothing of the years after 2037.
bool IsPosixWithoutRules(std::string_view zone);

/// Whether the name of a zone may be an abbreviation that releases from 18 on look up in the
/// session's zone first: where no TimeZone was given, every name that has the shape of one.
/// `lower`: a name in lower case.
bool SessionZoneMayKnow(std::string_view lower, const SessionSettings& settings);

}  // namespace relcache
