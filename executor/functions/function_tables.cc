#include "relcache/executor/functions/function_tables.h"

#include <array>
#include <vector>

#include "relcache/base/check.h"

namespace relcache {
namespace {

/// Open addressing over all tables; pg_proc's oids of kernels lie below 2^16.
struct Index {
  static constexpr std::size_t kSlots = 2048;
  std::vector<const Function*> all;
  std::array<const Function*, kSlots> slots{};

  // 2^32 divided by the golden ratio; the upper 11 bits, as 2^11 is kSlots.
  static std::size_t Slot(Oid oid) { return (oid * 2654435769u) >> 21; }
  Index() {
    for (auto table : {NumberFunctions(), TextFunctions(), NumericFunctions(), TimeFunctions(),
                       ArrayFunctions(), JsonFunctions()}) {
      for (const Function& f : table) {
        all.push_back(&f);
        std::size_t slot = Slot(f.oid);
        while (slots[slot] != nullptr) {
          RELCACHE_CHECK_NE(slots[slot]->oid, f.oid);
          slot = (slot + 1) % kSlots;
        }
        slots[slot] = &f;
      }
    }
    // At most half full, so that a search for an oid that is not there ends soon.
    RELCACHE_CHECK_LT(all.size() * 2, kSlots);
  }
};

const Index& TheIndex() {
  static const Index index;
  return index;
}

}  // namespace

const Function* FindFunction(Oid oid, ServerVersion version) {
  if (version.num != ServerVersion().num) {
    for (const VersionedFunction& v : VersionedFunctions())
      if (v.function.oid == oid && v.first <= version.num && version.num <= v.last)
        return &v.function;
  }
  const Index& index = TheIndex();
  for (std::size_t slot = Index::Slot(oid);; slot = (slot + 1) % Index::kSlots) {
    const Function* f = index.slots[slot];
    if (f == nullptr || f->oid == oid) return f;
  }
}

std::span<const Function* const> AllFunctions() {
  return TheIndex().all;
}

}  // namespace relcache
