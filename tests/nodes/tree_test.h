// What tests of the operations on trees share: a context, and a tree to work on.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "relcache/memory/memory_context.h"
#include "relcache/nodes/read.h"

namespace relcache::nodes_testing {

// CHECK (c > 0 AND c <= 100000000), c being column 3.
inline constexpr std::string_view kJob =
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

/// Reads trees into a context of its own.
class TreeTest : public testing::Test {
 protected:
  Node* Read(std::string_view text) {
    auto tree = StringToNode(text, {}, *cx_);
    EXPECT_TRUE(tree) << tree.error().ToString();
    return tree ? *tree : nullptr;
  }
  ContextPtr cx_ = AllocSet::CreateRoot("test");
};

}  // namespace relcache::nodes_testing
