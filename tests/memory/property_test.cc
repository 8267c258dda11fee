// Random sequences of everything that can be done to contexts, against a model: contents,
// alignment, sums; nothing overlaps; callbacks run once. A failure names its seed.
#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "relcache/memory/memory_context.h"

namespace relcache {
namespace {

struct Chunk {
  std::size_t size;
  std::size_t alignment;
  unsigned char pattern;
};

/// A context, and what the model knows of it.
struct Model {
  MemoryContext* context;
  Model* parent = nullptr;
  bool bump;
  std::vector<std::unique_ptr<Model>> children;
  std::map<unsigned char*, Chunk> chunks;
  std::vector<int> callbacks;  // ids, oldest first
  std::size_t foreign = 0;
};

class Player {
 public:
  explicit Player(unsigned seed) : random_(seed) {
    root_.bump = Pick(2) == 0;
    owner_ = root_.bump ? Bump::CreateRoot("root", Sizes()) : AllocSet::CreateRoot("root", Sizes());
    root_.context = owner_.get();
  }
  ~Player() {
    Forget(root_);
    owner_.reset();
    EXPECT_EQ(called_, expected_);
  }

  void Play(int steps) {
    for (int step = 0; step < steps; ++step) {
      Step();
      if (step % 50 == 49) Verify(root_);
      if (::testing::Test::HasFatalFailure()) return;
    }
    Verify(root_);
  }

 private:
  std::size_t Pick(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

  BlockSizes Sizes() {
    switch (Pick(4)) {
      case 0:
        return kDefaultBlocks;
      case 1:
        return kSmallBlocks;
      case 2:
        return Bump::SizedFor(static_cast<std::uint32_t>(Pick(3000)));
      default:
        return {static_cast<std::uint32_t>(Pick(5000)), static_cast<std::uint32_t>(Pick(50'000))};
    }
  }

  /// Mostly small, now and then of each larger sort.
  std::size_t Size() {
    switch (Pick(20)) {
      case 0:
        return Pick(200'000);
      case 1:
        return Pick(20'000);
      case 2:
      case 3:
        return (std::size_t{8} << Pick(11)) + Pick(3) - 1;
      default:
        return Pick(200);
    }
  }

  Model& AnyModel() {
    Model* at = &root_;
    while (!at->children.empty() && Pick(3) != 0)
      at = at->children[Pick(at->children.size())].get();
    return *at;
  }

  std::map<unsigned char*, Chunk>::iterator AnyChunk(Model& model) {
    auto at = model.chunks.lower_bound(
        std::next(model.chunks.begin(),
                  static_cast<long>(Pick(std::min<std::size_t>(model.chunks.size(), 20))))
            ->first);
    return at;
  }

  void Fill(Model& model, void* memory, std::size_t size, std::size_t alignment) {
    auto* bytes = static_cast<unsigned char*>(memory);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % std::max<std::size_t>(alignment, 8), 0u);
    const auto pattern = static_cast<unsigned char>(Pick(256));
    std::memset(bytes, pattern, size);
    const auto [at, fresh] = model.chunks.emplace(bytes, Chunk{size, alignment, pattern});
    ASSERT_TRUE(fresh) << "handed out twice";
    // Neighbours in address order must not overlap.
    if (at != model.chunks.begin()) {
      const auto before = std::prev(at);
      ASSERT_LE(before->first + std::max<std::size_t>(before->second.size, 1), bytes);
    }
    if (const auto after = std::next(at); after != model.chunks.end()) {
      ASSERT_LE(bytes + std::max<std::size_t>(size, 1), after->first);
    }
  }

  static void ExpectFilled(const unsigned char* bytes, std::size_t size, unsigned char pattern) {
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(bytes[i], pattern) << "byte " << i;
  }

  void Step() {
    Model& model = AnyModel();
    MemoryContext& cx = *model.context;
    const std::size_t what = Pick(100);
    if (what < 45) {
      const std::size_t size = Size();
      Fill(model, cx.Allocate(size), size, 1);
    } else if (what < 50) {
      const std::size_t size = Size();
      const std::size_t alignment = std::size_t{1} << Pick(13);
      Fill(model, cx.Allocate(size, alignment), size, alignment);
    } else if (what < 65) {
      if (model.bump || model.chunks.empty()) return;
      const auto at = AnyChunk(model);
      ExpectFilled(at->first, at->second.size, at->second.pattern);
      ASSERT_EQ(&MemoryContext::Of(at->first), &cx);
      cx.Free(at->first);
      model.chunks.erase(at);
    } else if (what < 78) {
      if (model.chunks.empty()) return;
      Resize(model, AnyChunk(model));
    } else if (what < 84) {
      AddChild(model);
    } else if (what < 88) {
      AddCallback(model);
    } else if (what < 91) {
      Forget(model);
      cx.Reset();
      ASSERT_TRUE(cx.IsUnused());
      EXPECT_EQ(called_, expected_);
    } else if (what < 95) {
      if (&model == &root_) return;
      Delete(model);
    } else if (what < 98) {
      Move(model);
    } else {
      ForgetChildren(model);
      cx.DeleteChildren();
      EXPECT_EQ(called_, expected_);
    }
  }

  void Resize(Model& model, std::map<unsigned char*, Chunk>::iterator at) {
    auto [bytes, chunk] = *at;
    const std::size_t size = Size();
    model.chunks.erase(at);
    void* moved;
    if (model.bump || Pick(2) == 0) {
      moved = model.context->Grow(bytes, chunk.size, size);
      if (model.bump) chunk.alignment = 1;
    } else {
      moved = model.context->Reallocate(bytes, size);
    }
    ExpectFilled(static_cast<unsigned char*>(moved), std::min(chunk.size, size), chunk.pattern);
    Fill(model, moved, size, chunk.alignment);
  }

  void AddChild(Model& model) {
    auto child = std::make_unique<Model>();
    child->parent = &model;
    child->bump = Pick(2) == 0;
    child->context = child->bump ? &Bump::Create("child", *model.context, Sizes())
                                 : &AllocSet::Create("child", *model.context, Sizes());
    model.children.push_back(std::move(child));
  }

  struct Registered {
    ResetCallback callback;
    Player* player;
    int id;
  };

  void AddCallback(Model& model) {
    auto* registered = static_cast<Registered*>(model.context->Allocate(sizeof(Registered)));
    ::new (registered) Registered{{[](void* argument) noexcept {
                                     auto* self = static_cast<Registered*>(argument);
                                     self->player->called_.push_back(self->id);
                                   },
                                   registered, nullptr, Pick(1000)},
                                  this,
                                  next_id_++};
    model.context->OnReset(registered->callback);
    model.callbacks.push_back(registered->id);
    model.foreign += registered->callback.foreign_bytes;
  }

  /// Expects the callbacks of what goes with a context, in their order.
  void Forget(Model& model) {
    ForgetChildren(model);
    expected_.insert(expected_.end(), model.callbacks.rbegin(), model.callbacks.rend());
    model.callbacks.clear();
    model.chunks.clear();
    model.foreign = 0;
  }
  void ForgetChildren(Model& model) {
    for (auto child = model.children.rbegin(); child != model.children.rend(); ++child)
      Forget(**child);
    model.children.clear();
  }

  std::unique_ptr<Model> Unlink(Model& model) {
    auto& siblings = model.parent->children;
    const auto at = std::find_if(siblings.begin(), siblings.end(),
                                 [&](const auto& sibling) { return sibling.get() == &model; });
    std::unique_ptr<Model> self = std::move(*at);
    siblings.erase(at);
    return self;
  }

  void Delete(Model& model) {
    Forget(model);
    ContextPtr context(model.context);
    Unlink(model);
    context.reset();
    EXPECT_EQ(called_, expected_);
  }

  void Move(Model& model) {
    Model& target = AnyModel();
    for (Model* up = &target; up != nullptr; up = up->parent) {
      if (up == &model) return;
    }
    if (&model == &root_ || model.parent == &target) return;
    model.context->SetParent(target.context);
    std::unique_ptr<Model> self = Unlink(model);
    self->parent = &target;
    target.children.push_back(std::move(self));
  }

  struct Sums {
    std::size_t reserved = 0;
    std::size_t foreign = 0;
    std::size_t blocks = 0;
    std::size_t contexts = 0;
  };

  Sums Verify(Model& model) {
    const MemoryContext& cx = *model.context;
    std::size_t asked = 0;
    for (const auto& [bytes, chunk] : model.chunks) {
      ExpectFilled(bytes, chunk.size, chunk.pattern);
      asked += chunk.size;
    }
    cx.Check();
    const ContextStats stats = cx.Stats();
    EXPECT_EQ(stats.reserved, cx.bytes_reserved());
    EXPECT_EQ(stats.used + stats.free, stats.reserved);
    EXPECT_GE(stats.used, asked);
    EXPECT_EQ(stats.foreign, model.foreign);
    EXPECT_EQ(cx.kind(), model.bump ? ContextKind::kBump : ContextKind::kAllocSet);
    EXPECT_EQ(stats.blocks, cx.blocks());
    Sums sums{stats.reserved, stats.foreign, stats.blocks, 1};
    for (const auto& child : model.children) {
      EXPECT_EQ(child->context->parent(), &cx);
      const Sums below = Verify(*child);
      sums.reserved += below.reserved;
      sums.foreign += below.foreign;
      sums.blocks += below.blocks;
      sums.contexts += below.contexts;
    }
    EXPECT_EQ(cx.total_bytes_reserved(), sums.reserved);
    EXPECT_EQ(cx.total_foreign_bytes(), sums.foreign);
    EXPECT_EQ(cx.total_blocks(), sums.blocks);
    EXPECT_EQ(cx.TotalStats().contexts, sums.contexts);
    EXPECT_EQ(cx.TotalStats().reserved, sums.reserved);
    return sums;
  }

  std::mt19937 random_;
  ContextPtr owner_;
  Model root_{};
  int next_id_ = 0;
  std::vector<int> called_;
  std::vector<int> expected_;
};

void PlayGames(unsigned first_seed, unsigned games, int steps) {
  for (unsigned seed = first_seed; seed < first_seed + games; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Player(seed).Play(steps);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(ContextProperties, HoldOverRandomSequences) {
  PlayGames(1, 40, 1'000);
}
TEST(SlowContextProperties, HoldOverLongRandomSequences) {
  PlayGames(1'000, 300, 5'000);
}

}  // namespace
}  // namespace relcache
