#include "relcache/executor/rows/internal/row_store.h"

#include <algorithm>

#include "relcache/executor/rows/internal/huge_pages.h"

namespace relcache {
namespace {

constexpr std::size_t kSmallestChunk = std::size_t{32} << 10;
// A row longer than this part of a chunk gets a chunk of its own, so that the unused end of a chunk
// remains small.
constexpr std::size_t kLongRowPart = 4;
// The most that the memory context adds to a chunk: the head of a block, and the alignment. What it
// adds to a given chunk depends on the free end of the block that it has.
constexpr std::size_t kChunkOverhead = 192;

}  // namespace

RowStore::RowStore(const RowLayout& layout, const Options& options, MemoryContext& parent)
    : layout_(layout), options_(options), cx_(AllocSet::Create("rows", parent, kSmallBlocks)) {}

std::size_t RowStore::NextChunkBytes(std::size_t reserved) const {
  const std::size_t smallest = std::min(kSmallestChunk, options_.max_chunk_bytes);
  return std::clamp(reserved / 4 & ~(kSmallestChunk - 1), smallest, options_.max_chunk_bytes);
}

// Goes through the same steps as Allocate. The two must agree, because the caller relies on the
// result to stay within its limit.
std::size_t RowStore::BytesToGrow(std::span<const std::uint32_t> sizes) const {
  std::size_t free = last_ == nullptr ? 0 : last_->capacity - last_->used;
  std::size_t grown = 0;
  for (const std::size_t size : sizes) {
    if (size <= free) {
      free -= size;
      continue;
    }
    const std::size_t chunk = NextChunkBytes(bytes_reserved() + grown);
    if (size > (chunk - sizeof(Chunk)) / kLongRowPart) {
      grown += sizeof(Chunk) + size + kChunkOverhead;
    } else {
      grown += chunk + kChunkOverhead;
      free = chunk - sizeof(Chunk) - size;
    }
  }
  return grown;
}

RowStore::Chunk* RowStore::NewChunk(std::size_t data_bytes) {
  const std::size_t bytes = sizeof(Chunk) + data_bytes;
  if (bytes > kMaxRequest - alignof(Chunk)) throw InvalidRequestSize();
  Chunk* chunk = ::new (cx_.Allocate(bytes, alignof(Chunk))) Chunk;
  if (options_.huge_pages) AdviseHugePages(chunk, bytes);
  chunk->next = nullptr;
  chunk->capacity = data_bytes;
  chunk->used = 0;
  return chunk;
}

void RowStore::FreeChunk(Chunk* chunk) {
  cx_.Free(chunk);
}

void RowStore::Allocate(std::span<const std::uint32_t> sizes, StoredRow** rows) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t size = sizes[i];
    if (last_ == nullptr || last_->capacity - last_->used < size) [[unlikely]] {
      const std::size_t chunk_bytes = NextChunkBytes(bytes_reserved()) - sizeof(Chunk);
      if (size > chunk_bytes / kLongRowPart) {
        Chunk* chunk = NewChunk(size);
        chunk->used = size;
        (big_ == nullptr ? big_ : big_last_->next) = chunk;
        big_last_ = chunk;
        rows[i] = reinterpret_cast<StoredRow*>(chunk->data());
        ++rows_;
        row_bytes_ += size;
        continue;
      }
      Chunk* chunk = NewChunk(chunk_bytes);
      (first_ == nullptr ? first_ : last_->next) = chunk;
      last_ = chunk;
    }
    rows[i] = reinterpret_cast<StoredRow*>(last_->data() + last_->used);
    last_->used += size;
    ++rows_;
    row_bytes_ += size;
  }
}

std::size_t RowStore::Next(Cursor& cursor, std::span<StoredRow*> rows) const {
  if (!cursor.started) {
    cursor.started = true;
    cursor.chunk = first_;
  }
  std::size_t n = 0;
  while (n < rows.size()) {
    Chunk* chunk = static_cast<Chunk*>(cursor.chunk);
    if (chunk == nullptr) {
      if (cursor.long_rows) break;
      cursor.long_rows = true;
      cursor.chunk = big_;
      cursor.at = 0;
    } else if (cursor.at == chunk->used) {
      cursor.chunk = chunk->next;
      cursor.at = 0;
    } else {
      rows[n] = reinterpret_cast<StoredRow*>(chunk->data() + cursor.at);
      cursor.at += layout_.SizeOf(rows[n++]);
    }
  }
  return n;
}

void RowStore::RetainLong(bool (*keep)(void*, StoredRow*), void* argument) {
  Chunk* kept = nullptr;
  Chunk* kept_last = nullptr;
  while (Chunk* chunk = big_) {
    big_ = chunk->next;
    chunk->next = nullptr;
    if (keep(argument, reinterpret_cast<StoredRow*>(chunk->data()))) {
      (kept == nullptr ? kept : kept_last->next) = chunk;
      kept_last = chunk;
    } else {
      --rows_;
      row_bytes_ -= chunk->used;
      FreeChunk(chunk);
    }
  }
  big_ = kept;
  big_last_ = kept_last;
}

void RowStore::Clear() {
  cx_.Reset();
  first_ = last_ = big_ = big_last_ = nullptr;
  rows_ = 0;
  row_bytes_ = 0;
}

}  // namespace relcache
