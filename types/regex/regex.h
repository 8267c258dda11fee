// PostgreSQL's regular expressions (backend/regex): what matches, and where.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "relcache/base/result.h"
#include "relcache/memory/memory_context.h"
#include "relcache/types/regex/are.h"
#include "relcache/types/regex/class_runs.h"
#include "relcache/types/regex/dfa.h"
#include "relcache/types/regex/matcher.h"

namespace relcache {

/// A compiled regular expression. Lifetime: that of the context it was made in. Thread safety:
/// const, used by any number of threads at once.
class Regex {
 public:
  enum class Use : std::uint8_t {
    kMatch,  ///< only Matches is called
    kFind,   ///< RegexSearch too
  };

  /// Errors: 2201B `invalid regular expression: parentheses () not balanced`, in the server's
  /// words; kNotSupported for what is not decided. Cost: grows with the automaton; of a simple
  /// expression some ten microseconds.
  static Result<const Regex*> Compile(std::string_view pattern, const RegexFlags& flags,
                                      const RegexLocale& locale, ServerVersion version, Use use,
                                      MemoryContext& cx);

  /// Whether a text in UTF-8 matches. Errors: kNotSupported for a text that is not decided.
  /// Cost: usually a look into a table a character; with a look around or a back reference, and of
  /// very large expressions, the steps of an automaton.
  Result<bool> Matches(std::string_view text) const;

  /// What alone decides every text; nullptr if that is not the case.
  const ClassRuns* AloneRuns() const {
    return engine_ == Engine::kRuns && !ascii_texts_only_ ? &runs_ : nullptr;
  }

  /// How many sub-matches there are.
  std::size_t captures() const { return captures_; }

 private:
  friend class RegexSearch;
  Result<bool> MatchesSlowly(std::string_view text) const;
  Status CheckText(std::string_view text) const;

  enum class Engine : std::uint8_t { kRuns, kDfa, kMatcher };
  Engine engine_ = Engine::kMatcher;
  bool ascii_texts_only_ = false;
  std::size_t captures_ = 0;
  ClassRuns runs_;
  RegexDfa dfa_;
  RegexMachine machine_;
  /// Of the locale.
  std::string_view name_;
};

/// The matches in one text of an expression that was compiled for Use::kFind.
class RegexSearch {
 public:
  RegexSearch(const Regex& regex, std::string_view text);

  /// The first match at or behind the character `from`, and its sub-matches. False: there is none.
  Result<bool> Find(std::int64_t from, std::span<RegexSpan> spans);
  /// In characters.
  std::int64_t size() const { return static_cast<std::int64_t>(characters_.size()); }
  /// The bytes of characters from..to - 1.
  std::string_view Slice(std::int64_t from, std::int64_t to) const {
    const std::size_t begin = starts_[static_cast<std::size_t>(from)];
    return text_.substr(begin, starts_[static_cast<std::size_t>(to)] - begin);
  }

 private:
  const Regex& regex_;
  std::string_view text_;
  std::vector<std::uint32_t> characters_;
  /// Where each character begins, and the end.
  std::vector<std::size_t> starts_;
  RegexMatcher matcher_;
};

}  // namespace relcache
