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
/// is allocated in cx. `text` must be valid UTF-8, whatever the encoding of the database. This is
/// not checked; the lengths of a text that is not are counted wrongly, but nothing worse happens.
/// `version` is the release of the server whose input function is meant.
/// Thread safety: any thread may call this and the other functions here, each with a cx of its own.
/// Errors: PostgreSQL's message and SQLSTATE, `invalid input syntax for type integer: "x"`;
/// kNotSupported for a type without input here, for a setting that is needed and was not given, and
/// for a text that releases read differently in a way that relcache does not know
/// (docs/versions.md). A NUL in the text is an error.
Result<Datum> TypeInput(Oid type, std::int32_t typmod, std::string_view text,
                        const SessionSettings& settings, MemoryContext& cx,
                        ServerVersion version = {});

/// The text of a value, as the type's output function prints it. It lies in cx or in the value
/// itself, or it is a constant, such as "t" for a boolean.
/// Errors: kNotSupported for a type without output here and for a setting that is needed and was
/// not given; SQLSTATE 22008 (datetime_field_overflow) for a timestamp that is outside of the
/// printable range; kLimit for a text longer than kMaxRequest.
Result<std::string_view> TypeOutput(Oid type, Datum value, const SessionSettings& settings,
                                    MemoryContext& cx, ServerVersion version = {});

/// Converts `value` to a typmod as PostgreSQL's length coercions do (varchar(), bpchar(),
/// numeric(), timestamp() ...). With is_explicit false it does what storing a value in a column
/// does: characters beyond the length must be blanks. With is_explicit true it does what a written
/// cast does, which cuts them off. If nothing has to be changed, the result may be `value` itself
/// or a copy of it in cx; it is `value` if typmod is -1 or the type has no typmod.
/// Errors: SQLSTATE 22001 "value too long for type character varying(5)", 22003 "numeric field
/// overflow"; kNotSupported for arrays and other types without input here.
Result<Datum> ApplyTypmod(Oid type, std::int32_t typmod, Datum value, bool is_explicit,
                          MemoryContext& cx);

/// Whether TypeInput and TypeOutput support the type.
bool HasInput(Oid type);

}  // namespace relcache
