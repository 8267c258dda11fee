#include "relcache/catalog/internal/tree_oids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace relcache {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum TreeOid::Kind;

std::vector<TreeOid> In(std::string_view text) {
  std::vector<TreeOid> out;
  AppendTreeOids(text, out);
  return out;
}

TEST(TreeOidsTest, FindsWhatFieldsName) {
  EXPECT_THAT(In("{OPEXPR :opno 521 :opfuncid 147 :opresulttype 16 :opretset false :opcollid 0 "
                 ":inputcollid 100 "
                 ":args ({VAR :varno 1 :vartype 23})}"),
              ElementsAre(TreeOid{kOperator, 521}, TreeOid{kProc, 147}, TreeOid{kType, 16},
                          TreeOid{kCollation, 100}, TreeOid{kType, 23}));
}

TEST(TreeOidsTest, FindsListsOfOids) {
  EXPECT_THAT(
      In("{ROWCOMPAREEXPR :opnos (o 97 98) :inputcollids (o 0 950)}"),
      ElementsAre(TreeOid{kOperator, 97}, TreeOid{kOperator, 98}, TreeOid{kCollation, 950}));
}

TEST(TreeOidsTest, AnyTextWillDo) {
  for (const char* text : {"", ":", ":opno", ":opno ", ":opno x", ":opno 99999999999", ":opnos (o ",
                           "::::", ":opno (o", ":opnos (o x)", ":opnot 5"}) {
    EXPECT_THAT(In(text), IsEmpty()) << text;
  }
}

}  // namespace
}  // namespace relcache
