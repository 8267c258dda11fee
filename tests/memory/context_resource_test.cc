#include "relcache/memory/context_resource.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace relcache {
namespace {

TEST(ContextResource, ContainersLiveInEitherKind) {
  for (const bool bump : {false, true}) {
    ContextPtr root = bump ? Bump::CreateRoot("root") : AllocSet::CreateRoot("root");
    ContextResource resource(*root);
    std::pmr::vector<int> numbers(&resource);
    std::pmr::map<int, std::pmr::string> names(&resource);
    for (int i = 0; i < 10'000; ++i) numbers.push_back(i);
    for (int i = 0; i < 1'000; ++i) names[i] = std::string(static_cast<std::size_t>(i % 50), 'x');
    for (int i = 0; i < 1'000; i += 2) names.erase(i);
    for (int i = 0; i < 10'000; ++i) ASSERT_EQ(numbers[static_cast<std::size_t>(i)], i);
    EXPECT_EQ(names.at(49).size(), 49u);
    root->Check();
  }
}

TEST(ContextResource, AnAllocSetGetsBackWhatAContainerFrees) {
  ContextPtr root = AllocSet::CreateRoot("root");
  const std::size_t used = root->bytes_used();
  ContextResource resource(*root);
  {
    std::pmr::unordered_map<int, std::pmr::string> table(&resource);
    for (int i = 0; i < 1'000; ++i) table.emplace(i, std::string(100, 'x'));
    EXPECT_GT(root->bytes_used(), 100'000u);
  }
  // The heads of blocks remain.
  EXPECT_LT(root->bytes_used(), used + 1'000);
}

TEST(ContextResource, KeepsLargeAlignments) {
  struct alignas(256) Wide {
    char bytes[256];
  };
  ContextPtr root = AllocSet::CreateRoot("root");
  ContextResource resource(*root);
  std::pmr::vector<Wide> wide(&resource);
  for (int i = 0; i < 100; ++i) {
    wide.emplace_back();
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(wide.data()) % 256, 0u);
  }
}

TEST(ContextResource, IsEqualToAnotherOverTheSameContext) {
  ContextPtr root = AllocSet::CreateRoot("root");
  MemoryContext& child = AllocSet::Create("child", *root);
  const ContextResource a(*root), b(*root), c(child);
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a == c);
  EXPECT_FALSE(a == *std::pmr::new_delete_resource());
}

}  // namespace
}  // namespace relcache
