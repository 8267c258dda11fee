// The relcache command as its users run it: arguments and input, exit status and output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <sys/wait.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "relcache/tests/tools/shell.h"

namespace relcache {
namespace {

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

template <class T>
std::string NameOf(const testing::TestParamInfo<T>& info) {
  return info.param.name;
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

/// A command whose output is one JSON object a line, and the members that each has.
struct MachineForm {
  const char* name;
  const char* script;
  std::size_t lines;
  std::vector<const char*> members;  ///< "outer.inner" for one within another
};

void PrintTo(const MachineForm& form, std::ostream* out) {
  *out << form.script;
}

const rapidjson::Value* Find(const rapidjson::Value& object, const std::string& path) {
  const std::size_t dot = path.find('.');
  const auto member = object.FindMember(path.substr(0, dot).c_str());
  if (member == object.MemberEnd()) return nullptr;
  return dot == std::string::npos ? &member->value : Find(member->value, path.substr(dot + 1));
}

double Number(const rapidjson::Value& object, const char* path) {
  const rapidjson::Value* value = Find(object, path);
  return value != nullptr && value->IsNumber() ? value->GetDouble() : NAN;
}

class MachineFormTest : public testing::TestWithParam<MachineForm> {};

TEST_P(MachineFormTest, EachLineIsAnObjectWithItsMembers) {
  Shell shell;
  const Outcome outcome = shell.Run(GetParam().script);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    rapidjson::Document object;
    object.Parse<rapidjson::kParseIterativeFlag>(line.c_str());
    ASSERT_FALSE(object.HasParseError() || !object.IsObject()) << line;
    for (const char* member : GetParam().members)
      EXPECT_NE(Find(object, member), nullptr) << member << " is missing in " << line;

    if (object.HasMember("share")) {
      double sum = 0;
      for (const auto& share : object["share"].GetObject()) {
        EXPECT_GE(share.value.GetDouble(), 0) << line;
        sum += share.value.GetDouble();
      }
      EXPECT_NEAR(sum, 1, 1e-9) << line;
    }
    if (object.HasMember("phases") && std::string_view(object["form"].GetString()) == "batch") {
      double sum = 0;
      for (const auto& phase : object["phases"].GetObject()) sum += phase.value.GetDouble();
      EXPECT_NEAR(sum, Number(object, "milliseconds"), 0.01) << line;
    }
    if (object.HasMember("resets_by_place")) {
      double sum = 0;
      for (const auto& place : object["resets_by_place"].GetObject())
        sum += place.value.GetDouble();
      EXPECT_EQ(sum, Number(object, "resets")) << line;
    }
  }
  EXPECT_EQ(count, GetParam().lines) << outcome.out;
}

const MachineForm kMachineForms[] = {
    {"TreeBench",
     "relcache tree bench trees.jsonl --repeat 2",
     1,
     {"trees", "bytes", "read_ns", "copy_ns", "copy_nodes_ns", "write_ns", "equal_ns", "memcpy_ns",
      "mem_bytes"}},
    {"PartitionInsert",
     "relcache simulate partition-insert --rows 200 --partitions 3 --checks 2 --json",
     5,
     {"expressions", "rows", "partitions", "checks", "routed_seconds", "direct_rows",
      "direct_seconds", "ns_per_routed_row", "share.parse", "share.copy", "share.compile",
      "share.evaluate", "share.rest", "entry_bytes.before.reserved", "entry_bytes.before.used",
      "entry_bytes.after.reserved", "entry_bytes.after.used", "gain"}},
    {"PartitionInsertOfOneRow", "relcache simulate partition-insert --rows 1 --json", 5, {"share"}},
    {"HashJoin",
     SMALL_JOIN " --json && " SMALL_JOIN " --form tuple --json",
     6,
     {"strategy", "form", "build", "probe", "width", "work_mem_kb", "estimate", "milliseconds",
      "phases.read_ms", "phases.copy_ms", "phases.buckets_ms", "phases.probe_ms", "batches",
      "buckets", "peak_bytes", "spilled_bytes", "minor_faults", "rows"}},
    {"AggregateJoin",
     "relcache simulate aggregate-join --rows 1000 --batch 10 --repeat 1 --json",
     3,
     {"form", "milliseconds", "resets", "resets_by_place", "reset_milliseconds"}},
    {"TreeShow", "relcache tree show --as json tree.txt", 1, {"node", "constvalue"}},
    {"CatalogChecks",
     "relcache catalog checks sample --json | head -n -1",
     3,
     {"object", "kind", "name", "result"}},
    {"CatalogChecksRefused",
     "relcache catalog checks $DATA/catalog/checks.json --json | grep xml_note",
     1,
     {"object", "kind", "name", "result", "reason", "sqlstate"}},
    {"CatalogChecksSummary",
     "relcache catalog checks $DATA/catalog/checks.json --json | tail -n 1",
     1,
     {"summary.compiles", "summary.raises", "summary.refused", "summary.unreadable",
      "summary.kinds.check.compiles", "summary.kinds.trigger condition.refused",
      "summary.reasons.NODE XmlExpr"}},
    {"CatalogShow", "relcache catalog show sample --json", 2, {"pg_class.relname", "pg_attribute"}},
};

INSTANTIATE_TEST_SUITE_P(Json, MachineFormTest, testing::ValuesIn(kMachineForms),
                         NameOf<MachineForm>);

/// A command, and its last line with each number as N.ddd: as many d as digits after the point.
struct MachineText {
  const char* name;
  const char* script;
  const char* last_line;
};

void PrintTo(const MachineText& text, std::ostream* out) {
  *out << text.script;
}

class MachineTextTest : public testing::TestWithParam<MachineText> {};

std::string WithoutDigits(const std::string& line) {
  std::string out;
  bool fraction = false;
  for (const char c : line) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
      fraction = c == '.';
      out += c;
    } else if (fraction) {
      out += 'd';
    } else if (out.empty() || out.back() != 'N') {
      out += 'N';
    }
  }
  return out;
}

// Scripts compare and cut these lines as texts.
TEST_P(MachineTextTest, MembersStandInTheirOrderWithTheirDigits) {
  Shell shell;
  const Outcome outcome = shell.Run(GetParam().script);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  ASSERT_TRUE(outcome.out.ends_with("}\n")) << outcome.out;
  const std::string lines = outcome.out.substr(0, outcome.out.size() - 1);
  EXPECT_EQ(WithoutDigits(lines.substr(lines.rfind('\n') + 1)), GetParam().last_line);
}

const MachineText kMachineTexts[] = {
    {"TreeBench", "relcache tree bench trees.jsonl --repeat 2",
     R"({"trees":N,"bytes":N,"read_ns":N,"copy_ns":N,"copy_nodes_ns":N,"write_ns":N,"equal_ns":N,)"
     R"("memcpy_ns":N,"mem_bytes":N})"},
    {"TreeBenchOfSomeOperations", "relcache tree bench trees.jsonl --repeat 2 --ops equal,copy",
     R"({"trees":N,"bytes":N,"copy_ns":N,"copy_nodes_ns":N,"equal_ns":N,"memcpy_ns":N,)"
     R"("mem_bytes":N})"},
    {"PartitionInsert",
     "relcache simulate partition-insert --rows 200 --partitions 3 --checks 2 --expressions copy "
     "--json",
     R"({"expressions":"copy","rows":N,"partitions":N,"checks":N,"routed_seconds":[N.dddddd,)"
     R"(N.dddddd,N.dddddd],"direct_rows":N,"direct_seconds":[N.dddddd,N.dddddd,N.dddddd],)"
     R"("ns_per_routed_row":N.d,"share":{"parse":N.dddd,"copy":N.dddd,"compile":N.dddd,)"
     R"("evaluate":N.dddd,"rest":N.dddd},"entry_bytes":{"before":{"reserved":N,"used":N},)"
     R"("after":{"reserved":N,"used":N}},"tree_node_by_node_bytes":N,"gain":null,)"
     R"("gain_given_up":null})"},
    {"PartitionInsertReparse",
     "relcache simulate partition-insert --rows 200 --expressions reparse --json | "
     "grep -o '\"gain\":.*'",
     R"("gain":N.dddd,"gain_given_up":null})"},
    {"HashJoin", SMALL_JOIN " --strategy eager --json",
     R"({"strategy":"eager","form":"batch","build":N,"probe":N,"width":N,"work_mem_kb":N,)"
     R"("estimate":N,"milliseconds":N.ddd,"phases":{"read_ms":N.ddd,"copy_ms":N.ddd,)"
     R"("buckets_ms":N.ddd,"probe_ms":N.ddd},"batches":N,"buckets":N,"peak_bytes":N,)"
     R"("spilled_bytes":N,"minor_faults":N,"rows":N,"length_sum":N,"overrun_bytes":N,)"
     R"("distinct":N,"huge_pages":true,"cpu_milliseconds":N.ddd})"},
    {"AggregateJoin", "relcache simulate aggregate-join --rows 1000 --batch 10 --repeat 1 --json",
     R"({"form":"per-batch","milliseconds":N.ddd,"resets":N,"resets_by_place":{"batch":N},)"
     R"("reset_milliseconds":N.ddd,"rows":N,"batch":N,"cpu_milliseconds":N.ddd})"},
    {"CatalogStats", "relcache catalog show sample --stats --json",
     R"({"stats":{"relations":N,"expressions":N,"unreadable_expressions":N,)"
     R"("bytes_before_first_use":N,"bytes":N,"table_bytes":N,"name_bytes":N,"negative_bytes":N,)"
     R"("pin_bytes":N,"indexed_dependencies":N,"loads":N,"hits":N,"evicted":N,"membarrier":N}})"},
};

INSTANTIATE_TEST_SUITE_P(Text, MachineTextTest, testing::ValuesIn(kMachineTexts),
                         NameOf<MachineText>);

}  // namespace
}  // namespace relcache
