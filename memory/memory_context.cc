// The tree of contexts: callbacks, sums, limits and observers.
#include "relcache/memory/memory_context.h"

#include "relcache/memory/internal/chunk.h"

namespace relcache {
namespace internal {

// --- Callbacks --------------------------------------------------------------------------------

void ContextAccess::RunCallbacks(MemoryContext& context) noexcept {
  while (ResetCallback* callback = context.callbacks_) {
    context.callbacks_ = std::exchange(callback->next, nullptr);
    if (callback->foreign_bytes != 0) AddForeign(context, -callback->foreign_bytes);
    // Unlinked and no longer accounted for at this point, so the function may free the callback
    // itself.
    callback->function(callback->argument);
  }
}

// --- Sums and limits --------------------------------------------------------------------------

void ContextAccess::AddReserved(MemoryContext& context, std::size_t bytes,
                                std::uint32_t blocks) noexcept {
  context.reserved_ += bytes;
  context.block_count_ += blocks;
  AddToLimited(context.limited_, bytes);
}

void ContextAccess::SubtractReserved(MemoryContext& context, std::size_t bytes,
                                     std::uint32_t blocks) noexcept {
  AddReserved(context, -bytes, -blocks);
}

/// Adds to the foreign bytes of a context. Arithmetic is modulo 2^64, so a negated number
/// subtracts.
void ContextAccess::AddForeign(MemoryContext& context, std::size_t bytes) noexcept {
  context.foreign_ += bytes;
  AddToLimited(context.limited_, bytes);
}

/// Adds, modulo 2^64, to the bytes held by `limited` and by each context with a limit above it.
void ContextAccess::AddToLimited(MemoryContext* limited, std::size_t bytes) noexcept {
  for (; limited != nullptr; limited = NextLimited(*limited)) limited->extra_->held += bytes;
}

/// In `top` and its descendants, replaces `old` by `limited` as the nearest context with a limit.
void ContextAccess::ReplaceLimited(MemoryContext& top, const MemoryContext* old,
                                   MemoryContext* limited) noexcept {
  const auto replace = [&](MemoryContext& context, int) {
    if (context.limited_ == old) context.limited_ = limited;
  };
  replace(top, 0);
  MemoryContext::VisitBelow(top, replace);
}

/// The reserved and foreign bytes of the context and all descendants.
std::size_t ContextAccess::BytesHeld(const MemoryContext& context) noexcept {
  return context.total_bytes_reserved() + context.total_foreign_bytes();
}

/// The nearest context, `context` itself or an ancestor, whose limit does not allow `more` bytes;
/// null if there is none.
const MemoryContext* ContextAccess::LimitReached(const MemoryContext* context,
                                                 std::size_t more) noexcept {
  if (context == nullptr) return nullptr;
  for (context = context->limited_; context != nullptr; context = NextLimited(*context)) {
    const std::size_t held = context->extra_->held;
    const std::size_t limit = context->extra_->limit;
    if (held > limit || more > limit - held) return context;
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
  // Without these pointers, and with a mode that is neither kind, the inline paths fail their
  // tests, and every request arrives in AllocateSlow, which calls the observer.
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
  stats.foreign = context.foreign_;
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
        stats.free += kChunkHeadBytes + (kChunkAlignment << chunk_class);
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
  RELCACHE_CHECK_NE(parent, this);
  if (!IsLeaf()) {
    for (const MemoryContext* up = parent; up != nullptr; up = up->parent_)
      RELCACHE_CHECK_NE(up, static_cast<const MemoryContext*>(this));
  }
  MemoryContext* const old_limited = parent_ != nullptr ? parent_->limited_ : nullptr;
  MemoryContext* const new_limited = parent != nullptr ? parent->limited_ : nullptr;
  if (old_limited != new_limited) {
    const std::size_t held = ContextAccess::BytesHeld(*this);
    // Taken off first, so that a limit on an ancestor of both places does not count these bytes
    // twice.
    ContextAccess::AddToLimited(old_limited, -held);
    if (const MemoryContext* full = ContextAccess::LimitReached(parent, held); full != nullptr) {
      ContextAccess::AddToLimited(old_limited, held);
      throw ContextLimitExceeded(full->name_, full->limit());
    }
    ContextAccess::AddToLimited(new_limited, held);
    ContextAccess::ReplaceLimited(*this, old_limited, new_limited);
  }
  if (parent_ != nullptr) ContextAccess::UnlinkChild(*parent_, *this);
  parent_ = parent;
  if (parent != nullptr) ContextAccess::LinkChild(*parent, *this);
}

MemoryContext& MemoryContext::AdoptChild(ContextPtr context) {
  context->SetParent(this);
  return *context.release();
}

std::size_t MemoryContext::total_bytes_reserved() const noexcept {
  std::size_t total = reserved_;
  VisitDescendants([&](const MemoryContext& context, int) { total += context.reserved_; });
  return total;
}

std::size_t MemoryContext::total_blocks() const noexcept {
  std::size_t total = block_count_;
  VisitDescendants([&](const MemoryContext& context, int) { total += context.block_count_; });
  return total;
}

std::size_t MemoryContext::total_foreign_bytes() const noexcept {
  std::size_t total = foreign_;
  VisitDescendants([&](const MemoryContext& context, int) { total += context.foreign_; });
  return total;
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
  internal::ContextExtra& extra = ContextAccess::Extra(*this);
  extra.limit = bytes;
  if (limited_ == this) return;
  // Descendants that have a limit of their own keep it as their nearest one.
  extra.held = ContextAccess::BytesHeld(*this);
  ContextAccess::ReplaceLimited(*this, limited_, this);
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

}  // namespace relcache
