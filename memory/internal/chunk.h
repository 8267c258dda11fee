// The layout of blocks and chunks, shared by the sources of memory/ only: what precedes a chunk,
// what checked builds add to it, and the functions that work on both kinds of contexts.
#pragma once

#include <cstring>

#include "relcache/memory/memory_context.h"

#if defined(__SANITIZE_ADDRESS__)
#define RELCACHE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RELCACHE_ASAN 1
#endif
#endif
#ifdef RELCACHE_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace relcache::internal {

inline constexpr bool kChecked = RELCACHE_CHECKED_CONTEXTS;

/// A block from malloc other than the context's first one, in the doubly linked list of its
/// context. Chunks with headers (those of an AllocSet, and in checked builds those of a Bump)
/// follow each other without a gap from first_byte() on, so that Check can walk them. When a block
/// is abandoned and its rest is too small for a chunk, a header of 0 marks the end.
struct Block {
  Block* previous;
  Block* next;
  std::size_t bytes;

  std::byte* first_byte() noexcept { return reinterpret_cast<std::byte*>(this + 1); }
  std::byte* end() noexcept { return reinterpret_cast<std::byte*>(this) + bytes; }
  const std::byte* first_byte() const noexcept {
    return reinterpret_cast<const std::byte*>(this + 1);
  }
  const std::byte* end() const noexcept { return reinterpret_cast<const std::byte*>(this) + bytes; }
};

static_assert(sizeof(Block) == kBlockHeadBytes);

// Tags beside the chunk classes 0 to 10, in the low six bits of a chunk's header.
/// A Bump's chunk (checked builds only).
inline constexpr ChunkHeader kBumpTag = 13;
/// Precedes an address inside of a chunk that was aligned to more than 8 bytes. The header holds
/// the distance to the start of the chunk from bit 16 on, and the binary logarithm of the alignment
/// in bits 8 to 15.
inline constexpr ChunkHeader kAlignedTag = 14;
/// The chunk has a block of its own.
inline constexpr ChunkHeader kOwnBlockTag = 15;
inline constexpr ChunkHeader kKindMask = 15;
/// The chunk was allocated while the context was watched, so the observer is told when it is freed.
inline constexpr ChunkHeader kWatchedBit = 16;
/// The chunk was freed (checked builds only).
inline constexpr ChunkHeader kFreedBit = 32;

/// The bytes of its first block that the context object itself takes.
constexpr std::size_t ContextHeadBytes(bool is_bump) {
  return is_bump ? sizeof(MemoryContext) : sizeof(AllocSetContext);
}

inline constexpr unsigned char kFreedByte = 0x7f;
inline constexpr unsigned char kGuardByte = 0x7e;

inline void Poison([[maybe_unused]] const void* start,
                   [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef RELCACHE_ASAN
  ASAN_POISON_MEMORY_REGION(start, bytes);
#endif
}
inline void Unpoison([[maybe_unused]] const void* start,
                     [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef RELCACHE_ASAN
  ASAN_UNPOISON_MEMORY_REGION(start, bytes);
#endif
}

/// Marks free bytes as such in checked builds: fills them with a pattern and, under
/// AddressSanitizer, makes them inaccessible.
inline void Clobber(void* start, std::size_t bytes) noexcept {
  if constexpr (kChecked) {
    Unpoison(start, bytes);
    std::memset(start, kFreedByte, bytes);
    Poison(start, bytes);
  }
}

/// Reads from bytes that may be poisoned, such as headers and the links in free chunks.
template <class T>
T Peek(const void* at) noexcept {
  Unpoison(at, sizeof(T));
  T value;
  std::memcpy(&value, at, sizeof(T));
  Poison(at, sizeof(T));
  return value;
}
inline ChunkHeader ReadHeader(const void* chunk) noexcept {
  return Peek<ChunkHeader>(HeaderOf(chunk));
}
/// The size that the caller asked for (checked builds only).
inline std::size_t RequestedSize(const void* chunk) noexcept {
  return Peek<std::size_t>(static_cast<const std::byte*>(chunk) - kChunkHeadBytes);
}

/// The limit and the observer of a context. Most contexts have neither, so this is allocated when
/// it is first needed.
struct ContextExtra {
  std::size_t limit = SIZE_MAX;
  // The reserved and foreign bytes of the context and its descendants, kept up to date once the
  // context has a limit.
  std::size_t held = 0;
  AllocationObserver* observer = nullptr;
  // While a context is watched, its own fields are set so that every request takes the slow path.
  // These are their true values.
  std::byte* bump_free = nullptr;
  std::byte* bump_end = nullptr;
  bool is_bump = false;
};

/// The implementation of both kinds of contexts. It is one friend of MemoryContext, so that the
/// public header does not have to declare its functions.
struct ContextAccess {
  // --- lifecycle.cc
  static MemoryContext& Create(bool is_bump, RecyclingClass recycling_class, const char* name,
                               MemoryContext* parent, BlockSizes sizes);
  static MemoryContext& CreateNew(bool is_bump, RecyclingClass recycling_class, const char* name,
                                  MemoryContext* parent, BlockSizes sizes);
  static MemoryContext& Link(MemoryContext& context, const char* name, MemoryContext* parent);
  static MemoryContext& LinkWithCare(MemoryContext& context);
  static bool IsSimple(const MemoryContext& context) noexcept;
  static void ResetFirstBlock(MemoryContext& context) noexcept;
  static void ResetBlocks(MemoryContext& context) noexcept;
  static void ResetAll(MemoryContext& context) noexcept;
  static void FreeHead(MemoryContext& context) noexcept;
  static void DeleteEmpty(MemoryContext& context) noexcept;
  static void DeleteWithCare(MemoryContext& context) noexcept;
  static void Delete(MemoryContext& context) noexcept;
  static void DeleteDescendants(MemoryContext& top) noexcept;
  static MemoryContext* NextKept(const MemoryContext& context) noexcept { return context.parent_; }

  // --- the tree; contexts without siblings are the common case
  static void LinkChild(MemoryContext& parent, MemoryContext& child) noexcept {
    MemoryContext* const older = parent.first_child_;
    child.older_sibling_ = older;
    child.newer_sibling_ = nullptr;
    if (older != nullptr) [[unlikely]]
      older->newer_sibling_ = &child;
    parent.first_child_ = &child;
  }
  static void UnlinkChild(MemoryContext& parent, const MemoryContext& child) noexcept {
    MemoryContext* const older = child.older_sibling_;
    MemoryContext* const newer = child.newer_sibling_;
    if (newer == nullptr) [[likely]] {
      parent.first_child_ = older;
    } else {
      newer->older_sibling_ = older;
    }
    if (older != nullptr) [[unlikely]]
      older->newer_sibling_ = newer;
  }

  // --- memory_context.cc: the tree, its sums, limits and observers
  static void RunCallbacks(MemoryContext& context) noexcept;
  static void AddReserved(MemoryContext& context, std::size_t bytes, std::uint32_t blocks) noexcept;
  static void SubtractReserved(MemoryContext& context, std::size_t bytes,
                               std::uint32_t blocks) noexcept;
  static void AddForeign(MemoryContext& context, std::size_t bytes) noexcept;
  /// The next context with a limit above one that has a limit, or null.
  static MemoryContext* NextLimited(const MemoryContext& limited) noexcept {
    return limited.parent_ != nullptr ? limited.parent_->limited_ : nullptr;
  }
  static void AddToLimited(MemoryContext* limited, std::size_t bytes) noexcept;
  static void ReplaceLimited(MemoryContext& top, const MemoryContext* old,
                             MemoryContext* limited) noexcept;
  static std::size_t BytesHeld(const MemoryContext& context) noexcept;
  static const MemoryContext* LimitReached(const MemoryContext* context, std::size_t more) noexcept;
  static void CheckLimits(const MemoryContext* context, std::size_t more);
  static ContextExtra& Extra(MemoryContext& context);
  static bool IsWatched(const MemoryContext& context) noexcept {
    return context.mode_ == MemoryContext::Mode::kWatched;
  }
  static bool IsBump(const MemoryContext& context) noexcept {
    return IsWatched(context) ? context.extra_->is_bump
                              : context.mode_ == MemoryContext::Mode::kBump;
  }
  static void WatchOne(MemoryContext& context, AllocationObserver& observer);
  static void UnwatchOne(MemoryContext& context) noexcept;
  static ContextStats Stats(const MemoryContext& context) noexcept;

  // --- blocks.cc: blocks and chunks
  /// The start of the part of the first block that chunks are made of.
  static std::byte* FirstByte(MemoryContext& context) noexcept {
    return reinterpret_cast<std::byte*>(&context) + ContextHeadBytes(IsBump(context));
  }
  static const std::byte* FirstByte(const MemoryContext& context) noexcept {
    return reinterpret_cast<const std::byte*>(&context) + ContextHeadBytes(IsBump(context));
  }
  /// The bounds of the free part of the current block; each kind keeps them in members of its own.
  static std::byte*& FreePointer(MemoryContext& context) noexcept;
  static std::byte*& EndPointer(MemoryContext& context) noexcept;
  static Block* TakeBlock(MemoryContext& context, std::size_t bytes);
  static void LinkBlock(MemoryContext& context, Block* block) noexcept;
  static void UnlinkBlock(MemoryContext& context, Block* block) noexcept;
  static void ReleaseBlocks(MemoryContext& context) noexcept;
  static void StartBlock(MemoryContext& context, std::size_t needed);
  static void RetireBlock(MemoryContext& context) noexcept;
  static void* Allocate(MemoryContext& context, std::size_t size);
  static void* AllocateUnwatched(MemoryContext& context, std::size_t size);
  static void* AllocateOwnBlock(MemoryContext& context, std::size_t size);
  static void* AllocateChunk(MemoryContext& context, std::size_t size);
  static void* AllocateBumped(MemoryContext& context, std::size_t size);
  static void* Dress(MemoryContext& context, std::byte* chunk, ChunkHeader tag, std::size_t size,
                     std::size_t capacity) noexcept;
  static void Free(MemoryContext& context, void* chunk) noexcept;
  static void* Reallocate(MemoryContext& context, void* chunk, std::size_t size);
  static void* ResizeOwnBlock(MemoryContext& context, void* chunk, std::size_t size);

  // --- checking.cc
  static void CheckChunk(const MemoryContext& context, const void* chunk) noexcept;
  static void CheckChunks(const MemoryContext& context, const std::byte* at,
                          const std::byte* end) noexcept;
  static void CheckContext(const MemoryContext& context) noexcept;
};

}  // namespace relcache::internal
