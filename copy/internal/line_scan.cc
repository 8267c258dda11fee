#include "relcache/copy/internal/line_scan.h"

#include <cstring>

#include "relcache/types/internal/text.h"

namespace relcache::internal {
namespace {

bool IsOctal(char c) {
  return c >= '0' && c <= '7';
}
int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The scan of one line.
class Scan {
 public:
  Scan(const CopySyntax& syntax, std::string_view data, bool at_end, LineEnd& line_end)
      : syntax_(syntax),
        data_(data),
        at_end_(at_end),
        line_end_(line_end),
        escape_(syntax.csv && syntax.escape != syntax.quote ? syntax.escape : '\0') {}

  ScannedLine Run() {
    while (at_ < data_.size()) {
      const char c = data_[at_];
      if (syntax_.csv) {
        Quote(c);
        if (in_quote_ && c == (line_end_ == LineEnd::kLf ? '\n' : '\r')) ++out_.newlines;
      }
      const bool quoted = syntax_.csv && in_quote_;
      if (c == '\r' && !quoted) {
        if (CarriageReturn()) return out_;
      } else if (c == '\n' && !quoted) {
        if (Newline()) return out_;
      } else if (c == '\\' && (!syntax_.csv || at_ == 0)) {
        if (Backslash()) return out_;
      } else {
        ++at_;
      }
      if (out_.outcome == ScannedLine::Outcome::kNeedMore) return out_;
    }
    if (!at_end_) {
      out_.outcome = ScannedLine::Outcome::kNeedMore;
    } else {
      out_.size = out_.next = data_.size();
    }
    return out_;
  }

 private:
  void Quote(char c) {
    if (in_quote_ && escape_ != '\0' && c == escape_) last_was_escape_ = !last_was_escape_;
    if (c == syntax_.quote && !last_was_escape_) in_quote_ = !in_quote_;
    if (escape_ == '\0' || c != escape_) last_was_escape_ = false;
  }

  void Fault(const char* message) {
    if (out_.fault != nullptr) return;
    out_.fault = message;
    out_.fault_at = at_;
  }
  bool End(std::size_t terminator) {
    out_.size = at_;
    out_.next = at_ + terminator;
    return true;
  }
  bool NeedMore() {
    out_.outcome = ScannedLine::Outcome::kNeedMore;
    return true;
  }

  bool CarriageReturn() {
    const char* const message = syntax_.csv ? "unquoted carriage return found in data"
                                            : "literal carriage return found in data";
    if (line_end_ == LineEnd::kUnknown || line_end_ == LineEnd::kCrLf) {
      if (at_ + 1 == data_.size() && !at_end_) return NeedMore();
      if (at_ + 1 < data_.size() && data_[at_ + 1] == '\n') {
        line_end_ = LineEnd::kCrLf;
        return End(2);
      }
      if (line_end_ == LineEnd::kUnknown) {
        line_end_ = LineEnd::kCr;
        return End(1);
      }
      Fault(message);
    } else if (line_end_ == LineEnd::kLf) {
      Fault(message);
    } else {
      return End(1);
    }
    ++at_;
    return false;
  }

  bool Newline() {
    if (line_end_ == LineEnd::kCr || line_end_ == LineEnd::kCrLf) {
      Fault(syntax_.csv ? "unquoted newline found in data" : "literal newline found in data");
      if (line_end_ == LineEnd::kCrLf) return End(1);
      ++at_;
      return false;
    }
    line_end_ = LineEnd::kLf;
    return End(1);
  }

  /// In CSV at the beginning of a line only, where \. alone on the line ends the data.
  bool Backslash() {
    if (at_ + 1 == data_.size()) {
      if (!at_end_) return NeedMore();
      ++at_;
      return false;
    }
    if (data_[at_ + 1] == '.') return EndMarker();
    at_ += syntax_.csv ? 1 : 2;
    return false;
  }

  bool EndMarker() {
    std::size_t next = at_ + 2;
    const auto byte = [&](std::size_t i) { return i < data_.size() ? data_[i] : '\0'; };
    const std::size_t needed = line_end_ == LineEnd::kCrLf ? 2 : 1;
    if (next + needed > data_.size() && !at_end_) return NeedMore();
    if (line_end_ == LineEnd::kCrLf) {
      const char c = byte(next++);
      if (c != '\r') {
        if (syntax_.csv) return IsData();
        Fault(c == '\n' ? "end-of-copy marker does not match previous newline style"
                        : "end-of-copy marker corrupt");
        return IsData();
      }
    }
    const char c = byte(next);
    if (c != '\r' && c != '\n') {
      if (!syntax_.csv) Fault("end-of-copy marker corrupt");
      return IsData();
    }
    if ((line_end_ == LineEnd::kLf && c != '\n') || (line_end_ == LineEnd::kCrLf && c != '\n') ||
        (line_end_ == LineEnd::kCr && c != '\r')) {
      Fault("end-of-copy marker does not match previous newline style");
      return IsData();
    }
    out_.outcome = ScannedLine::Outcome::kEndMarker;
    out_.size = at_;
    out_.next = next + 1;
    return true;
  }
  bool IsData() {
    at_ += syntax_.csv ? 1 : 2;
    return false;
  }

  const CopySyntax& syntax_;
  const std::string_view data_;
  const bool at_end_;
  LineEnd& line_end_;
  /// '\0' where ESCAPE is QUOTE, which then simply opens and closes.
  const char escape_;
  std::size_t at_ = 0;
  bool in_quote_ = false;
  bool last_was_escape_ = false;
  ScannedLine out_;
};

/// The end of the first field of text format: an unescaped delimiter, or the end.
std::size_t EndOfTextField(std::string_view line, std::size_t at, char delimiter) {
  for (; at < line.size(); ++at) {
    if (line[at] == delimiter) return at;
    if (line[at] == '\\') ++at;
  }
  return line.size();
}

std::size_t EndOfCsvField(const CopySyntax& syntax, std::string_view line, std::size_t at) {
  bool in_quote = false;
  for (; at < line.size(); ++at) {
    const char c = line[at];
    if (!in_quote) {
      if (c == syntax.delimiter) return at;
      in_quote = c == syntax.quote;
      continue;
    }
    if (c == syntax.escape && at + 1 < line.size() &&
        (line[at + 1] == syntax.escape || line[at + 1] == syntax.quote)) {
      ++at;
    } else if (c == syntax.quote) {
      in_quote = false;
    }
  }
  return line.size();
}

}  // namespace

Error BadFormat(std::string message) {
  return {ErrorCode::kInvalidInput, "22P04", std::move(message)};
}

ScannedLine ScanLine(const CopySyntax& syntax, std::string_view data, bool at_end,
                     LineEnd& line_end) {
  return Scan(syntax, data, at_end, line_end).Run();
}

Result<Field> UnescapeText(const CopySyntax& syntax, std::string_view raw, MemoryContext& cx) {
  // A backslash at the very end stands for nothing, and is not part of what NULL is compared with.
  std::size_t backslashes = 0;
  while (backslashes < raw.size() && raw[raw.size() - 1 - backslashes] == '\\') ++backslashes;
  const std::string_view kept = backslashes % 2 == 1 ? raw.substr(0, raw.size() - 1) : raw;
  if (kept == syntax.null_text) return Field{};
  char* const out = static_cast<char*>(cx.Allocate(kept.size() + 1));
  char* to = out;
  bool verify = false;
  for (std::size_t at = 0; at < kept.size();) {
    char c = kept[at++];
    if (c == '\\' && at < kept.size()) {
      c = kept[at++];
      if (IsOctal(c)) {
        int value = c - '0';
        for (int digits = 1; digits < 3 && at < kept.size() && IsOctal(kept[at]); ++digits)
          value = value * 8 + (kept[at++] - '0');
        c = static_cast<char>(value & 0377);
        verify = verify || c == '\0' || (value & 0200) != 0;
      } else if (c == 'x' && at < kept.size() && HexDigit(kept[at]) >= 0) {
        int value = HexDigit(kept[at++]);
        if (at < kept.size() && HexDigit(kept[at]) >= 0) value = value * 16 + HexDigit(kept[at++]);
        c = static_cast<char>(value);
        verify = verify || c == '\0' || (value & 0200) != 0;
      } else {
        constexpr std::string_view kLetters = "bfnrtv", kMeanings = "\b\f\n\r\t\v";
        if (const std::size_t letter = kLetters.find(c); letter != std::string_view::npos)
          c = kMeanings[letter];
      }
    }
    *to++ = c;
  }
  const Field field{out, static_cast<std::uint32_t>(to - out)};
  if (verify) RELCACHE_TRY(CheckUtf8(field.text()));
  return field;
}

Result<Field> UnquoteCsv(const CopySyntax& syntax, std::string_view raw, MemoryContext& cx) {
  char* const out = static_cast<char*>(cx.Allocate(raw.size() + 1));
  char* to = out;
  bool in_quote = false, saw_quote = false;
  for (std::size_t at = 0; at < raw.size(); ++at) {
    const char c = raw[at];
    if (!in_quote) {
      if (c == syntax.quote) {
        in_quote = saw_quote = true;
      } else {
        *to++ = c;
      }
      continue;
    }
    if (c == syntax.escape && at + 1 < raw.size() &&
        (raw[at + 1] == syntax.escape || raw[at + 1] == syntax.quote)) {
      *to++ = raw[++at];
    } else if (c == syntax.quote) {
      in_quote = false;
    } else {
      *to++ = c;
    }
  }
  if (in_quote) return Fail(BadFormat("unterminated CSV quoted field"));
  if (!saw_quote && raw == syntax.null_text) return Field{};
  return Field{out, static_cast<std::uint32_t>(to - out)};
}

Status SplitLine(const CopySyntax& syntax, std::string_view line, std::vector<Field>& fields,
                 MemoryContext& cx) {
  fields.clear();
  for (std::size_t at = 0;;) {
    const std::size_t end =
        syntax.csv ? EndOfCsvField(syntax, line, at) : EndOfTextField(line, at, syntax.delimiter);
    const std::string_view raw = line.substr(at, end - at);
    const char special = syntax.csv ? syntax.quote : '\\';
    if (raw.find(special) == std::string_view::npos) {
      const bool is_null = raw == syntax.null_text;
      fields.push_back(is_null ? Field{}
                               : Field{raw.data(), static_cast<std::uint32_t>(raw.size())});
    } else {
      RELCACHE_ASSIGN(const Field field,
                      syntax.csv ? UnquoteCsv(syntax, raw, cx) : UnescapeText(syntax, raw, cx));
      fields.push_back(field);
    }
    if (end >= line.size()) return {};
    at = end + 1;
    if (at == line.size()) {  // a delimiter at the end is followed by an empty field
      fields.push_back(syntax.null_text.empty() ? Field{} : Field{line.data() + at, 0});
      return {};
    }
  }
}

}  // namespace relcache::internal
