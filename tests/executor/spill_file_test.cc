#include "relcache/executor/rows/internal/spill_file.h"

#include <gtest/gtest.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <filesystem>

#include "random_aggregates.h"
#include "random_joins.h"
#include "relcache/executor/rows/internal/block_checksum.h"

namespace relcache {
namespace {

using test::Bag;
using test::SameBag;

// What goes wrong at the n-th write or read.
enum class Trouble {
  kNone,
  kDiskFull,
  kWriteNothing,
  kIoError,
  kReadError,
  kTruncated,
  kFlippedBit
};

class TroubledFiles : public SpillFileLayer {
 public:
  explicit TroubledFiles(Trouble trouble, int at = 3) : trouble_(trouble), at_(at) {}
  int OpenTemporary(const std::string& directory) override {
    const int fd = SpillFileLayer::OpenTemporary(directory);
    open_ += fd >= 0 ? 1 : 0;
    return fd;
  }
  ssize_t Write(int fd, const void* bytes, std::size_t n, std::int64_t offset) override {
    const bool now = ++writes_ == at_;
    if (now && trouble_ == Trouble::kDiskFull) return -ENOSPC;
    if (now && trouble_ == Trouble::kWriteNothing) return 0;
    if (now && trouble_ == Trouble::kIoError) return -EIO;
    return SpillFileLayer::Write(fd, bytes, n, offset);
  }
  ssize_t Read(int fd, void* bytes, std::size_t n, std::int64_t offset) override {
    const bool now = ++reads_ == at_;
    if (now && trouble_ == Trouble::kReadError) return -EIO;
    if (now && trouble_ == Trouble::kTruncated) return 0;
    const ssize_t got = SpillFileLayer::Read(fd, bytes, n, offset);
    if (now && trouble_ == Trouble::kFlippedBit && got > 40) static_cast<char*>(bytes)[40] ^= 1;
    return got;
  }
  void Close(int fd) override {
    --open_;
    SpillFileLayer::Close(fd);
  }
  int open() const { return open_; }

 private:
  Trouble trouble_;
  int at_;
  int writes_ = 0;
  int reads_ = 0;
  int open_ = 0;
};

// Every call does a little, or is interrupted.
class SlowFiles : public SpillFileLayer {
 public:
  ssize_t Write(int fd, const void* bytes, std::size_t n, std::int64_t offset) override {
    if (++calls_ % 3 == 0) return -EINTR;
    return SpillFileLayer::Write(fd, bytes, (n + 1) / 2, offset);
  }
  ssize_t Read(int fd, void* bytes, std::size_t n, std::int64_t offset) override {
    if (++calls_ % 3 == 0) return -EINTR;
    return SpillFileLayer::Read(fd, bytes, (n + 1) / 2, offset);
  }

 private:
  int calls_ = 0;
};

test::JoinCase SpillingJoin() {
  test::Random random(1);
  test::JoinCase join;
  const std::vector<Oid> keys = {kInt4Oid};
  join.probe = test::RandomJoinSide(keys, {{3000, 0, 0}}, 3000, random);
  join.build = test::RandomJoinSide(keys, {{3000, 0, 0}}, 3000, random);
  return join;
}

test::AggregateCase SpillingAggregate() {
  test::AggregateCase aggregate;
  aggregate.input.types = {kInt4Oid, kTextOid};
  for (int r = 0; r < 5000; ++r)
    aggregate.input.rows.push_back({std::to_string(r % 2500), "text " + std::to_string(r)});
  aggregate.group_by = {0};
  aggregate.calls = {{AggregateFunction::kArrayAgg, 1, false}};
  return aggregate;
}

constexpr std::size_t kTightLimit = std::size_t{64} << 10;

struct TroubleCase {
  Trouble trouble;
  const char* sqlstate;
  const char* message;
};

TEST(SpillFileTest, EveryTroubleIsAnErrorAndNoFileIsLeftOpen) {
  const TroubleCase cases[] = {
      {Trouble::kDiskFull, "53100", "could not write to temporary file: No space left on device"},
      {Trouble::kWriteNothing, "53100",
       "could not write to temporary file: No space left on device"},
      {Trouble::kIoError, "58030", "could not write to temporary file: Input/output error"},
      {Trouble::kReadError, "58030", "could not read from temporary file: Input/output error"},
      {Trouble::kTruncated, "58030", "could not read from temporary file: read only 0 of "},
      {Trouble::kFlippedBit, "XX001", "invalid checksum in temporary file at offset "},
  };
  const test::JoinCase join = SpillingJoin();
  const test::AggregateCase aggregate = SpillingAggregate();
  for (const TroubleCase& c : cases) {
    for (const int at : {1, 2, 7}) {
      for (const bool join_now : {true, false}) {
        TroubledFiles files(c.trouble, at);
        SpillOptions spill;
        spill.files = &files;
        Error error;
        if (join_now) {
          const auto result =
              RunJoin(join, {HashJoinStrategy::kDeferredUnpartitioned, kTightLimit, 3000, spill});
          ASSERT_FALSE(result) << c.message;
          error = result.error();
        } else {
          const auto result = RunAggregate(aggregate, kTightLimit, spill);
          ASSERT_FALSE(result) << c.message;
          error = result.error();
        }
        EXPECT_EQ(error.code, ErrorCode::kIo);
        EXPECT_STREQ(error.sqlstate, c.sqlstate);
        EXPECT_EQ(error.message.substr(0, std::string_view(c.message).size()), c.message);
        EXPECT_EQ(files.open(), 0);
      }
    }
  }
}

TEST(SpillFileTest, InterruptedAndShortCallsGoOn) {
  SlowFiles files;
  SpillOptions spill;
  spill.files = &files;
  const test::JoinCase join = SpillingJoin();
  const auto slow =
      RunJoin(join, {HashJoinStrategy::kDeferredUnpartitioned, kTightLimit, 3000, spill});
  const auto fast =
      RunJoin(join, {HashJoinStrategy::kDeferredUnpartitioned, kTightLimit, 3000, {}});
  ASSERT_TRUE(slow && fast);
  EXPECT_GT(slow->counters.spilled_bytes, 0U);
  EXPECT_TRUE(SameBag(Bag(slow->rows), Bag(fast->rows)));
  const auto aggregate = RunAggregate(SpillingAggregate(), kTightLimit, spill);
  ASSERT_TRUE(aggregate);
  EXPECT_EQ(aggregate->rows.size(), 2500U);
}

TEST(SpillFileTest, ADirectoryThatIsNotThereIsAnError) {
  SpillOptions spill;
  spill.directory = "/nowhere/at/all";
  const auto result =
      RunJoin(SpillingJoin(), {HashJoinStrategy::kDeferredUnpartitioned, kTightLimit, 3000, spill});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "could not create temporary file: No such file or directory");
}

TEST(SpillFileTest, FilesHaveNoName) {
  const auto directory = std::filesystem::path(testing::TempDir()) / "relcache_spill_test";
  std::filesystem::create_directories(directory);
  {
    SpillOptions options;
    options.directory = directory;
    SpillFile file(options);
    std::string block(SpillFile::kHeadBytes + 100, 'x');
    const auto placed = file.Append(block);
    ASSERT_TRUE(placed);
    EXPECT_TRUE(std::filesystem::is_empty(directory));
    std::string back(placed->bytes, '\0');
    ASSERT_TRUE(file.Read(*placed, back.data()));
    EXPECT_EQ(back, block);
  }
  std::filesystem::remove(directory);
}

// By whatever instructions: the sizes are those at which XXH3 changes its way of working.
TEST(BlockChecksumTest, IsXxh3) {
  std::string bytes(100000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 131 / 7);
  for (const std::size_t n : {0, 1, 3, 8, 16, 17, 128, 129, 240, 241, 1024, 1025, 65560, 100000})
    EXPECT_EQ(BlockChecksum({bytes.data(), n}), XXH3_64bits(bytes.data(), n)) << n;
}

// A block holds no links: each row is eight bytes shorter there.
TEST(SpillWriterTest, LeavesLinksOut) {
  const ContextPtr cx = AllocSet::CreateRoot("spill");
  const ColumnType types[] = {{kInt8Oid, kInvalidOid, ColumnForm::kInt8, 8, true, 'd'}};
  RowLayout layout(types);
  ASSERT_EQ(layout.uniform_size(), 32U);
  SpillFile file({});
  std::vector<SpillRun> runs(1);
  SpillWriter writer(file, runs, 3 * 24, *cx);
  EXPECT_FALSE(writer.IsLong(80));
  EXPECT_TRUE(writer.IsLong(88));
  const std::int64_t values[] = {1, 2, 3, 4, 5};
  const std::uint32_t selection[] = {0, 1, 2, 3, 4};
  const std::uint64_t hashes[] = {11, 12, 13, 14, 15};
  const BatchColumn column{kInt8Oid, ColumnForm::kInt8, values, nullptr};
  ASSERT_TRUE(
      writer.AddRows(layout, {{&column, 1}, 5}, selection, hashes, HashPartition(), nullptr));
  ASSERT_TRUE(writer.FlushAll());
  EXPECT_EQ(runs[0].bytes(), 5 * 32U);
  EXPECT_EQ(file.bytes_written(), 5 * 24 + 2 * SpillFile::kHeadBytes);
  SpillReader reader(file, runs[0], layout, *cx);
  StoredRow* rows[8];
  std::size_t at = 0;
  while (const std::size_t n = reader.Next(rows).value()) {
    for (std::size_t i = 0; i < n; ++i, ++at) {
      EXPECT_EQ(rows[i]->hash, hashes[at]);
      EXPECT_EQ(DatumGetInt64(layout.value(rows[i], 0)), values[at]);
    }
  }
  EXPECT_EQ(at, 5U);
}

}  // namespace
}  // namespace relcache
