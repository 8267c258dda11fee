#include "relcache/types/internal/bool.h"

#include "relcache/types/internal/input_error.h"

namespace relcache {

bool ParseBool(std::string_view text, bool* value) {
  struct Word {
    std::string_view text;
    std::size_t shortest;  // "o" alone could be on or off
    bool value;
  };
  static constexpr Word kWords[] = {{"true", 1, true}, {"false", 1, false}, {"yes", 1, true},
                                    {"no", 1, false},  {"on", 2, true},     {"off", 2, false},
                                    {"1", 1, true},    {"0", 1, false}};
  for (const Word& word : kWords) {
    if (text.size() >= word.shortest && StartsWithNoCase(word.text, text)) {
      *value = word.value;
      return true;
    }
  }
  return false;
}

Result<Datum> BoolIn(std::string_view text) {
  bool value;
  if (!ParseBool(TrimSpace(text), &value)) return Fail(InvalidSyntax("boolean", text));
  return BoolGetDatum(value);
}

std::string_view BoolOut(bool value) {
  return value ? "t" : "f";
}

}  // namespace relcache
