#include "relcache/types/regex/regex.h"

#include <algorithm>

namespace relcache {
namespace {

Error NotDecided() {
  return NotSupported("regular expression that takes more than " +
                      std::to_string(RegexMatcher::kMaxSteps) + " steps for a text");
}

std::uint32_t SetIndex(const CodePoints& set, RegexTree& tree) {
  const auto found = std::find(tree.sets.begin(), tree.sets.end(), set);
  if (found == tree.sets.end()) {
    tree.sets.push_back(set);
    return static_cast<std::uint32_t>(tree.sets.size() - 1);
  }
  return static_cast<std::uint32_t>(found - tree.sets.begin());
}

std::vector<std::uint32_t> Characters(std::string_view text) {
  std::vector<std::uint32_t> out;
  out.reserve(text.size());
  while (!text.empty()) out.push_back(TakeCodePoint(text));
  return out;
}

std::vector<std::size_t> Starts(std::string_view text) {
  std::vector<std::size_t> out;
  out.reserve(text.size() + 1);
  for (std::string_view rest = text; !rest.empty(); TakeCodePoint(rest))
    out.push_back(text.size() - rest.size());
  out.push_back(text.size());
  return out;
}

}  // namespace

Result<const Regex*> Regex::Compile(std::string_view pattern, const RegexFlags& flags,
                                    const RegexLocale& locale, ServerVersion version, Use use,
                                    MemoryContext& cx) {
  RegexTree tree;
  RELCACHE_TRY(ParseRegex(pattern, flags, locale, version, tree));
  Regex* regex = cx.New<Regex>();
  regex->captures_ = tree.captures.size() - 1;
  regex->ascii_texts_only_ = tree.ascii_texts_only;
  regex->name_ = cx.CopyString(locale.name);
  RegexMachine& machine = regex->machine_;
  machine.has_back_references = tree.has_back_references;
  machine.ignore_case = tree.ignore_case;
  machine.tables = locale.tables;
  machine.newline_set = SetIndex(CodePoints::Of('\n'), tree);
  machine.word_set = tree.has_word_edges
                         ? SetIndex(ClassMembers(locale.tables, CharClass::kWord), tree)
                         : machine.newline_set;
  const Error too_large = NotSupported("regular expression of this size");
  if (!machine.colors.Make(tree.sets, cx)) return Fail(too_large);

  const bool simple = use == Use::kMatch;
  if (simple && regex->runs_.Make(tree, machine.colors, cx)) {
    regex->engine_ = Engine::kRuns;
    return regex;
  }
  const bool with_parts = !simple || tree.has_back_references;
  if (!MakeNfa(tree, with_parts, version, cx, machine.nfa)) return Fail(too_large);
  if (regex->dfa_.Make(machine, cx)) regex->engine_ = Engine::kDfa;
  return regex;
}

Status Regex::CheckText(std::string_view text) const {
  const bool ascii = std::all_of(text.begin(), text.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii) return {};
  return Fail(
      NotSupported("characters outside ASCII for a regular expression " + std::string(name_)));
}

Result<bool> Regex::Matches(std::string_view text) const {
  if (ascii_texts_only_) [[unlikely]]
    RELCACHE_TRY(CheckText(text));
  switch (engine_) {
    case Engine::kRuns:
      return runs_.Matches(text);
    case Engine::kDfa:
      return dfa_.Matches(text);
    default:
      return MatchesSlowly(text);
  }
}

Result<bool> Regex::MatchesSlowly(std::string_view text) const {
  const std::vector<std::uint32_t> characters = Characters(text);
  RegexMatcher matcher(machine_, characters);
  bool matches = false;
  if (machine_.has_back_references) {
    RegexSpan span;
    matches = matcher.Find(0, {&span, 1});
  } else {
    matches = matcher.Matches();
  }
  if (matcher.gave_up()) return Fail(NotDecided());
  return matches;
}

RegexSearch::RegexSearch(const Regex& regex, std::string_view text)
    : regex_(regex),
      text_(text),
      characters_(Characters(text)),
      starts_(Starts(text)),
      matcher_(regex.machine_, characters_) {}

Result<bool> RegexSearch::Find(std::int64_t from, std::span<RegexSpan> spans) {
  if (regex_.ascii_texts_only_) RELCACHE_TRY(regex_.CheckText(text_));
  const bool found = matcher_.Find(from, spans);
  if (matcher_.gave_up()) return Fail(NotDecided());
  return found;
}

}  // namespace relcache
