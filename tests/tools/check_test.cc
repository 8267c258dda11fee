// relcache check and relcache route over files, as their users run them. The messages are those of
// COPY of a PostgreSQL 15 with the schema of tests/data/check.sql.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "shell.h"

namespace relcache {
namespace {

using test::Outcome;
using test::Shell;
using testing::HasSubstr;

constexpr const char* kColumns = " --columns id,c,t,n,p,m,d,w ";

/// A row for s.t, and the line of the report: its place and its message.
struct RowCase {
  const char* row;
  const char* message;
};

const RowCase kRows[] = {
    {"1,2,abc,1.5,3,ok,2024-01-01,w", ""},
    {"1,,,,,,,w", ""},
    {",2,abc,1.5,3,ok,2024-01-01,w",
     ", column \"id\": 23502 null value in column \"id\" of relation \"t\" violates not-null "
     "constraint\n    Failing row contains (null, 2, abc, 1.50, 3, ok, 2024-01-01, 4, w, 7)."},
    {"3,-2,abc,1.5,3,ok,2024-01-01,w",
     ": 23514 new row for relation \"t\" violates check constraint \"t_c_check\"\n    Failing row "
     "contains (3, -2, abc, 1.50, 3, ok, 2024-01-01, -4, w, 7)."},
    {"4,2,abcdefg,1.5,3,ok,2024-01-01,w",
     ": 23514 new row for relation \"t\" violates check constraint \"t_t_check\""},
    {"5,2,abc,99.994,3,ok,2024-01-01,w", ""},
    {"5,2,abc,99.995,3,ok,2024-01-01,w",
     ": 23514 new row for relation \"t\" violates check constraint \"t_n_check\"\n    Failing row "
     "contains (5, 2, abc, 100.00, 3, ok, 2024-01-01, 4, w, 7)."},
    {"5,2,abc,1000.5,3,ok,2024-01-01,w",
     ", column \"n\", value \"1000.5\": 22003 numeric field overflow\n    A field with precision "
     "5, "
     "scale 2 must round to an absolute value less than 10^3."},
    {"6,2,abc,1.5,-3,ok,2024-01-01,w",
     ", column \"p\", value \"-3\": 23514 value for domain s.pos violates check constraint "
     "\"pos_check\""},
    {"7,2,abc,1.5,3,bad,2024-01-01,w",
     ", column \"m\", value \"bad\": 22P02 invalid input value for enum s.mood: \"bad\""},
    {"8,2,abc,1.5,3,ok,2024-13-01,w",
     ", column \"d\", value \"2024-13-01\": 22008 date/time field value out of range: "
     "\"2024-13-01\""},
    {"9,60,abc,1.5,3,ok,2024-01-01,w",
     ": 23514 new row for relation \"t\" violates check constraint \"t_g_check\""},
    {"10,2,abc,1.5,3,ok,2024-01-01,",
     ", column \"w\": 23502 domain s.nn does not allow null values"},
    {"x,2", ", column \"id\", value \"x\": 22P02 invalid input syntax for type integer: \"x\""},
    {"11,2,abc", ", column \"n\": 22P04 missing data for column \"n\""},
    {"12,2000000000,abc,1,1,ok,,w", ", column \"g\": 22003 integer out of range"},
    {"13,2,a,1.5,3,ok,2024-01-01,w,extra", ": 22P04 extra data after last expected column"},
    {"14,2,\"abc", ": 22P04 unterminated CSV quoted field"},
};

TEST(CheckTest, EachRowIsReportedInTheWordsOfCopy) {
  Shell shell;
  for (const RowCase& c : kRows) {
    const Outcome outcome = shell.Run("cat > rows <<'END'\n" + std::string(c.row) +
                                      "\nEND\nrelcache check $DATA/check.json s.t rows" + kColumns);
    const bool fine = *c.message == '\0';
    EXPECT_EQ(outcome.status, fine ? 0 : 1) << c.row << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(fine ? "1 rows" : "row 1 (line 1)" + std::string(c.message)))
        << c.row;
  }
}

TEST(CheckTest, AllOfThemTogetherAreReportedInOrderByAnyNumberOfThreads) {
  Shell shell;
  std::string rows, expected;
  int number = 0;
  for (int copies = 0; copies < 3000; ++copies) {
    for (const RowCase& c : kRows) {
      if (std::string(c.row).find('"') != std::string::npos) continue;
      rows += std::string(c.row) + "\n";
      ++number;
      if (*c.message != '\0') expected += std::to_string(number) + "\n";
    }
  }
  shell.Write("rows", rows);
  shell.Write("expected", expected);
  for (const char* threads : {"1", "2", "5"}) {
    const Outcome outcome = shell.Run(
        "relcache check $DATA/check.json s.t rows --report jsonl --threads " +
        std::string(threads) + kColumns +
        "| sed -n 's/^{\"row\":\\([0-9]*\\),.*/\\1/p' > got; cmp got expected && echo same");
    EXPECT_THAT(outcome.out, HasSubstr("same")) << threads << outcome.err;
  }
}

struct CommandCase {
  const char* name;
  const char* script;
  int status = 0;
  std::vector<const char*> out = {}, err = {};
};

const CommandCase kCommands[] = {
    {"Jsonl",
     "printf '0,x,1\\n5,x,-1\\n' | relcache check $DATA/check.json s.routed - --report jsonl",
     1,
     {"{\"row\":2,\"kind\":\"check\",\"constraint\":\"routed_c_check\",\"sqlstate\":\"23514\","
      "\"message\":\"new row for relation \\\"routed_1\\\" violates check constraint "
      "\\\"routed_c_check\\\"\"",
      "{\"rows\":2,\"violations\":1,\"seconds\":"}},
    {"Verdicts",
     "printf '1,-2,abc,,,,,w\\n,1,,,,,,w\\n2,,,,,,,w\\n' | relcache check $DATA/check.json s.t - "
     "--columns id,c,t,n,p,m,d,w --report verdicts",
     1,
     {"{\"row\":1,\"constraint\":\"t_c_check\",\"result\":false}\n{\"row\":1,\"constraint\":\"t_g_"
      "check\",\"result\":true}\n{\"row\":1,\"constraint\":\"t_n_check\",\"result\":null}\n",
      "{\"row\":2,\"kind\":\"not_null\",\"error\":{\"sqlstate\":\"23502\",\"message\":\"null value "
      "in column \\\"id\\\" of relation \\\"t\\\" violates not-null constraint\"}}\n{\"row\":3,"}},
    {"Routed",
     "printf '1,x,200\\n1,,1\\n15,x,1\\n' | relcache check $DATA/check.json s.routed -",
     1,
     {"row 1 (line 1): 23514 new row for relation \"routed_1\" violates check constraint "
      "\"own\"\n    Failing row contains (1, x, 200).",
      "row 2 (line 2), column \"b\": 23502 null value in column \"b\" of relation \"routed_1\" "
      "violates not-null constraint\n    Failing row contains (1, null, 1).",
      "row 3 (line 3): 23514 no partition of relation \"routed\" found for row\n    Partition key "
      "of the failing row contains (a) = (15).",
      "no partition between \"routed_1\" and \"routed_2\""}},
    {"DirectlyIntoAPartition",
     "echo 1,x,15 | relcache check $DATA/check.json s.routed_1 -",
     1,
     {"23514 new row for relation \"routed_1\" violates partition constraint\n    Failing row "
      "contains (1, x, 15)."}},
    {"MaxViolations",
     "printf '1,x,-1\\n2,x,-1\\n3,x,-1\\n' | relcache check $DATA/check.json s.routed - "
     "--max-violations 2",
     1,
     {"2 rows", "2 with violations", "the first: 1, 2"}},
    {"Sample",
     "yes 1,x,1 | relcache check $DATA/check.json s.routed - --sample 1500",
     0,
     {"1500 rows"}},
    {"HeaderOfOtherNames",
     "printf 'a,x,c\\n' | relcache check $DATA/check.json s.routed - --header-match",
     2,
     {},
     {"column name mismatch in header line field 2: got \"x\", expected \"b\""}},
    {"Header",
     "printf 'a,b,c\\n1,x,1\\n' | relcache check $DATA/check.json s.routed - --header",
     0,
     {"1 rows"}},
    {"SeveralFiles",
     "echo 1,x,1 > a; echo 1,x,-1 > b; relcache check $DATA/check.json s.routed a b",
     1,
     {"b: row 1 (line 1): 23514", "2 rows"}},
    {"Gzip", "echo 1,x,1 | gzip | relcache check $DATA/check.json s.routed -", 0, {"1 rows"}},
    {"GzipCutOff",
     "seq 10000 | sed 's/$/,x,1/' | gzip | head -c 2000 | relcache check $DATA/check.json s.routed "
     "- --report jsonl",
     2,
     {},
     {"unexpected end of a compressed file"}},
    {"Text",
     "printf '1\\tx\\\\n\\t\\\\N\\n' | relcache check $DATA/check.json s.routed - --format text",
     0,
     {"1 rows"}},
    {"ForceNull",
     "echo '1,x,\"\"' | relcache check $DATA/check.json s.routed - --force-null c",
     0,
     {"1 rows"}},
    {"ForceNotNull",
     "echo '1,,1' | relcache check $DATA/check.json s.routed - --force-not-null b",
     0,
     {"1 rows"}},
    {"NoSuchFile", "relcache check $DATA/check.json s.routed none", 2, {}, {"none"}},
    {"NoSuchColumn",
     "relcache check $DATA/check.json s.routed - --columns a,z",
     2,
     {},
     {"column \"z\" of relation \"routed\" does not exist"}},
    {"GeneratedColumn",
     "relcache check $DATA/check.json s.t - --columns id,g",
     2,
     {},
     {"column \"g\" is a generated column"}},
    {"Trigger",
     "relcache check $DATA/check.json s.triggered -",
     2,
     {},
     {"not supported: BEFORE INSERT trigger \"before_row\" of relation \"triggered\""}},
    {"TriggerSkipped",
     "echo 1 | relcache check $DATA/check.json s.triggered - --skip-unsupported",
     0,
     {"not verified: not supported: BEFORE INSERT trigger \"before_row\""}},
    {"DefaultOfASequence",
     "echo 1 | relcache check $DATA/check.json s.serials - --columns v",
     2,
     {},
     {"CHECK constraint \"serials_k_check\", which depends on the default of column \"k\""}},
    {"VerdictsOfAnErrorOfEvaluation",
     "printf '0\\n1\\n' | relcache check $DATA/check.json s.divided - --report verdicts",
     1,
     {"{\"row\":1,\"constraint\":\"divided_c_check\",\"error\":{\"sqlstate\":\"22012\","
      "\"message\":\"division by zero\"}}\n{\"row\":2,\"constraint\":\"divided_c_check\","
      "\"result\":true}"}},
    {"NotNullOfAnUnknownDefault",
     "echo 1 | relcache check $DATA/check.json s.unknown - --columns a",
     2,
     {},
     {"NOT NULL of column \"k\", which depends on the default of column \"k\""}},
    {"NotNullOfASequence",
     "echo 1 | relcache check $DATA/check.json s.serials - --columns v --skip-unsupported",
     0,
     {"1 rows"}},
    {"GeneratedOfASequence",
     "echo 1 | relcache check $DATA/check.json s.derived - --columns a",
     2,
     {},
     {"generated column \"h\", which depends on the default of column \"id\""}},
    {"CheckOfAGeneratedOfASequence",
     "echo 1 | relcache check $DATA/check.json s.derived - --columns a --skip-unsupported",
     0,
     {"not verified: not supported: CHECK constraint \"derived_h_check\", which depends on the "
      "default of column \"h\""}},
    {"PartitionWithAnUnknownDefault",
     "echo 11,1 | relcache check $DATA/check.json s.numbered - --columns a,c",
     2,
     {},
     {"NOT NULL of column \"k\""}},
    {"SequenceOfAPartition",
     "printf '1,-1\\n11,1\\n' | relcache check $DATA/check.json s.numbered - --columns a,c "
     "--skip-unsupported",
     1,
     {"row 1 (line 1): 23514 new row for relation \"numbered_1\" violates check constraint "
      "\"numbered_c_check\"",
      "2 rows", "1 with violations"}},
    {"KeyOfAnUnknownDefault",
     "echo 1 | relcache check $DATA/check.json s.filed_1 - --columns v",
     2,
     {},
     {"partition key of relation \"filed\", which depends on the default of column \"at\""}},
    {"GeneratedAlikeInAnotherOrder",
     "echo 1 | relcache check $DATA/check.json s.computed -",
     0,
     {"1 rows"}},
    {"GeneratedOtherwise",
     "echo 8 | relcache check $DATA/check16.json s.differs -",
     2,
     {},
     {"generated column \"g\" of relation \"differs_1\", whose expression is not that of relation "
      "\"differs\""}},
    {"Route",
     "printf '1,x,1\\n15,x,1\\n' | relcache route $DATA/check.json s.routed - --report jsonl",
     1,
     {"{\"row\":1,\"partition\":\"s.routed_1\"}\n{\"row\":2,\"error\":{\"sqlstate\":\"23514\","
      "\"message\":\"no partition of relation \\\"routed\\\" found for row\""}},
    {"RouteSplits",
     "printf 'a,b,c\\n1,\"x\ny\",1\\n25,z,1\\n2,\"\",\\n' > rows; relcache route $DATA/check.json "
     "s.routed rows --header --split-into parts && ls parts && cat parts/s.routed_1.csv",
     0,
     {"s.routed_1.csv\ns.routed_2.csv\na,b,c\n1,\"x\ny\",1\n2,\"\",\n"}},
    {"RouteReplacesNothing",
     "mkdir parts; echo mine > parts/s.routed_1.csv; echo 1,x,1 | relcache route $DATA/check.json "
     "s.routed - --split-into parts; echo $?; cat parts/*",
     0,
     {"2\nmine\n"}},
    {"RouteOfNoPartitionedTable",
     "relcache route $DATA/check.json s.t -",
     2,
     {},
     {"\"t\" is not a partitioned table"}},
};

class CheckCommandTest : public testing::TestWithParam<CommandCase> {};
TEST_P(CheckCommandTest, ExitStatusAndOutput) {
  Shell shell;
  const Outcome outcome = shell.Run(GetParam().script);
  EXPECT_EQ(outcome.status, GetParam().status) << outcome.out << outcome.err;
  for (const char* part : GetParam().out) EXPECT_THAT(outcome.out, HasSubstr(part));
  for (const char* part : GetParam().err) EXPECT_THAT(outcome.err, HasSubstr(part));
}
INSTANTIATE_TEST_SUITE_P(Check, CheckCommandTest, testing::ValuesIn(kCommands),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace relcache
