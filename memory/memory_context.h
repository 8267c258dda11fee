// A memory context owns many allocations and frees them together, by a reset or by its deletion;
// this is PostgreSQL's way to manage memory (palloc.h, src/backend/utils/mmgr). Contexts form a
// tree, and a context ends together with its parent. What one allocation returns is a *chunk*; what
// the context obtains from malloc and divides into chunks is a *block*.
//
// There are two kinds with one interface, so that code that allocates does not depend on the kind:
//   AllocSet  general: single chunks can be freed and grown; each chunk has a header of 8 bytes,
//             and its size is rounded up to a power of two (PostgreSQL's aset.c)
//   Bump      dense: chunks have no header, sizes are rounded up to 8 bytes, and everything is
//             freed at once (PostgreSQL's bump.c)
//
//   ContextPtr cx = Bump::CreateRoot("request");
//   std::string_view name = cx->CopyString("orders");   // lives until cx is reset or deleted
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
#include "relcache/memory/align.h"
#include "relcache/memory/context_types.h"

// Checked builds give every chunk of either kind a header and guard bytes behind it, overwrite what
// is freed, and poison it for AddressSanitizer. All parts of a program must be compiled with the
// same setting.
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

/// The types whose objects may live in a context. Freeing a context runs no destructors, so only
/// types with a trivial destructor qualify.
template <class T>
concept ContextStorable = std::is_trivially_destructible_v<T> && std::is_object_v<T>;

/// Deletes a context with its children. ContextPtr uses it as its deleter.
struct ContextDeleter {
  // Inline, so that the compiler sees that the address of the ContextPtr does not escape and can
  // keep it in a register.
  void operator()(MemoryContext* context) const noexcept { internal::Delete(*context); }
};

/// Owns a context. If the context has a parent, the pointer must be destroyed before the parent is
/// reset or deleted.
using ContextPtr = std::unique_ptr<MemoryContext, ContextDeleter>;

namespace internal {

inline constexpr std::size_t kChunkAlignment = 8;
inline constexpr std::size_t kContextAlignment = 64;
/// The chunks of an AllocSet come in eleven sizes, 8 << 0 to 8 << 10 bytes; a larger chunk has a
/// block of its own.
inline constexpr int kChunkClasses = 11;
inline constexpr std::size_t kMaxClassedChunk = std::size_t{8} << (kChunkClasses - 1);

/// The word before a chunk's first byte. It holds the address of the chunk's context, whose low six
/// bits are zero because contexts are aligned to 64, and in these bits the chunk's class or one of
/// the tags in chunk.h.
using ChunkHeader = std::uintptr_t;
inline constexpr ChunkHeader kTagMask = kContextAlignment - 1;

inline ChunkHeader* HeaderOf(void* chunk) noexcept {
  return static_cast<ChunkHeader*>(chunk) - 1;
}
inline const ChunkHeader* HeaderOf(const void* chunk) noexcept {
  return static_cast<const ChunkHeader*>(chunk) - 1;
}

/// The content of a freed chunk of an AllocSet: a link of the freelist of its class.
struct FreeChunk {
  FreeChunk* next;
};

/// Deleted contexts are kept for reuse, in one list for each kind with usual block sizes. The class
/// says which list. Contexts with other block sizes are not kept.
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

/// The class whose chunks hold `size` bytes, where 1 <= size <= kMaxClassedChunk.
constexpr unsigned ChunkClass(std::size_t size) noexcept {
  // The same as 63 - countl_zero, in the form that compiles to one instruction.
  return static_cast<unsigned>(std::countl_zero((size - 1) | 7) ^ 63) - 2;
}
/// Whether all pointers are null, with a single test and branch.
template <class... Pointers>
bool AllNull(Pointers... pointers) noexcept {
  return (reinterpret_cast<std::uintptr_t>(pointers) | ...) == 0;
}
constexpr std::size_t RoundUp(std::size_t size) noexcept {
  return AlignUp(size, kChunkAlignment);
}

// The bytes before a chunk's first byte and after its last one. Checked builds keep the requested
// size before the header, and at least eight guard bytes after the chunk.
inline constexpr std::size_t kChunkHeadBytes =
    sizeof(ChunkHeader) + (RELCACHE_CHECKED_CONTEXTS ? sizeof(std::size_t) : 0);
inline constexpr std::size_t kChunkTailBytes = RELCACHE_CHECKED_CONTEXTS ? 8 : 0;
/// The bytes at a block's start that are not for chunks.
inline constexpr std::size_t kBlockHeadBytes = 3 * sizeof(void*);
/// The bytes that chunks of a class hold.
constexpr std::size_t ClassBytes(unsigned chunk_class) noexcept {
  return std::size_t{8} << chunk_class;
}

}  // namespace internal

/// An owner of many allocations that are freed together (PostgreSQL's MemoryContext). The functions
/// of AllocSet and Bump, at the end of this file, make contexts.
///
/// Lifetime: what is allocated lives until it is freed, until the context is reset, or until the
/// context is deleted, whichever comes first. Children are deleted when their parent is reset or
/// deleted.
/// Thread safety: only one thread at a time may use a context or any other context of the same
/// tree. A whole tree may move from one thread to another.
/// Cost: an allocation moves a pointer or takes the first element of a freelist, inline. A reset of
/// an unused context is a few loads. Creating and deleting a context with the usual block sizes
/// calls malloc only rarely, because each thread keeps a bounded number of deleted contexts for
/// reuse. The depth of the tree and the number of siblings do not matter, except that each limit on
/// an ancestor costs one step. Trees are reset and deleted without recursion.
/// Errors: std::bad_alloc, InvalidRequestSize or ContextLimitExceeded; a call that throws changes
/// nothing.
class MemoryContext {
 public:
  MemoryContext(const MemoryContext&) = delete;
  MemoryContext& operator=(const MemoryContext&) = delete;

  // --- Allocation -------------------------------------------------------------------------------

  /// Returns `size` uninitialized bytes, aligned to 8 (MemoryContextAlloc). The result is never
  /// null, and requests of 0 bytes yield distinct addresses.
  [[nodiscard]] void* Allocate(std::size_t size);
  /// The same, aligned to `alignment`, a power of two (MemoryContextAllocAligned).
  [[nodiscard]] void* Allocate(std::size_t size, std::size_t alignment);
  /// The same, with all bytes set to zero (MemoryContextAllocZero).
  [[nodiscard]] void* AllocateZeroed(std::size_t size);
  /// The same for sizes that may exceed kMaxRequest (MemoryContextAllocHuge).
  [[nodiscard]] void* AllocateHuge(std::size_t size);
  /// Like AllocateHuge, but returns null where that would throw: when memory is exhausted, a limit
  /// is reached or the size exceeds kMaxHugeRequest (MCXT_ALLOC_NO_OOM).
  [[nodiscard]] void* TryAllocate(std::size_t size);

  /// Constructs a T from `args` by list initialization. Its destructor is never run.
  template <ContextStorable T, class... Args>
  [[nodiscard]] T* New(Args&&... args) {
    return ::new (Place<T>(sizeof(T))) T{std::forward<Args>(args)...};
  }
  /// An array of n value-initialized elements. Throws InvalidRequestSize if it would take more than
  /// kMaxRequest bytes.
  template <ContextStorable T>
  [[nodiscard]] std::span<T> NewArray(std::size_t n) {
    if (n > kMaxRequest / sizeof(T)) [[unlikely]]
      throw InvalidRequestSize();
    T* first = static_cast<T*>(Place<T>(n * sizeof(T)));
    std::uninitialized_value_construct_n(first, n);
    return {first, n};
  }
  /// A copy of `text`, followed by a NUL that the result does not include (MemoryContextStrdup).
  [[nodiscard]] std::string_view CopyString(std::string_view text);

  // The functions from here to Space work for AllocSets only, except Grow.

  /// Frees a chunk of this context (pfree). It is a programmer error, which checked builds detect,
  /// to pass a chunk of a Bump, a chunk of another context or one that was freed before.
  void Free(void* chunk) noexcept;
  /// Makes the chunk hold at least `size` bytes, moving it if necessary, and returns its address
  /// (repalloc). The alignment is kept.
  [[nodiscard]] void* Reallocate(void* chunk, std::size_t size);
  /// The same for sizes that may exceed kMaxRequest (repalloc_huge).
  [[nodiscard]] void* ReallocateHuge(void* chunk, std::size_t size);
  /// For both kinds: makes a chunk of `old_size` bytes hold at least `new_size` bytes and returns
  /// its address. A Bump extends its last chunk in place if the block has room. The old address
  /// must not be used afterwards.
  [[nodiscard]] void* Grow(void* chunk, std::size_t old_size, std::size_t new_size);

  /// The context that a chunk of an AllocSet belongs to (GetMemoryChunkContext).
  static MemoryContext& Of(const void* chunk) noexcept;
  /// The bytes that a chunk of an AllocSet can hold without being moved.
  static std::size_t Capacity(const void* chunk) noexcept;
  /// The bytes that a chunk of an AllocSet takes, including its header (GetMemoryChunkSpace).
  static std::size_t Space(const void* chunk) noexcept;

  // No destructors run; what has to be released otherwise needs a callback (OnReset).

  /// Runs the callbacks, deletes the children and frees everything that was allocated here
  /// (MemoryContextReset). The first block is kept. A context that was not used since the last
  /// reset costs almost nothing.
  void Reset() noexcept;
  /// Whether nothing was allocated, no child created and no callback registered since the last
  /// reset.
  bool IsUnused() const noexcept;
  /// Deletes the children and leaves the context itself as it is (MemoryContextDeleteChildren).
  void DeleteChildren() noexcept;

  /// Registers `callback`, which runs when this context is next reset or deleted
  /// (MemoryContextRegisterResetCallback).
  /// Errors: ContextLimitExceeded if its foreign bytes exceed a limit.
  void OnReset(ResetCallback& callback);
  /// Unregisters a callback, which then is not called. Returns whether it was registered.
  bool CancelOnReset(ResetCallback& callback) noexcept;
  /// Changes the number of foreign bytes of a registered callback.
  /// Errors: ContextLimitExceeded if they exceed a limit.
  void SetForeignBytes(ResetCallback& callback, std::size_t bytes);
  /// Takes ownership of a library's handle: the handle is destroyed at the next reset or deletion.
  /// `foreign_bytes` are the bytes outside of the context that it holds.
  template <class T, class Deleter>
  T& Adopt(std::unique_ptr<T, Deleter> handle, std::size_t foreign_bytes) {
    static_assert(std::is_empty_v<Deleter> && std::is_default_constructible_v<Deleter>);
    auto* callback = New<ResetCallback>(
        +[](void* argument) noexcept { Deleter{}(static_cast<T*>(argument)); }, handle.get(),
        nullptr, foreign_bytes);
    OnReset(*callback);
    return *handle.release();
  }

  // A child is deleted with its parent, a root by its ContextPtr.

  /// What the context is for; all contexts of one purpose have the same name.
  std::string_view name() const noexcept { return name_; }
  /// Distinguishes contexts of the same name; may be empty (MemoryContextSetIdentifier). The text
  /// is not copied. It is a literal or lies in this context, and in the latter case it has to be
  /// set again after a reset.
  std::string_view identifier() const noexcept { return identifier_ ? identifier_ : ""; }
  /// Sets the identifier; nullptr removes it.
  void SetIdentifier(const char* identifier) noexcept { identifier_ = identifier; }
  ContextKind kind() const noexcept;
  /// The parent, or nullptr for a root.
  MemoryContext* parent() const noexcept { return parent_; }
  /// Moves the context, with its children, below another parent, or makes it a root if `parent` is
  /// nullptr; then the caller must hold it in a ContextPtr (MemoryContextSetParent). A context must
  /// not become its own descendant.
  /// Cost: constant for a context without children. Otherwise one step for each level above the new
  /// place and, if other limits apply there, one for each descendant.
  /// Errors: ContextLimitExceeded; then nothing has changed.
  void SetParent(MemoryContext* parent);
  /// Takes ownership of a root context and makes it a child.
  MemoryContext& AdoptChild(ContextPtr context);
  /// Whether the context has no children.
  bool IsLeaf() const noexcept { return first_child_ == nullptr; }
  /// Calls visit(context, level) for each descendant, parents before their children and the newest
  /// child first. The children of this context have level 1.
  template <class Visit>
  void VisitDescendants(Visit&& visit) const {
    VisitBelow(*this, visit);
  }

  // All figures are bytes, unless a comment says otherwise.

  // A context keeps the sums of figures that change only when a block or a callback is added or
  // removed. Sums over a tree are computed on demand by a visit to each descendant: if each parent
  // kept them, every new context and block would cost as many steps as it has ancestors. Only a
  // context with a limit keeps the sum of its tree. The bytes in use, which change with every
  // request, are also computed on demand, from the free pointer and the freelists: keeping a sum
  // would cost an instruction in each Allocate and Free.

  /// The bytes in this context's blocks, including the context object.
  /// Cost: constant.
  std::size_t bytes_reserved() const noexcept { return reserved_; }
  /// The bytes_reserved() of this context and all descendants.
  /// Cost: one step per descendant.
  std::size_t total_bytes_reserved() const noexcept;
  /// The number of blocks, including the first one.
  /// Cost: constant.
  std::size_t blocks() const noexcept { return block_count_; }
  /// The blocks() of this context and all descendants.
  /// Cost: one step per descendant.
  std::size_t total_blocks() const noexcept;
  /// The bytes outside of contexts that the callbacks of this context and all descendants account
  /// for.
  /// Cost: one step per descendant.
  std::size_t total_foreign_bytes() const noexcept;
  /// The bytes of this context's blocks that are in use, including chunk headers and the context
  /// object.
  /// Cost: one step for each freed chunk; constant for a Bump.
  std::size_t bytes_used() const noexcept;
  /// The figures of this context.
  /// Cost: that of bytes_used, and one step per callback.
  ContextStats Stats() const noexcept;
  /// The figures of this context and all descendants.
  /// Cost: that of Stats for each of them.
  ContextStats TotalStats() const noexcept;

  /// Limits the sum of total_bytes_reserved and total_foreign_bytes to `bytes`: a block or foreign
  /// bytes that would exceed it are refused with ContextLimitExceeded. Allocations that fit into
  /// the current block are not checked. If the context holds more than that already, nothing is
  /// freed. SIZE_MAX allows any number of bytes again.
  /// Cost: one step per descendant for the first limit, then constant. From then on every context
  /// and block that is added to or removed from the tree costs one step more.
  void SetLimit(std::size_t bytes);
  /// The limit in bytes; SIZE_MAX if there is none.
  std::size_t limit() const noexcept;

  /// Reports each request to this context, to its present descendants and to children created later
  /// to `observer`, until Unwatch or the end of the context. A context has one observer at a time;
  /// a second Watch replaces the first. While it is watched, every allocation is slower.
  /// Lifetime: the observer must live until then.
  /// Errors: std::bad_alloc; then nothing is watched.
  void Watch(AllocationObserver& observer);
  /// Ends Watch for this context and all descendants.
  void Unwatch() noexcept;

  /// Verifies the structure of the blocks and the guard bytes behind each chunk, and stops the
  /// process if they are damaged. Only checked builds have guard bytes; in these, resets and
  /// deletions run the check too.
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

  // The bounds of the free part of a Bump's current block. Both are null in an AllocSet and in a
  // watched context, so that the inline path of Allocate needs no test for either.
  std::byte* bump_free_ = nullptr;
  std::byte* bump_end_ = nullptr;
  // The newest child, which is linked to its older siblings.
  MemoryContext* first_child_ = nullptr;
  ResetCallback* callbacks_ = nullptr;
  // The blocks other than the first one.
  internal::Block* blocks_ = nullptr;
  // --- Allocation and the reset of an unused context do not touch the members below.
  MemoryContext* parent_ = nullptr;
  MemoryContext* older_sibling_ = nullptr;
  MemoryContext* newer_sibling_ = nullptr;
  const char* name_ = nullptr;
  const char* identifier_ = nullptr;
  std::size_t reserved_ = 0;
  // The unused bytes at the ends of a Bump's earlier blocks.
  std::size_t lost_ = 0;
  std::size_t foreign_ = 0;
  // The nearest context that has a limit: this one or an ancestor.
  MemoryContext* limited_ = nullptr;
  // Limit and observer, allocated when first needed.
  internal::ContextExtra* extra_ = nullptr;
  std::uint32_t block_count_ = 1;
  BlockSizes block_sizes_{};
  std::uint32_t next_block_ = 0;
  Mode mode_;
  // The list of reusable contexts that this one comes from and returns to.
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

/// The context object of an AllocSet. The rest of its first block follows it directly.
class AllocSetContext final : public MemoryContext {
 public:
  AllocSetContext() noexcept : MemoryContext(Mode::kAllocSet) {}

  /// Returns a chunk of class `chunk_class`, or null if neither the freelist nor the current block
  /// has one.
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
  /// Puts a chunk into the freelist of its class.
  void PutChunk(void* chunk, unsigned chunk_class) noexcept {
    free_chunks_[chunk_class] = ::new (chunk) FreeChunk{free_chunks_[chunk_class]};
  }

  void ForgetFreeChunks() noexcept {
    // Unrolled, because the call of memset into which the compiler turns a loop costs more than
    // these few stores.
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
    // No flag distinguishes the kinds here, because both pointers are null in an AllocSet. There
    // are as few instructions as possible between the store of bump_free_ by one request and its
    // load by the next one, which has to wait for the store.
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
  // Derived from the free pointer rather than from a flag, which every allocation would have to
  // set.
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

/// Makes contexts of the general kind, in which single chunks can be freed and grown (PostgreSQL's
/// aset.c).
class AllocSet {
 public:
  /// Makes a context without a parent. `name` is not copied and must outlive the context; usually
  /// it is a literal.
  static ContextPtr CreateRoot(const char* name, BlockSizes sizes = kDefaultBlocks) {
    return ContextPtr(
        &internal::Create(false, internal::RecyclingClassOf(false, sizes), name, nullptr, sizes));
  }
  /// Makes a child, which is deleted when its parent is reset or deleted.
  static MemoryContext& Create(const char* name, MemoryContext& parent,
                               BlockSizes sizes = kDefaultBlocks) {
    return internal::Create(false, internal::RecyclingClassOf(false, sizes), name, &parent, sizes);
  }
  /// The bytes of the first block that the context object takes.
  static constexpr std::size_t kHeadBytes = sizeof(internal::AllocSetContext);
  /// The bytes of a context's blocks that a request for `size` bytes takes, with everything that is
  /// added to it, for code that must keep to a budget and therefore has to know this before it
  /// allocates. A request that is too long for the chunk classes gets a block of its own, which is
  /// counted as a whole.
  static constexpr std::size_t BytesFor(std::size_t size) noexcept {
    size = std::max<std::size_t>(size + internal::kChunkTailBytes, 1);
    return internal::kChunkHeadBytes + (size > internal::kMaxClassedChunk
                                            ? internal::kBlockHeadBytes + internal::RoundUp(size)
                                            : internal::ClassBytes(internal::ChunkClass(size)));
  }
  /// The same for a request with an alignment.
  static constexpr std::size_t BytesFor(std::size_t size, std::size_t alignment) noexcept {
    return BytesFor(alignment <= internal::kChunkAlignment ? size : size + alignment);
  }
};

/// Makes contexts of the dense kind, whose chunks have no header and are freed only all together
/// (PostgreSQL's bump.c).
class Bump {
 public:
  /// These work like the functions of AllocSet.
  static ContextPtr CreateRoot(const char* name, BlockSizes sizes = kDefaultBlocks) {
    return ContextPtr(
        &internal::Create(true, internal::RecyclingClassOf(true, sizes), name, nullptr, sizes));
  }
  static MemoryContext& Create(const char* name, MemoryContext& parent,
                               BlockSizes sizes = kDefaultBlocks) {
    return internal::Create(true, internal::RecyclingClassOf(true, sizes), name, &parent, sizes);
  }
  /// The bytes of the first block that the context object takes.
  static constexpr std::size_t kHeadBytes = sizeof(MemoryContext);
  /// The bytes of a context's blocks that a request for `size` bytes takes; 0 for 0 bytes, which
  /// need not be requested. In checked builds a chunk takes more.
  static constexpr std::size_t BytesFor(std::size_t size) noexcept {
    return internal::RoundUp(size);
  }
  /// Block sizes for a context that will hold about `bytes` bytes in chunks, each rounded up to 8:
  /// the first block has exactly that capacity.
  static constexpr BlockSizes SizedFor(std::uint32_t bytes) noexcept {
    return {static_cast<std::uint32_t>(kHeadBytes + internal::RoundUp(bytes)),
            std::max<std::uint32_t>(kSmallBlocks.maximum, bytes)};
  }
};

/// From now on every context that this thread creates is watched by `observer`, unless its parent
/// is watched by another one; nullptr ends this. Returns the previous observer, or nullptr.
/// Lifetime: the observer must outlive the contexts.
AllocationObserver* WatchNewContexts(AllocationObserver* observer) noexcept;

/// Frees the deleted contexts that the calling thread keeps for reuse.
void ReleaseRecycledContexts() noexcept;

}  // namespace relcache
