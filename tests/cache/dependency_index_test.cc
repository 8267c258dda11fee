#include "relcache/cache/internal/dependency_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_relations.h"

namespace relcache {

void PrintTo(const EntryDependency& on, std::ostream* out) {
  *out << "kind " << static_cast<int>(on.kind) << " oid " << on.oid;
}

namespace {

using test::Table;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr auto kType = InvalidationKind::kType, kFunction = InvalidationKind::kFunction,
               kOperator = InvalidationKind::kOperator, kCollation = InvalidationKind::kCollation,
               kNamespace = InvalidationKind::kNamespace;

TEST(DependenciesTest, RowsNameTypesCollationsFunctionsOperatorsAndTheNameSpace) {
  Table table(16384, "t");
  table.columns[0].atttypid = 20000;
  table.columns[1].atttypid = 25;
  table.columns[1].attcollation = 950;
  TriggerRow trigger;
  trigger.tgname = "tr";
  trigger.tgfoid = 20001;
  table.rows.triggers = {&trigger, 1};
  const Oid operators[] = {20002};
  table.Check("excl", "");
  table.constraints.back().contype = 'x';
  table.constraints.back().conexclop = operators;
  std::vector<EntryDependency> found;
  CollectDependencies(table.Rows(), found);
  EXPECT_THAT(found,
              ElementsAre(EntryDependency{kType, 25}, EntryDependency{kType, 20000},
                          EntryDependency{kFunction, 20001}, EntryDependency{kOperator, 20002},
                          EntryDependency{kCollation, 950}, EntryDependency{kNamespace, 2200}));
}

/// Each text column of a relation, set to a text that names one function.
TEST(DependenciesTest, EveryStoredExpressionIsLookedAt) {
  constexpr std::string_view kText = "{FUNCEXPR :funcid 20009 ";
  const auto names_it = [](const RelationRows& rows) {
    std::vector<EntryDependency> found;
    CollectDependencies(rows, found);
    return std::ranges::binary_search(found, EntryDependency{kFunction, 20009});
  };
  Table table(16384, "t");
  EXPECT_FALSE(names_it(table.Rows()));
  RelationRows rows = table.Rows();
  rows.pg_class.relpartbound = kText;
  EXPECT_TRUE(names_it(rows));

  const auto with = [&](auto RelationRows::*span, auto row, auto... columns) {
    (
        [&] {
          RelationRows one = table.Rows();
          auto changed = row;
          changed.*columns = kText;
          one.*span = {&changed, 1};
          EXPECT_TRUE(names_it(one));
        }(),
        ...);
  };
  with(&RelationRows::constraints, ConstraintRow(), &ConstraintRow::conbin);
  with(&RelationRows::attrdefs, AttrdefRow(), &AttrdefRow::adbin);
  with(&RelationRows::indexes, IndexRow(), &IndexRow::indexprs, &IndexRow::indpred);
  with(&RelationRows::triggers, TriggerRow(), &TriggerRow::tgqual);
  with(&RelationRows::rules, RewriteRow(), &RewriteRow::ev_qual, &RewriteRow::ev_action);
  with(&RelationRows::policies, PolicyRow(), &PolicyRow::polqual, &PolicyRow::polwithcheck);
  with(&RelationRows::statistics, StatisticExtRow(), &StatisticExtRow::stxexprs);
  PartitionedTableRow partitioned;
  partitioned.partexprs = kText;
  rows = table.Rows();
  rows.partitioned_table = &partitioned;
  EXPECT_TRUE(names_it(rows));
}

}  // namespace
}  // namespace relcache
