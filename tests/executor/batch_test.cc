// A batch gives each row what the row gets alone: over many slices, by many programs of one
// Scratch, with nulls given as none, as all false and as some true.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "random_expressions.h"
#include "relcache/executor/expressions/evaluate.h"
#include "relcache/nodes/read.h"
#include "relcache/types/builtin_types.h"

namespace relcache {
namespace {

using testing::IntComparison;
using testing::OneByIntComparison;
using testing::RandomExpressions;
using testing::VarText;

/// How a batch says which values are NULL.
enum class Nulls { kNone, kAllFalse, kSome };
constexpr Nulls kNulls[] = {Nulls::kNone, Nulls::kAllFalse, Nulls::kSome};

/// Ways to say it for all columns: as one, and integers without any beside text and booleans with.
std::vector<std::vector<Nulls>> NullsOfColumns() {
  std::vector<std::vector<Nulls>> all;
  for (const Nulls nulls : kNulls) {
    all.emplace_back(RandomExpressions::kColumns.size(), nulls);
    auto& mixed = all.emplace_back(all.back());
    for (std::size_t c = 0; c < mixed.size(); ++c) {
      const Oid base = RandomExpressions::kColumns[c].base;
      if (base == kTextOid || base == kBoolOid) mixed[c] = Nulls::kSome;
    }
  }
  return all;
}

/// Random rows over RandomExpressions::kColumns, in both forms.
class Rows {
 public:
  Rows(std::size_t n, RandomExpressions& random, const std::vector<Nulls>& nulls, bool as_base,
       MemoryContext& cx)
      : rows(n) {
    for (std::size_t c = 0; c < RandomExpressions::kColumns.size(); ++c) {
      const auto& type = RandomExpressions::kColumns[c];
      const InputColumn& in = type.input;
      BatchColumn column;
      column.type = in.type;
      column.form = ColumnFormOf(as_base ? type.base : in.type, in.typlen, in.typbyval);
      std::byte* values = cx.NewArray<std::byte>(n * sizeof(Datum)).data();
      std::uint8_t* null_bytes = cx.NewArray<std::uint8_t>(n).data();
      for (std::size_t r = 0; r < n; ++r) {
        const Datum value = Value(type.base, random, cx);
        const bool null = nulls[c] == Nulls::kSome && random.Below(5) == 0;
        StoreDatum(column.form, values, r, value);
        null_bytes[r] = null ? 1 : 0;
        rows[r].push_back({null ? Datum{} : value, null});
      }
      column.values = values;
      column.nulls = nulls[c] == Nulls::kNone ? nullptr : null_bytes;
      columns.push_back(column);
    }
  }
  ColumnBatch batch() const { return {columns, rows.size()}; }

  std::vector<std::vector<NullableDatum>> rows;
  std::vector<BatchColumn> columns;

 private:
  static Datum Value(Oid type, RandomExpressions& random, MemoryContext& cx) {
    const std::int32_t small = static_cast<std::int32_t>(random.Below(8)) - 4;
    switch (type) {
      case kBoolOid:
        return BoolGetDatum(random.Below(2) == 0);
      case kInt2Oid:
        return Int16GetDatum(static_cast<std::int16_t>(small));
      case kInt4Oid:
      case kDateOid:
        return Int32GetDatum(small);
      case kInt8Oid:
        return Int64GetDatum(small);
      case kOidOid:
        return ObjectIdGetDatum(random.Below(4) == 0 ? 4'294'967'294u : random.Below(4));
      case kFloat4Oid:
        return Float4GetDatum(static_cast<float>(small) / 2);
      case kFloat8Oid:
        return Float8GetDatum(small / 2.0);
      case kTextOid:
        return MakeVarlena(std::string(random.Below(3), 'x'), cx);
      default:
        return ObjectIdGetDatum(17000 + random.Below(3));
    }
  }
};

class BatchTest : public ::testing::Test {
 protected:
  BatchTest() {
    RandomExpressions::PutTypes(catalog_);
    for (const auto& column : RandomExpressions::kColumns) types_.push_back(column.input);
  }

  Result<const Program*> CompileText(const std::string& text) {
    RELCACHE_ASSIGN(const Node* tree, StringToNode(text, {}, *cx_));
    CompileOptions options;
    options.columns = types_;
    options.objects = &objects_;
    return Compile(*tree, options, *cx_);
  }

  /// The first row of a boolean program whose verdict in the batch is not its own; -1: none.
  long FirstDifference(const Program& program, const Rows& rows) {
    std::vector<TruthValue> verdicts(rows.rows.size());
    EvaluateBatch(program, rows.batch(), scratch_, verdicts);
    for (std::size_t r = 0; r < rows.rows.size(); ++r)
      if (EvaluateBool(program, rows.rows[r], row_scratch_, nullptr) != verdicts[r])
        return static_cast<long>(r);
    return -1;
  }

  /// The same of a program of any type.
  long FirstDifferentValue(const Program& program, const Rows& rows) {
    for (std::size_t first = 0; first < rows.rows.size(); first += Scratch::kSliceRows) {
      const std::size_t n = std::min(Scratch::kSliceRows, rows.rows.size() - first);
      const BatchResult got = EvaluateSlice(program, rows.batch(), first, n, scratch_);
      std::size_t failed = 0;
      for (std::size_t r = 0; r < n; ++r) {
        const auto expected = Evaluate(program, rows.rows[first + r], row_scratch_);
        const bool fails = failed < got.failed.size() && got.failed[failed] == r;
        failed += fails ? 1 : 0;
        if (fails != !expected) return static_cast<long>(first + r);
        if (expected && !Same(got.column, r, *expected)) return static_cast<long>(first + r);
      }
    }
    return -1;
  }
  static bool Same(const BatchColumn& column, std::size_t row, const NullableDatum& expected) {
    const NullableDatum got = column.Get(row);
    if (got.isnull || expected.isnull) return got.isnull == expected.isnull;
    if (column.type == kTextOid) return VarData(got.value) == VarData(expected.value);
    Datum word;
    std::memset(&word, 0, sizeof word);
    StoreDatum(column.form, &word, 0, expected.value);
    return got.value == LoadDatum(column.form, &word, 0);
  }

  MemoryCatalog catalog_;
  ContextPtr cx_ = AllocSet::CreateRoot("batch test");
  SourceObjects objects_{catalog_, *cx_};
  SessionSettings settings_ = AssumeUtcAndMdy(0);
  std::vector<InputColumn> types_;
  Scratch scratch_{settings_, *cx_};
  Scratch row_scratch_{settings_, *cx_};
};

std::string And(const std::string& parts) {
  return RandomExpressions::BoolText("and", parts);
}
std::string Or(const std::string& parts) {
  return RandomExpressions::BoolText("or", parts);
}
std::string Not(const std::string& part) {
  return RandomExpressions::BoolText("not", part);
}
std::string TextEquals(int attnum, char c) {
  return "{OPEXPR :opno 98 :opfuncid 67 :opresulttype 16 :opretset false :opcollid 0 :inputcollid "
         "100 :args (" +
         VarText(attnum, kTextOid) +
         " {CONST :consttype 25 :consttypmod -1 :constcollid 100 :constlen -1 :constbyval false "
         ":constisnull false :location -1 :constvalue 5 [ 20 0 0 0 " +
         std::to_string(int{c}) + " ]}) :location -1}";
}
std::string NotNull(int attnum) {
  return "{NULLTEST :arg " + VarText(attnum, RandomExpressions::kColumns[attnum - 1u].input.type) +
         " :nulltesttype 1 :argisrow false :location -1}";
}

TEST_F(BatchTest, RowsThatLeaveBehindCheapPartsKeepTheirVerdicts) {
  // Parts that no jump leads around, then one that fails, is dear or may be NULL.
  const std::string a = IntComparison(4, ">", -2), b = IntComparison(5, "<", 2);
  const std::string fails = OneByIntComparison(4, ">", 0);
  const std::string null = VarText(1, kBoolOid), text = NotNull(14);
  const std::string both = NotNull(4) + " " + NotNull(5);
  const std::string is_x = TextEquals(14, 'x');
  const std::vector<std::string> expressions = {
      And(a + " " + b + " " + is_x),
      Or(a + " " + b + " " + is_x),
      And(both + " " + is_x),
      Or(Not(NotNull(4)) + " " + Not(NotNull(5)) + " " + is_x),
      And(a + " " + b + " " + is_x + " " + a + " " + b + " " + is_x),
      Or(And(a + " " + b + " " + is_x) + " " + And(b + " " + a + " " + is_x)),
      Not(Or(a + " " + b + " " + is_x)),
      And(a + " " + b + " " + fails),
      Or(a + " " + b + " " + fails),
      And(both + " " + fails),
      Or(both + " " + fails),
      And(both + " " + null + " " + fails),
      Or(Not(a) + " " + Not(b) + " " + null + " " + fails),
      And(And(a + " " + b + " " + fails) + " " + Or(a + " " + b + " " + fails) + " " + null),
      Not(And(a + " " + b + " " + fails)),
      Or(And(a + " " + b + " " + fails) + " " + null),
      And(text + " " + a + " " + fails + " " + b + " " + fails + " " + null),
      Not(Or(null + " " + a + " " + fails)),
      And(a + " " + b + " " + null + " " + a + " " + b + " " + a + " " + b + " " + a + " " + b +
          " " + a + " " + b + " " + a + " " + fails),
  };
  RandomExpressions random(1);
  for (const std::vector<Nulls>& nulls : NullsOfColumns()) {
    const Rows rows(4500, random, nulls, true, *cx_);
    // Twice, so that each runs behind each of the others.
    for (int round = 0; round < 2; ++round) {
      for (std::size_t e = 0; e < expressions.size(); ++e) {
        const auto program = CompileText(expressions[e]);
        ASSERT_TRUE(program) << program.error().ToString();
        EXPECT_EQ(FirstDifference(**program, rows), -1)
            << "expression " << e << ", nulls of integers " << static_cast<int>(nulls[3]);
      }
    }
  }
}

TEST_F(BatchTest, AValueOfADomainHasTheSignOfItsBase) {
  RandomExpressions random(2);
  const std::string least =
      "{MINMAXEXPR :minmaxtype 16601 :minmaxcollid 0 :inputcollid 0 :op 1 :args (" +
      VarText(6, RandomExpressions::kIntDomain) + " " + VarText(6, RandomExpressions::kIntDomain) +
      ") :location -1}";
  const auto program = CompileText(least);
  ASSERT_TRUE(program) << program.error().ToString();
  for (const bool as_base : {false, true}) {
    const Rows rows(2100, random, std::vector<Nulls>(types_.size(), Nulls::kSome), as_base, *cx_);
    const BatchResult got = EvaluateSlice(**program, rows.batch(), 1024, 1024, scratch_);
    EXPECT_EQ(got.column.form, ColumnForm::kInt4);
    for (std::size_t r = 0; r < 1024; ++r) {
      const NullableDatum& expected = rows.rows[1024 + r][5];
      EXPECT_EQ(got.column.Get(r).isnull, expected.isnull);
      EXPECT_EQ(got.column.Get(r).value, expected.isnull ? Datum{} : expected.value);
    }
  }
}

TEST_F(BatchTest, AnOidReadAsIntegerIsComparedWithItsSign) {
  // (oid 4294967294 as integer, 0) < (0, 0)
  const std::string as_integer =
      "{RELABELTYPE :arg " + VarText(10, kOidOid) +
      " :resulttype 23 :resulttypmod -1 :resultcollid 0 :relabelformat 2 :location -1}";
  const auto program = CompileText(
      "{ROWCOMPAREEXPR :rctype 1 :opnos (o 97 97) :opfamilies (o 1976 1976) :inputcollids (o 0 0) "
      ":largs (" +
      as_integer + " " + testing::IntText(0) + ") :rargs (" + testing::IntText(0) + " " +
      testing::IntText(0) + ")}");
  ASSERT_TRUE(program) << program.error().ToString();
  std::vector<NullableDatum> row(types_.size());
  row[9] = {ObjectIdGetDatum(4'294'967'294u), false};
  EXPECT_EQ(EvaluateBool(**program, row, row_scratch_, nullptr), TruthValue::kTrue);
}

TEST_F(BatchTest, RandomExpressionsAreWorthTheSameInABatch) {
  int compiled = 0, refused = 0;
  for (std::uint32_t seed = 1; seed <= 24; ++seed) {
    RandomExpressions random(seed);
    std::vector<Nulls> nulls;
    for (std::size_t c = 0; c < types_.size(); ++c)
      nulls.push_back(seed % 4 == 0 ? Nulls::kNone : kNulls[random.Below(3)]);
    const ContextPtr values = AllocSet::CreateRoot("rows");
    const Rows rows(seed % 3 == 0 ? 1024 : 3300, random, nulls, seed % 2 == 0, *values);
    for (int i = 0; i < 40; ++i) {
      const bool boolean = random.Below(4) > 0;
      const std::string text = boolean ? random.Bool(3) : random.Of(random.AnyType(), 3);
      const auto program = CompileText(text);
      if (!program) {
        EXPECT_EQ(std::string(program.error().sqlstate).substr(0, 2), "22")
            << program.error().ToString() << text;
        ++refused;
        continue;
      }
      ++compiled;
      EXPECT_FALSE((*program)->ToExpression().empty());
      const long row =
          boolean ? FirstDifference(**program, rows) : FirstDifferentValue(**program, rows);
      EXPECT_EQ(row, -1) << "seed " << seed << ", expression " << i << ": " << text;
    }
  }
  EXPECT_GT(compiled, 600) << refused << " were refused";
}

}  // namespace
}  // namespace relcache
