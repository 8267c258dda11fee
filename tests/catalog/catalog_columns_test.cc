// docs/catalog_columns.md says of every column what becomes of its values.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "relcache/catalog/catalog_source.h"
#include "relcache/catalog/internal/row_columns.h"

namespace relcache {
namespace {

const std::string kRoot = RELCACHE_TEST_DATA "/../../";

std::string ReadFile(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Whether a text names a column: as a word, not as a part of one.
bool Names(const std::string& text, const std::string& word) {
  return std::regex_search(text, std::regex("\\b" + word + "\\b"));
}

/// A row of a table of the page.
struct Entry {
  std::string column, read_by, values;
};
using Page = std::map<std::string, std::vector<Entry>>;

Page ReadPage() {
  static const std::regex kHead("## (\\w+): .*"),
      kRow("\\| `(\\w+)` \\| (`[^`]+`|nobody) \\| (.+) \\| .*\\|");
  Page page;
  std::string line, row;
  std::ifstream in(kRoot + "docs/catalog_columns.md");
  for (std::smatch m; std::getline(in, line);) {
    if (std::regex_match(line, m, kHead)) {
      row = m[1];
    } else if (std::regex_match(line, m, kRow)) {
      page[row].push_back({m[1], m[2], m[3]});
    } else {
      EXPECT_FALSE(line.starts_with("| `")) << "not understood: " << line;
    }
  }
  return page;
}

template <class Row>
void AddColumns(const char* row, std::map<std::string, std::set<std::string>>& out) {
  ForEachColumn<Row>([&](const auto& column) { out[row].insert(std::string(column.name)); });
}

/// The members of ServerInfo: as many names as the binding takes, which are as many as there are.
std::set<std::string> ServerInfoMembers() {
  const ServerInfo info;
  const auto& [a, b, c, d, e, f, g, h] = info;
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
  std::set<std::string> names = {"server_version_num", "server_encoding", "datlocprovider",
                                 "datcollate",         "datctype",        "datlocale",
                                 "daticurules",        "datcollversion"};
  EXPECT_EQ(names.size(), 8u);
  (void)info.server_version_num, (void)info.server_encoding, (void)info.datlocprovider;
  (void)info.datcollate, (void)info.datctype, (void)info.datlocale;
  (void)info.daticurules, (void)info.datcollversion;
  return names;
}

std::map<std::string, std::set<std::string>> AllColumns() {
  std::map<std::string, std::set<std::string>> all;
  all["ServerInfo"] = ServerInfoMembers();
#define ADD(Row) AddColumns<Row>(#Row, all)
  ADD(NamespaceRow), ADD(ClassRow), ADD(AttributeRow), ADD(ConstraintRow), ADD(AttrdefRow);
  ADD(IndexRow), ADD(TriggerRow), ADD(RewriteRow), ADD(PolicyRow), ADD(PartitionedTableRow);
  ADD(InheritsRow), ADD(StatisticExtRow), ADD(RelationRows), ADD(TypeRow), ADD(EnumRow);
  ADD(RangeRow), ADD(TypeRows), ADD(ProcRow), ADD(OperatorRow), ADD(CollationRow);
  ADD(AmprocRow), ADD(OpclassRow);
#undef ADD
  return all;
}

TEST(CatalogColumnsTest, EveryRowTypeIsAsked) {
  const std::string rows = ReadFile(kRoot + "catalog/rows.h");
  static const std::regex kStruct("\nstruct (\\w+) \\{");
  const auto all = AllColumns();
  std::size_t n = 0;
  for (std::sregex_iterator i(rows.begin(), rows.end(), kStruct), end; i != end; ++i, ++n)
    EXPECT_TRUE(all.contains((*i)[1])) << (*i)[1];
  EXPECT_EQ(n + 1, all.size());
}

TEST(CatalogColumnsTest, EveryColumnHasAnEntryAndEveryEntryAColumn) {
  const auto all = AllColumns();
  const Page page = ReadPage();
  for (const auto& [row, columns] : all) {
    const auto found = page.find(row);
    if (found == page.end()) {
      ADD_FAILURE() << "docs/catalog_columns.md lacks " << row;
      continue;
    }
    std::set<std::string> entries;
    for (const Entry& entry : found->second) {
      EXPECT_TRUE(entries.insert(entry.column).second) << row << "." << entry.column << " twice";
      EXPECT_TRUE(columns.contains(entry.column)) << row << " has no " << entry.column;
    }
    for (const std::string& column : columns)
      EXPECT_TRUE(entries.contains(column)) << "no entry: " << row << "." << column;
  }
  for (const auto& [row, entries] : page) EXPECT_TRUE(all.contains(row)) << row;
}

TEST(CatalogColumnsTest, WhoIsSaidToReadAColumnNamesIt) {
  // Columns that hold rows have another name as members, which the entry says.
  static const std::regex kMember("`(\\w+)`.*");
  for (const auto& [row, entries] : ReadPage()) {
    for (const Entry& entry : entries) {
      if (entry.read_by == "nobody") continue;
      const std::string file = entry.read_by.substr(1, entry.read_by.size() - 2);
      const std::string text = ReadFile(kRoot + file);
      EXPECT_NE(text, "") << file;
      std::smatch m;
      const bool renamed = (row == "RelationRows" || row == "TypeRows" || row == "OpclassRow") &&
                           std::regex_match(entry.values, m, kMember);
      EXPECT_TRUE(Names(text, renamed ? m[1].str() : entry.column))
          << file << " does not name " << row << "." << entry.column;
    }
  }
}

TEST(CatalogColumnsTest, WhatNobodyReadsIsNamedByNobody) {
  // In the rooms that answer; names that other structs have too say nothing.
  static const std::set<std::string> kCommon = {"oid", "nspname", "relnamespace", "relname"};
  std::string text;
  for (const char* file :
       {"executor/expressions/compile.cc", "executor/expressions/compile_array.cc",
        "executor/expressions/compile_domain.cc", "executor/expressions/compile_logic.cc",
        "executor/expressions/compile_text.cc", "executor/expressions/compile_types.cc",
        "executor/expressions/cached_program.cc", "executor/expressions/internal/collation.cc",
        "executor/constraints.cc", "simulate/insert_session.cc", "simulate/heap_table.cc"}) {
    const std::string source = ReadFile(kRoot + file);
    EXPECT_NE(source, "") << file;
    text += source;
  }
  static const std::regex kWord("[.>](\\w+)");
  std::set<std::string> named;
  for (std::sregex_iterator i(text.begin(), text.end(), kWord), end; i != end; ++i)
    named.insert((*i)[1]);
  EXPECT_TRUE(named.contains("attnotnull"));
  for (const auto& [row, entries] : ReadPage())
    for (const Entry& entry : entries)
      if (entry.read_by == "nobody" && !kCommon.contains(entry.column)) {
        EXPECT_FALSE(named.contains(entry.column)) << row << "." << entry.column;
      }
}

}  // namespace
}  // namespace relcache
