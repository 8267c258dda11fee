// What contexts cost beside their rivals: malloc, std::pmr, mimalloc.
//
// The loops are those of PostgreSQL's side, contextbench in bench/postgres, so that a ratio to
// PostgreSQL's own contexts can be taken (bench/postgres). Expected: Bump
// allocates faster than pmr_monotonic, whose allocate() has an alignment to compute and a null to
// check; AllocSet at less than half of PostgreSQL's, since there a call through a table of methods
// stands before every request; a reset of an unused context is a handful of loads.
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <cstdlib>
#include <memory_resource>
#include <random>

#include "relcache/memory/memory_context.h"

namespace relcache {
namespace {

constexpr int kRequests = 100;

constexpr std::size_t RequestSize(int k) {
  return 24 + static_cast<std::size_t>(k & 7) * 8;
}

// --- The rivals, each as: allocate, free one, free all.

/// As code that allocates has it: a reference, of a kind that the compiler cannot know.
template <class Kind>
struct Context {
  static constexpr bool kFreesSingly = std::is_same_v<Kind, AllocSet>;
  explicit Context(MemoryContext& cx) : context(cx) {}
  MemoryContext& context;
  void* Allocate(std::size_t size) { return context.Allocate(size); }
  void Free(void* chunk, std::size_t) { context.Free(chunk); }
  void Reset() { context.Reset(); }
};

/// An allocator for the length of a loop, and what owns it.
template <class Allocator>
struct Made {
  Allocator allocator;
  Allocator& get() { return allocator; }
};
template <class Kind>
struct Made<Context<Kind>> {
  ContextPtr owner = Kind::CreateRoot("memory_bench");
  Context<Kind> get() { return Context<Kind>(*owner); }
};

struct Malloc {
  static constexpr bool kFreesSingly = true;
  void* Allocate(std::size_t size) { return std::malloc(size); }
  void Free(void* chunk, std::size_t) { std::free(chunk); }
};

// Loaded, not linked: linked it would take malloc's place.
struct Mimalloc {
  static constexpr bool kFreesSingly = true;
  static inline void* (*malloc)(std::size_t) = nullptr;
  static inline void (*free)(void*) = nullptr;
  static bool Load() {
    void* library = dlopen("libmimalloc.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    malloc = reinterpret_cast<void* (*)(std::size_t)>(dlsym(library, "mi_malloc"));
    free = reinterpret_cast<void (*)(void*)>(dlsym(library, "mi_free"));
    return malloc != nullptr && free != nullptr;
  }
  void* Allocate(std::size_t size) { return malloc(size); }
  void Free(void* chunk, std::size_t) { free(chunk); }
};

// The buffer of the first block is the user's, as is usual with this resource; without one it
// would malloc and free its first block in every statement.
struct PmrMonotonic {
  static constexpr bool kFreesSingly = false;
  alignas(64) std::byte first_block[8192];
  std::pmr::monotonic_buffer_resource resource{first_block, sizeof first_block};
  void* Allocate(std::size_t size) { return resource.allocate(size, 8); }
  void Reset() { resource.release(); }
};

struct PmrPool {
  static constexpr bool kFreesSingly = true;
  std::pmr::unsynchronized_pool_resource resource;
  void* Allocate(std::size_t size) { return resource.allocate(size, 8); }
  void Free(void* chunk, std::size_t size) { resource.deallocate(chunk, size, 8); }
};

template <class Allocator>
void FreeAll(Allocator& allocator, void* const (&chunks)[kRequests]) {
  if constexpr (requires { allocator.Reset(); }) {
    allocator.Reset();
  } else {
    for (int k = 0; k < kRequests; ++k) allocator.Free(chunks[k], RequestSize(k));
  }
}

// --- The loops

/// 100 requests, then all of it given back at once (by those who can).
template <class Allocator>
void StatementAlloc(benchmark::State& state) {
  Made<Allocator> made;
  auto&& allocator = made.get();
  void* chunks[kRequests];
  for (auto _ : state) {
    for (int k = 0; k < kRequests; ++k) chunks[k] = allocator.Allocate(RequestSize(k));
    benchmark::DoNotOptimize(chunks);
    FreeAll(allocator, chunks);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kRequests);
}

/// 100 requests, then each freed by itself in the same order. An item is a pair.
template <class Allocator>
void AllocFree(benchmark::State& state) {
  Made<Allocator> made;
  auto&& allocator = made.get();
  void* chunks[kRequests];
  for (auto _ : state) {
    for (int k = 0; k < kRequests; ++k) chunks[k] = allocator.Allocate(RequestSize(k));
    benchmark::DoNotOptimize(chunks);
    for (int k = 0; k < kRequests; ++k) allocator.Free(chunks[k], RequestSize(k));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kRequests);
}

/// The mix of a statement as it was once measured in PostgreSQL's INSERTs: 80 % of the requests
/// take at most 32 bytes, a quarter are freed singly soon after (by those who can), the rest at the
/// end. A request is an item.
struct Mix {
  static constexpr int kRequests = 1000;
  std::uint16_t size[kRequests];
  bool freed_singly[kRequests];
  Mix() {
    std::mt19937 random(1998);
    const auto pick = [&](unsigned n) { return random() % n; };
    for (int k = 0; k < kRequests; ++k) {
      size[k] = static_cast<std::uint16_t>(pick(5) != 0 ? 1 + pick(32) : 33 + pick(480));
      freed_singly[k] = pick(4) == 0;
    }
  }
};

template <class Allocator>
void StatementMix(benchmark::State& state) {
  static const Mix mix;
  constexpr int kLater = 8;
  Made<Allocator> made;
  auto&& allocator = made.get();
  void* chunks[Mix::kRequests];
  for (auto _ : state) {
    for (int k = 0; k < Mix::kRequests; ++k) {
      chunks[k] = allocator.Allocate(mix.size[k]);
      if constexpr (Allocator::kFreesSingly) {
        if (const int before = k - kLater; before >= 0 && mix.freed_singly[before])
          allocator.Free(chunks[before], mix.size[before]);
      }
    }
    benchmark::DoNotOptimize(chunks);
    if constexpr (requires { allocator.Reset(); }) {
      allocator.Reset();
    } else {
      for (int k = 0; k < Mix::kRequests; ++k) {
        if (!mix.freed_singly[k] || k >= Mix::kRequests - kLater)
          allocator.Free(chunks[k], mix.size[k]);
      }
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * Mix::kRequests);
}

template <class Allocator>
void ResetUnused(benchmark::State& state) {
  Made<Allocator> made;
  auto&& allocator = made.get();
  for (auto _ : state) {
    allocator.Reset();
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations());
}

template <class Allocator>
void ResetOne(benchmark::State& state) {
  Made<Allocator> made;
  auto&& allocator = made.get();
  for (auto _ : state) {
    benchmark::DoNotOptimize(allocator.Allocate(16));
    allocator.Reset();
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations());
}

/// A child of an existing context, small as PostgreSQL's side makes it.
template <class Kind>
void CreateDelete(benchmark::State& state) {
  ContextPtr parent = AllocSet::CreateRoot("memory_bench");
  for (auto _ : state) {
    ContextPtr child(&Kind::Create("one", *parent, kSmallBlocks));
    benchmark::DoNotOptimize(child.get());
  }
  state.SetItemsProcessed(state.iterations());
}

/// As much as a small context holds, from malloc.
void CreateDeleteMalloc(benchmark::State& state) {
  for (auto _ : state) {
    void* block = std::malloc(kSmallBlocks.initial);
    benchmark::DoNotOptimize(block);
    std::free(block);
  }
  state.SetItemsProcessed(state.iterations());
}

void Register() {
  const auto add = [](const char* name, void (*loop)(benchmark::State&)) {
    benchmark::RegisterBenchmark(name, loop);
  };
  add("StatementAlloc/bump", StatementAlloc<Context<Bump>>);
  add("StatementAlloc/allocset", StatementAlloc<Context<AllocSet>>);
  add("StatementAlloc/malloc", StatementAlloc<Malloc>);
  add("StatementAlloc/pmr_monotonic", StatementAlloc<PmrMonotonic>);
  add("StatementAlloc/pmr_pool", StatementAlloc<PmrPool>);
  add("AllocFree/allocset", AllocFree<Context<AllocSet>>);
  add("AllocFree/malloc", AllocFree<Malloc>);
  add("AllocFree/pmr_pool", AllocFree<PmrPool>);
  add("StatementMix/bump", StatementMix<Context<Bump>>);
  add("StatementMix/allocset", StatementMix<Context<AllocSet>>);
  add("StatementMix/malloc", StatementMix<Malloc>);
  add("StatementMix/pmr_monotonic", StatementMix<PmrMonotonic>);
  add("StatementMix/pmr_pool", StatementMix<PmrPool>);
  add("ResetUnused/bump", ResetUnused<Context<Bump>>);
  add("ResetUnused/allocset", ResetUnused<Context<AllocSet>>);
  add("ResetUnused/pmr_monotonic", ResetUnused<PmrMonotonic>);
  add("ResetOne/bump", ResetOne<Context<Bump>>);
  add("ResetOne/allocset", ResetOne<Context<AllocSet>>);
  add("ResetOne/pmr_monotonic", ResetOne<PmrMonotonic>);
  add("CreateDelete/bump", CreateDelete<Bump>);
  add("CreateDelete/allocset", CreateDelete<AllocSet>);
  add("CreateDelete/malloc", CreateDeleteMalloc);
  if (Mimalloc::Load()) {
    add("StatementAlloc/mimalloc", StatementAlloc<Mimalloc>);
    add("AllocFree/mimalloc", AllocFree<Mimalloc>);
    add("StatementMix/mimalloc", StatementMix<Mimalloc>);
  }
}

}  // namespace
}  // namespace relcache

int main(int argc, char** argv) {
  relcache::Register();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
