// The tokens of a regular expression. For are.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "relcache/base/error.h"
#include "relcache/types/regex/char_class.h"
#include "relcache/types/regex/regex_flags.h"
#include "relcache/types/server_version.h"

namespace relcache {

/// The reader of tokens: one of lookahead, and what it means depends on where it stands, as in
/// PostgreSQL, so that of several mistakes the same one is reported.
class AreLexer {
 public:
  enum class Token : std::uint8_t {
    kStart,  ///< none yet
    kEnd,
    kPlain,
    kDigit,
    kComma,
    kBackReference,
    kCollatingElement,  ///< [.
    kEquivalence,       ///< [=
    kClass,             ///< [:
    kClassEnd,          ///< their ends
    kShorthand,         ///< \w; value is the CharClass
    kNoShorthand,       ///< \W
    kRange,
    kLook,
    kWordStart,
    kWordEnd,
    kWordEdge,
    kNoWordEdge,
    kTextStart,
    kTextEnd,
    kOr,
    kStar,  ///< value 1: prefers longer; of the next two as well
    kPlus,
    kQuestion,
    kBoundOpen,
    kBoundClose,
    kOpen,  ///< value 1: captures
    kClose,
    kBracketOpen,  ///< value 0: negated
    kBracketClose,
    kDot,
    kCaret,
    kDollar,
  };
  /// Values of kLook.
  static constexpr std::uint32_t kAhead = 1, kNegative = 2;

  AreLexer(std::span<const std::uint32_t> pattern, const RegexFlags& flags,
           const RegexLocale& locale, ServerVersion version)
      : pattern_(pattern), flags_(flags), locale_(locale), version_(version) {}

  /// Reads what precedes the expression, and the first token.
  void Begin();
  void Next();
  Token token() const { return token_; }
  std::uint32_t value() const { return value_; }
  bool Sees(Token token) const { return token_ == token; }
  bool Eat(Token token) {
    if (token_ != token) return false;
    Next();
    return true;
  }

  const RegexFlags& flags() const { return flags_; }
  /// How many groups capture so far: \10 is a reference only if there are ten.
  void set_captures(std::uint32_t n) { captures_ = n; }
  /// Where the next token will be read.
  std::size_t position() const { return now_; }
  std::span<const std::uint32_t> pattern() const { return pattern_; }

  bool failed() const { return error_.has_value(); }
  /// The first one stays; from then on there are no tokens.
  void Fail(const char* what);
  void Refuse(const std::string& what);
  Error TakeError() { return std::move(*error_); }

  /// Whether a character is of a class, where the syntax asks.
  bool Is(CharClass char_class, std::uint32_t c);

 private:
  enum class Where : std::uint8_t {
    kExpression,
    kLiteral,
    kBound,
    kBracket,
    kElement,
    kEqual,
    kName
  };

  bool AtEnd() const { return now_ >= pattern_.size(); }
  bool Sees1(std::uint32_t c) const { return !AtEnd() && pattern_[now_] == c; }
  bool SeesAll(std::string_view text) const;
  void Set(Token token, std::uint32_t value = 0) {
    token_ = token;
    value_ = value;
  }
  void Prefixes();
  void EmbeddedOptions();
  void SkipExpanded();
  void AtPatternEnd();
  void InExpression(std::uint32_t c);
  void InBound(std::uint32_t c);
  void InBracket(std::uint32_t c);
  void Quantifier(Token token);
  void OpenParenthesis();
  void OpenBracket();
  void Escape();
  void NumericEscape(std::uint32_t c);
  void CodeEscape(int shortest, int longest);
  std::uint32_t Digits(std::uint32_t base, int shortest, int longest);

  std::span<const std::uint32_t> pattern_;
  RegexFlags flags_;
  const RegexLocale& locale_;
  ServerVersion version_;
  std::size_t now_ = 0;
  Where where_ = Where::kExpression;
  Token token_ = Token::kStart;
  Token last_ = Token::kStart;
  std::uint32_t value_ = 0;
  std::uint32_t captures_ = 0;
  std::optional<Error> error_;
};

}  // namespace relcache
