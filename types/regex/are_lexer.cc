#include "relcache/types/regex/are_lexer.h"

namespace relcache {

using Token = AreLexer::Token;

void AreLexer::Fail(const char* what) {
  token_ = Token::kEnd;
  if (!error_)
    error_ =
        Error(ErrorCode::kEvaluation, "2201B", std::string("invalid regular expression: ") + what);
}

void AreLexer::Refuse(const std::string& what) {
  token_ = Token::kEnd;
  if (!error_) error_ = NotSupported(what);
}

bool AreLexer::Is(CharClass char_class, std::uint32_t c) {
  if (c >= 0x80 && locale_.ascii_only) {
    Refuse("regular expression with a character outside ASCII in its syntax " +
           std::string(locale_.name));
    return false;
  }
  return ClassMembers(locale_.tables, char_class).Contains(c);
}

bool AreLexer::SeesAll(std::string_view text) const {
  if (pattern_.size() - now_ < text.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (pattern_[now_ + i] != static_cast<unsigned char>(text[i])) return false;
  return true;
}

void AreLexer::Begin() {
  // What option strings may combine, and embedded options cannot.
  const bool others = flags_.advanced || flags_.extended || flags_.expanded ||
                      flags_.newline_stops || flags_.newline_anchors;
  if ((flags_.quote && others) || (flags_.advanced && !flags_.extended))
    return Fail("invalid argument to regex function");
  Prefixes();
  if (failed()) return;
  if (flags_.quote) {
    where_ = Where::kLiteral;
  } else if (!flags_.extended) {
    return Refuse("basic regular expression (option b)");
  }
  Next();
}

void AreLexer::Prefixes() {
  if (flags_.quote) return;
  if (pattern_.size() - now_ >= 4 && SeesAll("***")) {
    switch (pattern_[now_ + 3]) {
      case '?':
        return Fail("invalid regexp (reg version 0.8)");
      case '=':
        flags_.quote = true;
        flags_.advanced = flags_.extended = false;
        flags_.expanded = flags_.newline_stops = flags_.newline_anchors = false;
        now_ += 4;
        return;
      case ':':
        flags_.advanced = flags_.extended = true;
        now_ += 4;
        break;
      default:
        return Fail("quantifier operand invalid");
    }
  }
  if (flags_.advanced && flags_.extended && pattern_.size() - now_ >= 3 && SeesAll("(?") &&
      Is(CharClass::kAlpha, pattern_[now_ + 2]))
    EmbeddedOptions();
}

void AreLexer::EmbeddedOptions() {
  now_ += 2;
  for (; !AtEnd() && Is(CharClass::kAlpha, pattern_[now_]); ++now_) {
    switch (pattern_[now_]) {
      case 'b':
        flags_.advanced = flags_.extended = flags_.quote = false;
        break;
      case 'c':
        flags_.ignore_case = false;
        break;
      case 'e':
        flags_.extended = true;
        flags_.advanced = flags_.quote = false;
        break;
      case 'i':
        flags_.ignore_case = true;
        break;
      case 'm':
      case 'n':
        flags_.newline_stops = flags_.newline_anchors = true;
        break;
      case 'p':
        flags_.newline_stops = true;
        flags_.newline_anchors = false;
        break;
      case 'q':
        flags_.quote = true;
        flags_.advanced = flags_.extended = false;
        break;
      case 's':
        flags_.newline_stops = flags_.newline_anchors = false;
        break;
      case 't':
        flags_.expanded = false;
        break;
      case 'w':
        flags_.newline_stops = false;
        flags_.newline_anchors = true;
        break;
      case 'x':
        flags_.expanded = true;
        break;
      default:
        return Fail("invalid embedded option");
    }
  }
  if (failed()) return;
  if (!Sees1(')')) return Fail("invalid embedded option");
  ++now_;
  if (flags_.quote) flags_.expanded = flags_.newline_stops = flags_.newline_anchors = false;
}

void AreLexer::SkipExpanded() {
  for (;;) {
    while (!AtEnd() && Is(CharClass::kSpace, pattern_[now_])) ++now_;
    if (AtEnd() || pattern_[now_] != '#') return;
    while (!AtEnd() && pattern_[now_] != '\n') ++now_;
  }
}

void AreLexer::AtPatternEnd() {
  switch (where_) {
    case Where::kExpression:
    case Where::kLiteral:
      return Set(Token::kEnd);
    case Where::kBound:
      return Fail("braces {} not balanced");
    default:
      return Fail("brackets [] not balanced");
  }
}

void AreLexer::Next() {
  if (failed()) return;
  last_ = token_;
  for (;;) {
    if (flags_.expanded && (where_ == Where::kExpression || where_ == Where::kBound))
      SkipExpanded();
    if (failed()) return;
    if (AtEnd()) return AtPatternEnd();
    // A comment is no token.
    if (where_ != Where::kExpression || !flags_.advanced || !SeesAll("(?#")) break;
    now_ += 3;
    while (!AtEnd() && pattern_[now_] != ')') ++now_;
    if (!AtEnd()) ++now_;
  }
  const std::uint32_t c = pattern_[now_++];
  const auto name_end = [&](std::uint32_t mark) {
    if (c != mark || !Sees1(']')) return Set(Token::kPlain, c);
    ++now_;
    where_ = Where::kBracket;
    Set(Token::kClassEnd, mark);
  };
  switch (where_) {
    case Where::kLiteral:
      return Set(Token::kPlain, c);
    case Where::kBound:
      return InBound(c);
    case Where::kBracket:
      return InBracket(c);
    case Where::kElement:
      return name_end('.');
    case Where::kEqual:
      return name_end('=');
    case Where::kName:
      return name_end(':');
    case Where::kExpression:
      return InExpression(c);
  }
}

void AreLexer::InBound(std::uint32_t c) {
  if (c >= '0' && c <= '9') return Set(Token::kDigit, c - '0');
  if (c == ',') return Set(Token::kComma);
  if (c != '}') return Fail("invalid repetition count(s)");
  where_ = Where::kExpression;
  Quantifier(Token::kBoundClose);
}

void AreLexer::Quantifier(Token token) {
  if (flags_.advanced && Sees1('?')) {
    ++now_;
    return Set(token, 0);
  }
  Set(token, 1);
}

void AreLexer::InBracket(std::uint32_t c) {
  switch (c) {
    case ']':
      if (last_ == Token::kBracketOpen) return Set(Token::kPlain, c);
      where_ = Where::kExpression;
      return Set(Token::kBracketClose);
    case '\\':
      if (!flags_.advanced) return Set(Token::kPlain, c);
      if (AtEnd()) return Fail("invalid escape \\ sequence");
      Escape();
      if (failed()) return;
      if (token_ == Token::kShorthand && version_.major() < 14 &&
          value_ == static_cast<std::uint32_t>(CharClass::kWord) && Sees1('-') &&
          now_ + 1 < pattern_.size() && pattern_[now_ + 1] != ']')
        return Refuse("regular expression with \\w- in brackets in PostgreSQL " +
                      std::to_string(version_.major()));
      if (token_ == Token::kPlain || token_ == Token::kShorthand ||
          (token_ == Token::kNoShorthand && version_.major() >= 14))
        return;
      return Fail("invalid escape \\ sequence");
    case '-':
      if (last_ == Token::kBracketOpen || Sees1(']')) return Set(Token::kPlain, c);
      return Set(Token::kRange, c);
    case '[':
      if (AtEnd()) return Fail("brackets [] not balanced");
      switch (pattern_[now_++]) {
        case '.':
          where_ = Where::kElement;
          return Set(Token::kCollatingElement);
        case '=':
          where_ = Where::kEqual;
          return Set(Token::kEquivalence);
        case ':':
          where_ = Where::kName;
          return Set(Token::kClass);
        default:
          --now_;
          return Set(Token::kPlain, c);
      }
    default:
      return Set(Token::kPlain, c);
  }
}

void AreLexer::OpenParenthesis() {
  if (!flags_.advanced || !Sees1('?')) return Set(Token::kOpen, 1);
  constexpr const char* kWrong = "quantifier operand invalid";
  ++now_;
  if (AtEnd()) return Fail(kWrong);
  switch (pattern_[now_++]) {
    case ':':
      return Set(Token::kOpen, 0);
    case '=':
      return Set(Token::kLook, kAhead);
    case '!':
      return Set(Token::kLook, kAhead | kNegative);
    case '<':
      if (AtEnd()) return Fail(kWrong);
      switch (pattern_[now_++]) {
        case '=':
          return Set(Token::kLook, 0);
        case '!':
          return Set(Token::kLook, kNegative);
        default:
          return Fail(kWrong);
      }
    default:
      return Fail(kWrong);
  }
}

void AreLexer::OpenBracket() {
  for (const char* edge : {"[:<:]]", "[:>:]]"}) {
    if (!SeesAll(edge)) continue;
    now_ += 6;
    return Set(edge[2] == '<' ? Token::kWordStart : Token::kWordEnd);
  }
  where_ = Where::kBracket;
  if (!Sees1('^')) return Set(Token::kBracketOpen, 1);
  ++now_;
  Set(Token::kBracketOpen, 0);
}

void AreLexer::InExpression(std::uint32_t c) {
  switch (c) {
    case '|':
      return Set(Token::kOr);
    case '*':
      return Quantifier(Token::kStar);
    case '+':
      return Quantifier(Token::kPlus);
    case '?':
      return Quantifier(Token::kQuestion);
    case '{':
      if (flags_.expanded) SkipExpanded();
      if (failed()) return;
      if (AtEnd() || !Is(CharClass::kDigit, pattern_[now_])) {
        if (!failed()) Set(Token::kPlain, c);
        return;
      }
      where_ = Where::kBound;
      return Set(Token::kBoundOpen);
    case '(':
      return OpenParenthesis();
    case ')':
      return Set(Token::kClose, c);
    case '[':
      return OpenBracket();
    case '.':
      return Set(Token::kDot);
    case '^':
      return Set(Token::kCaret);
    case '$':
      return Set(Token::kDollar);
    case '\\':
      if (AtEnd()) return Fail("invalid escape \\ sequence");
      if (flags_.advanced) return Escape();
      return Set(Token::kPlain, pattern_[now_++]);
    default:
      return Set(Token::kPlain, c);
  }
}

void AreLexer::Escape() {
  const std::uint32_t c = pattern_[now_++];
  const auto shorthand = [&](Token token, CharClass char_class) {
    Set(token, static_cast<std::uint32_t>(char_class));
  };
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (c >= '0' && c <= '9') return NumericEscape(c);
  if (!letter) return Set(Token::kPlain, c);
  switch (c) {
    case 'a':
      return Set(Token::kPlain, 7);
    case 'A':
      return Set(Token::kTextStart);
    case 'b':
      return Set(Token::kPlain, '\b');
    case 'B':
      return Set(Token::kPlain, '\\');
    case 'c':
      if (AtEnd()) return Fail("invalid escape \\ sequence");
      return Set(Token::kPlain, pattern_[now_++] & 037);
    case 'd':
      return shorthand(Token::kShorthand, CharClass::kDigit);
    case 'D':
      return shorthand(Token::kNoShorthand, CharClass::kDigit);
    case 'e':
      return Set(Token::kPlain, 033);
    case 'f':
      return Set(Token::kPlain, '\f');
    case 'm':
      return Set(Token::kWordStart);
    case 'M':
      return Set(Token::kWordEnd);
    case 'n':
      return Set(Token::kPlain, '\n');
    case 'r':
      return Set(Token::kPlain, '\r');
    case 's':
      return shorthand(Token::kShorthand, CharClass::kSpace);
    case 'S':
      return shorthand(Token::kNoShorthand, CharClass::kSpace);
    case 't':
      return Set(Token::kPlain, '\t');
    case 'u':
      return CodeEscape(4, 4);
    case 'U':
      return CodeEscape(8, 8);
    case 'v':
      return Set(Token::kPlain, '\v');
    case 'w':
      return shorthand(Token::kShorthand, CharClass::kWord);
    case 'W':
      return shorthand(Token::kNoShorthand, CharClass::kWord);
    case 'x':
      return CodeEscape(1, 255);
    case 'y':
      return Set(Token::kWordEdge);
    case 'Y':
      return Set(Token::kNoWordEdge);
    case 'Z':
      return Set(Token::kTextEnd);
    default:
      return Fail("invalid escape \\ sequence");
  }
}

void AreLexer::CodeEscape(int shortest, int longest) {
  constexpr std::uint32_t kLastChr = 0x7ffffffe;
  const std::uint32_t c = Digits(16, shortest, longest);
  if (failed() || c > kLastChr) return Fail("invalid escape \\ sequence");
  Set(Token::kPlain, c);
}

void AreLexer::NumericEscape(std::uint32_t c) {
  if (c != '0') {
    const std::size_t behind_first = now_--;
    const std::uint32_t n = Digits(10, 1, 255);
    if (now_ == behind_first || (n > 0 && n <= captures_ && n < 0x80000000u))
      return Set(Token::kBackReference, n);
    now_ = behind_first;  // an octal number then
  }
  --now_;
  std::uint32_t code = Digits(8, 1, 3);
  if (failed()) return Fail("invalid escape \\ sequence");
  if (code > 0xff) {
    --now_;
    code >>= 3;
  }
  Set(Token::kPlain, code);
}

std::uint32_t AreLexer::Digits(std::uint32_t base, int shortest, int longest) {
  std::uint32_t n = 0;  // wraps around as the server's does
  int length = 0;
  for (; length < longest && !AtEnd(); ++length, ++now_) {
    const std::uint32_t c = pattern_[now_];
    std::uint32_t digit = base;
    if (c >= '0' && c <= '9') digit = c - '0';
    if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
    if (digit >= base) break;
    n = n * base + digit;
  }
  if (length < shortest) Fail("invalid escape \\ sequence");
  return n;
}

}  // namespace relcache
