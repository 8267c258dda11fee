// Every type's input and output against a real server: value, message and SQLSTATE.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "literals.h"
#include "postgres_server.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/text.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

using test::Damaged;
using test::Outcome;
using test::OutcomeOf;
using test::PostgresServer;
using test::Quote;

struct TypeCase {
  friend void PrintTo(const TypeCase& c, std::ostream* out) { *out << c.name; }

  const char* name;
  Oid type;
  std::vector<std::int32_t> typmods;
  const char* alphabet;
  std::vector<std::string> seeds;
};

constexpr std::int32_t NumericTypmod(int precision, int scale) {
  return ((precision << 16) | (scale & 0x7ff)) + 4;
}
constexpr std::int32_t Length(int n) {
  return n + 4;
}

const std::vector<TypeCase>& TypeCases() {
  static const std::vector<TypeCase> cases = {
      {"Bool",
       kBoolOid,
       {-1},
       "tfyno10 aeurslTFx",
       {"t", "true", "FALSE", " yes ", "no", "on", "off", "of", "o", "1", "0", "2", "", " ", "tru",
        "truee", "\tn\n"}},
      {"Int2",
       kInt2Oid,
       {-1},
       "0123456789 -+.x",
       {"0", "-0", "+5", "32767", "32768", "-32768", "-32769", " 12 ", "99999", "", " ", "-", "1.0",
        "99999x", "0x10", "1_000", "00000000000000012", "\v7\f"}},
      {"Int4",
       kInt4Oid,
       {-1},
       "0123456789 -+.x",
       {"2147483647", "2147483648", "-2147483648", "-2147483649", "x", "+", "12 3", "- 1", "1e3",
        "99999999999z"}},
      {"Int8",
       kInt8Oid,
       {-1},
       "0123456789 -+.x",
       {"9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "-9223372036854775809", "123456789012", "1 1", ""}},
      {"Oid",
       kOidOid,
       {-1},
       "0123456789 -+.x",
       {"0", "4294967295", "4294967296", "-1", "-2147483648", "-2147483649", "+7", "",
        "99999999999999999999999", "12 x", " 9 ", "-99999999999999999999"}},
      {"Float8",
       kFloat8Oid,
       {-1},
       "0123456789 -+.eExpNaifn",
       {"0",
        "-0",
        "1.5",
        "1e23",
        "9007199254740993",
        "1e308",
        "1.8e308",
        "-1e400",
        "1e-400",
        "5e-324",
        "2.5e-324",
        "2.2250738585072014e-308",
        "NaN",
        "nan",
        "Infinity",
        "-inf",
        "+inf",
        "infinit",
        "1e",
        ".5",
        "5.",
        ".",
        "",
        " ",
        " 7.25 ",
        "0x1p3",
        "0x1.8",
        "1e5x",
        "1e 5",
        "123456789012345",
        "1234567890123456",
        "0.0001",
        "0.00001",
        "-Infinity ",
        "1e400 x",
        "9.5367431640625e-07",
        "4503599627370496.5",
        "nan(12)",
        "-nan",
        "1e15",
        "1e14"}},
      {"Float4",
       kFloat4Oid,
       {-1},
       "0123456789 -+.eExpNaifn",
       {"0",
        "1.5",
        "3.4028235e38",
        "3.5e38",
        "1e-45",
        "1e-50",
        "1.17549435e-38",
        "16777216",
        "16777217",
        "33554432",
        "0.1",
        "1e6",
        "123456",
        "1234567",
        "NaN",
        "-Infinity",
        "x",
        "",
        "8388608.5",
        "5.960464477539063e-08",
        "2.98023223876953125E-8",
        "7.038531e-26"}},
      {"Text", kTextOid, {-1}, "ab \\'\"", {"", "abc", "h\xc3\xa4", " x ", "\\"}},
      {"Varchar",
       kVarcharOid,
       {-1, Length(1), Length(5)},
       "ab \xc3\xa4",
       {"", "abcde", "abcdef", "abcde  ", "     x", "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4",
        "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4  ", "\xe2\x82\xac\xe2\x82\xac"}},
      {"Bpchar",
       kBpcharOid,
       {-1, Length(1), Length(5)},
       "ab ",
       {"", "a", "abcde", "abcdef", "abcde  ", "  ", "\xc3\xa4\xc3\xa4", "\xe2\x82\xac x    "}},
      {"Name",
       kNameOid,
       {-1},
       "ab_\"",
       {"", "abc", std::string(63, 'x'), std::string(64, 'y'), std::string(62, 'x') + "\xc3\xa4",
        std::string(61, 'x') + "\xc3\xa4z"}},
      {"Char", kCharOid, {-1}, "ab\\012", {"", "a", "ab", "\\101", "\\"}},
      {"Bytea",
       kByteaOid,
       {-1},
       "\\x0123456789abcdefABCDEFg \n",
       {"\\x", "\\x00ff", "\\xAB cd", "\\xa", "\\xag", "\\x1 2", "abc", "a\\\\b", "\\000\\377",
        "\\400", "\\12", "\\", "\\x0 \t", "h\xc3\xa4", "\\xab\xc3\xa4"}},
      {"Uuid",
       kUuidOid,
       {-1},
       "0123456789abcdefABCDEF-{}",
       {"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "A0EEBC999C0B4EF8BB6D6BB9BD380A11",
        "{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}", "a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11", "",
        "11111111-1111-1111-1111-11111111111", "{11111111-1111-1111-1111-111111111111",
        " a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"}},
      {"Numeric",
       kNumericOid,
       {-1, NumericTypmod(5, 2), NumericTypmod(3, -1), NumericTypmod(2, 4), NumericTypmod(1000, 0),
        NumericTypmod(20, 20)},
       "0123456789 -+.eENaifn",
       {"0",
        "-0",
        "0.00",
        "1",
        "-1.50",
        "9.996",
        "999.99",
        "999.994",
        "999.995",
        "94",
        "95",
        "995",
        "12345678901234567890.123456789",
        "0.00001",
        "0.0099",
        "0.00995",
        "1e10",
        "1.5e-5",
        "1e 5",
        "1e",
        "1e+",
        ".5",
        "5.",
        ".",
        "+.e1",
        "NaN",
        "nan ",
        " Infinity",
        "-inf",
        "+infinity",
        "infx",
        "1e131071",
        "1e131072",
        "1e-16383",
        "1e-16384",
        "0e-20000",
        "1e1073741823",
        "1e-99999999999999999999",
        "1.2.3",
        "1..2",
        "",
        " ",
        " 7 ",
        "99999999",
        "9999.9999",
        "0.9999",
        "10000",
        "100000000",
        "0.0001",
        "1_000",
        "0x1F",
        "00012.3400",
        "--1",
        "1 2"}},
  };
  return cases;
}

std::string Spell(const std::string& text) {
  return "\"" + text + "\"";
}

class TypeIo : public ::testing::TestWithParam<TypeCase> {};

TEST_P(TypeIo, ReadsAndPrintsWhatPostgresDoes) {
  auto server = PostgresServer::Connect();
  if (!server) GTEST_SKIP() << "RELCACHE_TEST_POSTGRES is not set";
  const TypeCase& c = GetParam();
  const std::string name(FindTypeInfo(c.type)->typname);
  // "char"'s functions are charin and charout; others have an underscore before in and out.
  const auto function = [&server, &name](const char* which) {
    return server->Run(
        "SELECT p.proname || ' ' || p.pronargs FROM pg_type t JOIN pg_proc p ON "
        "p.oid = t." +
        std::string(which) + " WHERE t.typname = '" + name +
        "' AND t.typnamespace = 'pg_catalog'::regnamespace");
  };
  const std::string input = function("typinput");
  const std::string output = function("typoutput");
  const bool takes_typmod = input.ends_with("3");
  std::vector<std::string> literals = Damaged(c.seeds, c.alphabet, 40);
  std::erase_if(literals, [](const std::string& text) { return !CheckUtf8(text); });

  std::vector<std::string> expressions;
  for (const std::int32_t typmod : c.typmods)
    for (const std::string& literal : literals)
      expressions.push_back(output.substr(0, output.find(' ')) + "(" +
                            input.substr(0, input.find(' ')) + "(" + Quote(literal) + "::cstring" +
                            (takes_typmod ? ", 0, " + std::to_string(typmod) : "") + "))");
  SessionSettings settings;
  settings.now = server->Begin();
  const std::vector<Outcome> expected = server->Ask(expressions);
  server->End();

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
      if (actual != right && ++failures < 20)
        ADD_FAILURE() << FormatType(c.type, typmod) << " " << Spell(literal) << ": " << actual
                      << ", PostgreSQL: " << right;
    }
  }
  EXPECT_EQ(failures, 0) << "of " << at;
}

INSTANTIATE_TEST_SUITE_P(Postgres, TypeIo, ::testing::ValuesIn(TypeCases()),
                         [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace relcache
