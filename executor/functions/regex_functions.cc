#include "relcache/executor/functions/regex_functions.h"

#include <algorithm>
#include <string>
#include <vector>

#include "relcache/executor/functions/kernel.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/internal/array.h"
#include "relcache/types/internal/text.h"
#include "relcache/types/regex/regex_cache.h"

namespace relcache {
namespace {

using Kind = RegexFunction::Kind;
using std::string_view;

constexpr RegexFunction kFunctions[] = {
    {.oid = 79, .of_name = true},
    {.oid = 1252, .of_name = true, .negated = true},
    {.oid = 1240, .of_name = true, .ignore_case = true},
    {.oid = 1241, .of_name = true, .negated = true, .ignore_case = true},
    {.oid = 1254},
    {.oid = 1256, .negated = true},
    {.oid = 1238, .ignore_case = true},
    {.oid = 1239, .negated = true, .ignore_case = true},
    {.oid = 1658},
    {.oid = 1659, .negated = true},
    {.oid = 1656, .ignore_case = true},
    {.oid = 1657, .negated = true, .ignore_case = true},
    {.oid = 6263, .kind = Kind::kLike},
    {.oid = 6264, .kind = Kind::kLike, .options = 2},
    {.oid = 2073, .kind = Kind::kSubstring},
    {.oid = 3396, .kind = Kind::kMatchOf},
    {.oid = 3397, .kind = Kind::kMatchOf, .options = 2},
    {.oid = 2284, .kind = Kind::kReplace},
    {.oid = 2285, .kind = Kind::kReplace, .options = 3},
    {.oid = 6251, .kind = Kind::kReplace, .options = 5, .start = 3, .n = 4},
    {.oid = 6252, .kind = Kind::kReplace, .start = 3, .n = 4},
    {.oid = 6253, .kind = Kind::kReplace, .start = 3},
    {.oid = 6254, .kind = Kind::kCount},
    {.oid = 6255, .kind = Kind::kCount, .start = 2},
    {.oid = 6256, .kind = Kind::kCount, .options = 3, .start = 2},
    {.oid = 6257, .kind = Kind::kInstr},
    {.oid = 6258, .kind = Kind::kInstr, .start = 2},
    {.oid = 6259, .kind = Kind::kInstr, .start = 2, .n = 3},
    {.oid = 6260, .kind = Kind::kInstr, .start = 2, .n = 3, .end_option = 4},
    {.oid = 6261, .kind = Kind::kInstr, .options = 5, .start = 2, .n = 3, .end_option = 4},
    {.oid = 6262,
     .kind = Kind::kInstr,
     .options = 5,
     .start = 2,
     .n = 3,
     .end_option = 4,
     .sub_match = 6},
    {.oid = 6265, .kind = Kind::kSubstr},
    {.oid = 6266, .kind = Kind::kSubstr, .start = 2},
    {.oid = 6267, .kind = Kind::kSubstr, .start = 2, .n = 3},
    {.oid = 6268, .kind = Kind::kSubstr, .options = 4, .start = 2, .n = 3},
    {.oid = 6269, .kind = Kind::kSubstr, .options = 4, .start = 2, .n = 3, .sub_match = 5},
    {.oid = 2767, .kind = Kind::kSplit},
    {.oid = 2768, .kind = Kind::kSplit, .options = 2},
    {.oid = 1623, .kind = Kind::kSimilar, .strict = false},
    {.oid = 1986, .kind = Kind::kSimilar},
    {.oid = 1987, .kind = Kind::kSimilar},
};

constexpr NullableDatum kNull{};

Error BadParameter(const std::string& what) {
  return Error(ErrorCode::kEvaluation, "22023", what);
}

/// What a function of many matches does with option g, which it implies.
const char* RefusesGlobal(Kind kind) {
  switch (kind) {
    case Kind::kLike:
      return "regexp_like()";
    case Kind::kMatchOf:
      return "regexp_match()";
    case Kind::kCount:
      return "regexp_count()";
    case Kind::kInstr:
      return "regexp_instr()";
    case Kind::kSubstr:
      return "regexp_substr()";
    case Kind::kSplit:
      return "regexp_split_to_array()";
    default:
      return nullptr;
  }
}

Status ReadOptions(const RegexFunction& function, string_view options, RegexFlags& flags,
                   bool& global) {
  RELCACHE_TRY(ParseRegexOptions(options, flags, global));
  const char* const name = global ? RefusesGlobal(function.kind) : nullptr;
  if (name == nullptr) return {};
  return Fail(BadParameter(std::string(name) + " does not support the \"global\" option"));
}

/// One call for one row.
class Call {
 public:
  Call(const RegexCall& call, std::span<const NullableDatum> args, FunctionContext& fx)
      : call_(call), function_(*call.function), args_(args), fx_(fx) {}

  Result<NullableDatum> Run() {
    for (const NullableDatum& arg : args_)
      if (arg.isnull && (function_.strict || &arg == &args_[0])) return kNull;
    if (function_.kind == Kind::kSimilar) return Similar();
    RELCACHE_TRY(Numbers());
    RegexFlags flags;
    flags.ignore_case = function_.ignore_case;
    if (function_.options >= 0)
      RELCACHE_TRY(ReadOptions(function_, Text(function_.options), flags, global_));
    const Regex* regex = call_.regex;
    if (regex == nullptr) {
      const string_view pattern = Text(1);
      RELCACHE_ASSIGN(regex, fx_.regexes != nullptr
                                 ? fx_.regexes->Get(pattern, flags, call_.locale, call_.version,
                                                    function_.use())
                                 : Regex::Compile(pattern, flags, call_.locale, call_.version,
                                                  function_.use(), *fx_.cx));
    }
    const string_view text = function_.of_name ? NameData(args_[0].value) : Text(0);
    if (function_.use() == Regex::Use::kMatch) {
      RELCACHE_ASSIGN(const bool matches, regex->Matches(text));
      return NullableDatum{BoolGetDatum(matches != function_.negated), false};
    }
    RegexSearch search(*regex, text);
    switch (function_.kind) {
      case Kind::kSubstring:
        return Substring(*regex, search);
      case Kind::kMatchOf:
        return MatchOf(*regex, search);
      case Kind::kReplace:
        return Replace(search);
      case Kind::kSplit:
        return Split(search);
      default:
        return OneOfMany(*regex, search);
    }
  }

 private:
  string_view Text(int i) const { return VarData(args_[static_cast<std::size_t>(i)].value); }
  std::int32_t Number(int i, std::int32_t missing) const {
    return i < 0 ? missing : DatumGetInt32(args_[static_cast<std::size_t>(i)].value);
  }
  NullableDatum TextValue(string_view text) const { return {MakeVarlena(text, *fx_.cx), false}; }
  Result<NullableDatum> Texts(std::span<const NullableDatum> texts) const {
    static constexpr ElementType kText{kTextOid, -1, false, 'i'};
    RELCACHE_ASSIGN(const Datum array, MakeArray(texts, kText, *fx_.cx));
    return NullableDatum{array, false};
  }
  NullableDatum SliceOf(const RegexSearch& search, const RegexSpan& span) const {
    return span.from < 0 ? kNull : TextValue(search.Slice(span.from, span.to));
  }

  Status Numbers() {
    start_ = Number(function_.start, 1);
    n_ = Number(function_.n, 1);
    end_option_ = Number(function_.end_option, 0);
    sub_match_ = Number(function_.sub_match, 0);
    const auto wrong = [](const char* name, std::int32_t value) {
      return Fail(BadParameter("invalid value for parameter \"" + std::string(name) +
                               "\": " + std::to_string(value)));
    };
    if (start_ <= 0) return wrong("start", start_);
    if (n_ < (function_.kind == Kind::kReplace ? 0 : 1)) return wrong("n", n_);
    if (end_option_ != 0 && end_option_ != 1) return wrong("endoption", end_option_);
    if (sub_match_ < 0) return wrong("subexpr", sub_match_);
    return {};
  }

  Result<NullableDatum> Substring(const Regex& regex, RegexSearch& search) {
    RegexSpan spans[2];
    const std::span<RegexSpan> wanted(spans, regex.captures() > 0 ? 2 : 1);
    RELCACHE_ASSIGN(const bool found, search.Find(0, wanted));
    return found ? SliceOf(search, wanted.back()) : kNull;
  }

  Result<NullableDatum> MatchOf(const Regex& regex, RegexSearch& search) {
    std::vector<RegexSpan> spans(regex.captures() + 1);
    RELCACHE_ASSIGN(const bool found, search.Find(0, spans));
    if (!found) return kNull;
    std::vector<NullableDatum> texts;
    for (std::size_t i = spans.size() > 1 ? 1 : 0; i < spans.size(); ++i)
      texts.push_back(SliceOf(search, spans[i]));
    return Texts(texts);
  }

  static void AppendReplacement(string_view replacement, const RegexSearch& search,
                                std::span<const RegexSpan> spans, std::string& out) {
    for (std::size_t i = 0; i < replacement.size(); ++i) {
      const char c = replacement[i];
      if (c != '\\' || i + 1 == replacement.size()) {
        out += c;
        continue;
      }
      const char next = replacement[i + 1];
      if (next == '\\') {
        out += next;
        ++i;
      } else if (next == '&' || (next >= '1' && next <= '9')) {
        const RegexSpan& span = spans[next == '&' ? 0 : static_cast<std::size_t>(next - '0')];
        if (span.from >= 0) out += search.Slice(span.from, span.to);
        ++i;
      } else {
        out += c;
      }
    }
  }

  Result<NullableDatum> Replace(RegexSearch& search) {
    const string_view replacement = Text(2);
    // The n-th match; 0: every one.
    std::int32_t n = function_.n >= 0 ? n_ : global_ ? 0 : 1;
    const bool refers = replacement.find('\\') != string_view::npos;
    RegexSpan spans[10];
    const std::span<RegexSpan> wanted(spans, refers ? 10 : 1);
    std::string out;
    std::int64_t copied = 0;
    std::int32_t matches = 0;
    for (std::int64_t from = start_ - 1; from <= search.size();) {
      RELCACHE_ASSIGN(const bool found, search.Find(from, wanted));
      if (!found) break;
      from = spans[0].to + (spans[0].from == spans[0].to ? 1 : 0);
      if (++matches != n && n != 0) continue;
      out += search.Slice(copied, spans[0].from);
      AppendReplacement(replacement, search, wanted, out);
      copied = spans[0].to;
      if (n != 0) break;
    }
    out += search.Slice(copied, search.size());
    return TextValue(out);
  }

  Result<NullableDatum> Split(RegexSearch& search) {
    std::vector<NullableDatum> texts;
    std::int64_t piece = 0, last = 0;
    RegexSpan span;
    for (std::int64_t from = 0; from <= search.size();) {
      RELCACHE_ASSIGN(const bool found, search.Find(from, {&span, 1}));
      if (!found) break;
      // An empty match at the end of the text or of the match before divides nothing.
      if (span.from < search.size() && span.to > last) {
        texts.push_back(TextValue(search.Slice(piece, span.from)));
        piece = span.to;
      }
      last = span.to;
      from = span.to + (span.from == span.to ? 1 : 0);
    }
    texts.push_back(TextValue(search.Slice(piece, search.size())));
    return Texts(texts);
  }

  /// How many matches, or the n-th of them.
  Result<NullableDatum> OneOfMany(const Regex& regex, RegexSearch& search) {
    const bool sub_matches = sub_match_ > 0 && regex.captures() > 0;
    std::vector<RegexSpan> spans(sub_matches ? regex.captures() + 1 : 1);
    std::int32_t matches = 0;
    const bool counts = function_.kind == Kind::kCount;
    for (std::int64_t from = start_ - 1; from <= search.size() && (counts || matches < n_);) {
      RELCACHE_ASSIGN(const bool found, search.Find(from, spans));
      if (!found) break;
      ++matches;
      from = spans[0].to + (spans[0].from == spans[0].to ? 1 : 0);
    }
    if (counts) return NullableDatum{Int32GetDatum(matches), false};
    const std::size_t most = sub_matches ? regex.captures() : 1;
    const bool none = matches < n_ || static_cast<std::size_t>(sub_match_) > most;
    const RegexSpan span =
        none ? RegexSpan{} : spans[sub_matches ? static_cast<std::size_t>(sub_match_) : 0];
    if (function_.kind == Kind::kSubstr) return SliceOf(search, span);
    const std::int64_t place = span.from < 0 ? -1 : end_option_ == 1 ? span.to : span.from;
    return NullableDatum{Int32GetDatum(static_cast<std::int32_t>(place + 1)), false};
  }

  /// similar_to_escape, but for what minor releases disagree about.
  Result<NullableDatum> Similar() {
    string_view pattern = Text(0);
    string_view escape = "\\";
    if (args_.size() == 2 && !args_[1].isnull) {
      escape = Text(1);
      if (CharLength(escape) > 1)
        return Fail(ErrorCode::kEvaluation, "22025", "invalid escape string");
    }
    std::string out = "^(?:";
    while (!pattern.empty()) {
      const string_view before = pattern;
      TakeCodePoint(pattern);
      const string_view c = before.substr(0, before.size() - pattern.size());
      if (!escape.empty() && c == escape) {
        if (pattern.empty()) break;
        const string_view at = pattern;
        TakeCodePoint(pattern);
        const string_view escaped = at.substr(0, at.size() - pattern.size());
        if (escaped == "\"") return Fail(NotSupported("SIMILAR TO with escaped double quotes"));
        out += '\\';
        out += escaped;
      } else if (c == "[") {
        const std::size_t end = pattern.find(']');
        const string_view inside = end == string_view::npos ? pattern : pattern.substr(0, end);
        if (end == string_view::npos || inside.empty() ||
            inside.find_first_of("[\\^") != string_view::npos ||
            (!escape.empty() && inside.find(escape) != string_view::npos))
          return Fail(NotSupported("SIMILAR TO with such brackets: " + std::string(before)));
        out += before.substr(0, end + 2);
        pattern.remove_prefix(end + 1);
      } else if (c == "%") {
        out += ".*";
      } else if (c == "_") {
        out += '.';
      } else if (c == "(") {
        out += "(?:";
      } else if (c == "\\" || c == "." || c == "^" || c == "$") {
        out += '\\';
        out += c;
      } else {
        out += c;
      }
    }
    return TextValue(out + ")$");
  }

  const RegexCall& call_;
  const RegexFunction& function_;
  std::span<const NullableDatum> args_;
  FunctionContext& fx_;
  bool global_ = false;
  std::int32_t start_ = 1, n_ = 1, end_option_ = 0, sub_match_ = 0;
};

template <class T>
const T& Known(Datum known) {
  return *static_cast<const T*>(static_cast<const void*>(DatumGetPointer(known)));
}
template <bool kNegated>
Result<bool> MatchText(string_view text, Datum known) {
  RELCACHE_ASSIGN(const bool matches, Known<Regex>(known).Matches(text));
  return matches != kNegated;
}
template <bool kNegated>
Result<bool> MatchName(Datum name, Datum known) {
  return MatchText<kNegated>(NameData(name), known);
}
// Without what can go wrong, as nothing can.
template <bool kNegated>
bool MatchRuns(string_view text, Datum known) {
  return Known<ClassRuns>(known).Matches(text) != kNegated;
}

Datum MatchRow(Datum text, Datum pattern, Datum call, FunctionContext& fx) {
  const NullableDatum args[] = {{text, false}, {pattern, false}};
  Result<NullableDatum> matches = RunRegex(Known<RegexCall>(call), args, fx);
  if (matches) return matches->value;
  fx.Fail(std::move(matches).error());
  return {};
}

}  // namespace

const RegexFunction* FindRegexFunction(Oid oid) {
  const auto* const found =
      std::find_if(std::begin(kFunctions), std::end(kFunctions),
                   [oid](const RegexFunction& function) { return function.oid == oid; });
  return found == std::end(kFunctions) ? nullptr : found;
}

Result<const Regex*> CompileRegexOf(const RegexFunction& function, string_view pattern,
                                    const string_view* options, const RegexLocale& locale,
                                    ServerVersion version, MemoryContext& cx) {
  RegexFlags flags;
  flags.ignore_case = function.ignore_case;
  bool global = false;
  if (options != nullptr) RELCACHE_TRY(ReadOptions(function, *options, flags, global));
  return Regex::Compile(pattern, flags, locale, version, function.use(), cx);
}

KnownMatch MatchOfConstant(const RegexCall& call, bool any) {
  using kernel::Kernel;
  static constexpr Function kText = Kernel<MatchText<false>>(0, "regular expression");
  static constexpr Function kNotText = Kernel<MatchText<true>>(0, "no regular expression");
  static constexpr Function kName = Kernel<MatchName<false>>(0, "regular expression");
  static constexpr Function kNotName = Kernel<MatchName<true>>(0, "no regular expression");
  static constexpr Function kRuns = Kernel<MatchRuns<false>>(0, "regular expression");
  static constexpr Function kNotRuns = Kernel<MatchRuns<true>>(0, "no regular expression");
  const bool negated = call.function->negated;
  if (call.function->of_name) return {negated ? &kNotName : &kName, PointerGetDatum(call.regex)};
  const ClassRuns* const runs = any ? nullptr : call.regex->AloneRuns();
  if (runs != nullptr) return {negated ? &kNotRuns : &kRuns, PointerGetDatum(runs)};
  return {negated ? &kNotText : &kText, PointerGetDatum(call.regex)};
}

const Function& MatchOfAny() {
  static constexpr Function kMatch = [] {
    Function f;
    f.name = "regular expression";
    f.nargs = 3;
    f.fails = true;
    f.result = ColumnForm::kBool;
    f.args[0] = f.args[1] = f.args[2] = ColumnForm::kDatum;
    f.row = MatchRow;
    return f;
  }();
  return kMatch;
}

Result<NullableDatum> RunRegex(const RegexCall& call, std::span<const NullableDatum> args,
                               FunctionContext& fx) {
  return Call(call, args, fx).Run();
}

}  // namespace relcache
