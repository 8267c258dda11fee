// Conversion between values and their texts for the types that relcache supports, chosen by the oid
// of the type. It corresponds to PostgreSQL's input and output functions (int4in, int4out and so
// on).
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/oid.h"
#include "relcache/base/result.h"
#include "relcache/types/datum.h"
#include "relcache/types/server_version.h"
#include "relcache/types/session_settings.h"

namespace relcache {

/// The value that `text` denotes, as the type's input function reads it. `typmod` is the type's
/// modifier, such as the length in varchar(10); -1 means none. A value that is passed by reference
/// is allocated in cx. `text` must be valid UTF-8 (CheckUtf8 in text.h), whatever the encoding of
/// the database; otherwise lengths are counted wrongly, but nothing worse happens. `version` says
/// whose input function is meant.
/// Errors: PostgreSQL's message and SQLSTATE, `invalid input syntax for type integer: "x"`;
/// kNotSupported for a type without input here, and for a text that releases read differently in a
/// way that relcache does not know (docs/versions.md). A NUL in the text is an error.
Result<Datum> TypeInput(Oid type, std::int32_t typmod, std::string_view text,
                        const SessionSettings& settings, MemoryContext& cx,
                        ServerVersion version = {});

/// The text of a value, as the type's output function prints it. It lies in cx, or in the value
/// itself.
/// Errors: kNotSupported; SQLSTATE 22008 for a timestamp that is outside of the printable range;
/// kLimit for a text longer than kMaxRequest.
Result<std::string_view> TypeOutput(Oid type, Datum value, const SessionSettings& settings,
                                    MemoryContext& cx, ServerVersion version = {});

/// Converts `value` to a typmod as PostgreSQL's length coercions do (varchar(), bpchar(),
/// numeric(), timestamp() ...). With is_explicit false it does what storing a value in a column
/// does: characters beyond the length must be blanks. With is_explicit true it does what a written
/// cast does, which cuts them off. If nothing has to be changed, returns `value` itself.
/// Errors: SQLSTATE 22001 "value too long for type character varying(5)", 22003 "numeric field
/// overflow".
Result<Datum> ApplyTypmod(Oid type, std::int32_t typmod, Datum value, bool is_explicit,
                          MemoryContext& cx);

/// Whether TypeInput and TypeOutput support the type.
bool HasInput(Oid type);

}  // namespace relcache
