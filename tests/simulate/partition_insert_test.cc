#include "relcache/simulate/partition_insert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "relcache/catalog/json_catalog.h"

namespace relcache {
namespace {

TEST(PartitionInsertTest, EveryModeHasItsFiguresAndTheSharesAddUpToOne) {
  const auto sample = JsonCatalog::Open(RELCACHE_TEST_DATA "/../../examples/job.json").value();
  PartitionInsertOptions options;
  options.rows = 2000;
  options.partitions = 3;
  options.checks = 2;
  options.modes.assign(std::begin(kCheckModes), std::end(kCheckModes));
  const auto report = MeasurePartitionInsert(options, *sample);
  ASSERT_TRUE(report) << report.error().ToString();
  ASSERT_EQ(report->modes.size(), options.modes.size());
  for (std::size_t i = 0; i < options.modes.size(); ++i) {
    const PartitionInsertFigures& figures = report->modes[i];
    SCOPED_TRACE(CheckModeName(figures.mode));
    EXPECT_EQ(figures.mode, options.modes[i]);
    EXPECT_EQ(report->Find(figures.mode), &figures);
    EXPECT_EQ(figures.direct_rows, 10 * options.rows);
    EXPECT_EQ(figures.routed_seconds.size(), figures.direct_seconds.size());
    EXPECT_NEAR(figures.parse + figures.copy + figures.compile + figures.evaluate + figures.rest, 1,
                1e-9);
    if (figures.mode != CheckMode::kReparse) {
      EXPECT_EQ(figures.parse, 0);
    }
    if (figures.mode != CheckMode::kCopy) {
      EXPECT_EQ(figures.copy, 0);
    }
    if (figures.mode == CheckMode::kNone || figures.mode == CheckMode::kCompiled) {
      EXPECT_EQ(figures.compile, 0);
    }
    // What is deserialized or compiled is kept with the entry; parsed anew it is not.
    EXPECT_EQ(figures.after.used > figures.before.used,
              figures.mode != CheckMode::kNone && figures.mode != CheckMode::kReparse);
  }
  EXPECT_GT(report->tree_node_by_node_bytes, 0u);
}

TEST(PartitionInsertTest, ASampleWithoutTheJobsTablesIsRefused) {
  const auto other = JsonCatalog::Open(RELCACHE_TEST_DATA "/../../examples/pgbench.json").value();
  PartitionInsertOptions options;
  options.modes = {CheckMode::kNone};
  EXPECT_EQ(MeasurePartitionInsert(options, *other).error().code, ErrorCode::kNotFound);
}

TEST(PartitionInsertReportTest, GainIsWhatOfReparsesTimeIsSavedAndGivenUpWhatOfThatACopyLoses) {
  PartitionInsertReport report;
  for (const auto& [mode, ns] : {std::pair{CheckMode::kReparse, 400.0},
                                 {CheckMode::kCopy, 300.0},
                                 {CheckMode::kCached, 200.0}}) {
    report.modes.emplace_back().mode = mode;
    report.modes.back().ns_per_routed_row = ns;
  }
  EXPECT_DOUBLE_EQ(report.Gain(report.modes[0]).value(), 0);
  EXPECT_DOUBLE_EQ(report.Gain(report.modes[1]).value(), 0.25);
  EXPECT_DOUBLE_EQ(report.Gain(report.modes[2]).value(), 0.5);
  EXPECT_DOUBLE_EQ(report.GivenUp().value(), 0.5);
  EXPECT_EQ(report.Find(CheckMode::kNone), nullptr);
  // Nothing gained, nothing to give up.
  report.modes[2].ns_per_routed_row = 400;
  EXPECT_EQ(report.GivenUp(), std::nullopt);
  // Without kReparse there is nothing to compare with.
  report.modes.erase(report.modes.begin());
  EXPECT_EQ(report.Gain(report.modes[0]), std::nullopt);
  EXPECT_EQ(report.GivenUp(), std::nullopt);
}

}  // namespace
}  // namespace relcache
