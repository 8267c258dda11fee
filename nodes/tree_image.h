// A tree in one piece, with a list of where its pointers stand, so that a copy is one memory copy
// and a walk over that list. This is what a cache keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/memory/memory_context.h"
#include "relcache/nodes/node.h"
#include "relcache/nodes/tree_options.h"

namespace relcache {

/// A tree of a known version. Nothing in it is ever written after it was made: it may lie on pages
/// that the process cannot write.
/// Lifetime: one allocation in the context it was made in. Thread safety: any number of readers.
class TreeImage {
 public:
  /// The tree; null for <>.
  const Node* root() const { return root_; }
  /// Whose text it was: some numbers mean other things in other versions.
  int pg_version() const { return pg_version_; }
  /// Of the tree itself.
  std::size_t tree_bytes() const { return tree_bytes_; }
  /// Of everything: this head, the tree, the list of pointers.
  std::size_t bytes() const { return sizeof(TreeImage) + tree_bytes_ + map_bytes_; }

 private:
  friend class TreeArena;
  friend Node* CopyTree(const TreeImage& image, MemoryContext& cx);
  friend const TreeImage* CopyImage(const TreeImage& image, MemoryContext& cx);
  TreeImage() = default;

  const std::byte* tree() const { return reinterpret_cast<const std::byte*>(this + 1); }
  /// Distances from one pointer to the next in words; kSkip is that many words and no pointer.
  std::span<const std::uint8_t> map() const {
    return {reinterpret_cast<const std::uint8_t*>(tree() + tree_bytes_), map_bytes_};
  }
  static constexpr std::uint8_t kSkip = 255;
  /// Adds `moved` to every pointer of a copy of the tree that begins at `to`.
  void MovePointers(char* to, std::uintptr_t moved) const;

  const Node* root_ = nullptr;
  std::size_t tree_bytes_ = 0;
  std::uint32_t map_bytes_ = 0;
  std::int32_t pg_version_ = kDefaultPgVersion;
};

/// The text as an image; see StringToNode. An image of <> has no root.
Result<const TreeImage*> ReadTreeImage(std::string_view text, const TreeOptions& options,
                                       MemoryContext& cx);

/// An image of a copy of a tree.
const TreeImage* MakeTreeImage(const Node* tree, int pg_version, MemoryContext& cx);

/// The same image in another context, in as many bytes as bytes() says.
/// Lifetime and cost: as of CopyTree.
const TreeImage* CopyImage(const TreeImage& image, MemoryContext& cx);

/// A tree of one's own that shares no byte with the image; null for an image of <>.
/// Lifetime: one allocation in cx. Cost: a memory copy and one addition per pointer.
[[nodiscard]] Node* CopyTree(const TreeImage& image, MemoryContext& cx);

}  // namespace relcache
