// PostgreSQL's regular expressions as text: ARE, and ERE and literal strings where options ask for
// them (regc_lex.c, regcomp.c).
#pragma once

#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/regex/char_class.h"
#include "relcache/types/regex/regex_flags.h"
#include "relcache/types/regex/regex_tree.h"
#include "relcache/types/server_version.h"

namespace relcache {

/// Reads an option string: "gi". `global` says whether 'g' was among them. Errors: 22023 `invalid
/// regular expression option: "z"`.
Status ParseRegexOptions(std::string_view options, RegexFlags& flags, bool& global);

/// Reads a pattern in UTF-8. Errors: 2201B as PostgreSQL words them: `invalid regular expression:
/// brackets [] not balanced`; kNotSupported for what is not decided here, by name.
Status ParseRegex(std::string_view pattern, const RegexFlags& flags, const RegexLocale& locale,
                  ServerVersion version, RegexTree& out);

}  // namespace relcache
