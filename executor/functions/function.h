// PostgreSQL's built-in functions as kernels. Each function is defined once and can run on one row
// or on a batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "relcache/base/oid.h"
#include "relcache/base/result.h"
#include "relcache/executor/batch/column_batch.h"
#include "relcache/types/datum.h"
#include "relcache/types/internal/fault.h"
#include "relcache/types/session_settings.h"

namespace relcache {

class RegexCache;

/// What a kernel receives besides its arguments, and where it reports that it has no value
/// (PostgreSQL's FunctionCallInfo).
struct FunctionContext {
  enum class Outcome : std::uint8_t { kValue, kNull, kFailed };

  const SessionSettings* settings = nullptr;
  /// Where results that are passed by reference are allocated.
  MemoryContext* cx = nullptr;
  /// It is kValue before each call, and a kernel sets it only if it yields no value.
  Outcome outcome = Outcome::kValue;
  /// The regular expressions that earlier rows brought; nullptr: none are kept.
  RegexCache* regexes = nullptr;
  /// Where an error is described; nullptr if the caller only wants to know that there was one.
  Error* error = nullptr;

  [[gnu::cold]] void Fail(Fault fault);
  [[gnu::cold]] void Fail(Error&& why);
};

/// Computes a strict function for one row. A strict function is not called if an argument is NULL.
/// Arguments beyond their number are ignored.
using RowKernel = Datum (*)(Datum a, Datum b, Datum c, FunctionContext& fx);

/// A call for the rows of a batch. All arrays are indexed by the row's position in the batch.
struct BatchCall {
  /// The arguments, in the forms that the function declares.
  const void* args[3] = {};
  /// An array for the values of all rows.
  void* result = nullptr;
  /// The rows to compute, ascending; nullptr means 0 to rows - 1.
  const std::uint16_t* selection = nullptr;
  std::size_t rows = 0;
  /// Set to 1 for rows for which the function yields NULL.
  std::uint8_t* result_nulls = nullptr;
  /// The rows for which the call failed are appended here.
  std::uint16_t* failed = nullptr;
  std::size_t failed_count = 0;
};
using BatchKernel = void (*)(BatchCall& call, FunctionContext& fx);

/// How the result of a function depends on the collation.
enum class CollationUse : std::uint8_t {
  kNone,
  kBytes,         ///< of bytes, under every collation and without one
  kEquality,      ///< needs a deterministic collation, under which equality is that of bytes
  kOrder,         ///< needs an order that is that of bytes; for others, see functions_locale.h
  kLetterCase,    ///< complete under "C" and "POSIX"; otherwise ASCII only, if the language allows;
                  ///< for all characters, see functions_locale.h
  kWords,         ///< as kLetterCase, but what ICU takes for a word is not known even for ASCII
  kCaselessMatch  ///< as kLetterCase, but needs a deterministic collation
};

/// How a function treats its text arguments, which decides what is supported in encodings other
/// than UTF-8.
enum class TextUse : std::uint8_t {
  kCharacters,  ///< it counts, cuts or classifies them: complete in UTF-8, right for ASCII
                ///< elsewhere
  kBytes,       ///< bytes in, bytes out, right in every encoding of a server
  kPattern,     ///< as kBytes, if the second argument is ASCII and has no `_`
};

constexpr bool DependsOnLetterCase(CollationUse use) {
  return use >= CollationUse::kLetterCase;
}

/// A strict built-in function with up to three arguments.
struct Function {
  static constexpr std::size_t kMaxArgs = 3;

  Oid oid = kInvalidOid;
  /// pg_proc.proname.
  const char* name = nullptr;
  std::uint8_t nargs = 0;
  /// The function cannot fail, does not yield NULL, and follows no pointer. It may therefore be
  /// computed for rows whose arguments are NULL and for rows that are not needed.
  bool total = false;
  /// The function may yield NULL although no argument is NULL.
  bool yields_null = false;
  /// The function may raise an error.
  bool fails = false;
  /// 'i' immutable, 's' stable or 'v' volatile, as in pg_proc.
  char provolatile = 'i';
  CollationUse collation = CollationUse::kNone;
  TextUse text = TextUse::kCharacters;
  ColumnForm result = ColumnForm::kDatum;
  ColumnForm args[kMaxArgs] = {};
  RowKernel row = nullptr;
  BatchKernel batch = nullptr;
};

/// A function that returns its first argument, of the text type `type`, if all of it is ASCII, and
/// fails otherwise. Its second argument says what is not supported: `not supported: characters
/// outside ASCII for FUNCTION length(text) in encoding LATIN1`.
const Function& AsciiGuard(Oid type);
/// Whether a value would pass this function.
bool IsAsciiText(Oid type, Datum value);

}  // namespace relcache
