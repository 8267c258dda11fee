// Walking, collecting, changing, printing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "relcache/nodes/columns.h"
#include "relcache/nodes/copy.h"
#include "relcache/nodes/dependencies.h"
#include "relcache/nodes/equal.h"
#include "relcache/nodes/hash.h"
#include "relcache/nodes/json.h"
#include "relcache/nodes/mutate.h"
#include "relcache/nodes/print.h"
#include "relcache/nodes/read.h"
#include "relcache/nodes/tree_image.h"
#include "relcache/nodes/walk.h"
#include "relcache/nodes/write.h"

namespace relcache {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

// CHECK (c > 0 AND c <= 100000000), c being column 3.
constexpr std::string_view kJob =
    "{BOOLEXPR :boolop and :args ({OPEXPR :opno 521 :opfuncid 147 :opresulttype 16 :opretset false "
    ":opcollid 0 :inputcollid 0 :args ({VAR :varno 1 :varattno 3 :vartype 23 :vartypmod -1 "
    ":varcollid 0 :varlevelsup 0 :varnosyn 1 :varattnosyn 3 :location 46} {CONST :consttype 23 "
    ":consttypmod -1 :constcollid 0 :constlen 4 :constbyval true :constisnull false :location 50 "
    ":constvalue 4 [ 0 0 0 0 0 0 0 0 ]}) :location 48} {OPEXPR :opno 523 :opfuncid 149 "
    ":opresulttype 16 :opretset false :opcollid 0 :inputcollid 0 :args ({VAR :varno 1 :varattno 3 "
    ":vartype 23 :vartypmod -1 :varcollid 0 :varlevelsup 0 :varnosyn 1 :varattnosyn 3 :location "
    "56} {CONST :consttype 23 :consttypmod -1 :constcollid 0 :constlen 4 :constbyval true "
    ":constisnull false :location 61 :constvalue 4 [ 0 -31 -11 5 0 0 0 0 ]}) :location 58}) "
    ":location 52}";

class TransformTest : public testing::Test {
 protected:
  Node* Read(std::string_view text) {
    auto tree = StringToNode(text, {}, *cx_);
    EXPECT_TRUE(tree) << tree.error().ToString();
    return tree ? *tree : nullptr;
  }
  ContextPtr cx_ = AllocSet::CreateRoot("test");
};

TEST_F(TransformTest, ConstFlowsDown) {
  static_assert(std::is_same_v<decltype(std::declval<const OpExpr&>().args.get()), const List*>);
  static_assert(std::is_same_v<decltype(*std::declval<const List&>().begin()), const Node*>);
  static_assert(std::is_same_v<decltype(*std::declval<List&>().begin()), Node*>);
  static_assert(!std::is_copy_constructible_v<OpExpr>);
  static_assert(std::is_same_v<decltype(CopyObject(std::declval<const OpExpr&>(), *cx_)), OpExpr*>);
}

TEST_F(TransformTest, AWalkVisitsParentsFirstInTheOrderOfTheText) {
  std::vector<std::string> seen;
  TreeWalker walker(Read(kJob));
  while (const Node* node = walker.Next())
    seen.push_back(std::to_string(walker.depth()) + std::string(NodeTypeName(node->tag)));
  EXPECT_THAT(seen, ElementsAre("0BoolExpr", "1List", "2OpExpr", "3List", "4Var", "4Const",
                                "2OpExpr", "3List", "4Var", "4Const"));
}

TEST_F(TransformTest, AWalkCanLeaveOutWhatIsBelow) {
  int nodes = 0;
  TreeWalker walker(Read(kJob));
  while (const Node* node = walker.Next()) {
    ++nodes;
    if (IsA<OpExpr>(node)) walker.SkipChildren();
  }
  EXPECT_EQ(nodes, 4);
}

TEST_F(TransformTest, ColumnsAreThoseOfTheRightQueryLevel) {
  EXPECT_THAT(CollectColumns(Read(kJob)), ElementsAre(3));
  EXPECT_THAT(CollectColumns(Read(kJob), 2), ElementsAre());
  // A subquery: level 1 seen from inside is level 0 seen from outside.
  Query* query = MakeNode<Query>(*cx_);
  Var* outer = MakeNode<Var>(*cx_);
  outer->varno = 1, outer->varattno = 7, outer->varlevelsup = 1;
  Var* inner = MakeNode<Var>(*cx_);
  inner->varno = 1, inner->varattno = 8;
  query->targetList = MakeList(*cx_, {outer, inner});
  SubLink* link = MakeNode<SubLink>(*cx_);
  link->subselect = query;
  EXPECT_THAT(CollectColumns(link), ElementsAre(7));
}

TEST_F(TransformTest, ColumnsAreReplacedByAMap) {
  const Node* tree = Read(kJob);
  const auto mapped = ReplaceColumns(*tree, std::array<AttrNumber, 3>{1, 2, 5}, *cx_);
  ASSERT_TRUE(mapped);
  EXPECT_THAT(CollectColumns(*mapped), ElementsAre(5));
  EXPECT_THAT(CollectColumns(tree), ElementsAre(3)) << "the source stays as it is";
  EXPECT_EQ(FindNode<Var>(*mapped)->varattnosyn, 5);
  const auto dropped = ReplaceColumns(*tree, std::array<AttrNumber, 3>{1, 2, 0}, *cx_);
  ASSERT_FALSE(dropped);
  EXPECT_EQ(dropped.error().message, "unexpected varattno 3 in expression to be mapped");
  EXPECT_FALSE(ReplaceColumns(*tree, std::array<AttrNumber, 2>{1, 2}, *cx_));
  Var* row = MakeNode<Var>(*cx_);
  row->varno = 1;
  EXPECT_EQ(ReplaceColumns(*row, std::array<AttrNumber, 1>{1}, *cx_).error().code,
            ErrorCode::kNotSupported);
}

TEST_F(TransformTest, DependenciesAreTheObjectsNamed) {
  std::vector<std::pair<ObjectKind, Oid>> found;
  CollectDependencies(Read(kJob), [&](ObjectKind kind, Oid oid) { found.emplace_back(kind, oid); });
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  EXPECT_THAT(found, UnorderedElementsAre(
                         Pair(ObjectKind::kOperator, 521), Pair(ObjectKind::kOperator, 523),
                         Pair(ObjectKind::kFunction, 147), Pair(ObjectKind::kFunction, 149),
                         Pair(ObjectKind::kType, 16), Pair(ObjectKind::kType, 23)));
}

TEST_F(TransformTest, AConstantOfARegTypeIsADependency) {
  Const* constant = MakeNode<Const>(*cx_);
  constant->consttype = 2205;
  constant->constlen = 4;
  constant->constbyval = true;
  constant->constvalue = ObjectIdGetDatum(16400);
  std::vector<std::pair<ObjectKind, Oid>> found;
  CollectDependencies(constant, [&](ObjectKind kind, Oid oid) { found.emplace_back(kind, oid); });
  EXPECT_THAT(found, testing::Contains(Pair(ObjectKind::kRelation, 16400)));
}

TEST_F(TransformTest, AMutatedTreeSharesNothingWithItsSource) {
  ContextPtr source = AllocSet::CreateRoot("source");
  const Node* tree = *StringToNode(kJob, {}, *source);
  Node* mutated = MutateTree(
      *tree,
      [&](const Node& node) -> std::optional<Node*> {
        if (!IsA<Var>(&node)) return std::nullopt;
        Const* value = MakeNode<Const>(*cx_);
        value->consttype = 23, value->constlen = 4, value->constbyval = true;
        value->constvalue = Int32GetDatum(42);
        return value;
      },
      *cx_);
  EXPECT_THAT(CollectColumns(tree), ElementsAre(3));
  source.reset();
  EXPECT_THAT(CollectColumns(mutated), ElementsAre());
  int constants = 0;
  ForEachNode<Const>(mutated, [&](const Const&) { ++constants; });
  EXPECT_EQ(constants, 4);
}

TEST_F(TransformTest, APlaceCanBeEmptied) {
  Node* mutated = MutateTree(
      *Read("{NULLTEST :arg {RELABELTYPE :arg <> :resulttype 25 :resulttypmod -1 :resultcollid 0 "
            ":relabelformat 2 :location 1} :nulltesttype 0 :argisrow false :location 1}"),
      [](const Node& node) {
        return IsA<RelabelType>(&node) ? std::optional<Node*>(nullptr) : std::nullopt;
      },
      *cx_);
  EXPECT_EQ(As<NullTest>(mutated)->arg.get(), nullptr);
}

TEST_F(TransformTest, PeopleReadATreeInAGlance) {
  const std::string text = NodeToText(Read(kJob));
  EXPECT_THAT(text, HasSubstr("BoolExpr boolop=and location=52\n  args: List of 2\n    OpExpr"));
  EXPECT_THAT(text, HasSubstr("constvalue=100000000"));
  EXPECT_THAT(text, HasSubstr(" varnosyn=1 varattnosyn=3 ")) << "not their names of 12";
  EXPECT_EQ(NodeToText(nullptr), "<>\n");
  EXPECT_THAT(NodeToDot(Read(kJob)), HasSubstr("n0 -> n1 [label=\"args\"];"));
}

TEST_F(TransformTest, TheHashIsStable) {
  // A value that changes breaks whoever stored hashes: think twice before it is changed here.
  EXPECT_EQ(HashTree(Read("{RANGETBLREF :rtindex 7}")), HashTree(Read("{RANGETBLREF :rtindex 7}")));
  EXPECT_NE(HashTree(Read("{RANGETBLREF :rtindex 7}")), HashTree(Read("{RANGETBLREF :rtindex 8}")));
  EXPECT_NE(HashTree(Read("((i 1) <>)")), HashTree(Read("(<> (i 1))")));
  EXPECT_NE(HashTree(Read("((\"a\") \"b\")")), HashTree(Read("((\"a\" \"b\") <>)")));
  EXPECT_EQ(HashTree(nullptr), HashTree(nullptr));
}

TEST_F(TransformTest, StringsThatAreNotUtf8SurviveJson) {
  const std::string_view text = "{ALIAS :aliasname a\xff\\ b :colnames (\"\xc3\xa9\" \"\xe9\")}";
  const auto json = NodeToJson(Read(text), {}, *cx_);
  ASSERT_TRUE(json);
  EXPECT_THAT(*json, HasSubstr("{\"bytes\":\"61ff2062\"}"));
  const auto back = JsonToNode(*json, {}, *cx_);
  ASSERT_TRUE(back) << back.error().ToString();
  EXPECT_EQ(*NodeToString(*back, {}, *cx_), text);
}

TEST_F(TransformTest, NumbersInJsonAreReadExactly) {
  RangeTblEntry* entry = MakeNode<RangeTblEntry>(*cx_);
  entry->rtekind = RTEKind::kNamedTuplestore;
  const std::string json(*NodeToJson(entry, {}, *cx_));
  const std::string zero = "\"enrtuples\":0.0";
  const auto read = [&](const char* number) {
    std::string text = json;
    return JsonToNode(text.replace(text.find(zero) + 12, 3, number), {}, *cx_);
  };
  const struct {
    const char* text;
    double value;
  } numbers[] = {{"0e-64", 0},     {"0.000e-40", 0},
                 {"-0e-5", -0.0},  {"0.1", 0.1},
                 {"12", 12},       {"4.9e-324", 4.9e-324},
                 {"-0", -0.0},     {"1e22", 1e22},
                 {"-7e-5", -7e-5}, {"1.7976931348623157e308", 1.7976931348623157e308}};
  for (const auto& number : numbers) {
    const auto tree = read(number.text);
    ASSERT_TRUE(tree) << number.text << ": " << tree.error().ToString();
    const double value = As<RangeTblEntry>(*tree)->enrtuples;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(number.value))
        << number.text << " gives " << value;
  }
  for (const char* number : {"1e400", "-1e400", "1e-400"}) {
    const auto tree = read(number);
    ASSERT_FALSE(tree) << number;
    EXPECT_EQ(tree.error().offset, json.find(zero) + 12) << number;
    EXPECT_THAT(tree.error().message, HasSubstr("out of range")) << number;
  }
  entry->enrtuples = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(NodeToJson(entry, {}, *cx_));
}

TEST_F(TransformTest, DamagedJsonIsRefusedWithItsPath) {
  const struct {
    const char *json, *place, *says;
  } refusals[] = {
      {"", "", ""},
      {"{\"node\":\"Foo\"}", "", "a node type"},
      {"{\"node\":\"RangeTblRef\"}", "rtindex", "missing"},
      {"{\"node\":\"RangeTblRef\",\"rtindex\":\"1\"}", "rtindex", "an integer"},
      {"{\"node\":\"RangeTblRef\",\"rtindex\":1,\"x\":2}", "", "surplus"},
      {"{\"node\":\"FromExpr\",\"fromlist\":[null,{\"node\":\"RangeTblRef\",\"rtindex\":1.5}],"
       "\"quals\":null}",
       "fromlist[1].rtindex", "an integer"},
      {"{\"node\":\"FromExpr\",\"fromlist\":{\"int\":[1]},\"quals\":null}", "fromlist",
       "another type"},
      {"{\"int\":[4294967296]}", "[0]", "in range"},
      {"[\"a\\u0000b\"]", "[0]", "NUL"},
      {"17", "", "a node"},
  };
  for (const auto& r : refusals) {
    const auto tree = JsonToNode(r.json, {}, *cx_);
    ASSERT_FALSE(tree) << r.json;
    EXPECT_EQ(tree.error().place, r.place) << r.json;
    EXPECT_THAT(tree.error().message, HasSubstr(r.says)) << r.json;
  }
}

TEST_F(TransformTest, StringsOfAnyLengthAtAnyPlaceAreCopiedAndCompared) {
  alignas(8) char place[80];
  for (const ContextPtr& to : {Bump::CreateRoot("bump"), AllocSet::CreateRoot("set")})
    for (std::size_t start = 0; start < 9; ++start)
      for (std::size_t length = 0; length < 40; ++length) {
        std::memset(place, 'x', sizeof place);
        for (std::size_t i = 0; i < length; ++i)
          place[start + i] = static_cast<char>(i % 2 == 0 ? 0xff : 'a' + i);
        place[start + length] = 0;
        Alias* alias = MakeNode<Alias>(*cx_);
        alias->aliasname = place + start;
        String* string = MakeNode<String>(*cx_);
        string->sval = place + start;
        alias->colnames = MakeList(*cx_, {string, MakeNode<String>(*cx_)});
        const Alias* copy = CopyObject(*alias, *to);
        ASSERT_TRUE(Equal(alias, copy)) << start << " " << length;
        if (length != 0) {
          std::swap(place[start + length - 1], place[start + length]);  // one shorter
          EXPECT_FALSE(Equal(alias, copy)) << start << " " << length;
          EXPECT_FALSE(Equal(copy, alias)) << start << " " << length;
          std::swap(place[start + length - 1], place[start + length]);
          place[start + length - 1] ^= 1;
          EXPECT_FALSE(Equal(copy, alias)) << start << " " << length;
          EXPECT_FALSE(Equal(alias, copy)) << start << " " << length;
        }
        EXPECT_NE(copy->aliasname.c_str(), place + start);
        EXPECT_NE(As<String>((*copy->colnames)[0])->sval.c_str(), place + start);
        EXPECT_TRUE(As<String>((*copy->colnames)[1])->sval.is_null());
      }
}

TEST_F(TransformTest, TheNodesOfACopyCanBeFreedOneByOne) {
  const Node* tree = Read(kJob);
  const ContextPtr to = AllocSet::CreateRoot("copy");
  const std::size_t before = to->bytes_used();
  std::vector<Node*> nodes = {CopyObject(*tree, *to)};
  EXPECT_GT(to->bytes_used(), before);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (List* list = As<List>(nodes[i])) nodes.insert(nodes.end(), list->begin(), list->end());
    if (auto* op = As<OpExpr>(nodes[i])) nodes.push_back(op->args);
    if (auto* junction = As<BoolExpr>(nodes[i])) nodes.push_back(junction->args);
  }
  EXPECT_EQ(nodes.size(), 10u);
  for (Node* node : nodes) to->Free(node);
  EXPECT_EQ(to->bytes_used(), before);
}

TEST_F(TransformTest, AnImageWithLongGapsBetweenPointersIsCopiedWhole) {
  // A value of 20 kB in front of another pointer.
  std::string bytes =
      "{CONST :consttype 17 :consttypmod -1 :constcollid 0 :constlen -1 :constbyval "
      "false :constisnull false :location 3 :constvalue 20004 [ -112 56 1 0 ";
  for (int i = 0; i < 20000; ++i) bytes += "1 ";
  const std::string text = "(" + bytes + "]} {RANGETBLREF :rtindex 1} \"x\")";
  const auto image = ReadTreeImage(text, {}, *cx_);
  ASSERT_TRUE(image) << image.error().ToString();
  const ContextPtr other = AllocSet::CreateRoot("other");
  const Node* copy = CopyTree(**image, *other);
  cx_->Reset();
  EXPECT_EQ(*NodeToString(copy, {}, *other), text);
}

TEST_F(TransformTest, AnImageOfNothingHasNoRoot) {
  const auto image = ReadTreeImage("<>", {}, *cx_);
  ASSERT_TRUE(image);
  EXPECT_EQ((*image)->root(), nullptr);
  EXPECT_EQ(CopyTree(**image, *cx_), nullptr);
}

TEST_F(TransformTest, TheWriterRefusesWhatTheReaderWouldRefuse) {
  Const* constant = MakeNode<Const>(*cx_);
  constant->constlen = -1;
  EXPECT_FALSE(NodeToString(constant, {}, *cx_)) << "no bytes";
  constant->constbyval = true;
  EXPECT_FALSE(NodeToString(constant, {}, *cx_)) << "no length of a word";
  FromExpr* from = MakeNode<FromExpr>(*cx_);
  from->quals = MakeList<Bitmapset>(std::array{1}, *cx_);
  EXPECT_FALSE(NodeToString(from, {}, *cx_)) << "a set as a node";
  RangeTblEntry* rte = MakeNode<RangeTblEntry>(*cx_);
  rte->selectedCols = MakeList<Bitmapset>(std::array{2, 1}, *cx_);
  EXPECT_FALSE(NodeToString(rte, {}, *cx_)) << "a set out of order";
}

}  // namespace
}  // namespace relcache
