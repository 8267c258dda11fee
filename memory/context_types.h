// What the interface of a memory context (memory_context.h) speaks of: limits and their errors,
// block sizes, figures, callbacks and observers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

namespace relcache {

class MemoryContext;

/// The largest request that Allocate grants, in bytes: 1 GB - 1 (PostgreSQL's MaxAllocSize). A
/// length that was read from damaged data usually fails here. AllocateHuge grants requests up to
/// kMaxHugeRequest.
inline constexpr std::size_t kMaxRequest = 0x3fffffff;
inline constexpr std::size_t kMaxHugeRequest = SIZE_MAX / 2;

/// Thrown for a request above kMaxRequest or, for the huge variants, above kMaxHugeRequest.
class InvalidRequestSize : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "invalid memory alloc request size"; }
};

/// Thrown when a request would make the context, or one of its ancestors, grow beyond its limit
/// (SetLimit).
class ContextLimitExceeded : public std::bad_alloc {
 public:
  ContextLimitExceeded(const char* context, std::size_t limit) noexcept
      : context_(context), limit_(limit) {}
  const char* what() const noexcept override { return "memory context limit exceeded"; }
  /// The name of the context that has the limit.
  const char* context() const noexcept { return context_; }
  /// The limit in bytes.
  std::size_t limit() const noexcept { return limit_; }

 private:
  const char* context_;
  std::size_t limit_;
};

/// A function that a context calls once when it is reset or deleted (PostgreSQL's
/// MemoryContextCallback), for releasing what the context does not own itself. The callback that
/// was registered last runs first, and those of children run before those of their parent. A
/// callback must not allocate from the context.
/// Lifetime: must live until the call, and therefore usually lies in the context itself.
struct ResetCallback {
  /// The function and the argument that it is called with.
  void (*function)(void* argument) noexcept = nullptr;
  void* argument = nullptr;
  /// Set by the context.
  ResetCallback* next = nullptr;
  /// Bytes that the callback releases and that lie outside of the context. They count as the
  /// context's until the call; SetForeignBytes changes them.
  std::size_t foreign_bytes = 0;
};

/// The sizes in bytes of the blocks that a context takes from malloc: a first block of `initial`
/// bytes, which holds the context object too and is kept until the context is deleted, and then
/// blocks whose size doubles up to `maximum`.
struct BlockSizes {
  std::uint32_t initial;
  std::uint32_t maximum;

  friend constexpr bool operator==(BlockSizes, BlockSizes) = default;
};
/// For contexts that may hold much data (ALLOCSET_DEFAULT_SIZES).
inline constexpr BlockSizes kDefaultBlocks{8 * 1024, 8 * 1024 * 1024};
/// For contexts that hold little data (ALLOCSET_SMALL_SIZES).
inline constexpr BlockSizes kSmallBlocks{1024, 8 * 1024};

/// What a context holds (PostgreSQL's MemoryContextCounters). The members are bytes, except for
/// those that are marked as counts.
struct ContextStats {
  std::size_t reserved = 0;     ///< in blocks from malloc, including the context objects themselves
  std::size_t used = 0;         ///< of `reserved`: chunks in use and context objects
  std::size_t free = 0;         ///< of `reserved`: the rest, block ends and freed chunks
  std::size_t foreign = 0;      ///< outside of contexts, accounted for by callbacks
  std::size_t blocks = 0;       ///< count
  std::size_t free_chunks = 0;  ///< count of freed chunks that can be reused
  std::size_t contexts = 1;     ///< count

  ContextStats& operator+=(const ContextStats& other) noexcept;
  friend bool operator==(const ContextStats&, const ContextStats&) = default;
};

/// Is told of every request to the contexts that it watches (MemoryContext::Watch). If OnAllocate
/// throws std::bad_alloc, the request fails with it; tests use this to simulate exhausted memory.
class AllocationObserver {
 public:
  virtual ~AllocationObserver() = default;
  /// Called before an allocation of `size` bytes.
  virtual void OnAllocate(MemoryContext& context, std::size_t size) = 0;
  /// Called when a chunk is freed on its own that was allocated while the context was watched.
  /// `size` is the requested size, rounded up to the capacity of the chunk.
  virtual void OnFree(MemoryContext& context, std::size_t size) noexcept = 0;
  /// Called before the context is reset or deleted, while its contents are still intact. Its
  /// children are deleted first and have been reported by then.
  virtual void OnReset(MemoryContext&) noexcept {}
};

/// The kind of a context; the top of memory_context.h compares them.
enum class ContextKind : std::uint8_t { kAllocSet, kBump };

}  // namespace relcache
