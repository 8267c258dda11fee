#include "relcache/types/internal/json.h"

#include <cstdio>
#include <vector>

#include "relcache/types/internal/hex.h"
#include "relcache/types/internal/input_error.h"
#include "relcache/types/internal/text.h"

namespace relcache {
namespace {

enum class Token : std::uint8_t {
  kEnd,
  kString,
  kNumber,
  kObjectStart,
  kObjectEnd,
  kArrayStart,
  kArrayEnd,
  kComma,
  kColon,
  kTrue,
  kFalse,
  kNull,
};

Error Invalid(std::string detail) {
  return Error(ErrorCode::kInvalidInput, "22P02", "invalid input syntax for type json")
      .WithDetail(std::move(detail));
}
Error EndedUnexpectedly() {
  return Invalid("The input string ended unexpectedly.");
}

// What belongs to a word when an error is reported.
bool IsWord(char c) {
  return IsAlnum(c) || c == '_' || (static_cast<unsigned char>(c) & 0x80) != 0;
}

void AppendUtf8(std::string& out, std::uint32_t c) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

class Lexer {
 public:
  Lexer(std::string_view text, bool unescape) : text_(text), unescape_(unescape) {}

  // Reads the next token, which the accessors then describe.
  Status Next();
  Token token() const { return token_; }
  std::string_view token_text() const { return text_.substr(start_, at_ - start_); }
  const std::string& string() const { return string_; }

 private:
  Status String();
  Status UnicodeEscape();
  Status SimpleEscape();
  Status Number();
  Status Word();
  tl::unexpected<Error> InvalidToken(std::size_t end) {
    return Fail(
        Invalid("Token \"" + std::string(text_.substr(start_, end - start_)) + "\" is invalid."));
  }
  bool Done() const { return at_ >= text_.size(); }
  char Peek() const { return Done() ? '\0' : text_[at_]; }
  std::size_t CharEnd(std::size_t at) const { return at + CharClip(text_.substr(at), 1); }

  std::string_view text_;
  bool unescape_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
  Token token_ = Token::kEnd;
  std::string string_;
  std::int32_t high_surrogate_ = -1;
};

Status Lexer::Next() {
  while (!Done() && (Peek() == ' ' || Peek() == '\t' || Peek() == '\n' || Peek() == '\r')) ++at_;
  start_ = at_;
  if (Done()) {
    token_ = Token::kEnd;
    return {};
  }
  const auto single = [this](Token token) -> Status {
    ++at_;
    token_ = token;
    return {};
  };
  switch (Peek()) {
    case '{':
      return single(Token::kObjectStart);
    case '}':
      return single(Token::kObjectEnd);
    case '[':
      return single(Token::kArrayStart);
    case ']':
      return single(Token::kArrayEnd);
    case ',':
      return single(Token::kComma);
    case ':':
      return single(Token::kColon);
    case '"':
      return String();
    default:
      return Peek() == '-' || IsDigit(Peek()) ? Number() : Word();
  }
}

Status Lexer::Word() {
  while (!Done() && IsWord(Peek())) ++at_;
  if (at_ == start_) return InvalidToken(start_ + 1);
  const std::string_view word = token_text();
  if (word == "true")
    token_ = Token::kTrue;
  else if (word == "false")
    token_ = Token::kFalse;
  else if (word == "null")
    token_ = Token::kNull;
  else
    return InvalidToken(at_);
  return {};
}

Status Lexer::Number() {
  bool good = true;
  const auto digits = [this] {
    const std::size_t from = at_;
    while (IsDigit(Peek())) ++at_;
    return at_ > from;
  };
  if (Peek() == '-') ++at_;
  if (Peek() == '0')
    ++at_;
  else
    good = digits();
  if (Peek() == '.') {
    ++at_;
    if (!digits()) good = false;
  }
  if (Peek() == 'e' || Peek() == 'E') {
    ++at_;
    if (Peek() == '+' || Peek() == '-') ++at_;
    if (!digits()) good = false;
  }
  // Letters behind a number belong to the token that the error shows.
  for (; !Done() && IsWord(Peek()); ++at_) good = false;
  if (!good) return InvalidToken(at_);
  token_ = Token::kNumber;
  return {};
}

Status Lexer::UnicodeEscape() {
  std::uint32_t c = 0;
  for (int i = 0; i < 4; ++i) {
    ++at_;
    if (Done()) return InvalidToken(at_);
    const int digit = HexValue(Peek());
    if (digit < 0) return Fail(Invalid("\"\\u\" must be followed by four hexadecimal digits."));
    c = c * 16 + static_cast<std::uint32_t>(digit);
  }
  // The type json keeps the text as it is and does not look at what an escape stands for.
  if (!unescape_) return {};
  constexpr const char* kLow = "Unicode low surrogate must follow a high surrogate.";
  if (c >= 0xd800 && c <= 0xdbff) {
    if (high_surrogate_ != -1)
      return Fail(Invalid("Unicode high surrogate must not follow a high surrogate."));
    high_surrogate_ = static_cast<std::int32_t>(c);
    return {};
  }
  if (c >= 0xdc00 && c <= 0xdfff) {
    if (high_surrogate_ == -1) return Fail(Invalid(kLow));
    c = ((static_cast<std::uint32_t>(high_surrogate_) & 0x3ff) << 10) + 0x10000 + (c & 0x3ff);
    high_surrogate_ = -1;
  }
  if (high_surrogate_ != -1) return Fail(Invalid(kLow));
  if (c == 0) {
    return Fail(Error(ErrorCode::kInvalidInput, "22P05", "unsupported Unicode escape sequence")
                    .WithDetail("\\u0000 cannot be converted to text."));
  }
  AppendUtf8(string_, c);
  return {};
}

Status Lexer::SimpleEscape() {
  static constexpr std::string_view kLetters = "\"\\/bfnrt";
  static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (high_surrogate_ != -1)
    return Fail(Invalid("Unicode low surrogate must follow a high surrogate."));
  const std::size_t which = kLetters.find(Peek());
  if (which == std::string_view::npos) {
    return Fail(Invalid("Escape sequence \"\\" +
                        std::string(text_.substr(at_, CharEnd(at_) - at_)) + "\" is invalid."));
  }
  string_ += kMeanings[which];
  return {};
}

Status Lexer::String() {
  string_.clear();
  high_surrogate_ = -1;
  while (true) {
    ++at_;
    if (Done()) return InvalidToken(at_);
    const char c = Peek();
    if (c == '"') break;
    if (static_cast<unsigned char>(c) < 32) {
      char value[8];
      std::snprintf(value, sizeof value, "0x%02x", static_cast<unsigned char>(c));
      return Fail(Invalid("Character with value " + std::string(value) + " must be escaped."));
    }
    if (c == '\\') {
      ++at_;
      if (Done()) return InvalidToken(at_);
      RELCACHE_TRY(Peek() == 'u' ? UnicodeEscape() : SimpleEscape());
      continue;
    }
    if (high_surrogate_ != -1) break;  // only an escaped low surrogate may follow
    string_ += c;
  }
  if (high_surrogate_ != -1)
    return Fail(Invalid("Unicode low surrogate must follow a high surrogate."));
  ++at_;
  token_ = Token::kString;
  return {};
}

// The grammar, with the open containers on a stack of its own.
class Parser {
 public:
  Parser(std::string_view text, JsonHandler* handler)
      : lexer_(text, handler != nullptr), handler_(handler) {}
  Status Parse();

 private:
  Status Value();
  Status Field();
  // A token that does not fit: EXPECTED, but found "TOKEN".
  Error Unexpected(const std::string& expected) const {
    if (lexer_.token() == Token::kEnd) return EndedUnexpectedly();
    return Invalid("Expected " + expected + ", but found \"" + std::string(lexer_.token_text()) +
                   "\".");
  }
  Lexer lexer_;
  JsonHandler* handler_;
  std::vector<bool> open_;  // true: an object
};

// The value that the current token begins, and the token after it; a container stays open. The next
// token comes first: what is wrong with it is reported before what is wrong with the value.
Status Parser::Value() {
  const Token token = lexer_.token();
  // Copied, because reading the next token replaces it.
  const std::string text(token == Token::kString ? lexer_.string() : lexer_.token_text());
  switch (token) {
    case Token::kObjectStart:
    case Token::kArrayStart:
    case Token::kString:
    case Token::kNumber:
    case Token::kTrue:
    case Token::kFalse:
    case Token::kNull:
      RELCACHE_TRY(lexer_.Next());
      break;
    default:
      return Fail(Unexpected("JSON value"));
  }
  const bool container = token == Token::kObjectStart || token == Token::kArrayStart;
  if (container) open_.push_back(token == Token::kObjectStart);
  if (handler_ == nullptr) return {};
  switch (token) {
    case Token::kObjectStart:
      return handler_->ObjectStart();
    case Token::kArrayStart:
      return handler_->ArrayStart();
    case Token::kString:
      return handler_->String(text);
    case Token::kNumber:
      return handler_->Number(text);
    case Token::kNull:
      return handler_->Null();
    default:
      return handler_->Bool(token == Token::kTrue);
  }
}

// The current token is a key: reads on to the beginning of its value.
Status Parser::Field() {
  if (lexer_.token() != Token::kString) return Fail(Unexpected("string"));
  if (handler_ != nullptr) RELCACHE_TRY(handler_->Key(lexer_.string()));
  RELCACHE_TRY(lexer_.Next());
  if (lexer_.token() != Token::kColon) return Fail(Unexpected("\":\""));
  return lexer_.Next();
}

Status Parser::Parse() {
  RELCACHE_TRY(lexer_.Next());
  while (true) {
    const std::size_t depth = open_.size();
    RELCACHE_TRY(Value());
    bool first = open_.size() > depth;
    // Closes what ends here; goes on with the next element or field.
    while (true) {
      if (open_.empty()) {
        if (lexer_.token() == Token::kEnd) return {};
        return Fail(Unexpected("end of input"));
      }
      const bool object = open_.back();
      if (lexer_.token() == (object ? Token::kObjectEnd : Token::kArrayEnd)) {
        open_.pop_back();
        if (handler_ != nullptr)
          RELCACHE_TRY(object ? handler_->ObjectEnd() : handler_->ArrayEnd());
        RELCACHE_TRY(lexer_.Next());
        first = false;
        continue;
      }
      if (first) {
        if (!object) break;
        if (lexer_.token() != Token::kString) return Fail(Unexpected("string or \"}\""));
        RELCACHE_TRY(Field());
        break;
      }
      if (lexer_.token() != Token::kComma)
        return Fail(Unexpected(object ? "\",\" or \"}\"" : "\",\" or \"]\""));
      RELCACHE_TRY(lexer_.Next());
      if (object) RELCACHE_TRY(Field());
      break;
    }
  }
}

}  // namespace

Status ParseJson(std::string_view text, JsonHandler* handler) {
  return Parser(text, handler).Parse();
}

Result<Datum> JsonIn(std::string_view text, MemoryContext& cx) {
  RELCACHE_TRY(ParseJson(text, nullptr));
  return MakeVarlena(text, cx);
}

void AppendJsonString(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '"':
      case '\\':
        out += '\\';
        out += c;
        break;
      default:
        if (static_cast<unsigned char>(c) < ' ') {
          char escape[8];
          std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned char>(c));
          out += escape;
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

}  // namespace relcache
