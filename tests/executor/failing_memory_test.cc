// Every request for memory of compiling and evaluating expressions, of constraints and of inserts
// fails once: each comes through with std::bad_alloc, leaks nothing, gives no other answer, and
// what it was done with works afterwards.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "random_joins.h"
#include "relcache/cache/relation_cache.h"
#include "relcache/executor/constraints.h"
#include "relcache/executor/expressions/internal/instruction.h"
#include "relcache/executor/plan/filter.h"
#include "relcache/executor/plan/project.h"
#include "relcache/simulate/insert_session.h"
#include "relcache/tests/executor/expression_cases.h"
#include "relcache/tests/executor/relations.h"
#include "relcache/tests/failing_allocator.h"

namespace relcache {
namespace {

using testing::BatchOf;
using testing::ExpectedRow;
using testing::ExpressionCase;
using testing::RelationBuilder;

/// After a bad_alloc, once more with all requests granted.
template <class Operation>
void FailsThenWorks(const Operation& operation) {
  try {
    operation();
  } catch (const std::bad_alloc&) {
    const FailurePause pause;
    operation();
    throw;
  }
}

class FailingExpressions : public testing::ExpressionCasesTest {};

TEST_F(FailingExpressions, Compiling) {
  std::uint64_t failures = 0;
  for (const ExpressionCase& one : cases_) {
    SCOPED_TRACE(one.sql);
    const auto tree = StringToNode(one.tree, {}, *cx_);
    ASSERT_TRUE(tree);
    CompileOptions options;
    options.columns = types_;
    const auto expected = Compile(**tree, options, *cx_);
    failures += ForEachFailure([&](FailingAllocator&) {
      const ContextPtr cx = AllocSet::CreateRoot("programs");
      const auto program = Compile(**tree, options, *cx);
      ASSERT_EQ(program.has_value(), expected.has_value());
      if (program) {
        EXPECT_EQ((*program)->code().size(), (*expected)->code().size());
      } else {
        EXPECT_EQ(program.error().message, expected.error().message);
      }
    });
  }
  EXPECT_GT(failures, 5 * cases_.size());
}

TEST_F(FailingExpressions, EvaluatingARow) {
  std::uint64_t failures = 0;
  for (const ExpressionCase& one : cases_) {
    SCOPED_TRACE(one.sql);
    const auto program = CompileTree(one.tree);
    if (!program) continue;
    for (const ExpectedRow& row : one.rows) {
      failures += ForEachFailure([&](FailingAllocator&) {
        const ContextPtr cx = AllocSet::CreateRoot("results");
        Scratch scratch(settings_, *cx);
        const auto evaluate = [&] {
          Error error;
          const TruthValue verdict = EvaluateBool(**program, row.values, scratch, &error);
          EXPECT_EQ(static_cast<int>(verdict), static_cast<int>(row.verdict));
          EXPECT_TRUE(verdict != TruthValue::kError || row.Agrees(error));
        };
        FailsThenWorks(evaluate);
      });
    }
  }
  EXPECT_GT(failures, cases_.size());
}

TEST_F(FailingExpressions, EvaluatingABatch) {
  std::uint64_t failures = 0;
  for (const ExpressionCase& one : cases_) {
    SCOPED_TRACE(one.sql);
    const auto program = CompileTree(one.tree);
    if (!program || one.rows.empty()) continue;
    std::vector<std::vector<NullableDatum>> rows;
    std::vector<TruthValue> expected, verdicts(one.rows.size());
    for (const ExpectedRow& row : one.rows) {
      rows.push_back(row.values);
      expected.push_back(row.verdict);
    }
    const BatchOf batch(columns_, rows);
    failures += ForEachFailure([&](FailingAllocator&) {
      const ContextPtr cx = AllocSet::CreateRoot("results");
      Scratch scratch(settings_, *cx);
      const auto evaluate = [&] {
        EvaluateBatch(**program, *batch, scratch, verdicts);
        EXPECT_TRUE(verdicts == expected);
      };
      FailsThenWorks(evaluate);
    });
  }
  EXPECT_GT(failures, cases_.size());
}

constexpr Oid kTable = 16400, kParent = 16401, kPositive = 16500, kMood = 16510;

/// A table (id bigint NOT NULL, c integer, t text NOT NULL, d positive, m mood) with two checks,
/// and a parent whose trigger routes its rows there.
class FailingStatements : public ::testing::Test {
 protected:
  FailingStatements() {
    PutTypes();
    for (const Oid oid : {kTable, kParent}) {
      RelationBuilder table(oid, oid == kTable ? "t" : "p");
      table.Column("id", kInt8Oid, true).Column("c", kInt4Oid).Column("t", kTextOid, true);
      table.Column("d", kPositive).Column("m", kMood);
      if (oid == kTable) {
        table.Check("c_small", testing::IntComparison(2, "<=", 100));
        table.Check("reciprocal", testing::OneByIntComparison(2, ">", -5));
        table.Check("d_positive", InPositive());
      }
      const Status put = table.PutInto(catalog_);
      EXPECT_TRUE(put) << put.error().ToString();
    }
    for (int i = 0; i < 3; ++i) {
      std::vector<NullableDatum>& row = rows_[i];
      // Passes; breaks c_small; fails at reciprocal.
      const std::int32_t c = i == 0 ? 1 : i == 1 ? 101 : 0;
      row = {{Int64GetDatum(7), false},
             {Int32GetDatum(c), false},
             {MakeVarlena("a text that is longer than what a string holds in itself", *cx_), false},
             {Int32GetDatum(1), false},
             {ObjectIdGetDatum(kMood + 1), false}};
    }
    rows_[3] = rows_[0];
    rows_[3][2] = {};
  }

  /// d::positive IS NOT NULL: asks for the type, which is not built in.
  static std::string InPositive() {
    return "{NULLTEST :arg {COERCETODOMAIN :arg " + testing::VarText(2, kInt4Oid) +
           " :resulttype " + std::to_string(kPositive) +
           " :resulttypmod -1 :resultcollid 0 :coercionformat 2 :location -1} :nulltesttype 1 "
           ":argisrow false :location -1}";
  }
  void PutTypes() {
    catalog_.PutNamespace({2200, "public"});
    TypeRows domain;
    domain.nspname = "public";
    domain.pg_type.oid = kPositive;
    domain.pg_type.typname = "positive";
    domain.pg_type.typnamespace = 2200;
    domain.pg_type.typlen = 4;
    domain.pg_type.typbyval = true;
    domain.pg_type.typtype = 'd';
    domain.pg_type.typbasetype = kInt4Oid;
    const std::string tree = testing::IntOperator(
        "{COERCETODOMAINVALUE :typeId 23 :typeMod -1 :collation 0 :location -1}", ">", -100);
    ConstraintRow check;
    check.oid = kPositive + 100;
    check.conname = "positive_check";
    check.contype = 'c';
    check.contypid = kPositive;
    check.conbin = tree;
    domain.constraints = {&check, 1};
    EXPECT_TRUE(catalog_.PutType(domain));
    TypeRows mood;
    mood.nspname = "public";
    mood.pg_type.oid = kMood;
    mood.pg_type.typname = "mood";
    mood.pg_type.typnamespace = 2200;
    mood.pg_type.typlen = 4;
    mood.pg_type.typbyval = true;
    mood.pg_type.typtype = 'e';
    EnumRow label;
    label.oid = kMood + 1;
    label.enumsortorder = 1;
    label.enumlabel = "serene";
    mood.enums = {&label, 1};
    EXPECT_TRUE(catalog_.PutType(mood));
  }

  /// What a statement says of a row; "stored" of one that is fine.
  static std::string Said(const Result<std::size_t>& stored) {
    if (stored) return "stored";
    return stored.error().sqlstate + (" " + stored.error().message) + stored.error().detail;
  }
  static std::string Said(const Status& status) {
    return status ? "stored" : Said(Result<std::size_t>(Fail(status.error())));
  }
  void AddRoute(InsertSession& session) {
    session.AddTrigger(kParent, "route", [](TriggerContext& t) -> Result<TriggerAction> {
      RELCACHE_TRY(t.session.Insert(kTable, t.row));
      return TriggerAction::kSkip;
    });
  }

  MemoryCatalog catalog_;
  SessionSettings settings_ = AssumeUtcAndMdy(0);
  ContextPtr cx_ = AllocSet::CreateRoot("rows");
  std::vector<NullableDatum> rows_[4];
  const std::string expected_[4] = {
      "stored",
      "23514 new row for relation \"t\" violates check constraint \"c_small\"Failing row contains "
      "(7, 101, a text that is longer than what a string holds in itself, 1, serene).",
      "22012 division by zero",
      "23502 null value in column \"t\" of relation \"t\" violates not-null constraintFailing row "
      "contains (7, 1, null, 1, serene)."};
};

TEST_F(FailingStatements, ADomainIsCompiled) {
  const std::uint64_t failures = ForEachFailure([&](FailingAllocator&) {
    const ContextPtr cx = AllocSet::CreateRoot("programs");
    SourceObjects objects(catalog_, *cx);
    EXPECT_TRUE(CompileDomain(kPositive, objects, *cx));
  });
  EXPECT_GT(failures, 5u);
}

TEST_F(FailingStatements, ChecksOfACachedRelation) {
  const std::uint64_t failures = ForEachFailure([&](FailingAllocator&) {
    RelationCache cache(catalog_);
    const ContextPtr cx = AllocSet::CreateRoot("results");
    Scratch scratch(settings_, *cx);
    SourceObjects objects(catalog_, *cx);
    const auto check_all = [&] {
      const auto pin = cache.Open(kTable);
      ASSERT_TRUE(pin);
      const auto checks = ChecksOf(**pin);
      ASSERT_TRUE(checks) << checks.error().ToString();
      for (int i = 0; i < 4; ++i) {
        RowMessageInput text;
        text.objects = &objects;
        EXPECT_EQ(Said(CheckRow(**checks, rows_[i], scratch, text)), expected_[i]);
      }
    };
    FailsThenWorks(check_all);
  });
  EXPECT_GT(failures, 50u);
}

TEST_F(FailingStatements, ChecksMadeForAStatement) {
  RelationCache cache(catalog_);
  const auto pin = cache.Open(kTable);
  ASSERT_TRUE(pin);
  for (const CheckMode way : {CheckMode::kReparse, CheckMode::kCopy, CheckMode::kCached}) {
    const std::uint64_t failures = ForEachFailure([&](FailingAllocator&) {
      const ContextPtr statement = AllocSet::CreateRoot("statement");
      StageTimes times;
      times.now = []() -> std::uint64_t { return 0; };
      Scratch scratch(settings_, *statement);
      SourceObjects objects(catalog_, *statement);
      RowMessageInput text;
      text.objects = &objects;
      const auto checks = PrepareChecks(**pin, way, *statement, &times);
      ASSERT_TRUE(checks);
      for (int i = 0; i < 4; ++i)
        EXPECT_EQ(Said(CheckRow(**checks, rows_[i], scratch, text)), expected_[i]);
    });
    EXPECT_GT(failures, 20u);
  }
}

TEST_F(FailingStatements, InsertsOfEachWayRoutedByATrigger) {
  for (const CheckMode way :
       {CheckMode::kReparse, CheckMode::kCopy, CheckMode::kCached, CheckMode::kCompiled}) {
    const std::uint64_t failures = ForEachFailure([&](FailingAllocator&) {
      RelationCache cache(catalog_);
      InsertSession session(cache, settings_);
      session.set_check_mode(way);
      const auto insert_all = [&](const HeapTable& table) {
        for (int i = 0; i < 4; ++i) {
          const std::size_t before = table.size();
          const Result<std::size_t> stored = session.Insert(kParent, rows_[i]);
          EXPECT_EQ(Said(stored).substr(0, 5), expected_[i].substr(0, 5));
          EXPECT_EQ(table.size(), before + (i == 0 ? 1 : 0));
        }
      };
      AddRoute(session);
      const Result<HeapTable*> table = session.Table(kTable);
      ASSERT_TRUE(table);
      try {
        insert_all(**table);
      } catch (const std::bad_alloc&) {
        const FailurePause pause;
        insert_all(**table);
        for (std::size_t row = 0; row < (*table)->size(); ++row)
          EXPECT_EQ(VarData((*table)->Get(row, 2).value), VarData(rows_[0][2].value));
        throw;
      }
    });
    EXPECT_GT(failures, 50u);
  }
}

TEST_F(FailingStatements, ManyRowsOfOneStatement) {
  const std::uint64_t failures = ForEachFailure([&](FailingAllocator&) {
    RelationCache cache(catalog_);
    InsertSession session(cache, settings_);
    const Result<HeapTable*> table = session.Table(kTable);
    ASSERT_TRUE(table);
    const auto insert = [&] {
      int left = 300;
      return session.InsertAll(kTable, [&](std::span<NullableDatum> row, MemoryContext& cx) {
        std::copy(rows_[0].begin(), rows_[0].end(), row.begin());
        row[2] = {MakeVarlena("text", cx), false};
        return left-- > 0;
      });
    };
    try {
      EXPECT_EQ(insert().value_or(0), 300u);
      EXPECT_EQ((*table)->size(), 300u);
    } catch (const std::bad_alloc&) {
      const FailurePause pause;
      const std::size_t before = (*table)->size();
      EXPECT_EQ(insert().value_or(0), 300u);
      EXPECT_EQ((*table)->size(), before + 300);
      for (std::size_t row = 0; row < (*table)->size(); ++row)
        EXPECT_EQ(VarData((*table)->Get(row, 2).value), "text");
      throw;
    }
  });
  EXPECT_GT(failures, 300u);
}

class Positive : public BatchPredicate {
 public:
  Result<std::size_t> Select(const ColumnBatch& batch, std::span<std::uint8_t> selected,
                             MemoryContext& cx) override {
    (void)cx.Allocate(100);
    return test::KeepIf(selected, [&](std::size_t r) -> Result<bool> {
      return DatumGetInt32(batch.columns[0].Get(r).value) > 0;
    });
  }
};

TEST(FailingMemory, FilterAndProject) {
  test::TextTable rows;
  rows.types = {kInt4Oid, kTextOid};
  for (int r = -20; r < 20; ++r) rows.rows.push_back({std::to_string(r), "text"});
  const auto table = rows.Load();
  const std::uint64_t failures = ForEachFailure([&](FailingAllocator&) {
    Positive positive;
    std::vector<std::unique_ptr<BatchExpression>> expressions;
    expressions.push_back(std::make_unique<ColumnReference>(1, test::TypeOf(kTextOid)));
    expressions.push_back(std::make_unique<ColumnReference>(0, test::TypeOf(kInt4Oid)));
    ProjectOperator project(
        std::make_unique<FilterOperator>(std::make_unique<TableScan>(*table, 8), positive),
        std::move(expressions));
    std::size_t kept = 0;
    for (;;) {
      const auto batch = project.Next();
      ASSERT_TRUE(batch);
      if (*batch == nullptr) break;
      kept += (*batch)->rows;
    }
    EXPECT_EQ(kept, 19u);
  });
  EXPECT_GT(failures, 10u);
}

}  // namespace
}  // namespace relcache
