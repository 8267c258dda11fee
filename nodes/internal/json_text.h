// How relcache uses the JSON library RapidJSON: with memory from a context, with exact numbers, and
// safely for any input. Internal.
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/reader.h>

#include <cstdint>
#include <limits>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/memory/memory_context.h"

namespace relcache::json {

/// RapidJSON's allocator interface over a memory context of either kind. RapidJSON does not check
/// for null; when memory is exhausted, this class throws std::bad_alloc instead. RapidJSON's
/// objects can be destroyed after that, and nothing leaks, because everything is freed with the
/// context.
/// Lifetime: the context must outlive all objects that took memory from it.
class ContextAllocator {
 public:
  static constexpr bool kNeedFree = false;

  /// RapidJSON refers to this constructor where it is given no allocator, which must not happen.
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

/// Parsing is iterative, so that the depth of a text does not matter for the stack. Bytes that are
/// not UTF-8 are refused. Numbers are kept as text, because RapidJSON's conversion is wrong for
/// some of them (0e-64).
inline constexpr unsigned kParseFlags = rapidjson::kParseIterativeFlag |
                                        rapidjson::kParseNumbersAsStringsFlag |
                                        rapidjson::kParseValidateEncodingFlag;

inline std::string_view Text(const Value& string) {
  return {string.GetString(), string.GetStringLength()};
}

/// A JSON text as a tree of values.
/// Lifetime: the values lie in child contexts of `cx`, which are deleted with this object.
class Document {
 public:
  explicit Document(MemoryContext& cx)
      : values_(&Bump::Create("json values", cx)), stack_(&AllocSet::Create("json stack", cx)) {}

  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  /// Reads the whole text. A number is an integer if it is written as one and fits into 64 bits;
  /// otherwise it is the nearest double.
  /// Errors: kInvalidInput with the byte offset, and SQLSTATE 22P02 for a text that is not JSON or
  /// 22003 for a number that is too large for a double; kLimit if arrays and objects are nested
  /// deeper than `max_depth`.
  Status Parse(std::string_view text,
               std::uint32_t max_depth = std::numeric_limits<std::uint32_t>::max());

  /// The root value, after a Parse that succeeded.
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
