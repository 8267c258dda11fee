// Random regular expressions, each with texts that it is likely to match or nearly matches.
#pragma once

#include <array>
#include <random>
#include <string>
#include <vector>

namespace relcache::test {

class RandomRegex {
 public:
  static constexpr std::size_t kTexts = 12;
  struct Case {
    std::string pattern;
    std::vector<std::string> texts;
  };

  explicit RandomRegex(std::uint32_t seed) : random_(seed) {}

  Case Make() {
    captures_ = 0;
    Piece piece = Alternation(3);
    if (Chance(8)) piece.pattern = "^" + piece.pattern;
    if (Chance(8)) piece.pattern += "$";
    if (Chance(4)) piece.pattern = "^(?:" + piece.pattern + ")$";
    static constexpr const char* kPrefixes[] = {"(?i)", "(?n)", "(?p)", "(?w)", "(?s)",  "(?x)",
                                                "(?q)", "***=", "***:", "(?e)", "(?in)", "(?c)"};
    if (Chance(25)) piece.pattern = Pick(kPrefixes) + piece.pattern;
    if (Chance(3)) Damage(piece.pattern);
    Case out;
    out.pattern = piece.pattern;
    for (std::size_t i = 0; i < kTexts; ++i) {
      std::string text = piece.texts[i];
      if (i % 3 == 1) Mutate(text);
      if (i % 3 == 2) text = Junk() + text + Junk();
      out.texts.push_back(text);
    }
    return out;
  }

 private:
  struct Piece {
    std::string pattern;
    std::array<std::string, kTexts> texts;
  };

  bool Chance(unsigned percent) { return random_() % 100 < percent; }
  template <class T, std::size_t N>
  const T& Pick(const T (&from)[N]) {
    return from[random_() % N];
  }
  std::string Character() {
    static constexpr const char* kCharacters[] = {
        "a",  "b", "c", "x",      "A",      "B",  "Z", "0", "1", "9",  "_", "-", " ", ".",
        "\n", "k", "K", "s",      "i",      "I",  "é", "É", "ß", "ſ",  "K", "İ", "ı", "Σ",
        "ς",  "σ", "٣", "\u00a0", "\u2028", "中", "𝒳", "Ǆ", "ǅ", "\t", "'", "@"};
    return Pick(kCharacters);
  }
  std::string Junk() {
    std::string out;
    for (unsigned n = random_() % 3; n > 0; --n) out += Character();
    return out;
  }
  void Mutate(std::string& text) {
    // Whole characters only: the text stays UTF-8.
    std::vector<std::string> characters;
    for (const char c : text) {
      if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) characters.emplace_back();
      characters.back() += c;
    }
    const std::size_t at = random_() % (characters.size() + 1);
    const auto place = characters.begin() + static_cast<std::ptrdiff_t>(at);
    if (Chance(40) && at < characters.size()) {
      characters.erase(place);
    } else if (Chance(50) && at < characters.size()) {
      characters[at] = Character();
    } else {
      characters.insert(place, Character());
    }
    text.clear();
    for (const std::string& c : characters) text += c;
  }
  void Damage(std::string& pattern) {
    static constexpr const char* kBits[] = {"(",     ")",       "[",     "]", "{",  "}",
                                            "*",     "?",       "\\",    "|", "{2", "{3,1}",
                                            "{256}", "[[:x:]]", "[b-a]", "(?"};
    // ASCII only, at a place that is one.
    std::size_t at = random_() % (pattern.size() + 1);
    while (at < pattern.size() && (static_cast<unsigned char>(pattern[at]) & 0xc0) == 0x80) ++at;
    pattern.insert(at, Pick(kBits));
  }

  static Piece Fixed(const std::string& pattern, const std::vector<std::string>& texts) {
    Piece out{pattern, {}};
    for (std::size_t i = 0; i < kTexts; ++i) out.texts[i] = texts[i % texts.size()];
    return out;
  }

  Piece Alternation(int depth) {
    Piece out = Branch(depth);
    for (int n = 0; n < 2 && Chance(22); ++n) {
      const Piece other = Chance(10) ? Fixed("", {""}) : Branch(depth);
      out.pattern += "|" + other.pattern;
      for (std::size_t i = 0; i < kTexts; ++i)
        if (Chance(50)) out.texts[i] = other.texts[i];
    }
    return out;
  }

  Piece Branch(int depth) {
    Piece out;
    for (unsigned n = 1 + random_() % 4; n > 0; --n) {
      const Piece item = Item(depth);
      out.pattern += item.pattern;
      for (std::size_t i = 0; i < kTexts; ++i) out.texts[i] += item.texts[i];
    }
    return out;
  }

  Piece Item(int depth) {
    static constexpr const char* kAssertions[] = {"^",   "$",   "\\A", "\\Z",     "\\y",
                                                  "\\Y", "\\m", "\\M", "[[:<:]]", "[[:>:]]"};
    if (Chance(6)) return Fixed(Pick(kAssertions), {""});
    if (depth > 0 && Chance(4)) {
      static constexpr const char* kLooks[] = {"(?=", "(?!", "(?<=", "(?<!"};
      return Fixed(Pick(kLooks) + Alternation(depth - 1).pattern + ")", {""});
    }
    Piece atom = Atom(depth);
    if (!Chance(45)) return atom;
    struct Quantifier {
      const char* text;
      unsigned min, most;
    };
    static constexpr Quantifier kQuantifiers[] = {
        {"*", 0, 3},      {"+", 1, 3},    {"?", 0, 1},     {"{2}", 2, 2},   {"{1,3}", 1, 3},
        {"{0,2}", 0, 2},  {"{2,}", 2, 4}, {"*?", 0, 3},    {"+?", 1, 3},    {"??", 0, 1},
        {"{1,2}?", 1, 2}, {"{0}", 0, 0},  {"{1}", 1, 1},   {"{0,1}", 0, 1}, {"{2,2}", 2, 2},
        {"{1,}?", 1, 3},  {"{3}?", 3, 3}, {"{1,1}", 1, 1}, {"{1,1}?", 1, 1}};
    const Quantifier& q = kQuantifiers[random_() % (Chance(75) ? 7 : std::size(kQuantifiers))];
    Piece out{atom.pattern + q.text, {}};
    for (std::size_t i = 0; i < kTexts; ++i) {
      const unsigned times = q.min + random_() % (q.most - q.min + 1);
      for (unsigned n = 0; n < times; ++n) out.texts[i] += atom.texts[(i + n) % kTexts];
    }
    return out;
  }

  Piece Atom(int depth) {
    if (depth > 0 && Chance(22)) return Group(depth);
    if (captures_ > 0 && Chance(6))
      return Fixed("\\" + std::to_string(1 + random_() % static_cast<unsigned>(captures_)),
                   {Character(), "a", ""});
    if (Chance(25)) return Bracket();
    if (Chance(20)) return Escape();
    if (Chance(8)) return Fixed(".", {Character(), Character(), "\n"});
    const std::string c = Character();
    if (c == ".") return Fixed("\\.", {c});
    return Fixed(c, {c});
  }

  Piece Group(int depth) {
    const bool captures = Chance(70);
    Piece inner = Alternation(depth - 1);
    inner.pattern = (captures ? "(" : "(?:") + inner.pattern + ")";
    if (captures) ++captures_;
    return inner;
  }

  Piece Escape() {
    struct Sample {
      const char* pattern;
      std::vector<std::string> texts;
    };
    static const std::vector<Sample> kEscapes = {{"\\d", {"0", "5", "٣", "a"}},
                                                 {"\\w", {"a", "_", "é", "9", "-"}},
                                                 {"\\s", {" ", "\t", "\n", "\u00a0", "\u2028"}},
                                                 {"\\D", {"a", "\n", "-", "٣"}},
                                                 {"\\W", {" ", "\n", ".", "é"}},
                                                 {"\\S", {"a", "é", "."}},
                                                 {"\\x41", {"A", "a"}},
                                                 {"\\u00e9", {"é", "É"}},
                                                 {"\\U0001d4b3", {"𝒳"}},
                                                 {"\\101", {"A"}},
                                                 {"\\n", {"\n", " "}},
                                                 {"\\b", {"\b"}},
                                                 {"\\B", {"\\"}},
                                                 {"\\e\\a\\cC", {"\033\a\003"}},
                                                 {"\\-\\/", {"-/"}},
                                                 {"{", {"{"}},
                                                 {"\\{a", {"{a"}},
                                                 {"(?#c)", {""}},
                                                 {"[[:alpha:]]", {"a", "é", "中", "1", "ǅ"}},
                                                 {"[[:digit:]]", {"0", "٣"}},
                                                 {"[[:upper:]]", {"A", "É", "a", "Ǆ", "İ"}},
                                                 {"[[:lower:]]", {"a", "é", "A", "ſ", "ı"}},
                                                 {"[[:punct:]]", {".", "@", "中", "$"}},
                                                 {"[[:space:]]", {" ", "\u2028", "\v", "\x1c"}},
                                                 {"[[:alnum:]_.-]", {"a", "_", "-", "٣"}},
                                                 {"[[:xdigit:]]", {"f", "F", "g"}},
                                                 {"[[:print:]]", {"a", "\t", "é"}},
                                                 {"[[:graph:]]", {"a", " ", "é"}},
                                                 {"[[:cntrl:]]", {"\x01", "\u0085", "a"}},
                                                 {"[[:blank:]]", {" ", "\t", "\u00a0"}},
                                                 {"[[:word:]]", {"_", "a", "-"}},
                                                 {"[[.hyphen.][=a=]]", {"-", "a", "A"}},
                                                 {"[[:ascii:]]", {"a", "é"}}};
    const Sample& sample = kEscapes[random_() % kEscapes.size()];
    return Fixed(sample.pattern, sample.texts);
  }

  Piece Bracket() {
    static constexpr const char* kParts[] = {
        "a-z",       "A-Z",       "0-9", "a-c", "_",   "x",   "é",   "à-ÿ", "\\d", "\\w",
        "\\s",       "\\n",       ".",   "@",   "Α-Ω", "k",   "i",   "I",   "\\D", "\\W",
        "[:alpha:]", "[:upper:]", "ſ",   "\\-", "\\]", "Ǆ-ǆ", "\\S", " "};
    std::string inner = Chance(5) ? "]" : "";
    for (unsigned n = 1 + random_() % 3; n > 0; --n) inner += Pick(kParts);
    if (Chance(8)) inner += "-";
    const bool negated = Chance(20);
    std::vector<std::string> texts;
    for (int i = 0; i < 5; ++i) texts.push_back(Character());
    return Fixed("[" + std::string(negated ? "^" : "") + inner + "]", texts);
  }

  std::mt19937 random_;
  int captures_ = 0;
};

}  // namespace relcache::test
