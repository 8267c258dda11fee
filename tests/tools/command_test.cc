// The relcache command as its users run it: arguments and input, exit status and output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "shell.h"

namespace relcache {
namespace {

using test::NameOf;
using test::Outcome;
using test::Shell;
using testing::HasSubstr;

/// A line of shell, and what must come of it. What succeeds has nothing to say on stderr.
struct Case {
  const char* name;
  const char* script;
  int status = 0;
  std::vector<const char*> out = {};  ///< parts of standard output
  std::vector<const char*> err = {};  ///< and of standard error
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.script;
}

class CommandTest : public testing::TestWithParam<Case> {};

TEST_P(CommandTest, ExitStatusAndOutput) {
  Shell shell;
  const Outcome outcome = shell.Run(GetParam().script);
  EXPECT_EQ(outcome.status, GetParam().status) << outcome.out << outcome.err;
  for (const char* part : GetParam().out) EXPECT_THAT(outcome.out, HasSubstr(part));
  for (const char* part : GetParam().err) EXPECT_THAT(outcome.err, HasSubstr(part));
  if (GetParam().status == 0) {
    EXPECT_EQ(outcome.err, "");
  } else {
    EXPECT_NE(outcome.out + outcome.err, "") << "says nothing about what is wrong";
  }
}

const Case kGeneral[] = {
    {"Version", "relcache --version", 0, {"relcache " RELCACHE_VERSION "\n"}},
    {"Help", "relcache --help", 0, {"tree", "catalog", "simulate"}},
    {"HelpOfSubcommandHasAnExample", "relcache tree verify --help", 0, {"Example: "}},
    {"NoSubcommand", "relcache", 2},
    {"UnknownSubcommand", "relcache tre verify x", 2, {}, {"tre"}},
    {"UnknownSubcommandBelow", "relcache tree verfy x", 2, {}, {"verfy"}},
    {"UnknownOption", "relcache tree verify --loud trees.jsonl", 2, {}, {"--loud"}},
    {"MissingArgument", "relcache tree verify", 2, {}, {"FILE"}},
    {"FullDisk", "relcache tree show trees.jsonl >/dev/full", 2, {}, {"standard output: No space"}},
    {"FullDiskForHelp", "relcache --help >/dev/full", 2, {}, {"standard output"}},
    {"ClosedOutput", "relcache catalog show sample >&-", 2, {}, {"standard output"}},
};

const Case kTree[] = {
    {"VerifyCorpus", "relcache tree verify $DATA/corpus/*.jsonl.gz", 0, {" trees, 0 failed\n"}},
    {"VerifyPlainAndPacked",
     "relcache tree verify trees.jsonl trees.jsonl.gz",
     0,
     {"6 trees, 0 failed\n"}},
    {"VerifyStandardInput",
     "cat trees.jsonl.gz | relcache tree verify -",
     0,
     {"3 trees, 0 failed"}},
    {"VerifyEmptyFile",
     "relcache tree verify empty trees.jsonl",
     2,
     {"3 trees, 0 failed"},
     {"empty: the file contains no tree"}},
    {"VerifyBlankLinesOnly",
     "printf '\\n \\n' | relcache tree verify -",
     2,
     {},
     {"-: the file contains no tree"}},
    {"VerifyPlainTrees",
     R"x(printf '%s\n' "$(cat tree.txt)" '' "($(cat tree.txt) <>)" '<>' '{"tree":"<>"}' | relcache tree verify -)x",
     0,
     {"4 trees, 0 failed"}},
    {"VerifyPlainTreeThatIsDamaged",
     R"x(printf '%s\n' "$(cat tree.txt)" '{BOOLEXPR :boolop' '{NOSUCH}' | relcache tree verify -)x",
     1,
     {"-:2: ", "-:3: ", "3 trees, 2 failed"}},
    {"VerifyPlainTreesWithCarriageReturns",
     R"x(printf '%s\r\n' "$(cat tree.txt)" | relcache tree verify -)x",
     0,
     {"1 trees, 0 failed"}},
    {"ShowPlainTrees",
     R"x(printf '%s\n' "$(cat tree.txt)" '<>' | relcache tree show -)x",
     0,
     {"Const consttype=16", "\n<>\n"}},
    {"VerifyDamagedTree",
     "sed 's/16 :consttypmod/x :consttypmod/' trees.jsonl >bad.jsonl; relcache tree verify "
     "bad.jsonl",
     1,
     {"bad.jsonl:1: ", "bad.jsonl:2: ", "an integer from 0 to 4294967295", "\"consttype\" of CONST",
      "at byte 18", "3 trees, 2 failed"}},
    {"VerifyVersionsThatDoNotExist",
     R"(for v in 9 19 -15; do echo "{\"pg\":$v,\"tree\":\"<>\"}"; done | relcache tree verify -)",
     1,
     {"-:1: not supported: node trees of PostgreSQL 9", "-:2: ", "-:3: ", "3 trees, 3 failed"}},
    {"VerifyGoesOnWithTheNextFile",
     "relcache tree verify nosuch trees.jsonl",
     2,
     {"3 trees, 0 failed"},
     {"nosuch: No such file"}},
    {"VerifyDirectory", "relcache tree verify /", 2, {}, {"relcache: /: Is a directory"}},
    {"VerifyVersionOutOfRange", "relcache tree verify --pg-version 9 trees.jsonl", 2},
    {"VerifyCutGzip",
     "head -c 60 trees.jsonl.gz >cut.gz; relcache tree verify cut.gz",
     2,
     {},
     {"cut.gz: unexpected end of a compressed file"}},
    {"VerifyGzipCutAtItsChecksum",
     "head -c -8 trees.jsonl.gz >cut.gz; relcache tree verify cut.gz",
     2,
     {"3 trees, 0 failed"},
     {"unexpected end"}},
    {"VerifyGzipWithWrongChecksum",
     "(head -c -8 trees.jsonl.gz; printf 12345678) >bad.gz; relcache tree verify bad.gz", 2},
    {"VerifyNotJson",
     "echo nonsense | relcache tree verify -",
     2,
     {},
     {"-:1: Invalid value. at byte "}},
    {"VerifyCutJson", R"(printf '{"tree":"<' | relcache tree verify -)", 2, {}, {"-:1: "}},
    {"VerifyArray", "echo '[]' | relcache tree verify -", 2, {}, {"a JSON object"}},
    {"VerifyNoTree", R"(echo '{"pg":15}' | relcache tree verify -)", 2, {}, {"-:1: ", "\"tree\""}},
    {"VerifyTreeIsNull", R"(echo '{"tree":null}' | relcache tree verify -)", 2, {}, {"a string"}},
    {"VerifyTwoTrees",
     R"(echo '{"tree":"<>","tree":"<>"}' | relcache tree verify -)",
     2,
     {},
     {"one \"tree\""}},
    {"VerifyVersionIsText",
     R"(echo '{"pg":"15","tree":"<>"}' | relcache tree verify -)",
     2,
     {},
     {"\"pg\"", "an integer"}},
    {"VerifyVersionIsFraction", R"(echo '{"pg":15.5,"tree":"<>"}' | relcache tree verify -)", 2},
    {"VerifyVersionIsNull", R"(echo '{"pg":null,"tree":"<>"}' | relcache tree verify -)", 2},
    {"VerifyZeroByteBehindObject",
     R"(printf '{"tree":"<>"}\000x\n' | relcache tree verify -)",
     2,
     {},
     {"at byte 13"}},
    {"VerifyNotUtf8", R"(printf '{"tree":"\377"}\n' | relcache tree verify -)", 2},
    {"VerifyDeepNest",
     "ulimit -s 256; (printf '{\"tree\":\"'; head -c 100000 /dev/zero | tr '\\0' '('; echo '\"}') "
     "| "
     "relcache tree verify -",
     1,
     {"nested too deeply", "1 trees, 1 failed"}},
    {"ShowText", "relcache tree show tree.txt", 0, {"Const consttype=16 constlen=1"}},
    {"ShowStandardInput", "relcache tree show <tree.txt", 0, {"Const consttype=16"}},
    {"ShowLines", "relcache tree show trees.jsonl", 0, {"Const consttype=16", "\n<>\n"}},
    {"ShowJson",
     "relcache tree show --as json tree.txt",
     0,
     {R"({"node":"Const","consttype":16,)"}},
    {"ShowDot", "relcache tree show --as dot tree.txt", 0, {"digraph tree {"}},
    {"ShowProgram",
     "relcache tree show --as program comparison.txt",
     0,
     {"  0  r0 = call int4gt c2, k0\nresult r0\nk0 = 7\n"}},
    {"ShowProgramOfNothing",
     "echo '<>' | relcache tree show --as program -",
     1,
     {},
     {"there is no expression"}},
    {"ShowSql", "relcache tree show --as sql tree.txt", 2, {}, {"not supported"}},
    {"ShowUnknownForm", "relcache tree show --as xml tree.txt", 2, {}, {"xml"}},
    {"ShowNothing", "relcache tree show empty", 1, {}, {"empty: malformed node tree"}},
    {"ShowDamagedLine",
     "sed 's/true/maybe/' trees.jsonl >bad.jsonl; relcache tree show bad.jsonl",
     1,
     {"<>"},
     {"bad.jsonl:1: ", "bad.jsonl:2: ", "\"constbyval\" of CONST"}},
    {"ShowDeepNest",
     "ulimit -s 256; for form in text json dot; do head -c 100000 /dev/zero | tr '\\0' '(' | "
     "relcache tree show --as $form; test $? = 1 || exit 3; done; exit 1",
     1,
     {},
     {"nested too deeply"}},
    {"BenchNoSuchOperation", "relcache tree bench trees.jsonl --ops read,sing", 2, {}, {"sing"}},
    {"BenchNoRounds", "relcache tree bench trees.jsonl --repeat 0", 2},
    {"BenchDamagedTree",
     "sed s/true/maybe/ trees.jsonl | relcache tree bench -",
     1,
     {},
     {"-:1: ", "constbyval"}},
};

const Case kCatalog[] = {
    {"ShowSample", "relcache catalog show sample", 0, {"public.measurement  table"}},
    {"ShowRelation",
     "relcache catalog show sample measurement_1",
     0,
     {"check measurement_1_c_check"}},
    {"ShowQuotedRelation", R"(relcache catalog show sample '"public"."measurement"')"},
    {"ShowRelationThatIsNot",
     R"(relcache catalog show sample '"Measurement"')",
     2,
     {},
     {"relation \"Measurement\" does not exist"}},
    {"ShowNoName", R"(relcache catalog show sample '"unclosed')", 2, {}, {"invalid name syntax"}},
    {"ShowStats", "relcache catalog show sample --stats", 0, {"unreadable_expressions 0"}},
    {"ShowStatsOfDamagedTrees",
     "relcache catalog import sample --out s.json >log && sed 's/:opno /:opnr /' s.json >bad.json "
     "&& "
     "relcache catalog show bad.json --stats",
     1,
     {"unreadable_expressions 1"},
     {"measurement_1_c_check", "\"opno\""}},
    {"ShowNoSource", "relcache catalog show tree.txt", 2, {}, {"not a source"}},
    {"ShowNoFile", "relcache catalog show nosuch.json", 2, {}, {"nosuch.json: ", "No such file"}},
    {"ShowCutSnapshot",
     "relcache catalog import sample --out s.json >log && head -c 3000 s.json >cut.json && "
     "relcache catalog show cut.json",
     2,
     {},
     {"cut.json: ", "at byte "}},
    {"ShowServerVersionTooOld",
     "relcache catalog import sample --out s.json >log && "
     "sed 's/\"server_version_num\":[0-9]*/\"server_version_num\":90600/' s.json >old.json && "
     "relcache catalog show old.json",
     2,
     {},
     {"server_version_num 90600"}},
    {"ShowCircularInheritance",
     R"(relcache catalog import sample --out s.json >log &&
        sed '/^{"pg_class":{"oid":16384,/ s/$/"pg_inherits":[{"inhrelid":16384,"inhparent":16390}],/' \
          s.json >circle.json && relcache catalog show circle.json)",
     2,
     {},
     {"pg_inherits: circular inheritance not allowed"}},
    {"ChecksThatCompile",
     "relcache catalog checks sample",
     0,
     {"public.measurement_1: check measurement_1_c_check: compiles\n", "\ncheck: 1, 1 compile\n",
      "\nall expressions: 3, 3 compile\n"}},
    {"ChecksOfOneRelation",
     "relcache catalog checks sample measurement",
     0,
     {"public.measurement: default taken_at: compiles\nsummary\ndefault: 1, 1 compile\n"}},
    {"ChecksThatAreRefused",
     "relcache catalog checks $DATA/catalog/checks.json shop.reservation",
     1,
     {"shop.reservation: check reservation_xml_note_check: refused: NODE XmlExpr\n", " refused\n",
      "\nrefused, by reason\n", "     1  NODE XmlExpr\n"}},
    {"ChecksOfDomainsAreNamedOnce",
     "relcache catalog checks $DATA/catalog/checks.json >all; grep -c percentage_range all; "
     "grep -c 'domain default' all",
     0,
     {"1\n3\n"}},
    {"ChecksOfIndexesTriggersAndPartitionKeys",
     "for s in programs partitions checks; do relcache catalog checks $DATA/catalog/$s.json; done",
     1,
     {"public.account: trigger condition b_large: compiles\n",
      "public.people: partition key people: compiles\n",
      "shop.customer: index predicate customer_mail: compiles\n",
      "shop.customer: index expression customer_name: compiles\n",
      "shop.product: generated column gross: compiles\n"}},
    {"ChecksOfDamagedTrees",
     "relcache catalog import sample --out s.json >log && sed 's/:opno /:opnr /' s.json >bad.json "
     "&& relcache catalog checks bad.json",
     1,
     {"measurement_1_c_check: unreadable: ", "\"opno\"", "\ncheck: 1, 1 unreadable\n"}},
    {"ChecksThatRaiseWhatTheServerRaises",
     R"x(relcache catalog import sample --out s.json >log &&
         c='{CONST :consttype 23 :consttypmod -1 :constcollid 0 :constlen 4 :constbyval true '
         c=$c':constisnull false :location -1 :constvalue 4 [ 0 0 0 0 0 0 0 0 ]}'
         d='{OPEXPR :opno 528 :opfuncid 154 :opresulttype 23 :opretset false :opcollid 0 '
         d=$d':inputcollid 0 :args ('$c' '$c') :location -1}'
         sed "/conbin/ s/{VAR [^}]*}/$d/" s.json >raises.json &&
         relcache catalog checks raises.json)x",
     0,
     {"measurement_1_c_check: raises: division by zero\n", "\ncheck: 1, 1 raise an error\n"}},
    {"ChecksOfRelationThatIsNot", "relcache catalog checks sample nosuch", 2, {}, {"nosuch"}},
    {"ChecksOfNoSource", "relcache catalog checks tree.txt", 2, {}, {"not a source"}},
    {"ImportIsStable",
     "relcache catalog import sample --out a.json && relcache catalog import a.json --out b.json "
     "&& "
     "cmp a.json b.json",
     0,
     {" relations, "}},
    {"ImportToFullDisk",
     "relcache catalog import sample --out /dev/full",
     2,
     {},
     {"No space left"}},
    {"ImportThatFailsLeavesWhatWasThere",
     "echo kept >s.json; (trap '' XFSZ; ulimit -f 1; relcache catalog import sample --out s.json) "
     "2>log; test $? = 2 && grep 'File too large' log && ls s.json* && cat s.json",
     0,
     {"File too large", "s.json\nkept\n"}},
    {"ImportToNowhere",
     "relcache catalog import sample --out no/such.json",
     2,
     {},
     {"No such file"}},
    {"ImportWithoutTarget", "relcache catalog import sample", 2, {}, {"--out"}},
};

#define SMALL_JOIN "relcache simulate hash-join --build 1000 --probe 2000 --work-mem 0.0625"

const Case kSimulate[] = {
    {"JoinTable", SMALL_JOIN, 0, {"work_mem", "deferred-nobatch"}},
    {"JoinOfNothing", "relcache simulate hash-join --build 0 --probe 1000 --work-mem 1 --json"},
    {"JoinOfNothingByTuple",
     "relcache simulate hash-join --form tuple --build 0 --probe 1000 --work-mem 1 --json"},
    {"JoinWithNothing", "relcache simulate hash-join --build 1000 --probe 0 --work-mem 1 --json"},
    {"JoinOfEmptyTexts", SMALL_JOIN " --width 0 --json", 0, {"\"length_sum\":0,"}},
    {"JoinOfOneKey", SMALL_JOIN " --distinct 1 --json", 0, {"\"rows\":2000000,"}},
    {"JoinExpectedEmpty", SMALL_JOIN " --estimate 0 --json", 0, {"\"rows\":2000,"}},
    {"JoinExpectedHuge",
     SMALL_JOIN " --estimate 1000000000000 --strategy deferred --json",
     0,
     {"\"rows\":2000,"}},
    {"JoinWidthBeyondAChunk",
     SMALL_JOIN " --form tuple --width 100000",
     2,
     {},
     {"longer than a quarter of a chunk"}},
    {"JoinNegativeBuild", "relcache simulate hash-join --build -1", 2, {}, {"--build"}},
    {"JoinHugeBuild", "relcache simulate hash-join --build 2147483648", 2, {}, {"--build"}},
    {"JoinNegativeProbe", "relcache simulate hash-join --probe -1", 2, {}, {"--probe"}},
    {"JoinProbeThatOverflows",
     "relcache simulate hash-join --form tuple --probe 2305843009213693953",
     2,
     {},
     {"--probe"}},
    {"JoinNegativeEstimate", SMALL_JOIN " --estimate -1", 2, {}, {"--estimate"}},
    {"JoinTooManyKeys", SMALL_JOIN " --distinct 4294967296", 2, {}, {"--distinct"}},
    {"JoinNoMemory", "relcache simulate hash-join --work-mem 0", 2, {}, {"--work-mem"}},
    {"JoinMemoryIsNoNumber", "relcache simulate hash-join --work-mem nan", 2, {}, {"--work-mem"}},
    {"JoinMemoryTooLarge", "relcache simulate hash-join --work-mem 9999999", 2, {}, {"--work-mem"}},
    {"JoinTemporaryDirectoryMissing",
     "TMPDIR=/no/such " SMALL_JOIN " --strategy deferred",
     2,
     {},
     {"temporary file", "No such file or directory"}},
    {"JoinTemporaryDirectoryMissingByTuple",
     "TMPDIR=/no/such " SMALL_JOIN " --strategy deferred --form tuple",
     2,
     {},
     {"temporary file", "No such file or directory"}},
    {"JoinFilesTooLarge",
     "trap '' XFSZ; ulimit -f 4; relcache simulate hash-join --build 10000 --probe 20000 "
     "--work-mem "
     "0.0625 --strategy deferred",
     2,
     {},
     {"temporary file", "File too large"}},
    {"JoinFilesTooLargeByTuple",
     "trap '' XFSZ; ulimit -f 4; relcache simulate hash-join --build 10000 --probe 20000 "
     "--work-mem "
     "0.0625 --strategy deferred --form tuple",
     2,
     {},
     {"temporary file", "File too large"}},
    {"JoinExplained",
     SMALL_JOIN " --strategy deferred --explain",
     0,
     {"Hash Join (rows=2000)\n", "  Hash Cond: probe.c0 = build.c0\n",
      "  Disk Usage: ", "  ->  Seq Scan on memory table (rows=2000)\n",
      "  ->  Seq Scan on memory table (rows=1000)\n"}},
    {"JoinOfGeneratedRowsExplained",
     SMALL_JOIN " --probe-on-the-fly --explain --json",
     0,
     {"\"plan\":\"Hash Join (rows=2000)\\n", "Function Scan on generated rows (rows=2000)\\n"}},
    {"JoinByTupleExplained",
     SMALL_JOIN " --form tuple --explain",
     2,
     {},
     {"not supported: --explain with --form tuple"}},
    {"JoinLeavesNoFile",
     "mkdir tmp && TMPDIR=$PWD/tmp " SMALL_JOIN " --json && "
     "TMPDIR=$PWD/tmp " SMALL_JOIN " --json --form tuple && test -z \"$(ls -A tmp)\""},
    {"AggregateText",
     "relcache simulate aggregate-join --rows 1000 --repeat 1",
     0,
     {"per-tuple-no-fast-path", "per-batch"}},
    {"AggregateExplained",
     "relcache simulate aggregate-join --rows 1000 --batch 100 --repeat 1 --explain",
     0,
     {"HashAggregate (rows=5)\n  Output: c0, sum(c1), avg(c1)\n  Group Key: c0\n",
      "  ->  Hash Join (rows=1000)\n", "        ->  Reset per batch\n",
      "              ->  Seq Scan on memory table (rows=1000)\n",
      "        ->  Seq Scan on memory table (rows=5)\n"}},
    {"AggregateExplainedAsJson",
     "relcache simulate aggregate-join --rows 1000 --repeat 1 --explain --json",
     0,
     {"\"plan\":\"HashAggregate (rows=5)\\n"}},
    {"AggregateNoRows", "relcache simulate aggregate-join --rows 0", 2, {}, {"--rows"}},
    {"AggregateNoBatch", "relcache simulate aggregate-join --batch 0", 2, {}, {"--batch"}},
    {"InsertText", "relcache simulate partition-insert --rows 100", 0, {"reparse", "compiled"}},
    {"InsertNoRows", "relcache simulate partition-insert --rows 0", 2, {}, {"--rows"}},
    {"InsertNoPartitions", "relcache simulate partition-insert --partitions 0", 2},
    {"InsertNoChecks", "relcache simulate partition-insert --checks 0", 2},
    {"InsertUnknownMode", "relcache simulate partition-insert --expressions some", 2, {}, {"some"}},
};

INSTANTIATE_TEST_SUITE_P(General, CommandTest, testing::ValuesIn(kGeneral), NameOf<Case>);
INSTANTIATE_TEST_SUITE_P(Tree, CommandTest, testing::ValuesIn(kTree), NameOf<Case>);
INSTANTIATE_TEST_SUITE_P(Catalog, CommandTest, testing::ValuesIn(kCatalog), NameOf<Case>);
INSTANTIATE_TEST_SUITE_P(Simulate, CommandTest, testing::ValuesIn(kSimulate), NameOf<Case>);

}  // namespace
}  // namespace relcache
