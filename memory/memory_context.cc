// The tree of contexts: making and deleting them, callbacks, sums, limits, observers.
#include "relcache/memory/memory_context.h"

#include <cstdlib>

#include "relcache/memory/chunk.h"

namespace relcache {
namespace internal {

namespace {

MemoryContext& AsContext(SiblingHook& hook) {
  return static_cast<MemoryContext&>(hook);
}

/// malloc'ed memory for a context's first block, head included.
void* TakeFirstBlock(bool is_bump, std::size_t bytes) {
  // A header has room for a tag because contexts with chunk headers lie on multiples of 64.
  void* memory = is_bump && !kChecked
                     ? std::malloc(bytes)
                     : std::aligned_alloc(kContextAlignment, (bytes + kContextAlignment - 1) &
                                                                 ~(kContextAlignment - 1));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

BlockSizes Sane(BlockSizes sizes, std::size_t head) noexcept {
  constexpr std::uint32_t kLargestBlock = std::uint32_t{1} << 30;
  const auto least = static_cast<std::uint32_t>(head + kSmallBlocks.initial / 16);
  sizes.initial =
      static_cast<std::uint32_t>(RoundUp(std::clamp(sizes.initial, least, kLargestBlock)));
  sizes.maximum =
      std::clamp(sizes.maximum, kSmallBlocks.initial, kLargestBlock) & ~std::uint32_t{7};
  return sizes;
}

}  // namespace

bool ContextAccess::IsWatched(const MemoryContext& context) noexcept {
  return context.mode_ == MemoryContext::Mode::kWatched;
}

bool ContextAccess::IsBump(const MemoryContext& context) noexcept {
  return IsWatched(context) ? context.extra_->is_bump : context.mode_ == MemoryContext::Mode::kBump;
}

// --- Making and deleting ----------------------------------------------------------------------

MemoryContext& ContextAccess::Create(bool is_bump, const char* name, MemoryContext* parent,
                                     BlockSizes wanted) {
  const BlockSizes sizes = Sane(wanted, is_bump ? sizeof(MemoryContext) : sizeof(AllocSetContext));
  CheckLimits(parent, sizes.initial);
  const std::uint8_t recycling_class = RecyclingClass(is_bump, sizes);
  MemoryContext* context = TakeRecycled(recycling_class);
  if (context != nullptr) {
    context->name_ = name;
  } else {
    void* memory = TakeFirstBlock(is_bump, sizes.initial);
    context = is_bump ? ::new (memory) MemoryContext(name, MemoryContext::Mode::kBump)
                      : ::new (memory) AllocSetContext(name);
    context->block_sizes_ = sizes;
    context->recycling_class_ = recycling_class;
    context->reserved_ = context->total_reserved_ = sizes.initial;
    ResetBlocks(*context);
  }
  AllocationObserver* observer =
      parent != nullptr && IsWatched(*parent) ? parent->extra_->observer : ObserverOfNewContexts();
  if (observer != nullptr) [[unlikely]] {
    ContextPtr guard(context);
    WatchOne(*context, *observer);
    guard.release();
  }
  if (parent != nullptr) {
    context->parent_ = parent;
    parent->children_.push_front(*context);
    for (MemoryContext* up = parent; up != nullptr; up = up->parent_) {
      up->total_reserved_ += context->total_reserved_;
      up->total_block_count_ += context->total_block_count_;
    }
  }
  return *context;
}

void ContextAccess::DeleteLeaf(MemoryContext& context) noexcept {
  RunCallbacks(context);
  if (MemoryContext* parent = context.parent_; parent != nullptr) {
    parent->children_.erase(MemoryContext::Children::s_iterator_to(context));
    for (MemoryContext* up = parent; up != nullptr; up = up->parent_) {
      up->total_reserved_ -= context.total_reserved_;
      up->total_block_count_ -= context.total_block_count_;
    }
    context.parent_ = nullptr;
  }
  if (context.extra_ != nullptr) [[unlikely]] {
    UnwatchOne(context);
    delete std::exchange(context.extra_, nullptr);
  }
  if constexpr (kChecked) CheckContext(context);
  if (context.blocks_ != nullptr) ReleaseBlocks(context);
  if (context.recycling_class_ != kNotRecycled && PutRecycled(context)) return;
  Unpoison(&context, context.block_sizes_.initial);
  std::free(&context);
}

/// Leaves first, newest first, without recursion: a chain of contexts may be long.
void ContextAccess::DeleteDescendants(MemoryContext& top) noexcept {
  MemoryContext* context = &top;
  for (;;) {
    if (!context->children_.empty()) {
      context = &AsContext(context->children_.front());
      continue;
    }
    if (context == &top) return;
    MemoryContext* parent = context->parent_;
    DeleteLeaf(*context);
    context = parent;
  }
}

void ContextAccess::Delete(MemoryContext& context) noexcept {
  if (!context.children_.empty()) DeleteDescendants(context);
  DeleteLeaf(context);
}

void ContextAccess::RunCallbacks(MemoryContext& context) noexcept {
  while (ResetCallback* callback = context.callbacks_) {
    context.callbacks_ = std::exchange(callback->next, nullptr);
    if (callback->foreign_bytes != 0) AddForeign(context, -callback->foreign_bytes);
    callback->function(callback->argument);
  }
}

// --- Sums and limits --------------------------------------------------------------------------

void ContextAccess::AddReserved(MemoryContext& context, std::size_t bytes,
                                std::uint32_t blocks) noexcept {
  context.reserved_ += bytes;
  context.block_count_ += blocks;
  for (MemoryContext* up = &context; up != nullptr; up = up->parent_) {
    up->total_reserved_ += bytes;
    up->total_block_count_ += blocks;
  }
}

void ContextAccess::SubtractReserved(MemoryContext& context, std::size_t bytes,
                                     std::uint32_t blocks) noexcept {
  AddReserved(context, -bytes, -blocks);
}

/// Adds (modulo 2^64: a negative number subtracts) to the foreign bytes of a context.
void ContextAccess::AddForeign(MemoryContext& context, std::size_t bytes) noexcept {
  for (MemoryContext* up = &context; up != nullptr; up = up->parent_) up->total_foreign_ += bytes;
}

/// The context at or above `context` that cannot grow by `more`, or null.
const MemoryContext* ContextAccess::LimitReached(const MemoryContext* context,
                                                 std::size_t more) noexcept {
  for (; context != nullptr; context = context->parent_) {
    if (context->extra_ == nullptr) continue;
    const std::size_t total = context->total_reserved_ + context->total_foreign_;
    const std::size_t limit = context->extra_->limit;
    if (total > limit || more > limit - total) return context;
  }
  return nullptr;
}

void ContextAccess::CheckLimits(const MemoryContext* context, std::size_t more) {
  if (const MemoryContext* full = LimitReached(context, more); full != nullptr) [[unlikely]]
    throw ContextLimitExceeded(full->name_, full->limit());
}

ContextExtra& ContextAccess::Extra(MemoryContext& context) {
  if (context.extra_ == nullptr) context.extra_ = new ContextExtra;
  return *context.extra_;
}

// --- Observers --------------------------------------------------------------------------------

void ContextAccess::WatchOne(MemoryContext& context, AllocationObserver& observer) {
  ContextExtra& extra = Extra(context);
  extra.observer = &observer;
  if (IsWatched(context)) return;
  extra.is_bump = IsBump(context);
  extra.bump_free = std::exchange(context.bump_free_, nullptr);
  extra.bump_end = std::exchange(context.bump_end_, nullptr);
  context.mode_ = MemoryContext::Mode::kWatched;
}

void ContextAccess::UnwatchOne(MemoryContext& context) noexcept {
  if (!IsWatched(context)) return;
  ContextExtra& extra = *context.extra_;
  context.mode_ = extra.is_bump ? MemoryContext::Mode::kBump : MemoryContext::Mode::kAllocSet;
  context.bump_free_ = extra.bump_free;
  context.bump_end_ = extra.bump_end;
  extra.observer = nullptr;
}

// --- Statistics -------------------------------------------------------------------------------

ContextStats ContextAccess::Stats(const MemoryContext& context) noexcept {
  ContextStats stats;
  stats.reserved = context.reserved_;
  stats.blocks = context.block_count_;
  for (const ResetCallback* callback = context.callbacks_; callback != nullptr;
       callback = callback->next)
    stats.foreign += callback->foreign_bytes;
  if (IsBump(context)) {
    const bool watched = IsWatched(context);
    stats.free = context.lost_ + static_cast<std::size_t>(
                                     watched ? context.extra_->bump_end - context.extra_->bump_free
                                             : context.bump_end_ - context.bump_free_);
  } else {
    const auto& set = static_cast<const AllocSetContext&>(context);
    stats.free = static_cast<std::size_t>(set.end_ - set.free_);
    for (int chunk_class = 0; chunk_class < kChunkClasses; ++chunk_class) {
      for (const FreeChunk* chunk = set.free_chunks_[chunk_class]; chunk != nullptr;
           chunk = Peek<FreeChunk>(chunk).next) {
        stats.free += kHeadBytes + (kChunkAlignment << chunk_class);
        ++stats.free_chunks;
      }
    }
  }
  stats.used = stats.reserved - stats.free;
  return stats;
}

}  // namespace internal

using internal::ContextAccess;

ContextStats& ContextStats::operator+=(const ContextStats& other) noexcept {
  reserved += other.reserved;
  used += other.used;
  free += other.free;
  foreign += other.foreign;
  blocks += other.blocks;
  free_chunks += other.free_chunks;
  contexts += other.contexts;
  return *this;
}

void ContextDeleter::operator()(MemoryContext* context) const noexcept {
  ContextAccess::Delete(*context);
}

void MemoryContext::ResetUsed() noexcept {
  if (!children_.empty()) ContextAccess::DeleteDescendants(*this);
  if (callbacks_ != nullptr) ContextAccess::RunCallbacks(*this);
  if constexpr (internal::kChecked) ContextAccess::CheckContext(*this);
  if (blocks_ != nullptr) ContextAccess::ReleaseBlocks(*this);
  ContextAccess::ResetBlocks(*this);
}

void MemoryContext::DeleteChildren() noexcept {
  ContextAccess::DeleteDescendants(*this);
}

void MemoryContext::OnReset(ResetCallback& callback) {
  if (callback.foreign_bytes != 0) {
    ContextAccess::CheckLimits(this, callback.foreign_bytes);
    ContextAccess::AddForeign(*this, callback.foreign_bytes);
  }
  callback.next = callbacks_;
  callbacks_ = &callback;
}

bool MemoryContext::CancelOnReset(ResetCallback& callback) noexcept {
  for (ResetCallback** link = &callbacks_; *link != nullptr; link = &(*link)->next) {
    if (*link != &callback) continue;
    *link = std::exchange(callback.next, nullptr);
    ContextAccess::AddForeign(*this, -callback.foreign_bytes);
    return true;
  }
  return false;
}

void MemoryContext::SetForeignBytes(ResetCallback& callback, std::size_t bytes) {
  if (bytes > callback.foreign_bytes)
    ContextAccess::CheckLimits(this, bytes - callback.foreign_bytes);
  ContextAccess::AddForeign(*this, bytes - callback.foreign_bytes);
  callback.foreign_bytes = bytes;
}

ContextKind MemoryContext::kind() const noexcept {
  return ContextAccess::IsBump(*this) ? ContextKind::kBump : ContextKind::kAllocSet;
}

void MemoryContext::SetParent(MemoryContext* parent) {
  if (parent == parent_) return;
  for (const MemoryContext* up = parent; up != nullptr; up = up->parent_)
    RELCACHE_CHECK_NE(up, static_cast<const MemoryContext*>(this));
  MemoryContext* const old_parent = parent_;
  const auto move_sums = [this](MemoryContext* up, std::size_t sign) {
    for (; up != nullptr; up = up->parent_) {
      up->total_reserved_ += sign * total_reserved_;
      up->total_foreign_ += sign * total_foreign_;
      up->total_block_count_ += static_cast<std::uint32_t>(sign) * total_block_count_;
    }
  };
  // Ancestors that old and new place share do not grow.
  move_sums(old_parent, -std::size_t{1});
  try {
    ContextAccess::CheckLimits(parent, total_reserved_ + total_foreign_);
  } catch (...) {
    move_sums(old_parent, 1);
    throw;
  }
  if (old_parent != nullptr) old_parent->children_.erase(Children::s_iterator_to(*this));
  parent_ = parent;
  if (parent != nullptr) parent->children_.push_front(*this);
  move_sums(parent, 1);
}

MemoryContext& MemoryContext::AdoptChild(ContextPtr context) {
  context->SetParent(this);
  return *context.release();
}

std::size_t MemoryContext::bytes_used() const noexcept {
  return Stats().used;
}

ContextStats MemoryContext::Stats() const noexcept {
  return ContextAccess::Stats(*this);
}

ContextStats MemoryContext::TotalStats() const noexcept {
  ContextStats total = Stats();
  VisitDescendants([&](const MemoryContext& context, int) { total += context.Stats(); });
  return total;
}

void MemoryContext::SetLimit(std::size_t bytes) {
  ContextAccess::Extra(*this).limit = bytes;
}

std::size_t MemoryContext::limit() const noexcept {
  return extra_ != nullptr ? extra_->limit : SIZE_MAX;
}

void MemoryContext::Watch(AllocationObserver& observer) {
  try {
    ContextAccess::WatchOne(*this, observer);
    auto watch = [&](MemoryContext& context, int) { ContextAccess::WatchOne(context, observer); };
    VisitBelow(*this, watch);
  } catch (...) {
    Unwatch();
    throw;
  }
}

void MemoryContext::Unwatch() noexcept {
  ContextAccess::UnwatchOne(*this);
  auto unwatch = [](MemoryContext& context, int) { ContextAccess::UnwatchOne(context); };
  VisitBelow(*this, unwatch);
}

void MemoryContext::Check() const noexcept {
  ContextAccess::CheckContext(*this);
}

ContextPtr AllocSet::CreateRoot(const char* name, BlockSizes sizes) {
  return ContextPtr(&ContextAccess::Create(false, name, nullptr, sizes));
}
MemoryContext& AllocSet::Create(const char* name, MemoryContext& parent, BlockSizes sizes) {
  return ContextAccess::Create(false, name, &parent, sizes);
}
ContextPtr Bump::CreateRoot(const char* name, BlockSizes sizes) {
  return ContextPtr(&ContextAccess::Create(true, name, nullptr, sizes));
}
MemoryContext& Bump::Create(const char* name, MemoryContext& parent, BlockSizes sizes) {
  return ContextAccess::Create(true, name, &parent, sizes);
}

}  // namespace relcache
