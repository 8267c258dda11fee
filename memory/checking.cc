// The checks of checked builds: damaged guard bytes, chunks that are freed twice or through the
// wrong context.
#include "relcache/memory/internal/chunk.h"

namespace relcache::internal {
namespace {

[[noreturn, gnu::cold]] void Damaged(const MemoryContext& context, const void* chunk,
                                     const char* what) {
  std::ostringstream text;
  text << "context \"" << context.name() << "\", chunk " << chunk << ": " << what;
  CheckFailed(__FILE__, __LINE__, "memory context is intact", text.str());
}

/// Verifies that the guard bytes between the requested size and the end of the chunk are unchanged.
void CheckGuard(const MemoryContext& context, const std::byte* chunk, std::size_t capacity) {
  const std::size_t size = RequestedSize(chunk);
  if (size > capacity - kChunkTailBytes) Damaged(context, chunk, "write before its start");
  Unpoison(chunk + size, capacity - size);
  for (std::size_t i = size; i < capacity; ++i) {
    if (chunk[i] != std::byte{kGuardByte}) Damaged(context, chunk, "write past its end");
  }
  Poison(chunk + size, capacity - size);
}

}  // namespace

/// Called before a chunk is freed or resized through `context`.
void ContextAccess::CheckChunk(const MemoryContext& context, const void* pointer) noexcept {
  if (IsBump(context)) Damaged(context, pointer, "a Bump context cannot free single chunks");
  const auto* chunk = static_cast<const std::byte*>(pointer);
  ChunkHeader header = ReadHeader(chunk);
  if ((header & kKindMask) == kAlignedTag) {
    chunk -= header >> 16;
    header = ReadHeader(chunk);
  }
  if ((header & ~kTagMask) != reinterpret_cast<std::uintptr_t>(&context))
    Damaged(context, chunk, "belongs to another context, or its header is damaged");
  if ((header & kFreedBit) != 0) Damaged(context, chunk, "freed twice");
  const ChunkHeader kind = header & kKindMask;
  if (kind == kOwnBlockTag) {
    const auto* block = reinterpret_cast<const Block*>(chunk - kChunkHeadBytes) - 1;
    CheckGuard(context, chunk, block->bytes - sizeof(Block) - kChunkHeadBytes);
  } else if (kind < kChunkClasses) {
    CheckGuard(context, chunk, kChunkAlignment << kind);
  } else {
    Damaged(context, chunk, "its header is damaged");
  }
}

/// Verifies the header and the guard bytes of each chunk between `at` and `end`.
void ContextAccess::CheckChunks(const MemoryContext& context, const std::byte* at,
                                const std::byte* end) noexcept {
  while (static_cast<std::size_t>(end - at) >= kChunkHeadBytes + kChunkAlignment) {
    const std::byte* chunk = at + kChunkHeadBytes;
    const ChunkHeader header = ReadHeader(chunk);
    if (header == 0) return;
    if ((header & ~kTagMask) != reinterpret_cast<std::uintptr_t>(&context))
      Damaged(context, chunk, "its header is damaged");
    const ChunkHeader kind = header & kKindMask;
    std::size_t capacity;
    if (kind < kChunkClasses) {
      capacity = kChunkAlignment << kind;
    } else if (kind == kOwnBlockTag) {
      capacity = static_cast<std::size_t>(end - chunk);
    } else if (kind == kBumpTag) {
      capacity = RoundUp(RequestedSize(chunk) + kChunkTailBytes);
    } else {
      Damaged(context, chunk, "its header is damaged");
    }
    if (capacity > static_cast<std::size_t>(end - chunk))
      Damaged(context, chunk, "its header is damaged");
    if ((header & kFreedBit) == 0) CheckGuard(context, chunk, capacity);
    at = chunk + capacity;
  }
}

void ContextAccess::CheckContext(const MemoryContext& context) noexcept {
  const std::byte* const free = !IsBump(context)
                                    ? static_cast<const AllocSetContext&>(context).free_
                                : IsWatched(context) ? context.extra_->bump_free
                                                     : context.bump_free_;
  const auto check = [&](const std::byte* start, const std::byte* end) {
    if constexpr (kChecked) CheckChunks(context, start, start <= free && free <= end ? free : end);
  };
  const auto* head = reinterpret_cast<const std::byte*>(&context);
  std::size_t bytes = context.block_sizes_.initial;
  std::uint32_t count = 1;
  check(FirstByte(context), head + bytes);
  for (const Block* block = context.blocks_; block != nullptr; block = block->next) {
    if (block->next != nullptr) RELCACHE_CHECK_EQ(block->next->previous, block);
    bytes += block->bytes;
    ++count;
    check(block->first_byte(), block->end());
  }
  RELCACHE_CHECK_EQ(bytes, context.reserved_);
  RELCACHE_CHECK_EQ(count, context.block_count_);
}

}  // namespace relcache::internal
