// The state that a Scratch keeps between programs. For the sources of executor/expressions only.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "relcache/executor/expressions/evaluate.h"
#include "relcache/executor/expressions/internal/instruction.h"
#include "relcache/types/regex/regex_cache.h"

namespace relcache {

struct Scratch::State {
  /// The registers for batches; see evaluate_batch.cc.
  struct Vectors;

  State(const SessionSettings& settings, MemoryContext& cx);
  ~State();

  /// The registers for a row, with room for the longest list after them. Most programs need few,
  /// which the object itself contains.
  NullableDatum* Registers(const Program& program) {
    const std::size_t n = program.register_count() + program.longest_list();
    if (n <= few.size()) [[likely]]
      return few.data();
    if (many.size() < n) many.resize(n);
    return many.data();
  }

  /// Its settings and its memory context are those of the scratch.
  FunctionContext fx;
  RegexCache regexes;
  std::array<NullableDatum, 24> few;
  std::vector<NullableDatum> many;
  /// Made when a batch is first run.
  std::unique_ptr<Vectors> vectors;
};

}  // namespace relcache
