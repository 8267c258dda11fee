// Creates, resets and deletes contexts. Deleted contexts with the usual block sizes are kept for
// reuse, as PostgreSQL's aset.c does, because contexts that live for one row or one expression
// would otherwise cost two calls of malloc each.
#include <array>
#include <bit>
#include <cstdlib>

#include "relcache/memory/internal/chunk.h"

namespace relcache {
namespace internal {
namespace {

// Numbers for each kind. Together the kept contexts take at most 384 kB per thread.
constexpr std::uint32_t kKeptOfDefaultSize = 16;
constexpr std::uint32_t kKeptOfSmallSize = 64;

/// The contexts of one class that this thread deleted. They are in the state that a reset leaves
/// and are linked through parent_.
struct Kept {
  MemoryContext* first = nullptr;
  // How many more may be kept. It is 0 before the release at the end of the thread is registered,
  // and after that release has run.
  std::uint32_t room = 0;
};

// Trivially destructible, so that contexts can still be deleted by thread-local destructors that
// run after ReleaseAtThreadEnd.
struct ThreadState {
  std::array<Kept, static_cast<std::size_t>(RecyclingClass::kCount)> kept;
  AllocationObserver* observer = nullptr;
  bool registered = false;

  Kept& Of(RecyclingClass recycling_class) {
    return kept[static_cast<std::size_t>(recycling_class)];
  }
};
// The model initial-exec finds the variable without a call even in a shared library. Its few bytes
// fit into the space that the loader reserves for libraries that are opened at run time.
[[gnu::tls_model("initial-exec")]] constinit thread_local ThreadState thread_state;

struct ReleaseAtThreadEnd {
  ~ReleaseAtThreadEnd() {
    ReleaseRecycledContexts();
    for (Kept& kept : thread_state.kept) kept.room = 0;
  }
};

/// Called when the thread deletes its first context.
void StartKeeping() {
  thread_local ReleaseAtThreadEnd at_end;
  thread_state.registered = true;
  thread_state.Of(RecyclingClass::kDefaultBump).room = kKeptOfDefaultSize;
  thread_state.Of(RecyclingClass::kDefaultAllocSet).room = kKeptOfDefaultSize;
  thread_state.Of(RecyclingClass::kSmallBump).room = kKeptOfSmallSize;
  thread_state.Of(RecyclingClass::kSmallAllocSet).room = kKeptOfSmallSize;
}

// Clamps sizes to what the rest relies on: a first block with room for the context object and some
// chunks, sizes that are multiples of 8 and do not overflow when they are doubled.
BlockSizes Sane(BlockSizes sizes, bool is_bump) noexcept {
  constexpr std::uint32_t kLeast = 64;
  constexpr std::uint32_t kMost = std::uint32_t{1} << 30;
  const auto head = static_cast<std::uint32_t>(ContextHeadBytes(is_bump));
  sizes.initial =
      static_cast<std::uint32_t>(RoundUp(std::clamp(sizes.initial, head + kLeast, kMost)));
  sizes.maximum = std::clamp(sizes.maximum, kSmallBlocks.initial, kMost) & ~std::uint32_t{7};
  return sizes;
}

void* TakeFirstBlock(bool is_bump, std::size_t bytes) {
  // A chunk's header has room for a tag because contexts whose chunks have headers are aligned to
  // 64 bytes.
  void* memory = is_bump && !kChecked
                     ? std::malloc(bytes)
                     : std::aligned_alloc(kContextAlignment, AlignUp(bytes, kContextAlignment));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

AllocationObserver*& ObserverOfNewContexts() noexcept {
  return thread_state.observer;
}

// --- Making -----------------------------------------------------------------------------------

// The fast paths of creating and deleting call only their own slow paths, and those as tail calls,
// so that the compiler need not save any registers.

inline MemoryContext& ContextAccess::Link(MemoryContext& context, const char* name,
                                          MemoryContext* parent) {
  context.name_ = name;
  context.parent_ = parent;
  context.limited_ = nullptr;
  bool care = thread_state.observer != nullptr;
  if (parent != nullptr) {
    LinkChild(*parent, context);
    context.limited_ = parent->limited_;
    care |= !AllNull(parent->limited_, parent->extra_);
  }
  if (care) [[unlikely]]
    return LinkWithCare(context);
  return context;
}

/// For a context that was just linked: enforces the limits, and watches the context if its parent
/// is watched.
MemoryContext& ContextAccess::LinkWithCare(MemoryContext& context) {
  // If a limit or the observer throws, the guard deletes the context again.
  ContextPtr guard(&context);
  AddToLimited(context.limited_, context.reserved_);
  CheckLimits(context.parent_, 0);
  AllocationObserver* observer = thread_state.observer;
  if (context.parent_ != nullptr && IsWatched(*context.parent_))
    observer = context.parent_->extra_->observer;
  if (observer != nullptr) WatchOne(context, *observer);
  return *guard.release();
}

MemoryContext& ContextAccess::CreateNew(bool is_bump, RecyclingClass recycling_class,
                                        const char* name, MemoryContext* parent, BlockSizes sizes) {
  sizes = Sane(sizes, is_bump);
  CheckLimits(parent, sizes.initial);
  void* memory = TakeFirstBlock(is_bump, sizes.initial);
  MemoryContext* context = is_bump ? ::new (memory) MemoryContext(MemoryContext::Mode::kBump)
                                   : ::new (memory) AllocSetContext();
  context->block_sizes_ = sizes;
  context->recycling_class_ = recycling_class;
  context->reserved_ = sizes.initial;
  ResetBlocks(*context);
  return Link(*context, name, parent);
}

inline MemoryContext& ContextAccess::Create(bool is_bump, RecyclingClass recycling_class,
                                            const char* name, MemoryContext* parent,
                                            BlockSizes sizes) {
  Kept& kept = thread_state.Of(recycling_class);
  MemoryContext* context = kept.first;
  if (context == nullptr) [[unlikely]]
    return CreateNew(is_bump, recycling_class, name, parent, sizes);
  kept.first = context->parent_;
  ++kept.room;
  return Link(*context, name, parent);
}

MemoryContext& Create(bool is_bump, RecyclingClass recycling_class, const char* name,
                      MemoryContext* parent, BlockSizes sizes) {
  return ContextAccess::Create(is_bump, recycling_class, name, parent, sizes);
}

// --- Resetting --------------------------------------------------------------------------------

/// Sets the context back to its first block, all of it free.
void ContextAccess::ResetBlocks(MemoryContext& context) noexcept {
  const bool is_bump = IsBump(context);
  std::byte* const first = FirstByte(context);
  std::byte* const end = reinterpret_cast<std::byte*>(&context) + context.block_sizes_.initial;
  Clobber(first, static_cast<std::size_t>(end - first));
  FreePointer(context) = first;
  EndPointer(context) = end;
  if (!is_bump) static_cast<AllocSetContext&>(context).ForgetFreeChunks();
  context.lost_ = 0;
  context.next_block_ =
      std::clamp<std::uint32_t>(std::bit_ceil(context.block_sizes_.initial), kSmallBlocks.initial,
                                context.block_sizes_.maximum);
}

/// Frees what is in the first block, for a context that has no other block.
inline void ContextAccess::ResetFirstBlock(MemoryContext& context) noexcept {
  if (context.mode_ == MemoryContext::Mode::kAllocSet) {
    auto& set = static_cast<AllocSetContext&>(context);
    if (set.free_ == set.first_byte()) return;
    set.free_ = set.first_byte();
    set.ForgetFreeChunks();
  } else {
    context.bump_free_ = reinterpret_cast<std::byte*>(&context + 1);
  }
}

/// Whether a reset only has to move pointers back.
inline bool ContextAccess::IsSimple(const MemoryContext& context) noexcept {
  return !kChecked &&
         AllNull(context.blocks_, context.callbacks_, context.first_child_, context.extra_);
}

void ContextAccess::ResetAll(MemoryContext& context) noexcept {
  DeleteDescendants(context);
  if (IsWatched(context)) context.extra_->observer->OnReset(context);
  RunCallbacks(context);
  if constexpr (kChecked) CheckContext(context);
  ReleaseBlocks(context);
  ResetBlocks(context);
}

// --- Deleting ---------------------------------------------------------------------------------

/// Returns a context to malloc. Contexts of the class kNone always end here, because the list of
/// that class never has room.
void ContextAccess::FreeHead(MemoryContext& context) noexcept {
  if (!thread_state.registered) StartKeeping();
  Unpoison(&context, context.block_sizes_.initial);
  std::free(&context);
}

/// Deletes a context that is already empty.
inline void ContextAccess::DeleteEmpty(MemoryContext& context) noexcept {
  if (MemoryContext* up = context.parent_; up != nullptr) {
    UnlinkChild(*up, context);
    if (up->limited_ != nullptr) [[unlikely]]
      AddToLimited(up->limited_, -context.reserved_);
  }
  context.identifier_ = nullptr;
  Kept& kept = thread_state.Of(context.recycling_class_);
  if (kept.room == 0) [[unlikely]]
    return FreeHead(context);
  context.parent_ = kept.first;
  kept.first = &context;
  --kept.room;
}

void ContextAccess::DeleteWithCare(MemoryContext& context) noexcept {
  ResetAll(context);
  if (context.extra_ != nullptr) {
    UnwatchOne(context);
    delete std::exchange(context.extra_, nullptr);
  }
  DeleteEmpty(context);
}

inline void ContextAccess::Delete(MemoryContext& context) noexcept {
  if (IsSimple(context)) [[likely]] {
    ResetFirstBlock(context);
    return DeleteEmpty(context);
  }
  DeleteWithCare(context);
}

/// Deletes leaves before their parents, the newest child first. There is no recursion, because a
/// chain of contexts may be longer than the stack allows.
void ContextAccess::DeleteDescendants(MemoryContext& top) noexcept {
  MemoryContext* context = &top;
  for (;;) {
    if (context->first_child_ != nullptr) {
      context = context->first_child_;
      continue;
    }
    if (context == &top) return;
    MemoryContext* parent = context->parent_;
    Delete(*context);
    context = parent;
  }
}

void Delete(MemoryContext& context) noexcept {
  ContextAccess::Delete(context);
}

}  // namespace internal

using internal::ContextAccess;

void MemoryContext::ResetUsed() noexcept {
  if (!ContextAccess::IsSimple(*this)) [[unlikely]]
    return ContextAccess::ResetAll(*this);
  ContextAccess::ResetFirstBlock(*this);
}

void MemoryContext::DeleteChildren() noexcept {
  ContextAccess::DeleteDescendants(*this);
}

AllocationObserver* WatchNewContexts(AllocationObserver* observer) noexcept {
  return std::exchange(internal::thread_state.observer, observer);
}

void ReleaseRecycledContexts() noexcept {
  for (internal::Kept& kept : internal::thread_state.kept) {
    while (MemoryContext* context = kept.first) {
      kept.first = ContextAccess::NextKept(*context);
      ++kept.room;
      std::free(context);
    }
  }
}

}  // namespace relcache
