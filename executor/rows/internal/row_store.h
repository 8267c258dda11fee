// Many stored rows, densely packed in chunks (PostgreSQL's HashMemoryChunk).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "relcache/executor/rows/internal/row_layout.h"

namespace relcache {

/// A word with the address of a row in its low 48 bits, which is as much as an address has on the
/// supported machines, and a tag in the 16 bits above, whose meaning each table defines.
inline constexpr std::uint64_t kRowAddressBits = (std::uint64_t{1} << 48) - 1;
inline std::uint64_t TagRow(const StoredRow* row, std::uint64_t tag) {
  return reinterpret_cast<std::uintptr_t>(row) | tag;
}
inline StoredRow* TaggedRow(std::uint64_t word) {
  return reinterpret_cast<StoredRow*>(static_cast<std::uintptr_t>(word & kRowAddressBits));
}

/// Rows one after the other in chunks whose size grows with the number of rows, in a memory context
/// of their own.
/// Lifetime: a row keeps its address until Retain, Clear or the end of the store.
/// Thread safety: one thread at a time.
/// Errors: std::bad_alloc; after it the store can only be cleared or destroyed.
class RowStore {
 public:
  struct Options {
    /// The size of the largest chunk, which is how much the store may exceed the size of its rows.
    std::size_t max_chunk_bytes = std::size_t{8} << 20;
    /// Whether to ask for huge pages for large chunks, which means fewer page faults and TLB
    /// misses.
    bool huge_pages = true;
  };
  /// The largest chunk for a store that shares `limit` bytes with others: a part so small that what
  /// is free in it counts little, and not above `most`.
  static constexpr std::size_t LargestChunkFor(std::size_t limit, std::size_t most) {
    return std::clamp(std::bit_floor(limit / 16), std::size_t{4} << 10, most);
  }

  /// The chunks are allocated in a child of `parent`, which must outlive the store.
  RowStore(const RowLayout& layout, const Options& options, MemoryContext& parent);

  /// Allocates rows of these sizes. They are uninitialized and must be written before any other
  /// call.
  void Allocate(std::span<const std::uint32_t> sizes, StoredRow** rows);

  std::size_t rows() const { return rows_; }
  /// The bytes of the rows themselves.
  std::size_t row_bytes() const { return row_bytes_; }
  /// The bytes of the context, including the free parts of chunks.
  std::size_t bytes_reserved() const { return cx_.bytes_reserved(); }
  /// The most bytes that rows of these sizes can add to the context.
  std::size_t BytesToGrow(std::span<const std::uint32_t> sizes) const;

  /// Calls f(StoredRow*) for every row in the order of allocation, with long rows at the end.
  template <class F>
  void ForEach(F f) const {
    for (Chunk* list : {first_, big_}) {
      for (Chunk* chunk = list; chunk != nullptr; chunk = chunk->next) {
        char* end = chunk->data() + chunk->used;
        for (char* p = chunk->data(); p < end;) {
          StoredRow* row = reinterpret_cast<StoredRow*>(p);
          p += layout_.SizeOf(row);
          f(row);
        }
      }
    }
  }

  /// A position in the order of ForEach.
  struct Cursor {
    void* chunk = nullptr;
    std::size_t at = 0;
    bool long_rows = false;
    bool started = false;
  };
  /// Fills `rows` with the next rows and returns their number, 0 at the end.
  std::size_t Next(Cursor& cursor, std::span<StoredRow*> rows) const;

  /// Keeps the rows for which keep(StoredRow*) is true and moves them together. Chunks that become
  /// empty are freed. Rows change their addresses.
  template <class Keep>
  void Retain(Keep keep);

  void Clear();

 private:
  struct alignas(64) Chunk {
    Chunk* next;
    std::size_t capacity;
    std::size_t used;
    char* data() { return reinterpret_cast<char*>(this + 1); }
  };
  Chunk* NewChunk(std::size_t data_bytes);
  void FreeChunk(Chunk* chunk);
  std::size_t NextChunkBytes(std::size_t reserved) const;
  void RetainLong(bool (*keep)(void*, StoredRow*), void* argument);

  const RowLayout& layout_;
  Options options_;
  MemoryContext& cx_;
  Chunk* first_ = nullptr;
  Chunk* last_ = nullptr;
  Chunk* big_ = nullptr;  ///< chunks with one long row each
  Chunk* big_last_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t row_bytes_ = 0;
};

template <class Keep>
void RowStore::Retain(Keep keep) {
  // Rows move only towards the front, so a row never overwrites one that has not been visited: the
  // same rule placed them.
  Chunk* target = first_;
  std::size_t target_used = 0;
  for (Chunk* chunk = first_; chunk != nullptr; chunk = chunk->next) {
    const std::size_t used = chunk->used;
    for (std::size_t at = 0; at < used;) {
      StoredRow* row = reinterpret_cast<StoredRow*>(chunk->data() + at);
      const std::size_t size = layout_.SizeOf(row);
      at += size;
      if (!keep(row)) {
        --rows_;
        row_bytes_ -= size;
        continue;
      }
      while (target->capacity - target_used < size) {
        target->used = target_used;
        target = target->next;
        target_used = 0;
      }
      std::memmove(target->data() + target_used, row, size);
      target_used += size;
    }
  }
  if (target != nullptr) {
    target->used = target_used;
    last_ = target;
    while (Chunk* chunk = target->next) {
      target->next = chunk->next;
      FreeChunk(chunk);
    }
  }
  RetainLong([](void* f, StoredRow* row) { return (*static_cast<Keep*>(f))(row); }, &keep);
}

}  // namespace relcache
