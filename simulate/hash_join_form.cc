#include "relcache/simulate/hash_join_form.h"

namespace relcache {

Result<std::vector<HashJoinFigures>> MeasureHashJoins(HashJoinForm& form,
                                                      std::span<const HashJoinRun> runs,
                                                      unsigned rounds) {
  std::vector<HashJoinFigures> best(runs.size());
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      RELCACHE_ASSIGN(const HashJoinFigures figures, form.Run(runs[i]));
      if (round == 0 || figures.cpu_milliseconds < best[i].cpu_milliseconds) best[i] = figures;
    }
  }
  return best;
}

}  // namespace relcache
