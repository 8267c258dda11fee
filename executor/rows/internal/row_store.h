// Many stored rows in dense chunks (the chunks of PostgreSQL's HashMemoryChunk).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "relcache/executor/rows/internal/row_layout.h"

namespace relcache {

/// Rows one after the other in chunks that grow with their number, in a context of their own.
/// Lifetime: the rows stay where they are until Retain, Clear or the end. Thread safety: one thread
/// at a time. Errors: std::bad_alloc, after which the store can only be destroyed or cleared.
class RowStore {
 public:
  struct Options {
    /// The largest chunk: what the store may stay above the rows' true size.
    std::size_t max_chunk_bytes = std::size_t{8} << 20;
    /// Ask for huge pages under the large chunks: fewer page faults, fewer misses of the TLB.
    bool huge_pages = true;
  };

  /// The chunks come from a child of `parent`, which must outlive the store.
  RowStore(const RowLayout& layout, const Options& options, MemoryContext& parent);

  /// Room for rows of these sizes, uninitialized: they must be written before anything else is
  /// asked of the store.
  void Allocate(std::span<const std::uint32_t> sizes, StoredRow** rows);

  std::size_t rows() const { return rows_; }
  /// Bytes of the rows themselves.
  std::size_t row_bytes() const { return row_bytes_; }
  /// Bytes of the context: chunks with what is free in them.
  std::size_t bytes_reserved() const { return cx_.bytes_reserved(); }
  /// The bytes that rows of these sizes will add to the context, at the most.
  std::size_t BytesToGrow(std::span<const std::uint32_t> sizes) const;

  /// Calls f(StoredRow*) for every row, in the order they came (long rows last).
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

  /// Walks the rows in the order of ForEach, some at a time.
  struct Cursor {
    void* chunk = nullptr;
    std::size_t at = 0;
    bool long_rows = false;
    bool started = false;
  };
  /// Fills `rows` with the next ones; their number, 0 at the end.
  std::size_t Next(Cursor& cursor, std::span<StoredRow*> rows) const;

  /// Keeps the rows for which keep(StoredRow*) is true and closes the gaps, in place; chunks that
  /// fall empty go back to the system. Rows move.
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
  Chunk* big_ = nullptr;  ///< one long row each
  Chunk* big_last_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t row_bytes_ = 0;
};

template <class Keep>
void RowStore::Retain(Keep keep) {
  // Rows only move towards the front: each was put behind its forerunners by the same rule.
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
