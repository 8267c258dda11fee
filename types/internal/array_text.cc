// The text form of arrays, as PostgreSQL 15 reads and prints it.
#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <string>
#include <vector>

#include "relcache/base/internal/format.h"
#include "relcache/types/internal/array.h"
#include "relcache/types/internal/input_error.h"

namespace relcache {
namespace {

constexpr int kMaxDimensions = ArrayHead::kMaxDimensions;

Error TooManyDimensions(int n) {
  return Error(ErrorCode::kInvalidInput, "54000",
               Format("number of array dimensions ({}) exceeds the maximum allowed ({})", n,
                      kMaxDimensions));
}

// Reads "[1:2][3:4]={{...},{...}}".
class ArrayReader {
 public:
  ArrayReader(std::string_view text, char delimiter)
      : text_(text), quoted_(text), delimiter_(delimiter) {}

  // The dimensions. The product of their lengths is 0 for an empty array.
  Result<std::vector<ArrayDimension>> Dimensions();
  // Reads the next element; to be called after Dimensions(). Returns false at the end.
  bool NextElement(std::string& value, bool& is_null);
  // The position of the element that was read last. Inner arrays may be less deep than others:
  // PostgreSQL 15 then continues to count in the dimensions that they have, leaves gaps, and lets
  // an element replace an earlier one at the same position.
  std::int64_t Place(std::span<const ArrayDimension> dimensions) const;
  Error Malformed() const { return Malformed({}); }

 private:
  using Lengths = std::array<std::int32_t, kMaxDimensions>;

  Error Malformed(const std::string& detail) const {
    return Error(ErrorCode::kInvalidInput, "22P02",
                 "malformed array literal: \"" + std::string(quoted_) + "\"")
        .WithDetail(detail);
  }
  // Skips a brace or a delimiter between elements.
  void Step(char c);
  Error Unexpected(char c) const {
    return Malformed(std::string("Unexpected \"") + c + "\" character.");
  }
  char Peek(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }
  Result<std::vector<ArrayDimension>> WrittenDimensions();
  bool TakeBound(std::int32_t* bound);
  Result<int> CountBraces(Lengths& lengths) const;

  std::string_view text_;
  std::string_view quoted_;  // what messages show: without the dimensions once they are read
  char delimiter_;
  std::size_t at_ = 0;
  // The number of braces around the next element, and its index in each dimension.
  int nest_level_ = 0;
  int ndim_ = 0;
  std::array<std::int64_t, kMaxDimensions> index_{};
};

// Reads an optional sign and digits like atoi. A number that does not fit becomes the largest or
// smallest one.
bool ArrayReader::TakeBound(std::int32_t* bound) {
  const std::size_t start = at_;
  while (IsDigit(Peek(at_)) || Peek(at_) == '-' || Peek(at_) == '+') ++at_;
  const std::string digits(text_.substr(start, at_ - start));
  *bound = static_cast<std::int32_t>(std::strtol(digits.c_str(), nullptr, 10));
  return at_ > start;
}

Result<std::vector<ArrayDimension>> ArrayReader::WrittenDimensions() {
  std::vector<ArrayDimension> out;
  while (true) {
    SkipSpace();
    if (Peek(at_) != '[') return out;
    ++at_;
    if (out.size() >= kMaxDimensions)
      return Fail(TooManyDimensions(static_cast<int>(out.size()) + 1));
    std::int32_t lower = 1;
    std::int32_t upper;
    if (!TakeBound(&upper))
      return Fail(Malformed("\"[\" must introduce explicitly-specified array dimensions."));
    if (Peek(at_) == ':') {
      lower = upper;
      ++at_;
      if (!TakeBound(&upper)) return Fail(Malformed("Missing array dimension value."));
    }
    if (Peek(at_) != ']') return Fail(Malformed("Missing \"]\" after array dimensions."));
    ++at_;
    if (upper < lower)
      return Fail(ErrorCode::kInvalidInput, "2202E", "upper bound cannot be less than lower bound");
    // Wraps around, as in PostgreSQL 15. No contents match such a length.
    const auto length = static_cast<std::uint32_t>(upper) - static_cast<std::uint32_t>(lower) + 1;
    out.push_back({static_cast<std::int32_t>(length), lower});
  }
}

// Checks the whole text after the dimensions and counts these; 0 for an empty array. PostgreSQL 15
// reads the text twice as well, so that it reports a malformed text before any error of an element.
Result<int> ArrayReader::CountBraces(Lengths& lengths) const {
  enum class State : std::uint8_t {
    kNoLevel,
    kLevelStarted,
    kElementStarted,
    kQuotedStarted,
    kQuotedCompleted,
    kElementDelimited,
    kLevelCompleted,
    kLevelDelimited,
  };
  State state = State::kNoLevel;
  const auto is = [&state](auto... states) { return ((state == states) || ...); };
  lengths.fill(0);
  Lengths elements;       // of the inner array that is being read at each level
  Lengths last_elements;  // of the one before it
  elements.fill(1);
  last_elements.fill(0);
  std::size_t nesting = 0;
  std::size_t ndim = 1;
  bool in_quotes = false;
  bool empty = true;
  std::size_t at = at_;
  for (bool done = false; !done; ++at) {
    if (is(State::kElementStarted, State::kQuotedStarted)) empty = false;
    if (at >= text_.size()) return Fail(Malformed("Unexpected end of input."));
    const char c = text_[at];
    if (c == '\\') {
      if (!is(State::kLevelStarted, State::kElementStarted, State::kQuotedStarted,
              State::kElementDelimited))
        return Fail(Unexpected(c));
      if (state != State::kQuotedStarted) state = State::kElementStarted;
      if (++at >= text_.size()) return Fail(Malformed("Unexpected end of input."));
    } else if (c == '"') {
      if (!is(State::kLevelStarted, State::kQuotedStarted, State::kElementDelimited))
        return Fail(Malformed("Unexpected array element."));
      in_quotes = !in_quotes;
      state = in_quotes ? State::kQuotedStarted : State::kQuotedCompleted;
    } else if (in_quotes) {
      continue;
    } else if (c == '{') {
      if (!is(State::kNoLevel, State::kLevelStarted, State::kLevelDelimited))
        return Fail(Unexpected(c));
      state = State::kLevelStarted;
      if (nesting >= kMaxDimensions) return Fail(TooManyDimensions(static_cast<int>(nesting) + 1));
      lengths[nesting++] = 0;
      ndim = std::max(ndim, nesting);
    } else if (c == '}') {
      if (!is(State::kElementStarted, State::kQuotedCompleted, State::kLevelCompleted) &&
          !(nesting == 1 && state == State::kLevelStarted))
        return Fail(Unexpected(c));
      state = State::kLevelCompleted;
      --nesting;
      if (last_elements[nesting] != 0 && elements[nesting] != last_elements[nesting])
        return Fail(
            Malformed("Multidimensional arrays must have sub-arrays with matching dimensions."));
      last_elements[nesting] = elements[nesting];
      elements[nesting] = 1;
      if (nesting == 0)
        done = true;
      else
        ++lengths[nesting - 1];
      if (done) ++lengths[ndim - 1];
    } else if (c == delimiter_) {
      if (!is(State::kElementStarted, State::kQuotedCompleted, State::kLevelCompleted))
        return Fail(Unexpected(c));
      state = state == State::kLevelCompleted ? State::kLevelDelimited : State::kElementDelimited;
      ++elements[nesting - 1];
      ++lengths[ndim - 1];
    } else if (!IsSpace(c)) {
      if (!is(State::kLevelStarted, State::kElementStarted, State::kElementDelimited))
        return Fail(Malformed("Unexpected array element."));
      state = State::kElementStarted;
    }
  }
  while (at < text_.size())
    if (!IsSpace(text_[at++])) return Fail(Malformed("Junk after closing right brace."));
  return empty ? 0 : static_cast<int>(ndim);
}

Result<std::vector<ArrayDimension>> ArrayReader::Dimensions() {
  RELCACHE_ASSIGN(std::vector<ArrayDimension> written, WrittenDimensions());
  if (!written.empty()) {
    if (Peek(at_) != '=') return Fail(Malformed("Missing \"=\" after array dimensions."));
    ++at_;
    SkipSpace();
    if (Peek(at_) != '{') return Fail(Malformed("Array contents must start with \"{\"."));
  } else if (Peek(at_) != '{') {
    return Fail(Malformed("Array value must start with \"{\" or dimension information."));
  }
  Lengths lengths;
  quoted_ = text_.substr(at_);
  RELCACHE_ASSIGN(const int ndim, CountBraces(lengths));
  quoted_ = text_;
  ndim_ = ndim;
  if (written.empty()) {
    for (int i = 0; i < ndim; ++i) written.push_back({lengths[static_cast<std::size_t>(i)], 1});
    return written;
  }
  bool same = static_cast<int>(written.size()) == ndim;
  for (std::size_t i = 0; same && i < written.size(); ++i) same = written[i].length == lengths[i];
  if (!same) return Fail(Malformed("Specified array dimensions do not match array contents."));
  for (const ArrayDimension& dimension : written) {
    if (std::int64_t{dimension.lower_bound} + dimension.length > INT_MAX) {
      return Fail(ErrorCode::kInvalidInput, "54000",
                  Format("array lower bound is too large: {}", dimension.lower_bound));
    }
  }
  return written;
}

void ArrayReader::Step(char c) {
  const auto level = [this]() -> std::int64_t& {
    return index_[static_cast<std::size_t>(nest_level_ - 1)];
  };
  if (c == '{') {
    ++nest_level_;
    level() = 0;
  } else if (c == '}') {
    level() = 0;
    if (--nest_level_ > 0) ++level();
  } else {
    ++index_[static_cast<std::size_t>(ndim_ - 1)];
  }
}

std::int64_t ArrayReader::Place(std::span<const ArrayDimension> dimensions) const {
  std::int64_t place = 0;
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    place = place * dimensions[d].length + index_[d];
  return place;
}

bool ArrayReader::NextElement(std::string& value, bool& is_null) {
  const auto structural = [this](char c) { return c == '{' || c == '}' || c == delimiter_; };
  for (; at_ < text_.size() && (IsSpace(text_[at_]) || structural(text_[at_])); ++at_)
    if (structural(text_[at_])) Step(text_[at_]);
  if (at_ >= text_.size()) return false;
  value.clear();
  bool in_quotes = false;
  bool plain = true;            // neither quotes nor backslashes
  std::size_t significant = 0;  // what white space at the end does not belong to
  for (; at_ < text_.size(); ++at_) {
    char c = text_[at_];
    if (c == '"') {
      in_quotes = !in_quotes;
      plain = false;
      significant = value.size();
      continue;
    }
    if (c == '\\') {
      c = text_[++at_];
      plain = false;
    } else if (!in_quotes) {
      if (structural(c)) break;
      if (IsSpace(c)) {
        value += c;
        continue;
      }
    }
    value += c;
    significant = value.size();
  }
  value.resize(significant);
  is_null = plain && EqualNoCase(value, "NULL");
  return true;
}

bool NeedsQuotes(std::string_view element, char delimiter) {
  return element.empty() || EqualNoCase(element, "NULL") ||
         std::ranges::any_of(element, [delimiter](char c) {
           return c == '"' || c == '\\' || c == '{' || c == '}' || c == delimiter || IsSpace(c);
         });
}

void AppendElement(std::string& out, std::string_view element, char delimiter) {
  if (!NeedsQuotes(element, delimiter)) {
    out += element;
    return;
  }
  out += '"';
  for (const char c : element) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

}  // namespace

Result<Datum> ArrayIn(std::string_view text, const ElementType& type, char typdelim,
                      const ElementInput& element_in, MemoryContext& cx) {
  ArrayReader reader(text, typdelim);
  RELCACHE_ASSIGN(const std::vector<ArrayDimension> dimensions, reader.Dimensions());
  // If the inner arrays differ in depth, PostgreSQL 15 counts no elements and does not look at any.
  if (std::ranges::any_of(dimensions, [](const ArrayDimension& d) { return d.length == 0; }))
    return MakeArray({}, {}, type, cx);
  std::size_t n = dimensions.empty() ? 0 : 1;
  for (const ArrayDimension& d : dimensions) {
    n *= static_cast<std::size_t>(d.length);
    // The gaps may take far more memory than the text.
    if (n > kMaxArrayElements) return Fail(TooManyElements());
  }
  // Positions without a value are the gaps that less deep inner arrays leave.
  std::vector<NullableDatum> elements(n);
  std::string value;
  bool is_null = false;
  while (!dimensions.empty() && reader.NextElement(value, is_null)) {
    const std::int64_t place = reader.Place(dimensions);
    if (place < 0 || place >= static_cast<std::int64_t>(n)) return Fail(reader.Malformed());
    NullableDatum& element = elements[static_cast<std::size_t>(place)];
    element.isnull = is_null;
    if (!is_null) {
      RELCACHE_ASSIGN(element.value, element_in(value));
    }
  }
  return MakeArray(elements, dimensions, type, cx);
}

Result<std::string_view> ArrayOut(Datum array, const ElementType& type, char typdelim,
                                  const ElementOutput& element_out, MemoryContext& cx) {
  RELCACHE_ASSIGN(const ArrayHead head, ArrayHead::Of(array));
  RELCACHE_ASSIGN(const auto elements, head.Elements(type, cx));
  if (elements.empty()) return "{}";
  std::string out;
  bool show_bounds = false;
  for (int i = 0; i < head.ndim(); ++i) show_bounds |= head.lower_bound(i) != 1;
  for (int i = 0; show_bounds && i < head.ndim(); ++i) {
    const std::int64_t lower = head.lower_bound(i);
    out += "[" + std::to_string(lower) + ":" + std::to_string(lower + head.length(i) - 1) + "]";
  }
  if (show_bounds) out += '=';
  // A brace opens or closes where the index of a dimension starts or ends.
  for (std::size_t n = 0; n < elements.size(); ++n) {
    if (n > 0) out += typdelim;
    std::size_t stride = 1;
    std::size_t closing = 0;
    for (int i = head.ndim() - 1; i >= 0; --i) {
      stride *= static_cast<std::size_t>(head.length(i));
      if (n % stride == 0) out += '{';
      if ((n + 1) % stride == 0) ++closing;
    }
    if (elements[n].isnull) {
      out += "NULL";
    } else {
      RELCACHE_ASSIGN(const std::string_view element, element_out(elements[n].value));
      AppendElement(out, element, typdelim);
    }
    out.append(closing, '}');
  }
  return cx.CopyString(out);
}

}  // namespace relcache
