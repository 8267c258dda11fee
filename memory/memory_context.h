// Memory contexts: allocate piece by piece, free all at once (PostgreSQL's utils/mmgr).
//
// Two kinds share one face, so that code which allocates need not know where:
//   AllocSet  general: single chunks can be freed and grown; 8 bytes of header a chunk, sizes
//             rounded up to powers of two
//   Bump      dense: no header, no rounding beyond 8 bytes, freed only as a whole
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "relcache/base/check.h"

// Checked contexts give every chunk of either kind a header and a guarded tail, clobber what is
// freed, and poison it for AddressSanitizer. Every part of a program must agree on this.
#if defined(RELCACHE_CHECKING) || defined(__SANITIZE_ADDRESS__)
#define RELCACHE_CHECKED_CONTEXTS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RELCACHE_CHECKED_CONTEXTS 1
#endif
#endif
#ifndef RELCACHE_CHECKED_CONTEXTS
#define RELCACHE_CHECKED_CONTEXTS 0
#endif

namespace relcache {

class MemoryContext;

namespace internal {
void Delete(MemoryContext& context) noexcept;
}

/// What may live in a context: freeing a context runs no destructor, so there must be none to run.
template <class T>
concept ContextStorable = std::is_trivially_destructible_v<T> && std::is_object_v<T>;

/// Deletes a context with its children; the deleter of ContextPtr.
struct ContextDeleter {
  // Inline, or each ContextPtr would have to lie in memory: its deleter has an address.
  void operator()(MemoryContext* context) const noexcept { internal::Delete(*context); }
};

/// Owns a context. Of a child: must go before its parent is reset or deleted.
using ContextPtr = std::unique_ptr<MemoryContext, ContextDeleter>;

/// The largest request that Allocate grants, 1 GB - 1 (PostgreSQL's MaxAllocSize): a length read
/// from damaged data fails here. AllocateHuge goes on up to kMaxHugeRequest.
inline constexpr std::size_t kMaxRequest = 0x3fffffff;
inline constexpr std::size_t kMaxHugeRequest = SIZE_MAX / 2;

/// A request above kMaxRequest (or kMaxHugeRequest).
class InvalidRequestSize : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "invalid memory alloc request size"; }
};

/// A context, or one above it, would have grown beyond its limit.
class ContextLimitExceeded : public std::bad_alloc {
 public:
  ContextLimitExceeded(const char* context, std::size_t limit) noexcept
      : context_(context), limit_(limit) {}
  const char* what() const noexcept override { return "memory context limit exceeded"; }
  /// The name of the context whose limit it is.
  const char* context() const noexcept { return context_; }
  std::size_t limit() const noexcept { return limit_; }

 private:
  const char* context_;
  std::size_t limit_;
};

/// Called once when its context is reset or deleted, newest first, children's before their
/// parent's. It must live at least that long: usually in the context itself. It must not allocate
/// from the context. A handle that it owns elsewhere reports its bytes in `foreign_bytes`; they
/// count as the context's until the call (see SetForeignBytes).
struct ResetCallback {
  void (*function)(void* argument) noexcept = nullptr;
  void* argument = nullptr;
  ResetCallback* next = nullptr;
  std::size_t foreign_bytes = 0;
};

/// How a context takes memory from malloc: a first block of `initial` bytes that it keeps for life
/// (its own head lies in it), then blocks that double up to `maximum`.
struct BlockSizes {
  std::uint32_t initial;
  std::uint32_t maximum;

  friend constexpr bool operator==(BlockSizes, BlockSizes) = default;
};
/// For contexts that may hold much (ALLOCSET_DEFAULT_SIZES).
inline constexpr BlockSizes kDefaultBlocks{8 * 1024, 8 * 1024 * 1024};
/// For contexts that hold little (ALLOCSET_SMALL_SIZES).
inline constexpr BlockSizes kSmallBlocks{1024, 8 * 1024};

/// What a context holds, in bytes unless said otherwise.
struct ContextStats {
  std::size_t reserved = 0;     ///< in blocks taken from malloc, heads included
  std::size_t used = 0;         ///< of that, handed out or head
  std::size_t free = 0;         ///< the rest: block ends and freed chunks
  std::size_t foreign = 0;      ///< outside of contexts, reported by callbacks
  std::size_t blocks = 0;       ///< count
  std::size_t free_chunks = 0;  ///< count of freed chunks that wait for reuse
  std::size_t contexts = 1;     ///< count

  ContextStats& operator+=(const ContextStats& other) noexcept;
  friend bool operator==(const ContextStats&, const ContextStats&) = default;
};

/// Sees every request to the contexts that it watches. An observer that throws std::bad_alloc from
/// OnAllocate makes the request fail.
class AllocationObserver {
 public:
  virtual ~AllocationObserver() = default;
  virtual void OnAllocate(MemoryContext& context, std::size_t size) = 0;
  /// A chunk that was allocated under watch is freed singly; `size` as it was requested, rounded
  /// up to what the chunk holds.
  virtual void OnFree(MemoryContext& context, std::size_t size) noexcept = 0;
  /// The context is about to be reset or deleted; it still holds what it held. Its children, which
  /// go first, have been reported before.
  virtual void OnReset(MemoryContext&) noexcept {}
};

enum class ContextKind : std::uint8_t { kAllocSet, kBump };

namespace internal {

inline constexpr std::size_t kChunkAlignment = 8;
inline constexpr std::size_t kContextAlignment = 64;
/// Chunks of an AllocSet come in eleven sizes, 8 << 0 to 8 << 10.
inline constexpr int kChunkClasses = 11;
inline constexpr std::size_t kMaxClassedChunk = std::size_t{8} << (kChunkClasses - 1);

/// The word before a chunk's first byte: its context's address, whose low six bits are free, and
/// there the chunk's class or one of the tags in chunk.h.
using ChunkHeader = std::uintptr_t;
inline constexpr ChunkHeader kTagMask = kContextAlignment - 1;

inline ChunkHeader* HeaderOf(void* chunk) noexcept {
  return static_cast<ChunkHeader*>(chunk) - 1;
}
inline const ChunkHeader* HeaderOf(const void* chunk) noexcept {
  return static_cast<const ChunkHeader*>(chunk) - 1;
}

struct FreeChunk {
  FreeChunk* next;
};

/// Which contexts may take each other's place after deletion: those of a kind with the same usual
/// sizes. Others are not kept.
enum class RecyclingClass : std::uint8_t {
  kNone,
  kDefaultBump,
  kDefaultAllocSet,
  kSmallBump,
  kSmallAllocSet,
  kCount,
};

struct Block;
struct ContextExtra;
struct ContextAccess;

/// The class whose chunks hold `size` bytes, 1 <= size <= kMaxClassedChunk.
constexpr unsigned ChunkClass(std::size_t size) noexcept {
  // 63 - countl_zero, in the form that is one instruction.
  return static_cast<unsigned>(std::countl_zero((size - 1) | 7) ^ 63) - 2;
}
/// One test and one branch for all of them.
template <class... Pointers>
bool AllNull(Pointers... pointers) noexcept {
  return (reinterpret_cast<std::uintptr_t>(pointers) | ...) == 0;
}
constexpr std::size_t RoundUp(std::size_t size) noexcept {
  return (size + kChunkAlignment - 1) & ~(kChunkAlignment - 1);
}

}  // namespace internal

/// An owner of many allocations that are freed together. Made by AllocSet and Bump below.
///
/// Lifetime: what is allocated lives until Free, Reset or the end of the context, whichever comes
/// first; a child ends with its parent's reset.
/// Thread safety: one thread at a time for a context and all it is linked with by parenthood; a
/// whole tree of contexts may move from thread to thread.
/// Cost: allocation is a pointer bump or a freelist pop, inline; a reset of an unused context is a
/// few loads; creating and deleting a context of the usual sizes takes no malloc (deleted ones are
/// kept for reuse, a bounded number per thread). None of these costs more in a deep tree or beside
/// many siblings, but for one step per limit that is set on a context above; whole trees are reset
/// and deleted without recursion.
/// Errors: std::bad_alloc and its kinds above; a request that throws changes nothing.
class MemoryContext {
 public:
  MemoryContext(const MemoryContext&) = delete;
  MemoryContext& operator=(const MemoryContext&) = delete;

  // --- Allocation -------------------------------------------------------------------------------

  /// Uninitialized bytes, aligned to 8 (MemoryContextAlloc). Never null; requests of 0 bytes give
  /// distinct addresses.
  [[nodiscard]] void* Allocate(std::size_t size);
  /// The same with a larger alignment, a power of two (MemoryContextAllocAligned).
  [[nodiscard]] void* Allocate(std::size_t size, std::size_t alignment);
  /// Zeroed (MemoryContextAllocZero).
  [[nodiscard]] void* AllocateZeroed(std::size_t size);
  /// Beyond kMaxRequest (MemoryContextAllocHuge).
  [[nodiscard]] void* AllocateHuge(std::size_t size);
  /// Null instead of an exception when memory is out or a limit is reached (MCXT_ALLOC_NO_OOM).
  [[nodiscard]] void* TryAllocate(std::size_t size);

  template <ContextStorable T, class... Args>
  [[nodiscard]] T* New(Args&&... args) {
    return ::new (Place<T>(sizeof(T))) T{std::forward<Args>(args)...};
  }
  /// n value-initialized elements.
  template <ContextStorable T>
  [[nodiscard]] std::span<T> NewArray(std::size_t n) {
    if (n > kMaxRequest / sizeof(T)) [[unlikely]]
      throw InvalidRequestSize();
    T* first = static_cast<T*>(Place<T>(n * sizeof(T)));
    std::uninitialized_value_construct_n(first, n);
    return {first, n};
  }
  /// A copy of the bytes; a NUL follows them (MemoryContextStrdup).
  [[nodiscard]] std::string_view CopyString(std::string_view text);

  // --- Single chunks -----------------------------------------------------------------------------
  // Of an AllocSet only, but for Grow.

  /// Gives a chunk of this context back (pfree). A Bump has no single frees: there, and for a
  /// chunk of another context or one freed before, it is an error that checked builds stop at.
  void Free(void* chunk) noexcept;
  /// The chunk, moved if need be, with at least `size` bytes (repalloc). Alignment is kept.
  [[nodiscard]] void* Reallocate(void* chunk, std::size_t size);
  [[nodiscard]] void* ReallocateHuge(void* chunk, std::size_t size);
  /// Either kind: makes `old_size` bytes into at least `new_size`, in place if that is free to
  /// have (a Bump's last chunk). The old chunk is gone.
  [[nodiscard]] void* Grow(void* chunk, std::size_t old_size, std::size_t new_size);

  /// The context of a chunk (GetMemoryChunkContext). AllocSet chunks only.
  static MemoryContext& Of(const void* chunk) noexcept;
  /// Bytes that the chunk may hold without being moved. AllocSet chunks only.
  static std::size_t Capacity(const void* chunk) noexcept;
  /// Bytes that the chunk takes, header included (GetMemoryChunkSpace). AllocSet chunks only.
  static std::size_t Space(const void* chunk) noexcept;

  // --- Freeing as a whole ------------------------------------------------------------------------
  // No destructor runs: what needs to be told is a callback.

  /// Frees everything allocated here and deletes the children, after running the callbacks
  /// (MemoryContextReset). The first block stays. Costs next to nothing if the context was not
  /// used since the last reset.
  void Reset() noexcept;
  /// Whether nothing was allocated, no child made and no callback left since the last reset.
  bool IsUnused() const noexcept;
  /// Deletes the children only (MemoryContextDeleteChildren).
  void DeleteChildren() noexcept;

  /// Runs `callback` when this context is next reset or deleted
  /// (MemoryContextRegisterResetCallback). Throws only if its foreign bytes pass a limit.
  void OnReset(ResetCallback& callback);
  /// Takes a callback out again; it is not called. True if it was there.
  bool CancelOnReset(ResetCallback& callback) noexcept;
  /// Changes the bytes that a registered callback accounts for.
  void SetForeignBytes(ResetCallback& callback, std::size_t bytes);
  /// Takes a library's handle into the context's care: destroyed at the next reset or deletion.
  template <class T, class Deleter>
  T& Adopt(std::unique_ptr<T, Deleter> handle, std::size_t foreign_bytes) {
    static_assert(std::is_empty_v<Deleter> && std::is_default_constructible_v<Deleter>);
    auto* callback = New<ResetCallback>(
        +[](void* argument) noexcept { Deleter{}(static_cast<T*>(argument)); }, handle.get(),
        nullptr, foreign_bytes);
    OnReset(*callback);
    return *handle.release();
  }

  // --- The tree ----------------------------------------------------------------------------------
  // A child goes with its parent, a root with its ContextPtr.

  std::string_view name() const noexcept { return name_; }
  /// What tells contexts of one name apart, or empty (MemoryContextSetIdentifier). Not copied: a
  /// literal or in this context itself, and then to be set anew after a reset.
  std::string_view identifier() const noexcept { return identifier_ ? identifier_ : ""; }
  void SetIdentifier(const char* identifier) noexcept { identifier_ = identifier; }
  ContextKind kind() const noexcept;
  MemoryContext* parent() const noexcept { return parent_; }
  /// Hangs the context, with its children, under another or (nullptr) makes it a root; a root
  /// belongs to whoever holds its ContextPtr (MemoryContextSetParent). Throws ContextLimitExceeded
  /// with nothing changed. A context must not go below itself. Cost: unless the context is a leaf,
  /// one step per level above its new place; if other limits hold there, one per descendant too.
  void SetParent(MemoryContext* parent);
  /// Takes over a context of its own as a child.
  MemoryContext& AdoptChild(ContextPtr context);
  /// Whether it has no children.
  bool IsLeaf() const noexcept { return first_child_ == nullptr; }
  /// Calls visit(context, level) for each descendant, parents before children, newest first; a
  /// child's level is 1.
  template <class Visit>
  void VisitDescendants(Visit&& visit) const {
    VisitBelow(*this, visit);
  }

  // --- Accounting --------------------------------------------------------------------------------
  // In bytes, unless said otherwise.

  // A context keeps the sums of what changes only when a block or a callback comes or goes: blocks,
  // their bytes, foreign bytes. Sums over a tree are made when they are asked for, with a visit to
  // each descendant: kept in each parent, they would make every context and block cost its depth.
  // Only a context with a limit keeps the sum of its tree. What every request moves is counted when
  // it is asked for: its only record is the context's own free pointer and freelists, and to keep a
  // sum of it anywhere would take an instruction in Allocate and Free.

  /// Bytes in blocks, the context's own head included. Cost: constant.
  std::size_t bytes_reserved() const noexcept { return reserved_; }
  /// bytes_reserved with all descendants'. Cost: one step per descendant.
  std::size_t total_bytes_reserved() const noexcept;
  /// Blocks, the first one included. Cost: constant.
  std::size_t blocks() const noexcept { return block_count_; }
  /// Cost: one step per descendant.
  std::size_t total_blocks() const noexcept;
  /// Bytes that callbacks of this context and its descendants account for. Cost: one step per
  /// descendant.
  std::size_t total_foreign_bytes() const noexcept;
  /// Bytes in blocks that have been handed out, headers and the context's own head included.
  /// Cost: one step per freed chunk that waits for reuse; of a Bump, constant.
  std::size_t bytes_used() const noexcept;
  /// Cost: as bytes_used and one step per callback.
  ContextStats Stats() const noexcept;
  /// With all descendants'. Cost: a visit to each of them, as Stats.
  ContextStats TotalStats() const noexcept;

  /// From now on a block (or foreign bytes) that would lift total_bytes_reserved plus
  /// total_foreign_bytes above `bytes` is refused with ContextLimitExceeded. Checked when a block
  /// is taken, never per allocation. Cost: the first time one step per descendant, then constant;
  /// from then on each context and each block of the tree takes one step more.
  void SetLimit(std::size_t bytes);
  std::size_t limit() const noexcept;

  /// Reports each request to this context, its present descendants, and every child made later to
  /// `observer` until Unwatch, or their end; while watched, allocation takes a slow path. One
  /// observer at a time.
  void Watch(AllocationObserver& observer);
  void Unwatch() noexcept;

  /// Verifies every chunk's guarded tail and the block structure; stops the process at damage.
  /// Only checked builds have the guards; Reset and deletion do it there by themselves.
  void Check() const noexcept;

 protected:
  enum class Mode : std::uint8_t { kAllocSet, kBump, kWatched };

  explicit MemoryContext(Mode mode) noexcept : mode_(mode) {}
  ~MemoryContext() = default;

  friend struct internal::ContextAccess;

  template <class T>
  void* Place(std::size_t size) {
    if constexpr (alignof(T) <= internal::kChunkAlignment) return Allocate(size);
    return Allocate(size, alignof(T));
  }
  template <class Context, class Visit>
  static void VisitBelow(Context& top, Visit& visit);

  [[gnu::noinline]] void* AllocateSlow(std::size_t size);
  [[gnu::noinline]] void FreeSlow(void* chunk) noexcept;
  [[gnu::noinline]] void ResetUsed() noexcept;

  // The free part of a Bump's current block; both null in an AllocSet, and while watched.
  std::byte* bump_free_ = nullptr;
  std::byte* bump_end_ = nullptr;
  // The newest child; it leads to its older siblings.
  MemoryContext* first_child_ = nullptr;
  ResetCallback* callbacks_ = nullptr;
  // Blocks other than the first.
  internal::Block* blocks_ = nullptr;
  // --- not touched by allocation and the reset of an unused context below here
  MemoryContext* parent_ = nullptr;
  MemoryContext* older_sibling_ = nullptr;
  MemoryContext* newer_sibling_ = nullptr;
  const char* name_ = nullptr;
  const char* identifier_ = nullptr;
  std::size_t reserved_ = 0;
  // A Bump's free ends of blocks that it no longer fills.
  std::size_t lost_ = 0;
  std::size_t foreign_ = 0;
  // The nearest context with a limit, this one or one above.
  MemoryContext* limited_ = nullptr;
  // Limit and observer, made when first needed.
  internal::ContextExtra* extra_ = nullptr;
  std::uint32_t block_count_ = 1;
  BlockSizes block_sizes_{};
  std::uint32_t next_block_ = 0;
  Mode mode_;
  // Which list of recycled contexts it came from and goes to.
  internal::RecyclingClass recycling_class_{};
};

template <class Context, class Visit>
void MemoryContext::VisitBelow(Context& top, Visit& visit) {
  Context* at = &top;
  int level = 0;
  for (;;) {
    if (at->first_child_ != nullptr) {
      at = at->first_child_;
      visit(*at, ++level);
      continue;
    }
    for (;; at = at->parent_, --level) {
      if (at == &top) return;
      if (at->older_sibling_ == nullptr) continue;
      at = at->older_sibling_;
      visit(*at, level);
      break;
    }
  }
}

namespace internal {

/// An AllocSet's head; its first block follows it at once.
class AllocSetContext final : public MemoryContext {
 public:
  AllocSetContext() noexcept : MemoryContext(Mode::kAllocSet) {}

  /// A chunk of class `chunk_class`, or null if that takes more than a step.
  void* TakeChunk(unsigned chunk_class) noexcept {
    if (FreeChunk* chunk = free_chunks_[chunk_class]; chunk != nullptr) {
      free_chunks_[chunk_class] = chunk->next;
      return chunk;
    }
    const std::size_t needed = (kChunkAlignment << chunk_class) + sizeof(ChunkHeader);
    if (needed > static_cast<std::size_t>(end_ - free_)) [[unlikely]]
      return nullptr;
    std::byte* start = free_;
    free_ = start + needed;
    auto* header = ::new (start) ChunkHeader(reinterpret_cast<std::uintptr_t>(this) | chunk_class);
    return header + 1;
  }
  void PutChunk(void* chunk, unsigned chunk_class) noexcept {
    free_chunks_[chunk_class] = ::new (chunk) FreeChunk{free_chunks_[chunk_class]};
  }

  void ForgetFreeChunks() noexcept {
    // Word by word: for so few, what the compiler makes of a fill costs more than the stores.
#pragma GCC unroll 16
    for (FreeChunk*& chunks : free_chunks_) chunks = nullptr;
  }

  std::byte* first_byte() noexcept {
    return reinterpret_cast<std::byte*>(this + 1);
  }
  const std::byte* first_byte() const noexcept {
    return reinterpret_cast<const std::byte*>(this + 1);
  }

  std::byte* free_ = nullptr;
  std::byte* end_ = nullptr;
  FreeChunk* free_chunks_[kChunkClasses] = {};
};

}  // namespace internal

inline void* MemoryContext::Allocate(std::size_t size) {
#if !RELCACHE_CHECKED_CONTEXTS
  // A request of 0 bytes wraps around here and takes the slow path.
  if (size - 1 < kMaxRequest) [[likely]] {
    // No flag tells the kinds apart here: in an AllocSet both pointers are null. As few
    // instructions as can be lie between one request's store to bump_free_ and the next one's load,
    // which must wait for it.
    std::byte* start = bump_free_;
    std::byte* end = start + internal::RoundUp(size);
    if (end <= bump_end_) {
      bump_free_ = end;
      return start;
    }
    if (mode_ == Mode::kAllocSet && size <= internal::kMaxClassedChunk) [[likely]] {
      void* chunk =
          static_cast<internal::AllocSetContext*>(this)->TakeChunk(internal::ChunkClass(size));
      if (chunk != nullptr) [[likely]]
        return chunk;
    }
  }
#endif
  return AllocateSlow(size);
}

inline void MemoryContext::Free(void* chunk) noexcept {
#if !RELCACHE_CHECKED_CONTEXTS
  const auto tag = static_cast<unsigned>(*internal::HeaderOf(chunk) & internal::kTagMask);
  if (tag < internal::kChunkClasses) [[likely]] {
    static_cast<internal::AllocSetContext*>(this)->PutChunk(chunk, tag);
    return;
  }
#endif
  FreeSlow(chunk);
}

inline bool MemoryContext::IsUnused() const noexcept {
  // The first block untouched and the only one: no flag that allocate and free would have to set.
  const bool block_untouched =
      mode_ == Mode::kAllocSet
          ? static_cast<const internal::AllocSetContext*>(this)->free_ ==
                static_cast<const internal::AllocSetContext*>(this)->first_byte()
          : bump_free_ == reinterpret_cast<const std::byte*>(this + 1);
  return block_untouched && internal::AllNull(blocks_, callbacks_, first_child_);
}

inline void MemoryContext::Reset() noexcept {
  if (!IsUnused()) ResetUsed();
}

namespace internal {

constexpr RecyclingClass RecyclingClassOf(bool is_bump, BlockSizes sizes) noexcept {
  if (sizes == kSmallBlocks)
    return is_bump ? RecyclingClass::kSmallBump : RecyclingClass::kSmallAllocSet;
  if (sizes == kDefaultBlocks)
    return is_bump ? RecyclingClass::kDefaultBump : RecyclingClass::kDefaultAllocSet;
  return RecyclingClass::kNone;
}
MemoryContext& Create(bool is_bump, RecyclingClass recycling_class, const char* name,
                      MemoryContext* parent, BlockSizes sizes);

}  // namespace internal

/// The general kind: single chunks can be freed and grown (PostgreSQL's aset.c).
class AllocSet {
 public:
  /// A context without parent. `name` must outlive it: a literal.
  static ContextPtr CreateRoot(const char* name, BlockSizes sizes = kDefaultBlocks) {
    return ContextPtr(
        &internal::Create(false, internal::RecyclingClassOf(false, sizes), name, nullptr, sizes));
  }
  /// A child, which goes when its parent is reset or deleted.
  static MemoryContext& Create(const char* name, MemoryContext& parent,
                               BlockSizes sizes = kDefaultBlocks) {
    return internal::Create(false, internal::RecyclingClassOf(false, sizes), name, &parent, sizes);
  }
  /// Bytes of the first block that the context's head takes.
  static constexpr std::size_t kHeadBytes = sizeof(internal::AllocSetContext);
};

/// The dense kind: no chunk header, freed only as a whole (PostgreSQL's bump.c).
class Bump {
 public:
  static ContextPtr CreateRoot(const char* name, BlockSizes sizes = kDefaultBlocks) {
    return ContextPtr(
        &internal::Create(true, internal::RecyclingClassOf(true, sizes), name, nullptr, sizes));
  }
  static MemoryContext& Create(const char* name, MemoryContext& parent,
                               BlockSizes sizes = kDefaultBlocks) {
    return internal::Create(true, internal::RecyclingClassOf(true, sizes), name, &parent, sizes);
  }
  static constexpr std::size_t kHeadBytes = sizeof(MemoryContext);
  /// Block sizes for a context that will hold `bytes` (sizes rounded up to 8 and added up) and
  /// hardly more: the first block is exactly that large.
  static constexpr BlockSizes SizedFor(std::uint32_t bytes) noexcept {
    return {static_cast<std::uint32_t>(kHeadBytes + internal::RoundUp(bytes)),
            std::max<std::uint32_t>(kSmallBlocks.maximum, bytes)};
  }
};

/// From now on each context that this thread makes is watched by `observer` from its birth, unless
/// its parent is watched by another; null ends that. Returns the observer before.
AllocationObserver* WatchNewContexts(AllocationObserver* observer) noexcept;

/// Gives the calling thread's recycled contexts back to malloc.
void ReleaseRecycledContexts() noexcept;

}  // namespace relcache
