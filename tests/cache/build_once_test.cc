#include "relcache/cache/build_once.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace relcache::internal {
namespace {

using Turn = BuildOnce::Turn;

TEST(BuildOnceTest, TheFirstBuildsAndAllOthersGetTheValue) {
  BuildOnce once;
  int value = 0;
  EXPECT_EQ(once.ready(), nullptr);
  EXPECT_EQ(once.Enter(), Turn::kBuild);
  EXPECT_EQ(once.Enter(), Turn::kRecursive);
  EXPECT_EQ(once.ready(), nullptr);
  once.Publish(&value);
  EXPECT_EQ(once.Enter(), Turn::kReady);
  EXPECT_EQ(once.ready(), &value);
}

TEST(BuildOnceTest, AFailureStaysAndAnAbandonedBuildDoesNot) {
  BuildOnce once;
  EXPECT_EQ(once.Enter(), Turn::kBuild);
  once.Abandon();
  EXPECT_EQ(once.Enter(), Turn::kBuild);
  int error = 0;
  once.Fail(&error);
  EXPECT_EQ(once.Enter(), Turn::kFailed);
  EXPECT_TRUE(once.failed());
  EXPECT_EQ(once.value(), &error);
  EXPECT_EQ(once.ready(), nullptr);
}

TEST(BuildOnceTest, OthersWaitForTheBuilder) {
  for (int round = 0; round < 50; ++round) {
    BuildOnce once;
    int value = 0;
    std::atomic<int> builds{0}, tries{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (;;) {
          if (const Turn turn = once.Enter(); turn == Turn::kReady) return;
          ++builds;
          std::this_thread::yield();
          // The first attempt of all fails, as by an exception: one of those who wait takes over.
          if (tries++ == 0) {
            once.Abandon();
          } else {
            value = 42;
            once.Publish(&value);
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(builds, 2);
    EXPECT_EQ(*static_cast<const int*>(once.ready()), 42);
  }
}

}  // namespace
}  // namespace relcache::internal
