// Functions of text under collations whose letter case or order bytes do not tell: ICU's, and the
// letter case of C.UTF-8.
#pragma once

#include "relcache/executor/functions/function.h"
#include "relcache/types/internal/text_locale.h"

namespace relcache {

/// The kernel of a function that is given the locale as one more argument, behind its own:
/// PointerGetDatum of a TextLocale. nullptr if the function does not depend on a collation in this
/// way. The kernel's oid is that of the function.
const Function* FindLocaleFunction(Oid oid);

/// Compares two values of text, varchar, bpchar or name; nullptr for other types.
using LocaleCompare = Result<int> (*)(Datum a, Datum b, const TextLocale& locale);
LocaleCompare LocaleCompareOf(Oid type);

}  // namespace relcache
