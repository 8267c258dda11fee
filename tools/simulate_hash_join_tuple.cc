#include "relcache/tools/simulate_hash_join.h"
namespace relcache::tools {
std::unique_ptr<HashJoinForm> MakeTupleForm(const HashJoinRun& run) {
  return MakeBatchForm(run);
}
}  // namespace relcache::tools
