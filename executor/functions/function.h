// PostgreSQL's built-in functions as kernels: one definition each, run on one row or down a batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "relcache/base/oid.h"
#include "relcache/base/result.h"
#include "relcache/executor/batch/column_batch.h"
#include "relcache/types/datum.h"
#include "relcache/types/internal/fault.h"
#include "relcache/types/server_version.h"
#include "relcache/types/session_settings.h"

namespace relcache {

/// What a function is given beside its arguments, and where it says that it has no value.
struct FunctionContext {
  enum class Outcome : std::uint8_t { kValue, kNull, kFailed };

  const SessionSettings* settings = nullptr;
  /// Results by reference are made here.
  MemoryContext* cx = nullptr;
  /// kValue before each call; set by the kernel only when the function yields no value.
  Outcome outcome = Outcome::kValue;
  /// Where a failure is described; nullptr when the caller wants to know only that there was one.
  Error* error = nullptr;

  [[gnu::cold]] void Fail(Fault fault);
  [[gnu::cold]] void Fail(Error&& why);
};

/// A strict function's value for one row; arguments beyond its number are not looked at.
using RowKernel = Datum (*)(Datum a, Datum b, Datum c, FunctionContext& fx);

/// One call down a batch. All arrays are indexed by the row's place in the batch.
struct BatchCall {
  /// Values in the forms that the function declares.
  const void* args[3] = {};
  /// Room for a value of every row.
  void* result = nullptr;
  /// The rows to compute, ascending; nullptr: 0 to rows - 1.
  const std::uint16_t* selection = nullptr;
  std::size_t rows = 0;
  /// Set to 1 where the function yields NULL.
  std::uint8_t* result_nulls = nullptr;
  /// The rows whose call failed are added here.
  std::uint16_t* failed = nullptr;
  std::size_t failed_count = 0;
};
using BatchKernel = void (*)(BatchCall& call, FunctionContext& fx);

/// What a function makes of the collation that it runs under.
enum class CollationUse : std::uint8_t {
  kNone,
  kEquality,    ///< needs a deterministic collation: equal is then bytewise equal
  kOrder,       ///< needs "C" or "POSIX": order is then bytewise
  kLetterCase,  ///< complete under "C" and "POSIX"; elsewhere for ASCII, if the language allows
};

/// What a function makes of the characters of its text arguments. Texts in other encodings than
/// UTF-8 are given to it accordingly.
enum class TextUse : std::uint8_t {
  kCharacters,  ///< it counts, cuts or classifies them: complete in UTF-8, right for ASCII
                ///< elsewhere
  kBytes,       ///< bytes in, bytes out, right in every encoding of a server
  kPattern,     ///< as kBytes, if the second argument is ASCII and has no `_`
};

/// A strict built-in function of up to three arguments.
struct Function {
  static constexpr std::size_t kMaxArgs = 3;

  Oid oid = kInvalidOid;
  /// pg_proc.proname.
  const char* name = nullptr;
  std::uint8_t nargs = 0;
  /// It never fails, never yields NULL, follows no pointer: a batch may compute it for rows whose
  /// arguments are NULL and for rows that nobody asked for.
  bool total = false;
  /// It may yield NULL for arguments that are not.
  bool yields_null = false;
  /// It may raise an error.
  bool fails = false;
  /// 'i'mmutable, 's'table, 'v'olatile, as in pg_proc.
  char provolatile = 'i';
  CollationUse collation = CollationUse::kNone;
  TextUse text = TextUse::kCharacters;
  ColumnForm result = ColumnForm::kDatum;
  ColumnForm args[kMaxArgs] = {};
  RowKernel row = nullptr;
  BatchKernel batch = nullptr;
};

/// The function with this pg_proc.oid as a release has it; nullptr when there is no kernel for it.
/// Cost: a hash probe; for other releases than 15 also a walk down the short table of those that
/// differ.
const Function* FindFunction(Oid oid, ServerVersion version = {});

/// What lets a value of a text type (varlena, name or "char", by `form` and `type`) pass if all of
/// it is ASCII; its second argument says what else is not supported:
/// `not supported: characters outside ASCII for FUNCTION length(text) in encoding LATIN1`.
const Function& AsciiGuard(Oid type);
/// Whether it would pass.
bool IsAsciiText(Oid type, Datum value);

/// Every function that has a kernel, in the order of the tables.
std::span<const Function* const> AllFunctions();

}  // namespace relcache
