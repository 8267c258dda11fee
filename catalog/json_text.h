// The JSON library as this room uses it.
#pragma once

#include <cstdlib>
#include <new>

#define RAPIDJSON_HAS_STDSTRING 0
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace relcache::json {

/// malloc that throws: the library itself goes on with a null pointer.
struct ThrowingAllocator {
  static constexpr bool kNeedFree = true;
  static void* Malloc(std::size_t size) { return size == 0 ? nullptr : Checked(std::malloc(size)); }
  static void* Realloc(void* old, std::size_t, std::size_t size) {
    if (size != 0) return Checked(std::realloc(old, size));
    std::free(old);
    return nullptr;
  }
  static void Free(void* p) noexcept { std::free(p); }
  bool operator==(const ThrowingAllocator&) const { return true; }
  bool operator!=(const ThrowingAllocator&) const { return false; }

 private:
  static void* Checked(void* p) {
    if (p == nullptr) throw std::bad_alloc();
    return p;
  }
};

using Pool = rapidjson::MemoryPoolAllocator<ThrowingAllocator>;
using Document = rapidjson::GenericDocument<rapidjson::UTF8<>, Pool, ThrowingAllocator>;
using Value = Document::ValueType;
using Reader = rapidjson::GenericReader<rapidjson::UTF8<>, rapidjson::UTF8<>, ThrowingAllocator>;
using Buffer = rapidjson::GenericStringBuffer<rapidjson::UTF8<>, ThrowingAllocator>;
using Writer = rapidjson::Writer<Buffer, rapidjson::UTF8<>, rapidjson::UTF8<>, ThrowingAllocator,
                                 rapidjson::kWriteValidateEncodingFlag>;

/// Iterative: the depth of a text is not the depth of the stack. Numbers exactly. No byte that is
/// not UTF-8.
inline constexpr unsigned kParseFlags = rapidjson::kParseIterativeFlag |
                                        rapidjson::kParseFullPrecisionFlag |
                                        rapidjson::kParseValidateEncodingFlag;

}  // namespace relcache::json
