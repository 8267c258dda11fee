// ~ and the regexp_ functions (utils/adt/regexp.c). They are not in the tables of kernels: what
// they run under, and a pattern that is a constant, is compiled with the program.
#pragma once

#include <cstdint>
#include <span>

#include "relcache/executor/functions/function.h"
#include "relcache/types/regex/regex.h"

namespace relcache {

/// A function that takes a regular expression as its second argument, or makes one.
struct RegexFunction {
  enum class Kind : std::uint8_t {
    kMatch,  ///< ~ and its kin
    kLike,   ///< regexp_like
    kSubstring,
    kMatchOf,  ///< regexp_match
    kReplace,
    kCount,
    kInstr,
    kSubstr,   ///< regexp_substr
    kSplit,    ///< regexp_split_to_array
    kSimilar,  ///< makes the pattern of SIMILAR TO
  };
  Oid oid = kInvalidOid;
  Kind kind = Kind::kMatch;
  bool of_name = false;
  bool negated = false;
  bool ignore_case = false;
  /// Otherwise only the first argument makes it NULL.
  bool strict = true;
  /// Where the further arguments are; -1: it has none.
  std::int8_t options = -1;
  std::int8_t start = -1;
  std::int8_t n = -1;
  std::int8_t end_option = -1;
  std::int8_t sub_match = -1;

  Regex::Use use() const {
    return kind == Kind::kMatch || kind == Kind::kLike ? Regex::Use::kMatch : Regex::Use::kFind;
  }
};

/// The function with this pg_proc.oid; nullptr if it is none of these.
const RegexFunction* FindRegexFunction(Oid oid);

/// One call in a program. Lifetime: the program's.
struct RegexCall {
  const RegexFunction* function = nullptr;
  /// nullptr: the rows bring the pattern, or one that is in error.
  const Regex* regex = nullptr;
  RegexLocale locale;
  ServerVersion version;
};

/// Compiles what a call's constants say. `options`: nullptr if it has none. Errors: as
/// Regex::Compile, and those of the option string.
Result<const Regex*> CompileRegexOf(const RegexFunction& function, std::string_view pattern,
                                    const std::string_view* options, const RegexLocale& locale,
                                    ServerVersion version, MemoryContext& cx);

/// Whether a text matches an expression that is known when the program is compiled: a kernel of
/// (text, known).
struct KnownMatch {
  const Function* kernel = nullptr;
  Datum known{};
};
/// Of a call that has an expression. With `any`, the kernel is the same for every expression.
KnownMatch MatchOfConstant(const RegexCall& call, bool any = false);

/// Of (text, pattern, call): the same for a pattern that the row brings. For rows only.
const Function& MatchOfAny();

/// The value of any call for a row.
Result<NullableDatum> RunRegex(const RegexCall& call, std::span<const NullableDatum> args,
                               FunctionContext& fx);

}  // namespace relcache
