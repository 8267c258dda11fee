#include "relcache/nodes/dependencies.h"
#include "relcache/nodes/node_type.h"
#include "relcache/nodes/nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tree_test.h"

namespace relcache {
namespace {

using nodes_testing::kJob;
using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

using DependenciesTest = nodes_testing::TreeTest;

TEST_F(DependenciesTest, DependenciesAreTheObjectsNamed) {
  std::vector<std::pair<ObjectKind, Oid>> found;
  CollectDependencies(Read(kJob), [&](ObjectKind kind, Oid oid) { found.emplace_back(kind, oid); });
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  EXPECT_THAT(found, UnorderedElementsAre(
                         Pair(ObjectKind::kOperator, 521), Pair(ObjectKind::kOperator, 523),
                         Pair(ObjectKind::kFunction, 147), Pair(ObjectKind::kFunction, 149),
                         Pair(ObjectKind::kType, 16), Pair(ObjectKind::kType, 23)));
}

TEST_F(DependenciesTest, AConstantOfARegTypeIsADependency) {
  Const* constant = MakeNode<Const>(*cx_);
  constant->consttype = 2205;
  constant->constlen = 4;
  constant->constbyval = true;
  constant->constvalue = ObjectIdGetDatum(16400);
  std::vector<std::pair<ObjectKind, Oid>> found;
  CollectDependencies(constant, [&](ObjectKind kind, Oid oid) { found.emplace_back(kind, oid); });
  EXPECT_THAT(found, testing::Contains(Pair(ObjectKind::kRelation, 16400)));
}

constexpr std::string_view kPositive =
    "{OPEXPR :opno 521 :opfuncid 147 :opresulttype 16 :opretset false :opcollid 0 :inputcollid 0 "
    ":args ({VAR :varno 1 :varattno 2 :vartype 23 :vartypmod -1 :varcollid 0 :varlevelsup 0 "
    ":varnosyn 1 :varattnosyn 2 :location 30} {CONST :consttype 23 :consttypmod -1 :constcollid 0 "
    ":constlen 4 :constbyval true :constisnull false :location 34 :constvalue 4 [ 0 0 0 0 0 0 0 0 "
    "]}) :location 32}";
constexpr auto kType = ObjectKind::kType, kFunction = ObjectKind::kFunction,
               kOperator = ObjectKind::kOperator, kCollation = ObjectKind::kCollation;

std::vector<NamedObject> Scan(std::string_view text) {
  std::vector<NamedObject> found;
  ScanDependencies(text, found);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

TEST(ScanDependenciesTest, ATextNamesOperatorFunctionAndTypes) {
  EXPECT_THAT(Scan(kPositive),
              ElementsAre(NamedObject{kType, 16}, NamedObject{kType, 23},
                          NamedObject{kFunction, 147}, NamedObject{kOperator, 521}));
}

struct TextCase {
  const char* name;
  std::string_view text;
  std::vector<NamedObject> found;
};
class ScanTest : public testing::TestWithParam<TextCase> {};

TEST_P(ScanTest, FindsExactly) {
  EXPECT_THAT(Scan(GetParam().text), testing::UnorderedElementsAreArray(GetParam().found));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, ScanTest,
    testing::Values(TextCase{"empty", "", {}}, TextCase{"null", "<>", {}},
                    TextCase{"function",
                             "{FUNCEXPR :funcid 20001 :funcresulttype 25 :funcretset false}",
                             {{kFunction, 20001}, {kType, 25}}},
                    TextCase{"collations",
                             ":constcollid 100 :inputcollid 950 :opcollid 0",
                             {{kCollation, 100}, {kCollation, 950}}},
                    TextCase{"domain",
                             "{COERCETODOMAIN :arg <> :resulttype 20002 :resulttypmod -1}",
                             {{kType, 20002}}},
                    TextCase{"row_comparison",
                             "{ROWCOMPARE :rctype 1 :opnos (o 97 1754) :opfamilies (o 1976 1988)",
                             {{kOperator, 97},
                              {kOperator, 1754},
                              {ObjectKind::kOperatorFamily, 1976},
                              {ObjectKind::kOperatorFamily, 1988}}},
                    TextCase{"largest_oid", ":funcid 4294967295", {{kFunction, 4294967295}}},
                    TextCase{"too_large", ":funcid 4294967296 :opno 99999999999999999999999", {}},
                    TextCase{"cut", "{OPEXPR :opno", {}},
                    TextCase{"cut_after_blank", "{OPEXPR :opno ", {}},
                    TextCase{"no_number", ":opno x :opno -1 :opno <>", {}},
                    TextCase{"colons", ":::opno 5::", {{kOperator, 5}}},
                    TextCase{"list_damaged", ":opnos (o 1 x 2", {{kOperator, 1}}},
                    TextCase{
                        "other_numbers", ":location 17 :varno 1 :constlen 4 :consttypmod 20", {}}),
    [](const auto& test) { return test.param.name; });

TEST(ScanDependenciesTest, ATextCutAnywhereIsHarmless) {
  for (std::size_t n = 0; n <= kPositive.size(); ++n) {
    EXPECT_LE(Scan(std::string(kPositive.substr(0, n))).size(), 5u);
  }
}

/// The labels of scripts/snapshot.sql, "opno operator".
std::set<std::string> LabelsOfTheSnapshotScript() {
  std::ifstream in(RELCACHE_TEST_DATA "/../../scripts/snapshot.sql");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const std::size_t begin = text.find("join (values"), end = text.find(") as field(name, kind)");
  std::set<std::string> labels;
  if (begin >= end || end == std::string::npos) return labels;
  const std::string list = text.substr(begin, end - begin);
  static const std::regex kPair(R"(\('(\w+)', '(\w+)'\))");
  for (std::sregex_iterator i(list.begin(), list.end(), kPair), last; i != last; ++i)
    labels.insert((*i)[1].str() + " " + (*i)[2].str());
  return labels;
}

TEST(ScanDependenciesTest, TheSnapshotScriptKnowsTheSameLabels) {
  std::set<std::string> declared;
  for (const NodeType& type : NodeTypes()) {
    for (const NodeField& f : type.fields) {
      const char* kind = f.rule.names == kType        ? " type"
                         : f.rule.names == kFunction  ? " proc"
                         : f.rule.names == kOperator  ? " operator"
                         : f.rule.names == kCollation ? " collation"
                                                      : nullptr;
      if (kind != nullptr) declared.insert(std::string(f.label()) + kind);
    }
  }
  EXPECT_THAT(LabelsOfTheSnapshotScript(), testing::ContainerEq(declared));
}

}  // namespace
}  // namespace relcache
