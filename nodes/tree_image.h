// TreeImage is a node tree in one piece of memory together with a list of the places of its
// pointers. Copying it takes one memory copy and an addition for each pointer. The cache keeps
// trees in this form. PostgreSQL has nothing comparable.
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

/// A tree of a known version. It is never changed after it was made, and may lie on pages that the
/// process cannot write.
/// Lifetime: one allocation in the context in which it was made.
/// Thread safety: any number of readers.
class TreeImage {
 public:
  /// The tree; null if the text was <>.
  const Node* root() const { return root_; }
  /// The major version of the server that wrote the text. Some numbers in a tree have different
  /// meanings in different versions.
  int pg_version() const { return pg_version_; }
  /// The bytes of the tree itself.
  std::size_t tree_bytes() const { return tree_bytes_; }
  /// The bytes of everything: this head, the tree and the list of pointers.
  std::size_t bytes() const { return sizeof(TreeImage) + tree_bytes_ + map_bytes_; }

 private:
  friend class TreeArena;
  friend Node* CopyTree(const TreeImage& image, MemoryContext& cx);
  friend const TreeImage* CopyImage(const TreeImage& image, MemoryContext& cx);
  TreeImage() = default;

  const std::byte* tree() const { return reinterpret_cast<const std::byte*>(this + 1); }
  /// The distances from one pointer to the next, in words. kSkip is a distance of that many words
  /// without a pointer at its end.
  std::span<const std::uint8_t> map() const {
    return {reinterpret_cast<const std::uint8_t*>(tree() + tree_bytes_), map_bytes_};
  }
  static constexpr std::uint8_t kSkip = 255;
  /// Adds `moved` to every pointer in a copy of the tree that begins at `to`.
  void MovePointers(char* to, std::uintptr_t moved) const;

  const Node* root_ = nullptr;
  std::size_t tree_bytes_ = 0;
  std::uint32_t map_bytes_ = 0;
  std::int32_t pg_version_ = kDefaultPgVersion;
};

/// Reads a text into an image. The image of <> has no root.
/// Lifetime: one allocation in cx. The image does not point into the text.
/// Errors: as StringToNode.
Result<const TreeImage*> ReadTreeImage(std::string_view text, const TreeOptions& options,
                                       MemoryContext& cx);

/// Makes an image from a copy of a tree. `pg_version` is the major version that the tree has.
/// Lifetime: one allocation in cx; the image shares no memory with the tree.
const TreeImage* MakeTreeImage(const Node* tree, int pg_version, MemoryContext& cx);

/// A copy of the image in another context, of bytes() bytes.
/// Lifetime and cost: as CopyTree.
const TreeImage* CopyImage(const TreeImage& image, MemoryContext& cx);

/// A copy of the tree that may be changed and shares no memory with the image; null for an image of
/// <>.
/// Lifetime: one allocation in cx.
/// Cost: a memory copy, and one addition per pointer.
[[nodiscard]] Node* CopyTree(const TreeImage& image, MemoryContext& cx);

}  // namespace relcache
