// Everything at once: threads that come and go, pins that travel between them, invalidations of
// one, many and all, a source that fails, a budget that holds a part. Run it under tsan and asan.
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <random>
#include <thread>
#include <vector>

#include "relcache/base/mutex.h"
#include "relcache/cache/relation_cache.h"
#include "sample_relations.h"

namespace relcache {
namespace {

using test::Put;
using test::Table;

constexpr Oid kFirst = 16384;

struct Plan {
  Oid relations = 64;
  int workers = 8;
  int generations = 4;  ///< of threads, one after the other, for each worker
  int opens = 3000;     ///< per thread
  std::size_t budget = 1 << 20;
  bool membarrier = true;
  bool failing = false;
};

std::string NameOf(Oid oid) {
  return "t" + std::to_string(oid);
}

/// The state `stamp` of a relation: the stamp stands in all that the reader looks at.
Table Version(Oid oid, std::int32_t stamp) {
  Table table(oid, NameOf(oid));
  for (AttributeRow& row : table.columns) row.atttypmod = stamp;
  table.Check("c" + std::to_string(stamp));
  return table;
}

class Stress {
 public:
  explicit Stress(const Plan& given) : plan(given), cache(catalog, Options(given)) {
    for (Oid oid = kFirst; oid < kFirst + plan.relations; ++oid) {
      names.push_back(NameOf(oid));
      Put(catalog, Version(oid, 0));
    }
    if (plan.failing) {
      catalog.SetLoadHook([this](std::size_t, Oid) -> Status {
        if (loads_.fetch_add(1) % 7 == 3) return Fail(ErrorCode::kSource, "08006", "now and then");
        return {};
      });
    }
  }

  void Run() {
    std::vector<std::thread> threads;
    for (int i = 0; i < plan.workers; ++i) {
      threads.emplace_back([this, i] {
        for (int g = 0; g < plan.generations; ++g) {
          std::thread([&] { Work(static_cast<unsigned>(i * 1000 + g)); }).join();
        }
        ++finished_;
      });
    }
    threads.emplace_back([this] { Invalidate(); });
    threads.emplace_back([this] { Change(); });
    for (std::thread& thread : threads) thread.join();
    {
      const sync::MutexLock lock(queue_mutex_);
      queue_.clear();
    }
    cache.InvalidateAll();
    const CacheStats stats = cache.stats();
    EXPECT_EQ(stats.bytes, 0u);
    EXPECT_EQ(stats.entries, 0u);
    EXPECT_EQ(stats.old_versions, 0u);
    EXPECT_EQ(stats.pins, 0u);
    EXPECT_EQ(wrong_.load(), 0);
  }

 private:
  static CacheOptions Options(const Plan& plan) {
    CacheOptions options;
    options.budget_bytes = plan.budget;
    options.use_membarrier = plan.membarrier;
    return options;
  }

  bool Over() const { return finished_ == plan.workers; }

  /// Whether all parts of what the pin shows belong together.
  void Look(const RelationPin& pin, Oid oid) {
    const std::int32_t stamp = pin->attributes()[0].atttypmod;
    const bool right = pin->oid() == oid && pin->name() == names[oid - kFirst] &&
                       pin->attributes()[1].atttypmod == stamp && pin->checks().size() == 1 &&
                       pin->checks()[0].name() == "c" + std::to_string(stamp) &&
                       pin->checks()[0].expression().text() == test::kPositive;
    if (!right) ++wrong_;
  }

  void Work(unsigned seed) {
    std::minstd_rand random(seed + 1);
    std::vector<RelationPin> held;
    for (int i = 0; i < plan.opens; ++i) {
      const Oid oid = kFirst + static_cast<Oid>(random() % plan.relations);
      Result<RelationPin> pin =
          random() % 4 == 0 ? cache.Open("public", names[oid - kFirst]) : cache.Open(oid);
      if (!pin) {
        if (pin.error().code != ErrorCode::kSource || !plan.failing) ++wrong_;
        continue;
      }
      Look(*pin, oid);
      if (random() % 8 == 0 && !(*pin)->checks()[0].expression().Get()) ++wrong_;
      switch (random() % 8) {
        case 0:
          held.push_back(std::move(*pin));
          if (held.size() > 150) held.clear();
          break;
        case 1: {
          const sync::MutexLock lock(queue_mutex_);
          queue_.emplace_back(oid, std::move(*pin));
          break;
        }
        case 2: {
          std::pair<Oid, RelationPin> other(0, RelationPin());
          {
            const sync::MutexLock lock(queue_mutex_);
            if (queue_.empty()) break;
            other = std::move(queue_.front());
            queue_.pop_front();
          }
          Look(other.second, other.first);
          break;
        }
        default:
          break;
      }
    }
    // The rest of what it holds ends with the thread, or travels on.
    const sync::MutexLock lock(queue_mutex_);
    for (RelationPin& pin : held) {
      if (random() % 2 == 0) queue_.emplace_back(pin->oid(), std::move(pin));
    }
    while (queue_.size() > 2000) queue_.pop_front();
  }

  void Invalidate() {
    std::minstd_rand random(4711);
    while (!Over()) {
      Oid oids[5];
      for (Oid& oid : oids) oid = kFirst + static_cast<Oid>(random() % plan.relations);
      switch (random() % 64) {
        case 0:
          cache.InvalidateAll();
          break;
        case 1:
          cache.Apply({InvalidationKind::kFunction, 147});
          break;
        default:
          cache.Invalidate({oids, 1 + random() % 5});
          break;
      }
      if (random() % 4 == 0) std::this_thread::yield();
    }
  }

  /// Who changed a relation sees the change.
  void Change() {
    std::minstd_rand random(17);
    for (std::int32_t stamp = 1; !Over(); ++stamp) {
      const Oid oid = kFirst + static_cast<Oid>(random() % plan.relations);
      Put(catalog, Version(oid, stamp));
      const Result<RelationPin> pin = cache.Open(oid);
      if (pin && pin->operator->()->attributes()[0].atttypmod != stamp) ++wrong_;
      std::this_thread::yield();
    }
  }

  const Plan plan;
  MemoryCatalog catalog;
  RelationCache cache;
  std::vector<std::string> names;
  sync::Mutex queue_mutex_;
  std::deque<std::pair<Oid, RelationPin>> queue_ RELCACHE_GUARDED_BY(queue_mutex_);
  std::atomic<int> finished_{0};
  std::atomic<int> wrong_{0};
  std::atomic<std::uint64_t> loads_{0};
};

TEST(StressTest, WithMembarrier) {
  Stress(Plan{}).Run();
}
TEST(StressTest, WithThePortableFence) {
  Stress(Plan{.membarrier = false}).Run();
}
TEST(StressTest, UnderATinyBudget) {
  Stress(Plan{.relations = 400, .budget = 200 * 1024}).Run();
}
TEST(StressTest, WithAFailingSource) {
  Stress(Plan{.failing = true}).Run();
}
TEST(StressTest, OnOneRelation) {
  Stress(Plan{.relations = 1}).Run();
}

TEST(SlowStressTest, Long) {
  for (const bool membarrier : {true, false}) {
    Stress(Plan{.relations = 1000,
                .workers = 12,
                .generations = 30,
                .opens = 10'000,
                .budget = 500 * 1024,
                .membarrier = membarrier,
                .failing = true})
        .Run();
  }
}

}  // namespace
}  // namespace relcache
