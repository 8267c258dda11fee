// The type boolean (utils/adt/bool.c).
#pragma once

#include "relcache/types/datum.h"
#include "relcache/types/session_settings.h"

namespace relcache {

/// Accepts any unique prefix of true, false, yes and no, and on, off, 1 and 0, with white space
/// around it.
Result<Datum> BoolIn(std::string_view text);
std::string_view BoolOut(bool value);

/// The same without white space (parse_bool). Returns false if `text` is not a boolean.
bool ParseBool(std::string_view text, bool* value);

}  // namespace relcache
