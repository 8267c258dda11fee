// The type jsonb in the form that PostgreSQL stores, read in place (utils/adt/jsonb.c,
// jsonb_util.c, jsonfuncs.c).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"

namespace relcache {

/// Reads JSON into a jsonb, in which keys are sorted and unique and numbers are numerics.
/// Errors: those of ParseJson and of numbers; kNotSupported for containers that are nested deeper
/// than kJsonbMaxDepth.
inline constexpr std::size_t kJsonbMaxDepth = 1000;
Result<Datum> JsonbIn(std::string_view text, MemoryContext& cx);

// Stored bytes are not trusted: bytes that are not a jsonb yield SQLSTATE 22P02 "malformed jsonb
// value".

Result<std::string_view> JsonbOut(Datum value, MemoryContext& cx);

/// jsonb_typeof(jsonb): "object", "array", "string", "number", "boolean", "null".
Result<std::string_view> JsonbTypeof(Datum value);
/// jsonb ? text: whether it is a key of the object, or a string among the array's elements.
Result<bool> JsonbExists(Datum value, std::string_view key);
/// jsonb -> text: the field as jsonb, in cx; nothing if there is none.
Result<std::optional<Datum>> JsonbObjectField(Datum value, std::string_view key, MemoryContext& cx);
/// jsonb ->> text: the field as text; nothing if there is none or it is null.
Result<std::optional<std::string_view>> JsonbObjectFieldText(Datum value, std::string_view key,
                                                             MemoryContext& cx);
/// jsonb_array_length(jsonb). Errors: 22023 "cannot get array length of a scalar" or "a non-array".
Result<std::int32_t> JsonbArrayLength(Datum value);

}  // namespace relcache
