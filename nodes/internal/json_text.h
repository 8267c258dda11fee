// The JSON library as relcache uses it: its memory from a context, its numbers exactly, any bytes
// without harm. Not for embedders.
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/reader.h>

#include <cstdint>
#include <limits>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/memory/memory_context.h"

namespace relcache::json {

/// RapidJSON's Allocator over a context of either kind. RapidJSON never looks at what it gets:
/// where memory is out, this throws std::bad_alloc. It leaves RapidJSON's objects fit to be
/// destroyed, and nothing leaks, because nothing is freed but with the context. Lifetime: the
/// context must outlive whatever took memory from it.
class ContextAllocator {
 public:
  static constexpr bool kNeedFree = false;

  /// RapidJSON names this one where it is given no allocator, which must not happen.
  ContextAllocator() { RELCACHE_CHECK(context_ != nullptr); }
  explicit ContextAllocator(MemoryContext& cx) noexcept : context_(&cx) {}

  void* Malloc(std::size_t size) { return size == 0 ? nullptr : context_->AllocateHuge(size); }
  void* Realloc(void* old, std::size_t old_size, std::size_t size) {
    if (old == nullptr) return Malloc(size);
    if (context_->kind() == ContextKind::kAllocSet) return context_->ReallocateHuge(old, size);
    return context_->Grow(old, old_size, size);
  }
  static void Free(void*) noexcept {}

 private:
  MemoryContext* context_ = nullptr;
};

using Value = rapidjson::GenericValue<rapidjson::UTF8<>, ContextAllocator>;
using Reader = rapidjson::GenericReader<rapidjson::UTF8<>, rapidjson::UTF8<>, ContextAllocator>;

/// Iterative: the depth of a text is not the depth of the stack. No byte that is not UTF-8. Numbers
/// as their text, because RapidJSON's own conversion is wrong for some (0e-64).
inline constexpr unsigned kParseFlags = rapidjson::kParseIterativeFlag |
                                        rapidjson::kParseNumbersAsStringsFlag |
                                        rapidjson::kParseValidateEncodingFlag;

inline std::string_view Text(const Value& string) {
  return {string.GetString(), string.GetStringLength()};
}

/// A text as values. Lifetime: they live in child contexts of `cx`, which go with this object.
class Document {
 public:
  explicit Document(MemoryContext& cx)
      : values_(&Bump::Create("json values", cx)), stack_(&AllocSet::Create("json stack", cx)) {}

  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  /// Reads the whole text. A number is an integer if it is written as one and 64 bits hold it, and
  /// otherwise the nearest double. Errors: kInvalidInput with the byte offset, 22P02 for what is
  /// not JSON and 22003 for a number that no double holds; kLimit for more than `max_depth` arrays
  /// and objects within each other.
  Status Parse(std::string_view text,
               std::uint32_t max_depth = std::numeric_limits<std::uint32_t>::max());

  /// After a Parse that succeeded.
  const Value& root() const { return document_; }

 private:
  ContextPtr values_;
  ContextPtr stack_;
  ContextAllocator value_allocator_{*values_};
  ContextAllocator stack_allocator_{*stack_};
  rapidjson::GenericDocument<rapidjson::UTF8<>, ContextAllocator, ContextAllocator> document_{
      &value_allocator_, kStackBytes, &stack_allocator_};

  static constexpr std::size_t kStackBytes = 1024;
};

}  // namespace relcache::json
