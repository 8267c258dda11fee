// One type's input and output against a real server.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "literals.h"
#include "postgres_server.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/internal/text.h"
#include "relcache/types/session_settings.h"
#include "relcache/types/type_io.h"

namespace relcache::test {

struct TypeCase {
  const char* name;
  Oid type;
  std::vector<std::int32_t> typmods;
  const char* alphabet;
  std::vector<std::string> seeds;
  friend void PrintTo(const TypeCase& c, std::ostream* out) { *out << c.name; }
};

/// The literals of the tests against a server: of dates and times, of intervals, of all other
/// types.
const std::vector<TypeCase>& DateTimeCases();
TypeCase IntervalCase();
const std::vector<TypeCase>& LiteralCases();

using Settings = std::vector<std::pair<std::string, std::string>>;

/// Reads and prints every literal (and damaged ones) on both sides under the settings.
inline void CompareWithServer(PostgresServer& server, const TypeCase& c, const Settings& set,
                              int variants) {
  SessionSettings settings = AssumeUtcAndMdy(0);
  std::string shown;
  for (const auto& [name, value] : set) {
    server.Run("SET " + name + " = " + Quote(value));
    ASSERT_TRUE(SetSetting(settings, name, value)) << name << " " << value;
    shown += name + "=" + value + " ";
  }
  const auto function = [&server, &c](const char* which) {
    return server.Run(
        "SELECT p.proname || ' ' || p.pronargs FROM pg_type t JOIN pg_proc p ON "
        "p.oid = t." +
        std::string(which) + " WHERE t.oid = " + std::to_string(c.type));
  };
  const std::string input = function("typinput");
  const std::string output = function("typoutput");
  const std::string element =
      server.Run("SELECT typelem::int FROM pg_type WHERE oid = " + std::to_string(c.type));
  const bool takes_typmod = input.ends_with("3");
  std::vector<std::string> literals = Damaged(c.seeds, c.alphabet, variants);
  std::erase_if(literals, [](const std::string& text) { return !CheckUtf8(text); });

  std::vector<std::string> expressions;
  for (const std::int32_t typmod : c.typmods)
    for (const std::string& literal : literals)
      expressions.push_back(output.substr(0, output.find(' ')) + "(" +
                            input.substr(0, input.find(' ')) + "(" + Quote(literal) + "::cstring" +
                            (takes_typmod ? ", " + element + ", " + std::to_string(typmod) : "") +
                            "))");
  settings.now = server.Begin();
  const std::vector<Outcome> expected = server.Ask(expressions);
  server.End();

  ContextPtr cx = Bump::CreateRoot("test");
  std::size_t at = 0;
  int failures = 0;
  for (const std::int32_t typmod : c.typmods) {
    for (const std::string& literal : literals) {
      cx->Reset();
      const Outcome actual =
          OutcomeOf(TypeInput(c.type, typmod, literal, settings, *cx).and_then([&](Datum value) {
            return TypeOutput(c.type, value, settings, *cx);
          }));
      const Outcome& right = expected[at++];
      // More zones than are kept: a bound of this library.
      if (actual.text == "too many different time zones") continue;
      if (actual != right && ++failures < 20)
        ADD_FAILURE() << FormatType(c.type, typmod) << " \"" << literal << "\": " << actual
                      << ", PostgreSQL: " << right << " with " << shown;
    }
  }
  EXPECT_EQ(failures, 0) << "of " << at;
}

}  // namespace relcache::test
