// Memory contexts: allocate piece by piece, free all at once (PostgreSQL's utils/mmgr).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace relcache {

class MemoryContext;

/// What may live in a context: freeing a context runs no destructor, so there must be none to run.
template <class T>
concept ContextStorable = std::is_trivially_destructible_v<T> && std::is_object_v<T>;

/// Deletes a context with its children; the deleter of ContextPtr.
struct ContextDeleter {
  void operator()(MemoryContext* context) const noexcept;
};

/// Owns a context. Of a child: must go before its parent is reset or deleted.
using ContextPtr = std::unique_ptr<MemoryContext, ContextDeleter>;

/// Called once when its context is reset or deleted, newest first, children's before their
/// parent's. It must live at least that long: usually in the context itself. It must not allocate
/// from the context.
struct ResetCallback {
  void (*function)(void* argument) noexcept = nullptr;
  void* argument = nullptr;
  ResetCallback* next = nullptr;
};

/// An owner of many allocations that are freed together.
/// Thread safety: one thread at a time for a context and all it is linked with by parenthood.
/// Errors: std::bad_alloc.
class MemoryContext {
 public:
  MemoryContext(const MemoryContext&) = delete;
  MemoryContext& operator=(const MemoryContext&) = delete;

  /// Uninitialized bytes, aligned to 8.
  [[nodiscard]] void* Allocate(std::size_t size);
  /// The same with a larger alignment, a power of two.
  [[nodiscard]] void* Allocate(std::size_t size, std::size_t alignment);

  template <ContextStorable T, class... Args>
  [[nodiscard]] T* New(Args&&... args) {
    return ::new (Place<T>(sizeof(T))) T{std::forward<Args>(args)...};
  }
  /// n value-initialized elements.
  template <ContextStorable T>
  [[nodiscard]] std::span<T> NewArray(std::size_t n) {
    if (n > SIZE_MAX / sizeof(T)) throw std::bad_array_new_length();
    T* first = static_cast<T*>(Place<T>(n * sizeof(T)));
    std::uninitialized_value_construct_n(first, n);
    return {first, n};
  }
  /// A copy of the bytes; a NUL follows them.
  [[nodiscard]] std::string_view CopyString(std::string_view text);

  /// Frees all memory of the context and deletes its children, after running the callbacks.
  void Reset() noexcept;
  /// Runs `callback` when this context is next reset or deleted.
  void OnReset(ResetCallback& callback) noexcept;

  std::string_view name() const noexcept { return name_; }
  MemoryContext* parent() const noexcept { return parent_; }
  /// Bytes in blocks, the context's own head included.
  std::size_t bytes_reserved() const noexcept { return reserved_; }
  /// Bytes in blocks that have been handed out, headers included.
  std::size_t bytes_used() const noexcept { return used_; }

 private:
  friend class AllocSet;
  friend class Bump;
  friend struct ContextDeleter;
  struct Block;
  explicit MemoryContext(const char* name, MemoryContext* parent);
  ~MemoryContext();
  template <class T>
  void* Place(std::size_t size) {
    if constexpr (alignof(T) <= 8) return Allocate(size);
    return Allocate(size, alignof(T));
  }

  const char* name_;
  MemoryContext* parent_;
  MemoryContext* first_child_ = nullptr;
  MemoryContext* next_sibling_ = nullptr;
  Block* blocks_ = nullptr;
  std::byte* free_ = nullptr;
  std::byte* end_ = nullptr;
  ResetCallback* callbacks_ = nullptr;
  std::size_t reserved_ = 0;
  std::size_t used_ = 0;
};

/// The general kind: single chunks can be freed and grown (PostgreSQL's aset.c).
class AllocSet {
 public:
  /// A context without parent. `name` must outlive it: a literal.
  static ContextPtr CreateRoot(const char* name);
  /// A child, which goes when its parent is reset or deleted.
  static MemoryContext& Create(const char* name, MemoryContext& parent);
};

/// The dense kind: no chunk header, freed only as a whole (PostgreSQL's bump.c).
class Bump {
 public:
  static ContextPtr CreateRoot(const char* name);
  static MemoryContext& Create(const char* name, MemoryContext& parent);
};

}  // namespace relcache
