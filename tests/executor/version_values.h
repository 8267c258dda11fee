// The values and texts of tests/executor/version_values.txt.
#pragma once

#include <fstream>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "relcache/types/builtin_types.h"

namespace relcache::testing {

inline std::string Unescape(const std::string& line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\' || i + 1 == line.size()) {
      out += line[i];
      continue;
    }
    const char c = line[++i];
    out += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'v' ? '\v' : c;
  }
  return out;
}

/// The lists of the file by their heads ("= int4", "> interval(2)").
inline std::vector<std::pair<std::string, std::vector<std::string>>> VersionLists() {
  std::ifstream file(RELCACHE_TEST_DATA "/../executor/version_values.txt");
  std::vector<std::pair<std::string, std::vector<std::string>>> out;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    if (line.starts_with("= ") || line.starts_with("> "))
      out.emplace_back(line, std::vector<std::string>());
    else
      out.back().second.push_back(Unescape(line));
  }
  return out;
}

/// Values of a function's argument type; a zone's names for `is_zone`.
inline const std::vector<std::string>& ValuesOf(Oid type, bool is_zone) {
  static const auto lists = VersionLists();
  static const std::vector<std::string> none;
  const TypeInfo* info = FindTypeInfo(type);
  const std::string head =
      "= " + (is_zone ? std::string("zone") : std::string(info == nullptr ? "" : info->typname));
  for (const auto& [name, values] : lists)
    if (name == head) return values;
  return none;
}

struct InputText {
  std::string type;  ///< as SQL writes it, with its modifier
  std::vector<std::string> texts;
};
/// Texts for input functions: those of the file and mutations of them.
inline std::vector<InputText> InputTexts(std::size_t mutations) {
  std::mt19937 random(7);
  std::vector<InputText> out;
  for (const auto& [name, texts] : VersionLists()) {
    if (!name.starts_with("> ")) continue;
    InputText one{name.substr(2), texts};
    std::string letters;
    for (const auto& text : texts)
      for (const char c : text)
        if (c > ' ' - 1 && c < 127) letters += c;
    for (std::size_t n = 0; n < mutations; ++n) {
      std::string text = texts[random() % texts.size()];
      if (text.empty() || text.find_first_of("\x80\xff") != std::string::npos) continue;
      bool ascii = true;
      for (const char c : text) ascii = ascii && c > 0;
      if (!ascii) continue;
      const std::size_t at = random() % text.size();
      const char c = letters[random() % letters.size()];
      switch (random() % 3) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.insert(at, 1, c);
          break;
        default:
          text.erase(at, 1);
      }
      bool clock = false;  // what depends on the moment cannot be compared
      for (const char* word : {"now", "tod", "tom", "yes"})
        clock = clock || text.find(word) != std::string::npos;
      if (!clock) one.texts.push_back(text);
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace relcache::testing
