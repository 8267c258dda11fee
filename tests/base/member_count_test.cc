#include "relcache/base/internal/member_count.h"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>
#include <vector>

namespace relcache::internal {
namespace {

struct One {
  int a;
};
struct Several {
  bool flag = false;
  std::string_view text;
  std::optional<int> maybe;
  const One* pointer = nullptr;
  One one;
};
struct Derived : One {
  int b = 0, c = 0;
};

static_assert(MemberCount<One>() == 1);
static_assert(MemberCount<Several>() == 5);
static_assert(MemberCount<Derived>() == 3, "the base class counts as one");

TEST(MemberCountTest, IsKnownWhenItIsCompiled) {
  SUCCEED();
}

}  // namespace
}  // namespace relcache::internal
