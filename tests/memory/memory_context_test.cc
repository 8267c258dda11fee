#include "relcache/memory/memory_context.h"

#include <cstring>

#include <gtest/gtest.h>

namespace relcache {
namespace {
TEST(Smoke, Works) {
  for (int kind = 0; kind < 2; ++kind) {
    ContextPtr root = kind ? AllocSet::CreateRoot("root") : Bump::CreateRoot("root");
    for (int r = 0; r < 5; ++r) {
      for (int i = 0; i < 10000; ++i) {
        char* p = static_cast<char*>(root->Allocate(static_cast<std::size_t>(i % 300)));
        std::memset(p, 1, static_cast<std::size_t>(i % 300));
        if (kind && i % 4 == 0) root->Free(p);
      }
      (void)root->Allocate(100000);
      (void)root->Allocate(100, 128);
      root->Check();
      MemoryContext& c = Bump::Create("child", *root);
      (void)c.NewArray<int>(1000);
      root->Reset();
      EXPECT_TRUE(root->IsUnused());
      EXPECT_EQ(root->total_bytes_reserved(), 8192u);
    }
  }
}
}  // namespace
}  // namespace relcache
