#include "relcache/nodes/internal/reader.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>

#include "relcache/base/internal/format.h"

namespace relcache::wire {
namespace {

// Stands for a field when elements of lists are read.
template <class T>
constexpr NodeField kElement = internal::MakeField<T>("", 0, T{});

// Copies a token that ends before `stop` into the arena without its backslashes. Null if the
// backslashes are not exactly where PostgreSQL puts them, because then writing the tree would not
// reproduce the text.
char* Unescape(Reader& r, const char* p, const char* stop, std::size_t backslashes) {
  char* text = r.arena.CopyString({p, static_cast<std::size_t>(stop - p)});
  if (backslashes == 0)
    return p != stop && EscapeFirst(p[0], stop - p > 1 ? p[1] : 0) ? nullptr : text;
  char* to = text;
  const char* const start = p;
  for (; p != stop; ++p) {
    bool escaped = false;
    if (*p == '\\') {
      escaped = true;
      if (++p == stop) return nullptr;
    }
    const bool first = p - start == (escaped ? 1 : 0);
    const bool needed =
        ClassOf(*p) != ByteClass::kPlain || (first && EscapeFirst(*p, p + 1 != stop ? p[1] : 0));
    if (needed != escaped) return nullptr;
    *to++ = *p;
  }
  std::memset(to, 0, static_cast<std::size_t>(text + (stop - start) - to));
  return text;
}

// The end of the token at p: the first byte that ends it, a NUL, or the end of the text.
const char* TokenEnd(const Reader& r, const char* p, std::size_t& backslashes) {
  backslashes = 0;
  for (; p < r.end; ++p) {
    const ByteClass c = ClassOf(*p);
    if (c == ByteClass::kPlain) continue;
    if (c != ByteClass::kBackslash) return p;
    ++backslashes;
    if (++p >= r.end || *p == 0) return p;
  }
  return p;
}

}  // namespace

const char* ReadBoolWord(Reader& r, const char* p, const NodeField& f, char* member) {
  const std::string_view at(p, 4);
  if (at.substr(0, 3) == "and")
    *member = static_cast<char>(BoolExprType::kAnd);
  else if (at.substr(0, 2) == "or")
    *member = static_cast<char>(BoolExprType::kOr);
  else if (at.substr(0, 3) == "not")
    *member = static_cast<char>(BoolExprType::kNot);
  else
    return r.Fail(p, &f, "and, or, not");
  return p + (*p == 'o' ? 2 : 3);
}

const char* ReadChar(Reader& r, const char* p, const NodeField& f, char* member) {
  const bool escaped = *p == '\\';
  if (!escaped && p[0] == '<' && p[1] == '>') {
    *member = 0;
    return p + 2;
  }
  const char c = p[escaped ? 1 : 0];
  const bool needed = ClassOf(c) != ByteClass::kPlain || EscapeFirst(c, 0);
  if (c == 0 || needed != escaped) return r.Fail(p, &f, "one character, or <>");
  *member = c;
  return p + (escaped ? 2 : 1);
}

const char* ReadDouble(Reader& r, const char* p, const NodeField& f, char* member) {
  std::size_t backslashes;
  const char* stop = TokenEnd(r, p, backslashes);
  double value = 0;
  // Only the spelling that the writer would produce is accepted.
  const auto [end, error] = std::from_chars(p, stop, value);
  if (error != std::errc() || end != stop ||
      FormatDouble(value, r.version) != std::string_view(p, static_cast<std::size_t>(stop - p)))
    return r.Fail(p, &f, "a number");
  std::memcpy(member, &value, sizeof value);
  return r.Near(stop);
}

const char* ReadString(Reader& r, const char* p, const NodeField& f, char* member) {
  if (p[0] == '<' && p[1] == '>') return p + 2;  // null is the default
  if (p[0] == '"' && p[1] == '"' && r.version >= 16) {
    r.arena.Point(member, r.arena.CopyString({}));
    return p + 2;
  }
  std::size_t backslashes;
  const char* stop = TokenEnd(r, p, backslashes);
  if (stop == p || stop >= r.end || *stop == 0) return r.Fail(stop, &f, "a string");
  char* text = Unescape(r, p, stop, backslashes);
  if (text == nullptr) return r.Fail(p, &f, "a string with backslashes where they are needed");
  r.arena.Point(member, text);
  return r.Near(stop);
}

const char* ReadQuoted(Reader& r, const char* p, Node*& out) {
  ++r.nodes;
  const char* const start = p + 1;
  std::size_t backslashes;
  const char* stop = TokenEnd(r, start, backslashes);
  if (stop >= r.end || *stop == 0) return r.Fail(stop, nullptr, "a string in quotes");
  if (stop == start || stop[-1] != '"') return r.Fail(stop, nullptr, "a quote");
  String* string = ::new (r.arena.Allocate(sizeof(String))) String{};
  string->tag = NodeTag::kString;
  char* text = Unescape(r, start, stop - 1, backslashes);
  if (text == nullptr) return r.Fail(p, nullptr, "a string with backslashes where they are needed");
  r.arena.Point(&string->sval, text);
  out = string;
  return r.Near(stop);
}

namespace {

constexpr std::uint64_t kFourZeros = 0x2030203020302030;  // "0 0 0 0 "

// Reads a byte and the space after it; null if there is none.
RELCACHE_ALWAYS_INLINE const char* ReadByte(const char* p, int& value) {
  const bool negative = *p == '-';
  if (negative) ++p;
  unsigned n = static_cast<unsigned char>(*p) - unsigned{'0'};
  if (n > 9) return nullptr;
  unsigned digit = static_cast<unsigned char>(*++p) - unsigned{'0'};
  if (digit < 10) {
    if (n == 0) return nullptr;
    n = n * 10 + digit;
    if ((digit = static_cast<unsigned char>(*++p) - unsigned{'0'}) < 10) {
      n = n * 10 + digit;
      ++p;
    }
  }
  if (*p != ' ' || n > (negative ? 128 : 255) || (negative && n == 0)) return nullptr;
  value = negative ? -static_cast<int>(n) : static_cast<int>(n);
  return p + 1;
}

}  // namespace

const char* ReadDatum(Reader& r, const char* p, const NodeField& f, Const& node) {
  if (node.constisnull) {
    if (p[0] != '<' || p[1] != '>') return r.Fail(p, &f, "<>, because constisnull is true");
    return p + 2;
  }
  const char* const start = p;
  std::int64_t length = 0;
  p = ReadNumber(r, p, f, 0, 0x7fffffff, length);
  if (p == nullptr) return nullptr;
  if (p[0] != ' ' || p[1] != '[' || p[2] != ' ') return r.Fail(p, &f, "[ and a byte");
  p += 3;
  const std::int64_t fixed = node.constlen;
  if (node.constbyval ? fixed != 1 && fixed != 2 && fixed != 4 && fixed != 8
                      : fixed < -2 || fixed == 0)
    return r.Fail(start, &f, "a constlen of 1, 2, 4 or 8 (by value), or of -2, -1 or more than 0");
  if (fixed >= 0 && length != fixed) return r.Fail(start, &f, "as many bytes as constlen");

  // Each byte takes at least two characters, so the memory that a text can request is bounded by
  // its length.
  const std::size_t size = node.constbyval ? 8 : static_cast<std::size_t>(length);
  if (size > static_cast<std::size_t>(r.end - p) / 2 + 1 && size > 8)
    return r.Fail(start, &f, "as many bytes as the text has");
  char* bytes =
      node.constbyval ? reinterpret_cast<char*>(&node.constvalue) : r.arena.Allocate(size);
  if (!node.constbyval && size != 0) std::memset(bytes + (size - 1) / 8 * 8, 0, 8);
  bool below_zero = false, above_127 = false;
  for (std::size_t i = 0; i < size;) {
    p = r.Near(p);
    // Eight bytes take at most 40 characters. Zeros are frequent and come in rows, so four of them
    // are recognized by one comparison.
    for (const std::size_t stop = std::min(size, i + 8); i < stop;) {
      if (*p == '0') {
        if (i + 4 <= stop && Load8(p) == kFourZeros) {
          std::memset(bytes + i, 0, 4);
          i += 4;
          p += 8;
          continue;
        }
        if (i + 3 <= stop && (Load8(p) << 16) == (kFourZeros << 16)) {
          std::memset(bytes + i, 0, 3);
          i += 3;
          p += 6;
          continue;
        }
      }
      int value = 0;
      const char* const at = p;
      p = ReadByte(p, value);
      if (p == nullptr) [[unlikely]]
        return r.Fail(at, &f, "a byte from -128 to 255 and a space");
      below_zero |= value < 0;
      above_127 |= value > 127;
      bytes[i++] = static_cast<char>(value);
    }
  }
  // The sign of a byte depends on the machine that wrote the text. All bytes must agree, and which
  // it was is noted, so that the tree is written in the same way.
  if (below_zero && above_127)
    return r.Fail(start, &f, "bytes that are all signed or all unsigned");
  node.bytes_unsigned = above_127;
  p = r.Near(p);
  if (*p != ']') return r.Fail(p, &f, "] after the last byte");
  ++p;
  if (const char* problem = DatumProblem(node, {bytes, size})) return r.Fail(start, &f, problem);
  if (node.constbyval) return p;
  r.arena.Point(&node.constvalue, bytes);
  return p;
}

namespace {

// Reads the numbers of "(x 1 2)" up to the parenthesis; p is after the letter. The result is a
// list, or null for no numbers.
template <class L>
const char* ReadNumbers(Reader& r, const char* p, const NodeField& f, L*& list) {
  using T = typename L::Element;
  ++r.nodes;
  // Counted first, so that the list can be allocated in one piece.
  std::size_t n = 0;
  const char* q = p;
  for (; q < r.end && (*q == ' ' || *q == '-' || IsDigit(*q)); ++q) n += *q == ' ';
  list = nullptr;
  if (n == 0) return p;
  L* made = ::new (r.arena.Allocate(sizeof(L) + n * sizeof(T))) L{};
  made->tag = L::kTag;
  made->length = static_cast<std::uint32_t>(n);
  T* elements = made->elements().data();
  if (n % 2 != 0) elements[n] = 0;  // the rest of the last word
  for (std::size_t i = 0; i < n; ++i) {
    p = r.Near(p);
    if (*p != ' ') return r.Fail(p, &f, "a space");
    std::int64_t value = 0;
    p = ReadNumber(r, p + 1, f, kElement<T>.low, kElement<T>.high, value);
    if (p == nullptr) return nullptr;
    elements[i] = static_cast<T>(value);
  }
  list = made;
  return r.Near(p);
}

template <class L>
const char* ReadNumberList(Reader& r, const char* p, const NodeField& f, Node*& out) {
  L* list = nullptr;
  p = ReadNumbers<L>(r, p + 2, f, list);
  if (p == nullptr) return nullptr;
  if (list == nullptr || *p != ')') return r.Fail(p, nullptr, "numbers and )");
  out = list;
  return p + 1;
}

}  // namespace

const char* ReadIntList(Reader& r, const char* p, Node*& out) {
  return ReadNumberList<IntList>(r, p, kElement<std::int32_t>, out);
}

const char* ReadOidList(Reader& r, const char* p, Node*& out) {
  return ReadNumberList<OidList>(r, p, kElement<Oid>, out);
}

const char* ReadBitmapset(Reader& r, const char* p, const NodeField& f, char* member) {
  if (p[0] != '(' || p[1] != 'b') return r.Fail(p, &f, "(b and numbers");
  Bitmapset* set = nullptr;
  const char* const start = p;
  p = ReadNumbers<Bitmapset>(r, p + 2, f, set);
  if (p == nullptr) return nullptr;
  if (*p != ')') return r.Fail(p, &f, "numbers and )");
  if (set != nullptr) {
    std::int32_t least = 0;
    for (const std::int32_t m : *set) {
      if (m < least) return r.Fail(start, &f, "members in ascending order");
      least = m == 0x7fffffff ? m : m + 1;
    }
    // The loop cannot tell a repetition of the largest number, at which `least` stays.
    if (set->length > 1 && (*set)[set->length - 2] == (*set)[set->length - 1])
      return r.Fail(start, &f, "members in ascending order");
    r.arena.Point(member, set);
  }
  return p + 1;
}

const char* DatumProblem(const Const& node, std::string_view bytes) {
  const int length = node.constlen;
  if (node.constbyval)
    return length == 1 || length == 2 || length == 4 || length == 8
               ? nullptr
               : "a constlen of 1, 2, 4 or 8, because constbyval is true";
  if (length > 0)
    return static_cast<std::size_t>(length) == bytes.size() ? nullptr : "as many bytes as constlen";
  if (length == -1) {
    std::uint32_t header = 0;
    if (bytes.size() >= sizeof header) std::memcpy(&header, bytes.data(), sizeof header);
    return bytes.size() >= sizeof header && (header & 3) == 0 && header >> 2 == bytes.size()
               ? nullptr
               : "a varlena header that says the number of bytes";
  }
  if (length == -2)
    return !bytes.empty() && bytes.find('\0') == bytes.size() - 1
               ? nullptr
               : "a string that ends with its only zero byte";
  return "a constlen of -2, -1 or more than 0, because constbyval is false";
}

std::string FormatDouble(double value, int pg_version) {
  char buffer[400];  // the largest double has 309 digits
  if (pg_version <= 15) {
    const int n = std::snprintf(buffer, sizeof buffer, "%.0f", value);
    return {buffer, static_cast<std::size_t>(n)};
  }
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

// ---- failures and the end of the text

std::nullptr_t Reader::Fail(const char* p, const NodeField* f, const char* expected,
                            Failure failure) {
  if (failed_at_ == nullptr) {
    failed_at_ = p;
    field_ = f;
    expected_ = expected;
    failure_ = failure;
  }
  return nullptr;
}

std::nullptr_t Reader::TooDeep(const char* p) {
  return Fail(p, nullptr, nullptr, Failure::kTooDeep);
}

const char* Reader::ToTail(const char* p) {
  if (in_tail_) return p;
  const auto rest = static_cast<std::size_t>(end - p);
  RELCACHE_DCHECK(rest <= kNear);
  if (rest != 0) std::memcpy(tail_, p, rest);
  std::memset(tail_ + rest, 0, kNear);
  in_tail_ = true;
  tail_offset_ = static_cast<std::size_t>(p - text_.data());
  end = tail_ + rest;
  near_end_ = tail_ + sizeof tail_;
  return tail_;
}

std::size_t Reader::OffsetOf(const char* p) const {
  const std::less<const char*> before;
  const bool in_tail = in_tail_ && !before(p, tail_) && before(p, tail_ + sizeof tail_);
  const std::size_t offset = in_tail ? tail_offset_ + static_cast<std::size_t>(p - tail_)
                                     : static_cast<std::size_t>(p - text_.data());
  return std::min(offset, text_.size());
}

std::string Reader::Expected() const {
  std::string text;
  if (failure_ == Failure::kWrongField) {
    text = "field \"" + std::string(field_->label()) + "\"";
  } else {
    if (expected_ != nullptr)
      text = expected_;
    else if (field_->kind == FieldKind::kDatum)
      text = "a number of bytes";
    else
      text = Format("an integer from {} to {}", field_->low, field_->high);
    // For an element of a list, the field is that of the list.
    const NodeField* const named =
        field_ != nullptr && !field_->label().empty() ? field_ : children_;
    if (named != nullptr) text += " in field \"" + std::string(named->label()) + "\"";
  }
  if (type_ != nullptr) text += " of " + std::string(type_->label(version));
  return text;
}

// What the text has instead and, if that is a field or node of other versions, which ones.
std::string Reader::Found(std::size_t offset) const {
  if (offset == text_.size()) return "the end of the text";
  std::string found = "\"";
  for (const char c : text_.substr(offset, 24)) found += c >= ' ' && c < 127 ? c : '?';
  found += '"';

  const auto written_by = [&found](int since, int until) {
    found += Format(", which PostgreSQL {} to {} write", since, until);
  };
  std::string_view rest = text_.substr(offset);
  if (failure_ == Failure::kWrongField && type_ != nullptr && rest.starts_with(" :")) {
    rest.remove_prefix(2);
    const std::string_view label = rest.substr(0, rest.find(' '));
    for (const NodeField& f : type_->fields)
      if (f.label() == label && !f.written_in(version) && f.rule.since <= f.rule.until)
        return written_by(f.rule.since, f.rule.until), found;
  } else if (failure_ == Failure::kWrongNode) {
    const std::string_view label = rest.substr(0, rest.find_first_of(" }"));
    for (const NodeType& type : NodeTypes())
      for (const NodeLabel& l : type.labels)
        if (l.text == label) return written_by(l.since, l.until), found;
  }
  return found;
}

Error Reader::MakeError() const {
  const std::size_t offset = OffsetOf(failed_at_);
  if (failure_ == Failure::kTooDeep)
    return std::move(Error(ErrorCode::kLimit, "54001", "node tree is nested too deeply"))
        .WithOffset(offset);
  return std::move(
             Error(ErrorCode::kInvalidInput, "XX001",
                   "malformed node tree: expected " + Expected() + ", found " + Found(offset)))
      .WithOffset(offset);
}

}  // namespace relcache::wire
