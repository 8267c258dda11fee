#include "relcache/cache/relation_descriptor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "relcache/cache/relation_cache.h"
#include "relcache/catalog/internal/row_copy.h"
#include "relcache/nodes/tree_image.h"
#include "sample_relations.h"

namespace relcache {
namespace {

using test::Put;
using test::Table;

constexpr Oid kT = 16400;

/// A relation with one row of every kind, each with all its expressions.
struct Full {
  Full() : table(kT, "t", "app") {
    table.Check("a_check").Check("b_check");
    ConstraintRow& key = table.constraints.emplace_back();
    key.oid = 20;
    key.conname = "t_pkey";
    key.contype = 'p';
    key.conkey = keys;
    attrdefs[0].adnum = 1;
    attrdefs[0].adbin = text;
    attrdefs[1].adnum = 2;
    attrdefs[1].adbin = text;
    index.indexrelid = 16500;
    index.indrelid = kT;
    index.relname = "t_idx";
    index.amname = "btree";
    index.indnatts = index.indnkeyatts = 1;
    index.indkey = zero;
    index.indclass = classes;
    index.indexprs = index.indpred = text;
    trigger.oid = 30;
    trigger.tgname = "tr";
    trigger.tgfoid = 20001;
    trigger.tgargs = arguments;
    trigger.tgqual = text;
    rule.oid = 40;
    rule.rulename = "ru";
    rule.ev_qual = rule.ev_action = text;
    policy.oid = 50;
    policy.polname = "po";
    policy.polqual = policy.polwithcheck = text;
    statistics.oid = 60;
    statistics.stxname = "st";
    statistics.stxexprs = text;
    partitioned.partnatts = 1;
    partitioned.partattrs = zero;
    partitioned.partclass = classes;
    partitioned.partcollation = collations;
    partitioned.partexprs = text;
    parent.inhrelid = kT;
    parent.inhparent = 16000;
  }
  Full(const Full&) = delete;

  RelationRows Rows() {
    RelationRows rows = table.Rows();
    rows.pg_class.relkind = 'p';
    rows.pg_class.relispartition = true;
    rows.pg_class.relpartbound = text;
    rows.attrdefs = attrdefs;
    rows.indexes = {&index, 1};
    rows.triggers = {&trigger, 1};
    rows.rules = {&rule, 1};
    rows.policies = {&policy, 1};
    rows.statistics = {&statistics, 1};
    rows.partitioned_table = &partitioned;
    rows.parents = {&parent, 1};
    return rows;
  }

  const std::string_view text = test::kPositive;
  const AttrNumber keys[1] = {1};
  const AttrNumber zero[1] = {0};
  const Oid classes[1] = {1978};
  const Oid collations[1] = {0};
  const std::string_view arguments[2] = {"x", "y"};
  Table table;
  AttrdefRow attrdefs[2];
  IndexRow index;
  TriggerRow trigger;
  RewriteRow rule;
  PolicyRow policy;
  StatisticExtRow statistics;
  PartitionedTableRow partitioned;
  InheritsRow parent;
};

class RelationDescriptorTest : public testing::Test {
 protected:
  RelationDescriptorTest() {
    const Status put = catalog.Put(full.Rows());
    EXPECT_TRUE(put) << (put ? "" : put.error().ToString());
    pin = cache.Open(kT).value();
  }
  Full full;
  MemoryCatalog catalog;
  RelationCache cache{catalog};
  RelationPin pin;
};

TEST_F(RelationDescriptorTest, HoldsEveryRowAsItWasDelivered) {
  const ContextPtr cx = AllocSet::CreateRoot("test");
  const RelationRows* delivered = catalog.LoadRelation(kT, *cx).value();
  EXPECT_TRUE(EqualRows(pin->rows(), *delivered));
  EXPECT_EQ(pin->version(), delivered->version);
  EXPECT_EQ(pin->oid(), kT);
  EXPECT_EQ(pin->name(), "t");
  EXPECT_EQ(pin->schema(), "app");
  EXPECT_EQ(pin->relkind(), 'p');
  EXPECT_EQ(pin->pg_version(), 15);
  EXPECT_EQ(&pin->source(), &catalog);
  EXPECT_EQ(pin->constraints().size(), 3u);
  EXPECT_EQ(pin->parents().size(), 1u);
}

TEST_F(RelationDescriptorTest, SharesNoByteWithWhatWasDelivered) {
  ASSERT_TRUE(catalog.Drop(kT));  // under asan: nothing points into the source
  EXPECT_EQ(pin->triggers()[0].row().tgargs[1], "y");
  EXPECT_EQ(pin->checks()[1].name(), "b_check");
  EXPECT_EQ(pin->partitioned_table()->partclass[0], 1978u);
}

TEST_F(RelationDescriptorTest, FindsColumnsAndDefaults) {
  EXPECT_EQ(pin->attribute(AttrNumber{1})->attname, "a");
  EXPECT_EQ(pin->attribute("b")->attnum, 2);
  EXPECT_EQ(pin->attribute(AttrNumber{0}), nullptr);
  EXPECT_EQ(pin->attribute(AttrNumber{3}), nullptr);
  EXPECT_EQ(pin->attribute(AttrNumber{-1}), nullptr);
  EXPECT_EQ(pin->attribute("c"), nullptr);
  EXPECT_EQ(pin->default_of(2)->attnum(), 2);
  EXPECT_EQ(pin->default_of(3), nullptr);
  EXPECT_EQ(pin->default_of(-1), nullptr);
}

struct KindCase {
  ExpressionKind kind;
  std::string place;
  const ExpressionSlot* (*slot)(const RelationDescriptor& relation);
};

const KindCase kKinds[] = {
    {ExpressionKind::kCheck, "relation app.t, constraint b_check: conbin",
     [](const auto& r) { return &r.checks()[1].expression(); }},
    {ExpressionKind::kDefault, "relation app.t, column b: adbin",
     [](const auto& r) { return &r.default_of(2)->expression(); }},
    {ExpressionKind::kIndexExpressions, "relation app.t, index t_idx: indexprs",
     [](const auto& r) { return r.indexes()[0].expressions(); }},
    {ExpressionKind::kIndexPredicate, "relation app.t, index t_idx: indpred",
     [](const auto& r) { return r.indexes()[0].predicate(); }},
    {ExpressionKind::kPartitionKey, "relation app.t: partexprs",
     [](const auto& r) { return r.partition_key(); }},
    {ExpressionKind::kPartitionBound, "relation app.t: relpartbound",
     [](const auto& r) { return r.partition_bound(); }},
    {ExpressionKind::kTriggerWhen, "relation app.t, trigger tr: tgqual",
     [](const auto& r) { return r.triggers()[0].when(); }},
    {ExpressionKind::kPolicyUsing, "relation app.t, policy po: polqual",
     [](const auto& r) { return r.policies()[0].using_qual(); }},
    {ExpressionKind::kPolicyWithCheck, "relation app.t, policy po: polwithcheck",
     [](const auto& r) { return r.policies()[0].with_check(); }},
    {ExpressionKind::kRuleQual, "relation app.t, rule ru: ev_qual",
     [](const auto& r) { return r.rules()[0].qual(); }},
    {ExpressionKind::kRuleAction, "relation app.t, rule ru: ev_action",
     [](const auto& r) { return r.rules()[0].action(); }},
    {ExpressionKind::kStatistics, "relation app.t, statistics st: stxexprs",
     [](const auto& r) { return r.statistics()[0].expressions(); }},
};
static_assert(std::size(kKinds) == kExpressionKinds);

TEST_F(RelationDescriptorTest, HasASlotForEveryKindOfExpression) {
  std::set<const ExpressionSlot*> slots;
  for (const KindCase& test : kKinds) {
    const ExpressionSlot* slot = test.slot(*pin);
    ASSERT_NE(slot, nullptr) << test.place;
    EXPECT_EQ(slot->kind(), test.kind);
    EXPECT_EQ(slot->place(), test.place);
    EXPECT_EQ(slot->text(), full.text);
    EXPECT_TRUE(slot->Get()) << test.place;
    slots.insert(slot);
  }
  EXPECT_EQ(slots.size(), std::size_t{kExpressionKinds});
  EXPECT_EQ(pin->expressions().size(), kExpressionKinds + 2u);  // a second check, a second default
}

TEST_F(RelationDescriptorTest, WhatHasNoExpressionHasNoSlot) {
  Full bare;
  bare.index.indexprs = bare.index.indpred = bare.trigger.tgqual = {};
  bare.rule.ev_qual = bare.policy.polqual = bare.policy.polwithcheck = {};
  bare.statistics.stxexprs = bare.partitioned.partexprs = {};
  const AttrNumber key[] = {1};
  bare.index.indkey = bare.partitioned.partattrs = key;
  RelationRows rows = bare.Rows();
  rows.pg_class.relpartbound = {};
  rows.pg_class.relispartition = false;
  rows.parents = {};
  const Status put = catalog.Put(rows);
  ASSERT_TRUE(put) << put.error().ToString();
  RelationPin now = cache.Open(kT).value();
  for (const KindCase& test : kKinds) {
    const bool always = test.kind == ExpressionKind::kCheck ||
                        test.kind == ExpressionKind::kDefault ||
                        test.kind == ExpressionKind::kRuleAction;
    EXPECT_EQ(test.slot(*now) != nullptr, always) << test.place;
  }
}

TEST_F(RelationDescriptorTest, TheBytesAreCountedAndTheBodyIsOfExactSize) {
  const std::size_t alone = pin->bytes();
  EXPECT_EQ(cache.stats().bytes, alone);
  std::size_t texts = 0;
  for (const ExpressionSlot& slot : pin->expressions()) texts += slot.text().size();
  EXPECT_GT(alone, texts);
  for (const ExpressionSlot& slot : pin->expressions()) ASSERT_TRUE(slot.Get());
  std::size_t trees = 0;
  for (const ExpressionSlot& slot : pin->expressions()) trees += slot.bytes();
  EXPECT_EQ(pin->bytes(), alone + trees);
}

}  // namespace
}  // namespace relcache
