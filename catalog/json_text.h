// The JSON library as this room uses it.
#pragma once

#include <algorithm>
#include <cstring>
#include <new>

#define RAPIDJSON_HAS_STDSTRING 0
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace relcache::json {

/// operator new: the library itself takes malloc and goes on with a null pointer.
struct NewAllocator {
  static constexpr bool kNeedFree = true;
  static void* Malloc(std::size_t size) { return size == 0 ? nullptr : ::operator new(size); }
  static void* Realloc(void* old, std::size_t old_size, std::size_t size) {
    void* grown = Malloc(size);
    if (grown != nullptr && old != nullptr) std::memcpy(grown, old, std::min(old_size, size));
    Free(old);
    return grown;
  }
  static void Free(void* p) noexcept { ::operator delete(p); }
  bool operator==(const NewAllocator&) const { return true; }
  bool operator!=(const NewAllocator&) const { return false; }
};

using Pool = rapidjson::MemoryPoolAllocator<NewAllocator>;
using Document = rapidjson::GenericDocument<rapidjson::UTF8<>, Pool, NewAllocator>;
using Value = Document::ValueType;
using Reader = rapidjson::GenericReader<rapidjson::UTF8<>, rapidjson::UTF8<>, NewAllocator>;
using Buffer = rapidjson::GenericStringBuffer<rapidjson::UTF8<>, NewAllocator>;
using Writer = rapidjson::Writer<Buffer, rapidjson::UTF8<>, rapidjson::UTF8<>, NewAllocator,
                                 rapidjson::kWriteValidateEncodingFlag>;

/// Iterative: the depth of a text is not the depth of the stack. Numbers exactly. No byte that is
/// not UTF-8.
inline constexpr unsigned kParseFlags = rapidjson::kParseIterativeFlag |
                                        rapidjson::kParseFullPrecisionFlag |
                                        rapidjson::kParseValidateEncodingFlag;

}  // namespace relcache::json
