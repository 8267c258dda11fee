// The memory in which a tree is built before its size is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "relcache/memory/align.h"
#include "relcache/memory/memory_context.h"
#include "relcache/nodes/internal/scratch.h"
#include "relcache/nodes/internal/wire.h"
#include "relcache/nodes/node.h"

namespace relcache {

class TreeImage;

/// Temporary memory in which the reader, the copier and the mutator assemble a tree, with a record
/// of every pointer from one part of it to another. Finish moves everything into a single
/// allocation in a context, of exactly the size of the tree. If Finish is not called, nothing
/// remains.
/// Invariant: a pointer that was stored with Point leads into the arena, and no other pointer does.
/// Cost: allocating moves a pointer; Finish takes a memory copy and one addition per pointer.
class TreeArena {
 public:
  /// `expected` bytes can be allocated without growing.
  explicit TreeArena(std::size_t expected = 0) {
    piece_[0] = {first_bytes_, 0, 0};
    if (expected > sizeof first_bytes_) [[unlikely]]
      Grow(expected);
  }
  ~TreeArena() = default;
  TreeArena(const TreeArena&) = delete;
  TreeArena& operator=(const TreeArena&) = delete;

  /// Allocates uninitialized bytes, aligned to 8.
  [[gnu::always_inline]] char* Allocate(std::size_t bytes) {
    bytes = AlignUp(bytes, 8);
    if (bytes > static_cast<std::size_t>(end_ - free_)) [[unlikely]]
      Grow(bytes);
    char* place = free_;
    free_ += bytes;
    return place;
  }

  /// Stores the pointer `target` at `slot`; both are in this arena.
  [[gnu::always_inline]] void Point(void* slot, const void* target) {
    std::memcpy(slot, &target, sizeof target);
    *slots_++ = static_cast<char*>(slot);
  }

  /// A copy of the text with a NUL after it.
  char* CopyString(std::string_view text) {
    const std::size_t room = AlignUp(text.size() + 1, 8);
    char* copy = Allocate(room);
    std::memset(copy + room - 8, 0, 8);
    wire::CopyShort(copy, text.data(), text.size());
    return copy;
  }

  /// Moves everything into cx and returns the new address of the root. To be called once, at the
  /// end.
  Node* Finish(const Node* root, MemoryContext& cx);
  /// The same, as a TreeImage.
  const TreeImage* FinishImage(const Node* root, int pg_version, MemoryContext& cx);

 private:
  struct Piece {
    char* begin;
    std::size_t used;
    std::uintptr_t moved;  // what to add to a pointer into it
  };
  static constexpr std::size_t kFirstBytes = 8 << 10;
  static constexpr int kMaxPieces = 48;  // each is as large as all before it, or larger

  [[gnu::cold]] void Grow(std::size_t bytes);
  std::size_t Close();
  void MoveTo(char* place);
  char* Moved(const char* p) const;

  char* free_ = first_bytes_;
  char* end_ = first_bytes_ + sizeof first_bytes_;
  // As many as there are words in the pieces, so that Point need not check for room.
  char** slots_ = first_slots_;
  char** all_slots_ = first_slots_;
  std::size_t words_ = kFirstBytes / 8;
  int pieces_ = 1;
  Piece piece_[kMaxPieces];  // pieces_ of them
  std::vector<ScratchBlock> blocks_;
  ScratchBlock slot_block_;
  alignas(8) char first_bytes_[kFirstBytes];
  char* first_slots_[kFirstBytes / 8];
};

}  // namespace relcache
