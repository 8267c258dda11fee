// What a Scratch keeps between programs. For what runs programs.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "relcache/executor/expressions/evaluate.h"
#include "relcache/executor/expressions/internal/instruction.h"

namespace relcache {

struct Scratch::State {
  /// The registers of a batch: evaluate_batch.cc.
  struct Vectors;

  State(const SessionSettings& settings, MemoryContext& cx);
  ~State();

  /// Registers for a row, with room for the longest list behind them. The usual program finds them
  /// in the object itself.
  NullableDatum* Registers(const Program& program) {
    const std::size_t n = program.register_count() + program.longest_list();
    if (n <= few.size()) [[likely]]
      return few.data();
    if (many.size() < n) many.resize(n);
    return many.data();
  }

  /// Its settings and its context are the scratch's.
  FunctionContext fx;
  std::array<NullableDatum, 24> few;
  std::vector<NullableDatum> many;
  /// Made when a batch is run.
  std::unique_ptr<Vectors> vectors;
};

}  // namespace relcache
