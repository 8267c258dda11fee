// Blocks and chunks of both kinds: everything that allocation does outside of the inline paths in
// memory_context.h.
#include <cstdlib>
#include <cstring>

#include "relcache/memory/internal/chunk.h"

namespace relcache {
namespace internal {
namespace {

AllocSetContext& Set(MemoryContext& context) {
  return static_cast<AllocSetContext&>(context);
}

/// The address of a context as a chunk's header holds it.
std::uintptr_t AddressOf(const MemoryContext& context) noexcept {
  return reinterpret_cast<std::uintptr_t>(&context);
}

/// The block of a chunk that has a block of its own.
Block* BlockOf(void* chunk) noexcept {
  return reinterpret_cast<Block*>(static_cast<std::byte*>(chunk) - kChunkHeadBytes) - 1;
}
const Block* BlockOf(const void* chunk) noexcept {
  return reinterpret_cast<const Block*>(static_cast<const std::byte*>(chunk) - kChunkHeadBytes) - 1;
}

/// The start of the chunk that contains an aligned address.
std::byte* AlignedChunkBase(void* chunk, ChunkHeader header) noexcept {
  return static_cast<std::byte*>(chunk) - (header >> 16);
}

}  // namespace

// --- Blocks -----------------------------------------------------------------------------------

std::byte*& ContextAccess::FreePointer(MemoryContext& context) noexcept {
  if (!IsBump(context)) return Set(context).free_;
  return IsWatched(context) ? context.extra_->bump_free : context.bump_free_;
}

std::byte*& ContextAccess::EndPointer(MemoryContext& context) noexcept {
  if (!IsBump(context)) return Set(context).end_;
  return IsWatched(context) ? context.extra_->bump_end : context.bump_end_;
}

void ContextAccess::LinkBlock(MemoryContext& context, Block* block) noexcept {
  block->previous = nullptr;
  block->next = context.blocks_;
  if (block->next != nullptr) block->next->previous = block;
  context.blocks_ = block;
}

void ContextAccess::UnlinkBlock(MemoryContext& context, Block* block) noexcept {
  (block->previous != nullptr ? block->previous->next : context.blocks_) = block->next;
  if (block->next != nullptr) block->next->previous = block->previous;
}

/// Obtains a block of `bytes` bytes, links it and accounts for it.
/// Errors: std::bad_alloc, ContextLimitExceeded.
Block* ContextAccess::TakeBlock(MemoryContext& context, std::size_t bytes) {
  CheckLimits(&context, bytes);
  auto* block = static_cast<Block*>(std::malloc(bytes));
  if (block == nullptr) throw std::bad_alloc();
  ::new (block) Block{nullptr, nullptr, bytes};
  LinkBlock(context, block);
  AddReserved(context, bytes, 1);
  return block;
}

void ContextAccess::ReleaseBlocks(MemoryContext& context) noexcept {
  std::size_t bytes = 0;
  std::uint32_t count = 0;
  while (Block* block = context.blocks_) {
    context.blocks_ = block->next;
    bytes += block->bytes;
    ++count;
    Unpoison(block, block->bytes);
    std::free(block);
  }
  if (count != 0) SubtractReserved(context, bytes, count);
}

/// Gives the context a new current block with room for `needed` bytes. Its size is the next one of
/// the doubling series. If the limits or malloc do not grant that, a smaller block will do, down to
/// what is needed now: a context near its limit should fail only when the data itself does not fit.
void ContextAccess::StartBlock(MemoryContext& context, std::size_t needed) {
  const std::size_t least = needed + sizeof(Block);
  std::size_t bytes = context.next_block_;
  while (bytes < least) bytes *= 2;
  if (LimitReached(&context, bytes) != nullptr) bytes = least;
  Block* block;
  for (;;) {
    try {
      block = TakeBlock(context, bytes);
      break;
    } catch (const std::bad_alloc&) {
      if (bytes == least) throw;
      bytes = std::max(bytes / 2 & ~(kChunkAlignment - 1), least);
    }
  }
  RetireBlock(context);
  FreePointer(context) = block->first_byte();
  EndPointer(context) = block->end();
  Poison(block->first_byte(), bytes - sizeof(Block));
  context.next_block_ = std::min(context.next_block_ * 2, context.block_sizes_.maximum);
}

/// Abandons the rest of the current block. An AllocSet turns it into free chunks, so that the rest
/// can be used and so that chunks fill the block from one end to the other, as Check expects. A
/// Bump cannot reuse it and only counts the loss.
void ContextAccess::RetireBlock(MemoryContext& context) noexcept {
  std::byte*& free = FreePointer(context);
  auto rest = static_cast<std::size_t>(EndPointer(context) - free);
  if (IsBump(context)) {
    context.lost_ += rest;
    if (kChecked && rest >= kChunkHeadBytes + kChunkAlignment) {
      Unpoison(free, kChunkHeadBytes);
      ::new (free + kChunkHeadBytes - sizeof(ChunkHeader)) ChunkHeader(0);
    }
    return;
  }
  // The largest class whose chunk fits, then the same for what remains.
  while (rest >= kChunkHeadBytes + kChunkAlignment) {
    const auto chunk_class = std::min<unsigned>(
        static_cast<unsigned>(std::bit_width(rest - kChunkHeadBytes)) - 4, kChunkClasses - 1);
    std::byte* chunk = free + kChunkHeadBytes;
    Unpoison(free, kChunkHeadBytes + sizeof(FreeChunk));
    ::new (HeaderOf(chunk))
        ChunkHeader(AddressOf(context) | chunk_class | (kChecked ? kFreedBit : 0));
    Set(context).PutChunk(chunk, chunk_class);
    Poison(free, kChunkHeadBytes + sizeof(FreeChunk));
    free = chunk + ClassBytes(chunk_class);
    rest = static_cast<std::size_t>(EndPointer(context) - free);
  }
}

// --- Chunks -----------------------------------------------------------------------------------

/// Writes a chunk's header and, in checked builds, its size and guard bytes. The caller's bytes
/// begin at `chunk`, and `capacity` bytes are available from there on.
void* ContextAccess::Dress(MemoryContext& context, std::byte* chunk, ChunkHeader tag,
                           std::size_t size, std::size_t capacity) noexcept {
  Unpoison(chunk - kChunkHeadBytes, kChunkHeadBytes + capacity);
  if (IsWatched(context)) tag |= kWatchedBit;
  ::new (HeaderOf(chunk)) ChunkHeader(AddressOf(context) | tag);
  if constexpr (kChecked) {
    ::new (chunk - kChunkHeadBytes) std::size_t(size);
    std::memset(chunk + size, kGuardByte, capacity - size);
    Poison(chunk - kChunkHeadBytes, kChunkHeadBytes);
    Poison(chunk + size, capacity - size);
  }
  return chunk;
}

void* ContextAccess::AllocateOwnBlock(MemoryContext& context, std::size_t size) {
  const bool dressed = kChecked || !IsBump(context);
  const std::size_t capacity = RoundUp(size + kChunkTailBytes);
  Block* block = TakeBlock(context, sizeof(Block) + (dressed ? kChunkHeadBytes : 0) + capacity);
  if (!dressed) return block->first_byte();
  return Dress(context, block->first_byte() + kChunkHeadBytes, kOwnBlockTag, size, capacity);
}

/// Allocates a chunk of one of an AllocSet's size classes.
void* ContextAccess::AllocateChunk(MemoryContext& context, std::size_t size) {
  AllocSetContext& set = Set(context);
  const unsigned chunk_class = ChunkClass(std::max<std::size_t>(size + kChunkTailBytes, 1));
  const std::size_t capacity = ClassBytes(chunk_class);
  if (FreeChunk* chunk = set.free_chunks_[chunk_class]; chunk != nullptr) {
    Unpoison(chunk, sizeof(FreeChunk));
    set.free_chunks_[chunk_class] = chunk->next;
    return Dress(context, reinterpret_cast<std::byte*>(chunk), chunk_class, size, capacity);
  }
  const std::size_t needed = capacity + kChunkHeadBytes;
  if (needed > static_cast<std::size_t>(set.end_ - set.free_)) {
    // A chunk of more than a quarter of the largest block would leave too much of it unused.
    if (needed > context.block_sizes_.maximum / 4) return AllocateOwnBlock(context, size);
    StartBlock(context, needed);
  }
  std::byte* chunk = set.free_ + kChunkHeadBytes;
  set.free_ += needed;
  return Dress(context, chunk, chunk_class, size, capacity);
}

void* ContextAccess::AllocateBumped(MemoryContext& context, std::size_t size) {
  const std::size_t capacity = RoundUp(std::max<std::size_t>(size + kChunkTailBytes, 1));
  const std::size_t needed = capacity + (kChecked ? kChunkHeadBytes : 0);
  if (needed > static_cast<std::size_t>(EndPointer(context) - FreePointer(context))) {
    if (needed > context.next_block_ / 2) {
      // Starting a new block would abandon the rest of the current one for the sake of one large
      // chunk, so the chunk gets a block of its own. The next block is larger, so that a series of
      // such chunks soon shares blocks.
      void* chunk = AllocateOwnBlock(context, size);
      context.next_block_ = std::min(context.next_block_ * 2, context.block_sizes_.maximum);
      return chunk;
    }
    StartBlock(context, needed);
  }
  std::byte* start = std::exchange(FreePointer(context), FreePointer(context) + needed);
  if constexpr (!kChecked) return start;
  return Dress(context, start + kChunkHeadBytes, kBumpTag, size, capacity);
}

void* ContextAccess::AllocateUnwatched(MemoryContext& context, std::size_t size) {
  if (IsBump(context))
    return size > kMaxRequest ? AllocateOwnBlock(context, size) : AllocateBumped(context, size);
  return size > kMaxClassedChunk - kChunkTailBytes ? AllocateOwnBlock(context, size)
                                                   : AllocateChunk(context, size);
}

void* ContextAccess::Allocate(MemoryContext& context, std::size_t size) {
  if (IsWatched(context)) context.extra_->observer->OnAllocate(context, size);
  return AllocateUnwatched(context, size);
}

void ContextAccess::Free(MemoryContext& context, void* chunk) noexcept {
  if constexpr (kChecked) CheckChunk(context, chunk);
  ChunkHeader header = ReadHeader(chunk);
  if ((header & kKindMask) == kAlignedTag) {
    chunk = AlignedChunkBase(chunk, header);
    if constexpr (kChecked) CheckChunk(context, chunk);
    header = ReadHeader(chunk);
  }
  if ((header & kWatchedBit) != 0 && IsWatched(context))
    context.extra_->observer->OnFree(context, MemoryContext::Capacity(chunk));
  const ChunkHeader kind = header & kKindMask;
  if (kind == kOwnBlockTag) {
    Block* block = BlockOf(chunk);
    UnlinkBlock(context, block);
    SubtractReserved(context, block->bytes, 1);
    Unpoison(block, block->bytes);
    std::free(block);
    return;
  }
  RELCACHE_DCHECK(kind < kChunkClasses);
  const auto chunk_class = static_cast<unsigned>(kind);
  if constexpr (kChecked) Clobber(chunk, ClassBytes(chunk_class));
  Unpoison(HeaderOf(chunk), sizeof(ChunkHeader) + sizeof(FreeChunk));
  ::new (HeaderOf(chunk))
      ChunkHeader(AddressOf(context) | chunk_class | (kChecked ? kFreedBit : 0));
  Set(context).PutChunk(chunk, chunk_class);
  if constexpr (kChecked) Poison(HeaderOf(chunk), sizeof(ChunkHeader) + sizeof(FreeChunk));
}

/// Resizes a chunk that has a block of its own; realloc can often do that in place. The block is
/// unlinked meanwhile because its neighbours hold its address, which realloc may change.
void* ContextAccess::ResizeOwnBlock(MemoryContext& context, void* chunk, std::size_t size) {
  Block* block = BlockOf(chunk);
  const std::size_t capacity = RoundUp(std::max<std::size_t>(size + kChunkTailBytes, 1));
  const std::size_t old_bytes = block->bytes;
  const std::size_t bytes = sizeof(Block) + kChunkHeadBytes + capacity;
  if (bytes > old_bytes) CheckLimits(&context, bytes - old_bytes);
  if (IsWatched(context)) context.extra_->observer->OnAllocate(context, size);
  Unpoison(block, old_bytes);
  UnlinkBlock(context, block);
  auto* moved = static_cast<Block*>(std::realloc(block, bytes));
  LinkBlock(context, moved != nullptr ? moved : block);
  if (moved == nullptr) throw std::bad_alloc();
  moved->bytes = bytes;
  AddReserved(context, bytes, 0);
  SubtractReserved(context, old_bytes, 0);
  return Dress(context, moved->first_byte() + kChunkHeadBytes, kOwnBlockTag, size, capacity);
}

void* ContextAccess::Reallocate(MemoryContext& context, void* chunk, std::size_t size) {
  if constexpr (kChecked) CheckChunk(context, chunk);
  const ChunkHeader header = ReadHeader(chunk);
  const ChunkHeader kind = header & kKindMask;
  if (kind == kOwnBlockTag) return ResizeOwnBlock(context, chunk, size);
  if (kind < kChunkClasses) {
    const std::size_t capacity = ClassBytes(static_cast<unsigned>(kind));
    if (size + kChunkTailBytes <= capacity) {
      if constexpr (kChecked) {
        Dress(context, static_cast<std::byte*>(chunk), header & (kKindMask | kWatchedBit), size,
              capacity);
      }
      return chunk;
    }
  }
  void* moved = kind == kAlignedTag
                    ? context.Allocate(size, std::size_t{1} << ((header >> 8) & 0xff))
                    : Allocate(context, size);
  std::memcpy(moved, chunk, std::min(MemoryContext::Capacity(chunk), size));
  Free(context, chunk);
  return moved;
}

}  // namespace internal

using internal::ContextAccess;

// --- MemoryContext's part ------------------------------------------------------------------------

void* MemoryContext::AllocateSlow(std::size_t size) {
  if (size > kMaxRequest) throw InvalidRequestSize();
  return ContextAccess::Allocate(*this, size);
}

void* MemoryContext::AllocateHuge(std::size_t size) {
  if (size <= kMaxRequest) return Allocate(size);
  if (size > kMaxHugeRequest) throw InvalidRequestSize();
  return ContextAccess::Allocate(*this, size);
}

void* MemoryContext::AllocateZeroed(std::size_t size) {
  return std::memset(Allocate(size), 0, size);
}

void* MemoryContext::TryAllocate(std::size_t size) {
  try {
    return AllocateHuge(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void* MemoryContext::Allocate(std::size_t size, std::size_t alignment) {
  RELCACHE_CHECK(std::has_single_bit(alignment));
  if (alignment <= internal::kChunkAlignment) return Allocate(size);
  if (size > kMaxRequest || alignment > kMaxRequest - size) throw InvalidRequestSize();
  if (!internal::kChecked && ContextAccess::IsBump(*this)) {
    // Enough for any multiple of 8 at which the chunk may start.
    size = std::max<std::size_t>(size, 1);
    const std::size_t bytes = size + alignment - internal::kChunkAlignment;
    auto* chunk = static_cast<std::byte*>(Allocate(bytes));
    std::byte* aligned = chunk + (-reinterpret_cast<std::uintptr_t>(chunk) & (alignment - 1));
    // Gives the bytes behind the aligned part back, unless the chunk got a block of its own.
    std::byte*& free = ContextAccess::FreePointer(*this);
    if (chunk + internal::RoundUp(bytes) == free) free = aligned + internal::RoundUp(size);
    return aligned;
  }
  // The word before the aligned address leads back to the start of the chunk.
  auto* chunk = static_cast<std::byte*>(Allocate(size + alignment));
  const std::size_t distance =
      alignment - (reinterpret_cast<std::uintptr_t>(chunk) & (alignment - 1));
  std::byte* aligned = chunk + distance;
  ::new (internal::HeaderOf(aligned)) internal::ChunkHeader(
      distance << 16 | static_cast<unsigned>(std::countr_zero(alignment)) << 8 |
      internal::kAlignedTag);
  internal::Poison(chunk, distance);
  return aligned;
}

std::string_view MemoryContext::CopyString(std::string_view text) {
  if (text.size() >= kMaxRequest) throw InvalidRequestSize();
  char* copy = static_cast<char*>(Allocate(text.size() + 1));
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return {copy, text.size()};
}

void MemoryContext::FreeSlow(void* chunk) noexcept {
  ContextAccess::Free(*this, chunk);
}

void* MemoryContext::Reallocate(void* chunk, std::size_t size) {
  if (size > kMaxRequest) throw InvalidRequestSize();
  return ContextAccess::Reallocate(*this, chunk, size);
}

void* MemoryContext::ReallocateHuge(void* chunk, std::size_t size) {
  if (size > kMaxHugeRequest) throw InvalidRequestSize();
  return ContextAccess::Reallocate(*this, chunk, size);
}

void* MemoryContext::Grow(void* chunk, std::size_t old_size, std::size_t new_size) {
  if (!ContextAccess::IsBump(*this)) return Reallocate(chunk, new_size);
  if (!internal::kChecked && mode_ != Mode::kWatched) {
    const std::size_t old_bytes = internal::RoundUp(std::max<std::size_t>(old_size, 1));
    if (new_size <= old_bytes) return chunk;
    if (static_cast<std::byte*>(chunk) + old_bytes == bump_free_ &&
        new_size - old_bytes <= static_cast<std::size_t>(bump_end_ - bump_free_)) {
      bump_free_ += internal::RoundUp(new_size - old_bytes);
      return chunk;
    }
  }
  void* moved = Allocate(new_size);
  std::memcpy(moved, chunk, std::min(old_size, new_size));
  return moved;
}

MemoryContext& MemoryContext::Of(const void* chunk) noexcept {
  internal::ChunkHeader header = internal::ReadHeader(chunk);
  if ((header & internal::kKindMask) == internal::kAlignedTag)
    header = internal::ReadHeader(static_cast<const std::byte*>(chunk) - (header >> 16));
  return *reinterpret_cast<MemoryContext*>(header & ~internal::kTagMask);
}

std::size_t MemoryContext::Space(const void* chunk) noexcept {
  const internal::ChunkHeader header = internal::ReadHeader(chunk);
  const internal::ChunkHeader kind = header & internal::kKindMask;
  if (kind == internal::kAlignedTag)
    return Space(static_cast<const std::byte*>(chunk) - (header >> 16));
  if (kind == internal::kOwnBlockTag) return internal::BlockOf(chunk)->bytes;
  return internal::ClassBytes(static_cast<unsigned>(kind)) + internal::kChunkHeadBytes;
}

std::size_t MemoryContext::Capacity(const void* chunk) noexcept {
  const internal::ChunkHeader header = internal::ReadHeader(chunk);
  const internal::ChunkHeader kind = header & internal::kKindMask;
  if (kind == internal::kAlignedTag) {
    const std::size_t distance = header >> 16;
    return Capacity(static_cast<const std::byte*>(chunk) - distance) - distance;
  }
  // In checked builds the bytes between the requested size and the end of the chunk are guard
  // bytes.
  if constexpr (internal::kChecked) return internal::RequestedSize(chunk);
  if (kind == internal::kOwnBlockTag) {
    const internal::Block* block = internal::BlockOf(chunk);
    return block->bytes - sizeof(internal::Block) - internal::kChunkHeadBytes;
  }
  return internal::ClassBytes(static_cast<unsigned>(kind));
}

}  // namespace relcache
