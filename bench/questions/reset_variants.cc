// How should a context know at a reset that there is nothing to reset? Five ways, as in the
// discussion of 2005, each with the same allocation otherwise: PostgreSQL's AllocSet in small. The
// ways differ in what is marked (a) to (e) and in nothing else. Prints nanoseconds;
// reset_variants.sh adds the instructions of allocate and free from the object code.
//
//   reset unused    a reset with nothing allocated since the last one
//   one + reset     a chunk of 16 bytes, then a reset
//   allocate        100 chunks, then a reset, per chunk
//   allocate+free   100 chunks, then each freed, per pair
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum class Way { kNone, kFlag, kEmptyBlockList, kTwoTables, kBlockPointers };

constexpr std::size_t kBlockBytes = 8192;
constexpr int kClasses = 11;

struct Set;
struct Methods {
  void* (*allocate)(Set& set, std::size_t size);
  void (*free)(Set& set, void* chunk);
  void (*reset)(Set& set);
};

struct Set {
  std::byte* free_byte;
  std::byte* end;
  void* free_chunks[kClasses];
  // (a) set by allocate and free, cleared by reset
  bool used;
  // (b) null until the first allocation
  std::byte* block;
  std::byte* keeper;
  // (d)
  const Methods* methods;
};

inline void* Take(Set& set, std::size_t size) {
  const unsigned c = static_cast<unsigned>(std::countl_zero((size - 1) | 7) ^ 63) - 2;
  if (void* chunk = set.free_chunks[c]; chunk != nullptr) {
    std::memcpy(&set.free_chunks[c], chunk, sizeof(void*));
    return chunk;
  }
  const std::size_t needed = (std::size_t{8} << c) + 8;
  if (needed > static_cast<std::size_t>(set.end - set.free_byte)) std::abort();
  std::byte* start = set.free_byte;
  set.free_byte += needed;
  const std::uintptr_t header = c;
  std::memcpy(start, &header, sizeof header);
  return start + 8;
}
inline void Put(Set& set, void* chunk) {
  std::uintptr_t c;
  std::memcpy(&c, static_cast<std::byte*>(chunk) - 8, sizeof c);
  std::memcpy(chunk, &set.free_chunks[c], sizeof(void*));
  set.free_chunks[c] = chunk;
}
inline void Clear(Set& set) {
  set.free_byte = set.keeper;
#pragma GCC unroll 16
  for (void*& chunks : set.free_chunks) chunks = nullptr;
}

template <Way way>
inline void* Allocate(Set& set, std::size_t size) {
  if constexpr (way == Way::kFlag) set.used = true;
  if constexpr (way == Way::kEmptyBlockList) {
    if (set.block == nullptr) [[unlikely]] {
      set.block = set.keeper;
      set.free_byte = set.keeper;
      set.end = set.keeper + kBlockBytes;
    }
  }
  if constexpr (way == Way::kTwoTables) return set.methods->allocate(set, size);
  return Take(set, size);
}
template <Way way>
inline void Free(Set& set, void* chunk) {
  if constexpr (way == Way::kFlag) set.used = true;
  if constexpr (way == Way::kTwoTables) return set.methods->free(set, chunk);
  Put(set, chunk);
}
template <Way way>
inline void Reset(Set& set) {
  if constexpr (way == Way::kFlag) {
    if (!set.used) return;
    set.used = false;
  }
  if constexpr (way == Way::kEmptyBlockList) {
    if (set.block == nullptr) return;
    set.block = nullptr;
    Clear(set);
    set.end = set.free_byte;
    return;
  }
  if constexpr (way == Way::kTwoTables) return set.methods->reset(set);
  if constexpr (way == Way::kBlockPointers) {
    if (set.free_byte == set.keeper) return;
  }
  Clear(set);
}

// (d) a set is simple until something is freed: then its reset has nothing but a pointer to move.
extern const Methods kSimple, kGeneral;
void* TakeInTable(Set& set, std::size_t size) {
  return Take(set, size);
}
void* TakeSimple(Set& set, std::size_t size) {
  const unsigned c = static_cast<unsigned>(std::countl_zero((size - 1) | 7) ^ 63) - 2;
  const std::size_t needed = (std::size_t{8} << c) + 8;
  if (needed > static_cast<std::size_t>(set.end - set.free_byte)) std::abort();
  std::byte* start = set.free_byte;
  set.free_byte += needed;
  const std::uintptr_t header = c;
  std::memcpy(start, &header, sizeof header);
  return start + 8;
}
void PutInTable(Set& set, void* chunk) {
  Put(set, chunk);
}
void PutSimple(Set& set, void* chunk) {
  set.methods = &kGeneral;
  Put(set, chunk);
}
void ResetSimple(Set& set) {
  set.free_byte = set.keeper;
}
void ResetGeneral(Set& set) {
  Clear(set);
  set.methods = &kSimple;
}
const Methods kSimple{TakeSimple, PutSimple, ResetSimple};
const Methods kGeneral{TakeInTable, PutInTable, ResetGeneral};

constexpr std::size_t Size(int k) {
  return 24 + static_cast<std::size_t>(k & 7) * 8;
}

template <class Body>
double Best(int items, Body&& body) {
  double best = 1e9;
  for (int round = 0; round < 400; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 200; ++i) body();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count() / 200 / items);
  }
  return best;
}

template <Way way>
void Measure(const char* name) {
  auto* keeper = static_cast<std::byte*>(std::aligned_alloc(64, kBlockBytes));
  Set set{keeper, keeper + kBlockBytes, {}, false, nullptr, keeper, &kSimple};
  if constexpr (way == Way::kEmptyBlockList) set.end = keeper;
  void* chunks[100];
  const double unused = Best(1, [&] {
    Reset<way>(set);
    asm volatile("" : : "r"(&set) : "memory");
  });
  const double one = Best(1, [&] {
    void* chunk = Allocate<way>(set, 16);
    asm volatile("" : : "r"(chunk), "r"(&set) : "memory");
    Reset<way>(set);
  });
  const double allocate = Best(100, [&] {
    for (int k = 0; k < 100; ++k) chunks[k] = Allocate<way>(set, Size(k));
    asm volatile("" : : "r"(chunks), "r"(&set) : "memory");
    Reset<way>(set);
  });
  const double both = Best(100, [&] {
    for (int k = 0; k < 100; ++k) chunks[k] = Allocate<way>(set, Size(k));
    asm volatile("" : : "r"(chunks), "r"(&set) : "memory");
    for (int k = 0; k < 100; ++k) Free<way>(set, chunks[k]);
  });
  std::printf("%-28s %12.2f %12.2f %12.2f %14.2f\n", name, unused, one, allocate, both);
  std::free(keeper);
}

}  // namespace

// What reset_variants.sh counts the instructions of.
#define RELCACHE_COUNTED(letter, way)                                                            \
  extern "C" [[gnu::used, gnu::noinline]] void* Allocate_##letter(void* set, std::size_t size) { \
    return Allocate<way>(*static_cast<Set*>(set), size);                                         \
  }                                                                                              \
  extern "C" [[gnu::used, gnu::noinline]] void Free_##letter(void* set, void* chunk) {           \
    Free<way>(*static_cast<Set*>(set), chunk);                                                   \
  }
RELCACHE_COUNTED(none, Way::kNone)
RELCACHE_COUNTED(a, Way::kFlag)
RELCACHE_COUNTED(b, Way::kEmptyBlockList)
RELCACHE_COUNTED(d, Way::kTwoTables)
RELCACHE_COUNTED(e, Way::kBlockPointers)

int main() {
  std::printf("%-28s %12s %12s %12s %14s\n", "ns", "reset unused", "one + reset", "allocate",
              "allocate+free");
  Measure<Way::kNone>("no test at all");
  Measure<Way::kFlag>("(a) flag");
  Measure<Way::kEmptyBlockList>("(b) empty block list");
  Measure<Way::kTwoTables>("(d) two method tables");
  Measure<Way::kBlockPointers>("(e) block pointers");
}
