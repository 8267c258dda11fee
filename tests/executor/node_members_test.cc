// docs/node_members_evaluated.md says of every member of the nodes that are evaluated what becomes
// of it.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "relcache/nodes/primnodes.h"

namespace relcache {
namespace {

using Members = std::map<std::string, std::set<std::string>>;
const std::string kRoot = RELCACHE_TEST_DATA "/../../";

std::string ReadFile(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

Members OfPage() {
  static const std::regex kHead("## (\\w+)"), kRow("\\| `(\\w+)` \\| .+ \\|");
  Members out;
  std::ifstream in(kRoot + "docs/node_members_evaluated.md");
  std::string line, node;
  for (std::smatch m; std::getline(in, line);) {
    if (std::regex_match(line, m, kHead)) {
      node = m[1];
    } else if (std::regex_match(line, m, kRow)) {
      EXPECT_TRUE(out[node].insert(m[1]).second) << node << "." << m[1] << " twice";
    } else {
      EXPECT_FALSE(line.starts_with("| `")) << "not understood: " << line;
    }
  }
  return out;
}

/// Fields() names every member, in whatever version it is written, or the node does not compile.
template <class N>
void Add(const char* node, Members& out) {
  static const std::map<std::string, std::string> kOldLabels = {
      {"varnoold", "varnosyn"}, {"varoattno", "varattnosyn"}, {"cmptype", "rctype"}};
  for (const NodeField& field : N::Fields()) {
    const std::string label(field.label());
    const auto old = kOldLabels.find(label);
    out[node].insert(old == kOldLabels.end() ? label : old->second);
  }
}

Members OfNodes() {
  Members out;
#define ADD(N) Add<N>(#N, out)
  ADD(Var), ADD(Const), ADD(OpExpr), ADD(DistinctExpr), ADD(NullIfExpr), ADD(FuncExpr);
  ADD(ScalarArrayOpExpr), ADD(BoolExpr), ADD(RelabelType), ADD(CoerceViaIO), ADD(ArrayCoerceExpr);
  ADD(CollateExpr), ADD(CaseExpr), ADD(CaseWhen), ADD(CaseTestExpr), ADD(ArrayExpr);
  ADD(RowCompareExpr), ADD(CoalesceExpr), ADD(MinMaxExpr), ADD(SQLValueFunction), ADD(NullTest);
  ADD(BooleanTest), ADD(CoerceToDomain), ADD(CoerceToDomainValue);
#undef ADD
  return out;
}

TEST(NodeMembersTest, EveryMemberHasAnEntryAndEveryEntryAMember) {
  const Members nodes = OfNodes(), page = OfPage();
  for (const auto& [node, members] : nodes) {
    const auto entries = page.find(node);
    if (entries == page.end()) {
      ADD_FAILURE() << "docs/node_members_evaluated.md lacks " << node;
      continue;
    }
    for (const std::string& member : members)
      EXPECT_TRUE(entries->second.contains(member)) << "no entry: " << node << "." << member;
    for (const std::string& entry : entries->second)
      EXPECT_TRUE(members.contains(entry)) << node << " has no " << entry;
  }
  for (const auto& [node, entries] : page) EXPECT_TRUE(nodes.contains(node)) << node;
}

TEST(NodeMembersTest, EveryTypeThatTheCompilerTakesIsAsked) {
  const std::string compiler = ReadFile(kRoot + "executor/expressions/compile.cc");
  static const std::regex kCase("case NodeTag::k(\\w+):");
  const Members nodes = OfNodes();
  std::size_t n = 1;  // CaseWhen is only a part of CaseExpr
  for (std::sregex_iterator i(compiler.begin(), compiler.end(), kCase), end; i != end; ++i, ++n)
    EXPECT_TRUE(nodes.contains((*i)[1])) << (*i)[1];
  EXPECT_EQ(n, nodes.size());
}

}  // namespace
}  // namespace relcache
