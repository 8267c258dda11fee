#include "relcache/memory/internal/request_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace relcache {
namespace {

TEST(RequestProfile, CountsBySizeAndSingleFrees) {
  ContextPtr root = AllocSet::CreateRoot("root");
  MemoryContext& child = Bump::Create("child", *root);
  RequestProfile profile;
  root->Watch(profile);
  for (int i = 0; i < 6; ++i) (void)child.Allocate(30);
  void* a = root->Allocate(32);
  void* b = root->Allocate(33);
  (void)root->Allocate(8193);
  (void)root->Allocate(0);
  root->Free(a);
  root->Free(b);
  root->Unwatch();
  EXPECT_EQ(profile.Total().requests, 10u);
  EXPECT_EQ(profile.Total().bytes, 6u * 30 + 32 + 33 + 8193);
  EXPECT_EQ(profile.Total().freed, 2u);
  EXPECT_EQ(profile.classes()[0].requests, 1u);
  EXPECT_EQ(profile.classes()[2].requests, 7u);
  EXPECT_EQ(profile.classes()[2].freed, 1u);
  EXPECT_EQ(profile.classes()[3].freed, 1u);
  EXPECT_EQ(profile.classes()[RequestProfile::kClasses - 1].requests, 1u);
  EXPECT_DOUBLE_EQ(profile.ShareUpTo(32), 0.8);
  EXPECT_DOUBLE_EQ(profile.ShareFreedSingly(), 0.2);
  EXPECT_THAT(profile.ToText(), ::testing::HasSubstr("<= 32            7   70.0%"));
}

TEST(RequestProfile, OfNothingHasSharesOfZero) {
  const RequestProfile profile;
  EXPECT_EQ(profile.ShareUpTo(32), 0);
  EXPECT_EQ(profile.ShareFreedSingly(), 0);
}

}  // namespace
}  // namespace relcache
