// The machine-readable output of the relcache command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cctype>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "shell.h"

namespace relcache {
namespace {

using test::NameOf;
using test::Outcome;
using test::Shell;

#define SMALL_JOIN "relcache simulate hash-join --build 1000 --probe 2000 --work-mem 0.0625"

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
