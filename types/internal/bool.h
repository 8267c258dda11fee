// boolean (utils/adt/bool.c).
#pragma once

#include "relcache/types/datum.h"
#include "relcache/types/session_settings.h"

namespace relcache {

/// Any unique prefix of true, false, yes, no; on, off, 1, 0; white space around it.
Result<Datum> BoolIn(std::string_view text);
std::string_view BoolOut(bool value);

/// parse_bool: the same without white space; false when `text` is none.
bool ParseBool(std::string_view text, bool* value);

}  // namespace relcache
