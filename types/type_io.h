// Text to value and value to text for every type that this room knows, by type oid.
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/oid.h"
#include "relcache/base/result.h"
#include "relcache/types/datum.h"
#include "relcache/types/server_version.h"
#include "relcache/types/session_settings.h"

namespace relcache {

/// The value that `text` denotes, with PostgreSQL's input function and typmod (-1: none). By
/// reference: made in cx.
/// Errors: PostgreSQL's message and SQLSTATE, `invalid input syntax for type integer: "x"`;
/// kNotSupported for a type this room has no input for. `text` must be valid in UTF-8
/// (CheckUtf8 in text.h), whatever the database's encoding; nothing worse than a wrong character
/// count happens if it is not. A NUL in it is refused. `version`: whose input function;
/// kNotSupported too for texts that releases read differently and this room cannot tell how
/// (docs/versions.md).
Result<Datum> TypeInput(Oid type, std::int32_t typmod, std::string_view text,
                        const SessionSettings& settings, MemoryContext& cx,
                        ServerVersion version = {});

/// The text of a value, with PostgreSQL's output function. It lies in cx or in the value.
/// Errors: kNotSupported; 22008 for a timestamp that no text exists for.
Result<std::string_view> TypeOutput(Oid type, Datum value, const SessionSettings& settings,
                                    MemoryContext& cx, ServerVersion version = {});

/// `value` brought to a typmod, as PostgreSQL's length coercions varchar(), bpchar(), numeric(),
/// timestamp() ... do: what the storing of a value in a column does (is_explicit false: characters
/// that do not fit must be blanks) or a written cast (is_explicit true: they are cut off). Returns
/// `value` itself when nothing is to be done.
/// Errors: 22001 "value too long for type character varying(5)", 22003 "numeric field overflow".
Result<Datum> ApplyTypmod(Oid type, std::int32_t typmod, Datum value, bool is_explicit,
                          MemoryContext& cx);

/// Whether TypeInput and TypeOutput know the type.
bool HasInput(Oid type);

/// A value's bytes copied into cx: of a by-value type the value itself (PostgreSQL's datumCopy).
Datum CopyDatum(Datum value, bool typbyval, std::int16_t typlen, MemoryContext& cx);

/// Bytes that a value of a by-reference type takes, header included.
std::size_t DatumSize(Datum value, std::int16_t typlen);

}  // namespace relcache
