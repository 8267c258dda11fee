#include "relcache/cache/cache_stats.h"

#include <iterator>

#include "relcache/base/internal/format.h"
#include "relcache/base/internal/member_count.h"

namespace relcache {

static_assert(std::size(kCacheFigures) == internal::MemberCount<CacheStats>(),
              "each member of CacheStats is a figure");

std::string CacheStats::ToString() const {
  std::string text;
  for (const CacheFigure& figure : kCacheFigures)
    text += Format("{} {}\n", figure.name, figure.value(*this));
  return text;
}

}  // namespace relcache
