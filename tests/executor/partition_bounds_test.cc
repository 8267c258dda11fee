#include "relcache/executor/internal/partition_bounds.h"

#include <gtest/gtest.h>

#include <random>

#include "relations.h"
#include "relcache/nodes/primnodes.h"
#include "relcache/nodes/read.h"
#include "relcache/types/builtin_types.h"

namespace relcache::internal {
namespace {

class PartitionBoundsTest : public ::testing::Test {
 protected:
  static std::string RangeEnd(std::optional<int> value, int infinite) {
    return "({PARTITIONRANGEDATUM :kind " + std::to_string(value ? 0 : infinite) + " :value " +
           (value ? testing::IntText(*value) : "<>") + " :location -1})";
  }
  const PartitionBoundSpec* Spec(const std::string& text) {
    return As<PartitionBoundSpec>(StringToNode(text, {}, *cx_).value());
  }
  const PartitionBoundSpec* Range(std::optional<int> from, std::optional<int> to) {
    return Spec(
        "{PARTITIONBOUNDSPEC :strategy r :is_default false :modulus 0 :remainder 0 :listdatums <> "
        ":lowerdatums " +
        RangeEnd(from, -1) + " :upperdatums " + RangeEnd(to, 1) + " :location -1}");
  }
  const PartitionBoundSpec* Hash(int modulus, int remainder) {
    return Spec("{PARTITIONBOUNDSPEC :strategy h :is_default false :modulus " +
                std::to_string(modulus) + " :remainder " + std::to_string(remainder) +
                " :listdatums <> :lowerdatums <> :upperdatums <> :location -1}");
  }
  const PartitionBoundSpec* List(std::vector<int> values) {
    std::string text;
    for (const int value : values) text += (text.empty() ? "" : " ") + testing::IntText(value);
    return Spec(
        "{PARTITIONBOUNDSPEC :strategy l :is_default false :modulus 0 :remainder 0 :listdatums (" +
        text + ") :lowerdatums <> :upperdatums <> :location -1}");
  }
  const PartitionBoundSpec* Default(char strategy) {
    return Spec(std::string("{PARTITIONBOUNDSPEC :strategy ") + strategy +
                " :is_default true :modulus 0 :remainder 0 :listdatums <> :lowerdatums <> "
                ":upperdatums <> :location -1}");
  }
  static std::vector<KeyOrder> IntKey(bool as_word = true) {
    KeyOrder order;
    if (as_word) order.word = KeyOrder::Word::kInt4;
    order.compare = FindTypeOps(kInt4Oid)->compare;
    order.hash = FindTypeOps(kInt4Oid)->hash_extended;
    return {order};
  }
  std::string Why(char strategy, std::vector<const PartitionBoundSpec*> specs) {
    const auto made = Make(strategy, std::move(specs));
    return made ? "fine" : made.error().message;
  }
  Result<PartitionBounds> Make(char strategy, std::vector<const PartitionBoundSpec*> specs,
                               bool as_word = true) {
    static constexpr std::string_view kNames[] = {"a", "b", "c", "d", "e", "f"};
    std::vector<BoundOfPartition> bounds;
    for (std::size_t i = 0; i < specs.size(); ++i)
      bounds.push_back({i < std::size(kNames) ? kNames[i] : "more", specs[i]});
    return PartitionBounds::Make(strategy, IntKey(as_word), bounds);
  }

  ContextPtr cx_ = AllocSet::CreateRoot("partition bounds test");
};

TEST_F(PartitionBoundsTest, OverlapsAreErrorsThatNameBoth) {
  EXPECT_EQ(Why('r', {Range(0, 10), Range(10, 20)}), "fine");
  EXPECT_EQ(Why('r', {Range(0, 11), Range(10, 20)}),
            "partition \"a\" would overlap partition \"b\"");
  EXPECT_EQ(Why('r', {Range(10, 20), Range(0, 11)}),
            "partition \"b\" would overlap partition \"a\"");
  EXPECT_EQ(Why('r', {Range(0, 10), Range(0, 10)}),
            "partition \"a\" would overlap partition \"b\"");
  EXPECT_EQ(Why('r', {Range(0, 100), Range(10, 20)}),
            "partition \"a\" would overlap partition \"b\"");
  EXPECT_EQ(Why('r', {Range({}, 5), Range({}, 6)}),
            "partition \"a\" would overlap partition \"b\"");
  EXPECT_EQ(Why('r', {Range(5, {}), Range(6, {})}),
            "partition \"a\" would overlap partition \"b\"");
  EXPECT_EQ(Why('r', {Default('r'), Default('r')}),
            "partition \"a\" would overlap partition \"b\"");
  EXPECT_EQ(Why('l', {List({1, 2}), List({3, 4})}), "fine");
  EXPECT_EQ(Why('l', {List({1, 2, 2}), List({3, 4})}), "fine");
  EXPECT_EQ(Why('l', {List({1, 2}), List({3, 1})}),
            "partition \"a\" would overlap partition \"b\"");
  EXPECT_EQ(Why('h', {Hash(2, 0), Hash(4, 1), Hash(4, 3)}), "fine");
  EXPECT_EQ(Why('h', {Hash(2, 0), Hash(4, 2)}), "partition \"a\" would overlap partition \"b\"");
  EXPECT_EQ(Why('h', {Hash(2, 0), Hash(2, 0)}), "partition \"a\" would overlap partition \"b\"");
}

TEST_F(PartitionBoundsTest, BoundsThatCannotBeAreErrors) {
  EXPECT_EQ(Why('r', {Range(10, 10)}),
            "invalid bound of partition \"a\": empty range bound specified");
  EXPECT_EQ(Why('r', {Range(10, 9)}),
            "invalid bound of partition \"a\": empty range bound specified");
  EXPECT_EQ(Why('r', {List({1})}),
            "invalid bound of partition \"a\": it belongs to another strategy");
  EXPECT_EQ(Why('h', {Hash(4, 4)}), "invalid bound of partition \"a\": modulus or remainder");
  EXPECT_EQ(Why('h', {Hash(0, 0)}), "invalid bound of partition \"a\": modulus or remainder");
  EXPECT_EQ(
      Why('h', {Hash(4, 0), Hash(6, 1)}),
      "invalid bound of partition \"b\": every hash partition modulus must be a factor of the "
      "next larger modulus");
  EXPECT_EQ(Why('h', {Default('h')}),
            "invalid bound of partition \"a\": a default partition of HASH");
}

TEST_F(PartitionBoundsTest, WordsAreFoundAsComparisonsFindThem) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<int> ends;
    for (std::size_t i = 0, n = 2 + random() % 40; i < n; ++i)
      ends.push_back(static_cast<int>(random() % 200) - 100);
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::vector<const PartitionBoundSpec*> specs;
    const bool open_below = random() % 2 == 0, open_above = random() % 2 == 0;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      if (random() % 4 == 0) continue;
      specs.push_back(
          Range(i == 0 && open_below ? std::nullopt : std::optional(ends[i]),
                i + 2 == ends.size() && open_above ? std::nullopt : std::optional(ends[i + 1])));
    }
    if (random() % 2 == 0) specs.push_back(Default('r'));
    std::shuffle(specs.begin(), specs.end(), random);
    const auto words = Make('r', specs), calls = Make('r', specs, false);
    ASSERT_TRUE(words && calls);
    for (int key = -110; key <= 110; ++key) {
      const NullableDatum value{Int32GetDatum(key), false};
      int expected = words->default_partition();
      for (std::size_t i = 0; i < specs.size(); ++i) {
        if (specs[i]->is_default) continue;
        const auto end = [&](const class List* datums, int infinite) {
          const auto* datum = As<PartitionRangeDatum>((*datums)[0]);
          return datum->kind == PartitionRangeDatumKind::kValue
                     ? DatumGetInt32(As<relcache::Const>(datum->value)->constvalue)
                     : infinite;
        };
        if (end(specs[i]->lowerdatums, -1000) <= key && key < end(specs[i]->upperdatums, 1000))
          expected = static_cast<int>(i);
      }
      EXPECT_EQ(words->Find(&value), expected) << key;
      EXPECT_EQ(calls->Find(&value), expected) << key;
    }
  }
}

TEST_F(PartitionBoundsTest, GreatModuliNeedNoTable) {
  const auto great = Make('h', {Hash(1 << 20, 12345), Hash(1 << 20, 5)});
  ASSERT_TRUE(great);
  int found = 0;
  for (int key = 0; key < 1 << 21; ++key) {
    const NullableDatum value{Int32GetDatum(key), false};
    found += great->Find(&value) >= 0 ? 1 : 0;
  }
  EXPECT_GT(found, 0);
  EXPECT_LT(found, 30);
}

}  // namespace
}  // namespace relcache::internal
