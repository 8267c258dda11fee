#include "relcache/catalog/invalidation.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

namespace relcache {
namespace {

constexpr Invalidation kChange{InvalidationKind::kRelation, 7};

TEST(InvalidationHubTest, EveryListenerIsToldUntilItsSubscriptionGoes) {
  InvalidationHub hub;
  int first = 0, second = 0;
  InvalidationSubscription one = hub.Subscribe([&](std::span<const Invalidation> batch) {
    EXPECT_EQ(batch.size(), 1u);
    EXPECT_EQ(batch[0], kChange);
    ++first;
  });
  {
    const InvalidationSubscription two = hub.Subscribe([&](auto) { ++second; });
    hub.Publish(kChange);
  }
  hub.Publish(kChange);
  one.Reset();
  EXPECT_FALSE(one);
  hub.Publish(kChange);
  EXPECT_EQ(first, 2);
  EXPECT_EQ(second, 1);
}

TEST(InvalidationHubTest, AListenerMayEndItself) {
  InvalidationHub hub;
  InvalidationSubscription subscription;
  int calls = 0;
  subscription = hub.Subscribe([&](auto) {
    ++calls;
    subscription.Reset();
    ++calls;
  });
  hub.Publish(kChange);
  hub.Publish(kChange);
  EXPECT_EQ(calls, 2);
}

TEST(InvalidationHubTest, AListenerMayPublish) {
  InvalidationHub hub;
  int depth = 0;
  const InvalidationSubscription subscription = hub.Subscribe([&](auto) {
    if (++depth < 3) hub.Publish(kChange);
  });
  hub.Publish(kChange);
  EXPECT_EQ(depth, 3);
}

TEST(InvalidationHubTest, ASubscriptionMayOutliveItsSource) {
  InvalidationSubscription subscription;
  {
    InvalidationHub hub;
    subscription = hub.Subscribe([](auto) {});
  }
  subscription.Reset();
}

TEST(InvalidationHubTest, AfterResetTheListenerDoesNotRun) {
  InvalidationHub hub;
  std::atomic<bool> stop = false;
  std::thread publisher([&] {
    while (!stop) {
      hub.Publish(kChange);
      std::this_thread::yield();
    }
  });
  for (int i = 0; i < 50; ++i) {
    // Its memory goes right after the subscription: a late call would be seen by the sanitizers.
    const auto alive = std::make_unique<std::atomic<int>>(0);
    const InvalidationSubscription subscription = hub.Subscribe([&](auto) { alive->fetch_add(1); });
    while (alive->load() == 0) std::this_thread::yield();
  }
  stop = true;
  publisher.join();
}

}  // namespace
}  // namespace relcache
