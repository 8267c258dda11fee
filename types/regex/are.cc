#include "relcache/types/regex/are.h"

#include <algorithm>
#include <iterator>

#include "relcache/types/regex/are_lexer.h"

namespace relcache {
namespace {

using Token = AreLexer::Token;
using Kind = RegexNode::Kind;

/// The names of collating elements that are not one character long.
struct ElementName {
  const char* name;
  char code;
};
constexpr ElementName kElementNames[] = {
    {"NUL", 0},
    {"SOH", 1},
    {"STX", 2},
    {"ETX", 3},
    {"EOT", 4},
    {"ENQ", 5},
    {"ACK", 6},
    {"BEL", 7},
    {"alert", 7},
    {"BS", 8},
    {"backspace", 8},
    {"HT", 9},
    {"tab", 9},
    {"LF", 10},
    {"newline", 10},
    {"VT", 11},
    {"vertical-tab", 11},
    {"FF", 12},
    {"form-feed", 12},
    {"CR", 13},
    {"carriage-return", 13},
    {"SO", 14},
    {"SI", 15},
    {"DLE", 16},
    {"DC1", 17},
    {"DC2", 18},
    {"DC3", 19},
    {"DC4", 20},
    {"NAK", 21},
    {"SYN", 22},
    {"ETB", 23},
    {"CAN", 24},
    {"EM", 25},
    {"SUB", 26},
    {"ESC", 27},
    {"IS4", 28},
    {"FS", 28},
    {"IS3", 29},
    {"GS", 29},
    {"IS2", 30},
    {"RS", 30},
    {"IS1", 31},
    {"US", 31},
    {"space", ' '},
    {"exclamation-mark", '!'},
    {"quotation-mark", '"'},
    {"number-sign", '#'},
    {"dollar-sign", '$'},
    {"percent-sign", '%'},
    {"ampersand", '&'},
    {"apostrophe", '\''},
    {"left-parenthesis", '('},
    {"right-parenthesis", ')'},
    {"asterisk", '*'},
    {"plus-sign", '+'},
    {"comma", ','},
    {"hyphen", '-'},
    {"hyphen-minus", '-'},
    {"period", '.'},
    {"full-stop", '.'},
    {"slash", '/'},
    {"solidus", '/'},
    {"zero", '0'},
    {"one", '1'},
    {"two", '2'},
    {"three", '3'},
    {"four", '4'},
    {"five", '5'},
    {"six", '6'},
    {"seven", '7'},
    {"eight", '8'},
    {"nine", '9'},
    {"colon", ':'},
    {"semicolon", ';'},
    {"less-than-sign", '<'},
    {"equals-sign", '='},
    {"greater-than-sign", '>'},
    {"question-mark", '?'},
    {"commercial-at", '@'},
    {"left-square-bracket", '['},
    {"backslash", '\\'},
    {"reverse-solidus", '\\'},
    {"right-square-bracket", ']'},
    {"circumflex", '^'},
    {"circumflex-accent", '^'},
    {"underscore", '_'},
    {"low-line", '_'},
    {"grave-accent", '`'},
    {"left-brace", '{'},
    {"left-curly-bracket", '{'},
    {"vertical-line", '|'},
    {"right-brace", '}'},
    {"right-curly-bracket", '}'},
    {"tilde", '~'},
    {"DEL", 127},
};

/// In the order of CharClass. "word" is a name from 14 on.
constexpr const char* kClassNames[] = {"alnum", "alpha", "ascii",  "blank", "cntrl",
                                       "digit", "graph", "lower",  "print", "punct",
                                       "space", "upper", "xdigit", "word"};

class AreParser {
 public:
  AreParser(std::span<const std::uint32_t> pattern, const RegexFlags& flags,
            const RegexLocale& locale, ServerVersion version, RegexTree& tree)
      : lexer_(pattern, flags, locale, version), locale_(locale), version_(version), tree_(tree) {}

  Status Run() {
    lexer_.Begin();
    tree_.ignore_case = lexer_.flags().ignore_case;
    if (!lexer_.failed()) tree_.root = Alternation(Token::kEnd, false, 0);
    if (lexer_.failed()) return relcache::Fail(lexer_.TakeError());
    return {};
  }

 private:
  static constexpr int kDeepest = 100;

  const RegexNode* Alternation(Token stopper, bool looking, int depth) {
    RegexNode* out = tree_.Make(Kind::kAlternation);
    if (depth > kDeepest) {
      lexer_.Refuse("regular expression with more than " + std::to_string(kDeepest) +
                    " nested parentheses");
      return out;
    }
    do {
      RegexNode* branch = tree_.Make(Kind::kConcat);
      out->children.push_back(branch);
      while (!Sees(Token::kOr) && !Sees(stopper) && !Sees(Token::kEnd)) {
        const RegexNode* item = Item(looking, depth);
        if (lexer_.failed()) return out;
        branch->children.push_back(item);
      }
    } while (lexer_.Eat(Token::kOr));
    if (!Sees(stopper)) lexer_.Fail("parentheses () not balanced");
    return out;
  }

  bool Sees(Token token) const { return lexer_.Sees(token); }

  const RegexNode* Assert(RegexAssertion what) {
    RegexNode* out = tree_.Make(Kind::kAssertion);
    out->assertion = what;
    if (what >= RegexAssertion::kWordStart) {
      NeedClass(CharClass::kAlnum);
      tree_.has_word_edges = true;
    }
    lexer_.Next();
    return out;
  }

  const RegexNode* Look(int depth) {
    RegexNode* out = tree_.Make(Kind::kLook);
    out->ahead = (lexer_.value() & AreLexer::kAhead) != 0;
    out->negative = (lexer_.value() & AreLexer::kNegative) != 0;
    tree_.has_look = true;
    lexer_.Next();
    out->children.push_back(Alternation(Token::kClose, true, depth + 1));
    if (!lexer_.failed()) lexer_.Next();
    return out;
  }

  /// An assertion, or an atom with its quantifier.
  const RegexNode* Item(bool looking, int depth) {
    const bool lines = lexer_.flags().newline_anchors;
    switch (lexer_.token()) {
      case Token::kCaret:
        return Assert(lines ? RegexAssertion::kLineStart : RegexAssertion::kTextStart);
      case Token::kDollar:
        return Assert(lines ? RegexAssertion::kLineEnd : RegexAssertion::kTextEnd);
      case Token::kTextStart:
        return Assert(RegexAssertion::kTextStart);
      case Token::kTextEnd:
        return Assert(RegexAssertion::kTextEnd);
      case Token::kWordStart:
        return Assert(RegexAssertion::kWordStart);
      case Token::kWordEnd:
        return Assert(RegexAssertion::kWordEnd);
      case Token::kWordEdge:
        return Assert(RegexAssertion::kWordEdge);
      case Token::kNoWordEdge:
        return Assert(RegexAssertion::kNoWordEdge);
      case Token::kLook:
        return Look(depth);
      default:
        break;
    }
    const RegexNode* atom = Atom(looking, depth);
    if (lexer_.failed()) return atom;
    return Quantified(atom);
  }

  const RegexNode* Atom(bool looking, int depth) {
    switch (lexer_.token()) {
      case Token::kClose:
        if (lexer_.flags().advanced || !lexer_.flags().extended) {
          lexer_.Fail("parentheses () not balanced");
          return nullptr;
        }
        [[fallthrough]];
      case Token::kPlain: {
        CodePoints set;
        AddCharacter(lexer_.value(), set);
        lexer_.Next();
        return SetNode(std::move(set));
      }
      case Token::kBracketOpen:
        return Bracket();
      case Token::kShorthand:
      case Token::kNoShorthand: {
        CodePoints set = Class(static_cast<CharClass>(lexer_.value()));
        if (Sees(Token::kNoShorthand)) {
          set.Complement();
          if (version_.major() < 14 && lexer_.flags().newline_stops) set.Remove('\n');
        }
        lexer_.Next();
        return SetNode(std::move(set));
      }
      case Token::kDot: {
        CodePoints set = CodePoints::All();
        if (lexer_.flags().newline_stops) set.Remove('\n');
        lexer_.Next();
        return SetNode(std::move(set));
      }
      case Token::kOpen:
        return Parenthesis(looking, depth);
      case Token::kBackReference:
        return BackReference(looking);
      case Token::kStar:
      case Token::kPlus:
      case Token::kQuestion:
      case Token::kBoundOpen:
        lexer_.Fail("quantifier operand invalid");
        return nullptr;
      default:
        lexer_.Fail("\"cannot happen\" -- you found a bug");
        return nullptr;
    }
  }

  const RegexNode* Parenthesis(bool looking, int depth) {
    std::uint32_t capture = 0;
    const bool captures = !looking && lexer_.value() == 1;
    if (captures) {
      capture = static_cast<std::uint32_t>(tree_.captures.size());
      tree_.captures.push_back(nullptr);
      lexer_.set_captures(capture);
    }
    lexer_.Next();
    const RegexNode* inner = Alternation(Token::kClose, looking, depth + 1);
    if (lexer_.failed()) return inner;
    lexer_.Next();
    if (!captures) return inner;
    RegexNode* out = tree_.Make(Kind::kCapture);
    out->number = capture;
    out->children.push_back(inner);
    tree_.captures[capture] = out;
    return out;
  }

  const RegexNode* BackReference(bool looking) {
    const std::uint32_t n = lexer_.value();
    if (looking || n >= tree_.captures.size() || tree_.captures[n] == nullptr) {
      lexer_.Fail("invalid backreference number");
      return nullptr;
    }
    RegexNode* out = tree_.Make(Kind::kBackReference);
    out->number = n;
    tree_.has_back_references = true;
    lexer_.Next();
    return out;
  }

  int Number() {
    constexpr int kMost = 255;
    int n = 0;
    while (Sees(Token::kDigit) && n < kMost) {
      n = n * 10 + static_cast<int>(lexer_.value());
      lexer_.Next();
    }
    if (!Sees(Token::kDigit) && n <= kMost) return n;
    lexer_.Fail("invalid repetition count(s)");
    return 0;
  }

  const RegexNode* Quantified(const RegexNode* atom) {
    int min = 1, max = 1;
    RegexPreference prefers = RegexPreference::kNone;
    const auto preference = [&] {
      return lexer_.value() != 0 ? RegexPreference::kLonger : RegexPreference::kShorter;
    };
    switch (lexer_.token()) {
      case Token::kStar:
      case Token::kPlus:
      case Token::kQuestion:
        min = Sees(Token::kPlus) ? 1 : 0;
        max = Sees(Token::kQuestion) ? 1 : kRegexInfinity;
        prefers = preference();
        lexer_.Next();
        break;
      case Token::kBoundOpen:
        lexer_.Next();
        min = max = Number();
        if (lexer_.Eat(Token::kComma)) {
          max = Sees(Token::kDigit) ? Number() : kRegexInfinity;
          if (max != kRegexInfinity && min > max) {
            lexer_.Fail("invalid repetition count(s)");
            return atom;
          }
          prefers = preference();
        }
        if (!Sees(Token::kBoundClose)) {
          lexer_.Fail("invalid repetition count(s)");
          return atom;
        }
        lexer_.Next();
        break;
      default:
        return atom;
    }
    if (min == 0 && max == 0) {
      return tree_.Make(Kind::kEmpty);
    }
    RegexNode* out = tree_.Make(Kind::kRepeat);
    out->min = min;
    out->max = max;
    out->prefers = prefers;
    out->children.push_back(atom);
    return out;
  }

  // ---- Sets

  const RegexNode* SetNode(CodePoints set) {
    RegexNode* out = tree_.Make(Kind::kSet);
    const auto found = std::find(tree_.sets.begin(), tree_.sets.end(), set);
    out->number = static_cast<std::uint32_t>(found - tree_.sets.begin());
    if (found == tree_.sets.end()) tree_.sets.push_back(std::move(set));
    return out;
  }

  /// Says what a class' members depend on.
  void NeedClass(CharClass char_class) {
    switch (char_class) {
      case CharClass::kAscii:
      case CharClass::kBlank:
      case CharClass::kCntrl:
      case CharClass::kXdigit:
        return;
      case CharClass::kDigit:
        // ISO C has no other digits; ICU has.
        if (locale_.tables != RegexLocale::Tables::kIcu) return;
        break;
      default:
        break;
    }
    tree_.ascii_texts_only |= locale_.ascii_only;
    if (locale_.classes_unknown)
      lexer_.Refuse("regular expression with a class of characters " + std::string(locale_.name));
  }
  CodePoints Class(CharClass char_class) {
    if (lexer_.flags().ignore_case &&
        (char_class == CharClass::kLower || char_class == CharClass::kUpper))
      char_class = CharClass::kAlpha;
    NeedClass(char_class);
    return ClassMembers(locale_.tables, char_class);
  }

  void NeedCase(std::uint32_t c) {
    if (locale_.case_unknown) {
      lexer_.Refuse("regular expression that ignores case " + std::string(locale_.name));
    } else if (locale_.ascii_only) {
      tree_.ascii_texts_only = true;
      if (c >= 0x80)
        lexer_.Refuse("regular expression that ignores the case of characters outside ASCII " +
                      std::string(locale_.name));
    }
  }

  /// A character, or its lower and upper forms, of which it need not be one.
  void AddCharacter(std::uint32_t c, CodePoints& set) {
    if (!lexer_.flags().ignore_case) return set.Add(c);
    NeedCase(c);
    set.Add(RegexToLower(locale_.tables, c));
    set.Add(RegexToUpper(locale_.tables, c));
  }

  void AddRange(std::uint32_t first, std::uint32_t last, CodePoints& set) {
    if (first > last) return lexer_.Fail("invalid character range");
    set.AddRange(first, last);
    if (!lexer_.flags().ignore_case) return;
    NeedCase(last);
    for (std::uint32_t c = first; c <= std::min(last, kLastCodePoint); ++c) {
      const std::uint32_t lower = RegexToLower(locale_.tables, c);
      const std::uint32_t upper = RegexToUpper(locale_.tables, c);
      if (lower != c) set.Add(lower);
      if (upper != c) set.Add(upper);
    }
  }

  const RegexNode* Bracket() {
    const bool negated = lexer_.value() == 0;
    CodePoints set;
    lexer_.Next();
    while (!Sees(Token::kBracketClose) && !Sees(Token::kEnd)) BracketItem(set);
    if (lexer_.failed()) return nullptr;
    if (negated) {
      set.Complement();
      if (lexer_.flags().newline_stops) set.Remove('\n');
    }
    lexer_.Next();
    return SetNode(std::move(set));
  }

  /// The name between [. and .] and the like, whose opening is the present token.
  std::span<const std::uint32_t> Name() {
    const std::size_t from = lexer_.position();
    lexer_.Next();
    std::size_t to = from;
    while (Sees(Token::kPlain)) {
      to = lexer_.position();
      lexer_.Next();
    }
    lexer_.Next();
    return lexer_.pattern().subspan(from, to - from);
  }
  static bool IsName(std::span<const std::uint32_t> characters, std::string_view name) {
    return std::equal(characters.begin(), characters.end(), name.begin(), name.end());
  }

  std::uint32_t Element() {
    const std::span<const std::uint32_t> name = Name();
    if (name.empty()) lexer_.Fail("invalid collating element");
    if (lexer_.failed()) return 0;
    if (name.size() == 1) return name[0];
    for (const ElementName& known : kElementNames)
      if (IsName(name, known.name)) return static_cast<std::uint32_t>(known.code);
    lexer_.Fail("invalid collating element");
    return 0;
  }

  void NamedClass(CodePoints& set) {
    const std::span<const std::uint32_t> name = Name();
    if (name.empty()) lexer_.Fail("invalid character class");
    if (lexer_.failed()) return;
    const int names = version_.major() < 14 ? kCharClasses - 1 : kCharClasses;
    for (int i = 0; i < names; ++i)
      if (IsName(name, kClassNames[i])) return set.AddAll(Class(static_cast<CharClass>(i)));
    lexer_.Fail("invalid character class");
  }

  void BracketItem(CodePoints& set) {
    std::uint32_t first = 0;
    switch (lexer_.token()) {
      case Token::kRange:
        return lexer_.Fail("invalid character range");
      case Token::kPlain:
        first = lexer_.value();
        lexer_.Next();
        if (!Sees(Token::kRange)) return AddCharacter(first, set);
        break;
      case Token::kCollatingElement:
        first = Element();
        if (lexer_.failed()) return;
        break;
      case Token::kEquivalence:
        first = Element();
        if (!lexer_.failed()) AddCharacter(first, set);
        return;
      case Token::kClass:
        return NamedClass(set);
      case Token::kShorthand:
        set.AddAll(Class(static_cast<CharClass>(lexer_.value())));
        return lexer_.Next();
      case Token::kNoShorthand: {
        CodePoints others = Class(static_cast<CharClass>(lexer_.value()));
        others.Complement();
        set.AddAll(others);
        return lexer_.Next();
      }
      default:
        return lexer_.Fail("\"cannot happen\" -- you found a bug");
    }
    std::uint32_t last = first;
    if (Sees(Token::kRange)) {
      lexer_.Next();
      switch (lexer_.token()) {
        case Token::kPlain:
        case Token::kRange:
          last = lexer_.value();
          lexer_.Next();
          break;
        case Token::kCollatingElement:
          last = Element();
          break;
        default:
          return lexer_.Fail("invalid character range");
      }
      if (lexer_.failed()) return;
    }
    AddRange(first, last, set);
  }

  AreLexer lexer_;
  const RegexLocale& locale_;
  const ServerVersion version_;
  RegexTree& tree_;
};

}  // namespace

Status ParseRegexOptions(std::string_view options, RegexFlags& flags, bool& global) {
  while (!options.empty()) {
    const std::string_view rest = options;
    switch (TakeCodePoint(options)) {
      case 'g':
        global = true;
        break;
      case 'b':
        flags.advanced = flags.extended = flags.quote = false;
        break;
      case 'c':
        flags.ignore_case = false;
        break;
      case 'e':
        flags.extended = true;
        flags.advanced = flags.quote = false;
        break;
      case 'i':
        flags.ignore_case = true;
        break;
      case 'm':
      case 'n':
        flags.newline_stops = flags.newline_anchors = true;
        break;
      case 'p':
        flags.newline_stops = true;
        flags.newline_anchors = false;
        break;
      case 'q':
        flags.quote = true;
        flags.advanced = flags.extended = false;
        break;
      case 's':
        flags.newline_stops = flags.newline_anchors = false;
        break;
      case 't':
        flags.expanded = false;
        break;
      case 'w':
        flags.newline_stops = false;
        flags.newline_anchors = true;
        break;
      case 'x':
        flags.expanded = true;
        break;
      default:
        return Fail(ErrorCode::kEvaluation, "22023",
                    "invalid regular expression option: \"" +
                        std::string(rest.substr(0, rest.size() - options.size())) + "\"");
    }
  }
  return {};
}

Status ParseRegex(std::string_view pattern, const RegexFlags& flags, const RegexLocale& locale,
                  ServerVersion version, RegexTree& out) {
  std::vector<std::uint32_t> characters;
  characters.reserve(pattern.size());
  while (!pattern.empty()) characters.push_back(TakeCodePoint(pattern));
  return AreParser(characters, flags, locale, version, out).Run();
}

}  // namespace relcache
