#include "relcache/nodes/internal/tree_arena.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>
#include <vector>

#include "relcache/memory/align.h"
#include "relcache/nodes/tree_image.h"

namespace relcache {

void TreeArena::Grow(std::size_t bytes) {
  RELCACHE_CHECK_LT(pieces_, kMaxPieces);
  ScratchBlock& block = blocks_.emplace_back(std::max(AlignUp(bytes, 8), words_ * 8));
  const std::size_t words = words_ + block.size() / 8;
  ScratchBlock slots(words * sizeof(char*));
  const std::size_t used = static_cast<std::size_t>(slots_ - all_slots_);
  std::memcpy(slots.data(), all_slots_, used * sizeof(char*));
  slot_block_ = std::move(slots);
  all_slots_ = reinterpret_cast<char**>(slot_block_.data());
  slots_ = all_slots_ + used;
  words_ = words;
  Piece& last = piece_[pieces_ - 1];
  last.used = static_cast<std::size_t>(free_ - last.begin);
  free_ = block.data();
  end_ = free_ + block.size() / 8 * 8;
  piece_[pieces_++] = {free_, 0, 0};
}

// Closes the last piece and returns the bytes of the whole tree.
std::size_t TreeArena::Close() {
  Piece& last = piece_[pieces_ - 1];
  last.used = static_cast<std::size_t>(free_ - last.begin);
  std::size_t bytes = 0;
  for (int i = 0; i < pieces_; ++i) bytes += piece_[i].used;
  return bytes;
}

inline char* TreeArena::Moved(const char* p) const {
  for (int i = pieces_ - 1;; --i) {
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    if (i == 0 || address - reinterpret_cast<std::uintptr_t>(piece_[i].begin) < piece_[i].used)
      return reinterpret_cast<char*>(address + piece_[i].moved);
  }
}

// Copies the pieces one after the other and makes the pointers in the copy refer to the copy.
void TreeArena::MoveTo(char* place) {
  for (int i = 0; i < pieces_; ++i) {
    Piece& piece = piece_[i];
    piece.moved =
        reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(piece.begin);
    if (piece.used != 0) std::memcpy(place, piece.begin, piece.used);
    place += piece.used;
  }
  const auto move = [this](auto moved) {
    for (char** s = all_slots_; s != slots_; ++s) {
      const char* target;
      std::memcpy(&target, *s, sizeof target);
      target = moved(target);
      std::memcpy(moved(*s), &target, sizeof target);
    }
  };
  int one = -1;  // the usual case: all of it in one piece
  for (int i = 0; i < pieces_; ++i)
    if (piece_[i].used != 0) one = one == -1 ? i : -2;
  if (one >= 0)
    move([moved = piece_[one].moved](const char* p) {
      return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(p) + moved);
    });
  else
    move([this](const char* p) { return Moved(p); });
}

Node* TreeArena::Finish(const Node* root, MemoryContext& cx) {
  if (root == nullptr) return nullptr;
  const std::size_t bytes = Close();
  MoveTo(static_cast<char*>(bytes > kMaxRequest ? cx.AllocateHuge(bytes) : cx.Allocate(bytes)));
  return reinterpret_cast<Node*>(Moved(reinterpret_cast<const char*>(root)));
}

const TreeImage* TreeArena::FinishImage(const Node* root, int pg_version, MemoryContext& cx) {
  const std::size_t bytes = Close();
  // Collects the pointers in the order of their addresses and encodes them as distances. A bitmap
  // sorts them, since they were recorded in the order in which they were stored.
  std::vector<std::uint64_t> bits((bytes / 8 + 63) / 64);
  std::size_t base[kMaxPieces]{};
  for (int i = 1; i < pieces_; ++i) base[i] = base[i - 1] + piece_[i - 1].used;
  for (char** s = all_slots_; s != slots_; ++s) {
    int i = pieces_ - 1;
    while (i > 0 && reinterpret_cast<std::uintptr_t>(*s) -
                            reinterpret_cast<std::uintptr_t>(piece_[i].begin) >=
                        piece_[i].used)
      --i;
    const std::size_t word = (base[i] + static_cast<std::size_t>(*s - piece_[i].begin)) / 8;
    bits[word / 64] |= std::uint64_t{1} << (word % 64);
  }
  std::vector<std::uint8_t> map;
  map.reserve(static_cast<std::size_t>(slots_ - all_slots_) + bytes / 8 / TreeImage::kSkip);
  std::size_t at = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    for (std::uint64_t rest = bits[i]; rest != 0; rest &= rest - 1) {
      std::size_t gap = i * 64 + static_cast<std::size_t>(std::countr_zero(rest)) - at;
      at += gap;
      for (; gap >= TreeImage::kSkip; gap -= TreeImage::kSkip) map.push_back(TreeImage::kSkip);
      map.push_back(static_cast<std::uint8_t>(gap));
    }
  }

  const std::size_t all = sizeof(TreeImage) + bytes + map.size();
  char* place = static_cast<char*>(all > kMaxRequest ? cx.AllocateHuge(all) : cx.Allocate(all));
  TreeImage* image = ::new (place) TreeImage;
  MoveTo(place + sizeof(TreeImage));
  if (!map.empty()) std::memcpy(place + sizeof(TreeImage) + bytes, map.data(), map.size());
  if (root != nullptr)
    image->root_ = reinterpret_cast<const Node*>(Moved(reinterpret_cast<const char*>(root)));
  image->tree_bytes_ = bytes;
  image->map_bytes_ = static_cast<std::uint32_t>(map.size());
  image->pg_version_ = pg_version;
  return image;
}

}  // namespace relcache
