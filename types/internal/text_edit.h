// Functions that make texts from texts (utils/adt/varlena.c, oracle_compat.c). A character is one
// of UTF-8.
#pragma once

#include <cstdint>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// replace(text, from, to): every `from`, from the left; an empty one is nowhere.
std::string_view TextReplace(std::string_view text, std::string_view from, std::string_view to,
                             MemoryContext& cx);
/// translate(text, from, to): the character at the same place in `to` for each that is in `from`,
/// and nothing if `to` is shorter.
std::string_view TextTranslate(std::string_view text, std::string_view from, std::string_view to,
                               MemoryContext& cx);
/// split_part(text, separator, n): the n-th part, from the end if n is negative. Errors: 22023
/// "field position must not be zero".
Result<std::string_view> TextSplitPart(std::string_view text, std::string_view separator,
                                       std::int32_t n);
/// The same up to version 13, which counts from the beginning only. Errors: 22023 "field position
/// must be greater than zero".
Result<std::string_view> TextSplitPart13(std::string_view text, std::string_view separator,
                                         std::int32_t n);
/// overlay(text placing by from from for count). Errors: 22011, 22003.
Result<std::string_view> TextOverlay(std::string_view text, std::string_view by, std::int32_t from,
                                     std::int32_t count, MemoryContext& cx);
std::string_view TextReverse(std::string_view text, MemoryContext& cx);
/// repeat(text, n). Errors: 54000 "requested length too large".
Result<std::string_view> TextRepeat(std::string_view text, std::int32_t n, MemoryContext& cx);
/// lpad(text, n, fill), rpad(text, n, fill). Errors: 54000 "requested length too large".
Result<std::string_view> TextLpad(std::string_view text, std::int32_t n, std::string_view fill,
                                  MemoryContext& cx);
Result<std::string_view> TextRpad(std::string_view text, std::int32_t n, std::string_view fill,
                                  MemoryContext& cx);
/// The same up to version 14. Errors: XX000 "invalid memory alloc request size 1200000004", too.
Result<std::string_view> TextRepeat14(std::string_view text, std::int32_t n, MemoryContext& cx);
Result<std::string_view> TextLpad14(std::string_view text, std::int32_t n, std::string_view fill,
                                    MemoryContext& cx);
Result<std::string_view> TextRpad14(std::string_view text, std::int32_t n, std::string_view fill,
                                    MemoryContext& cx);
/// ascii(text): the first character, 0 if there is none.
std::int32_t TextAscii(std::string_view text);
/// to_hex(n).
std::string_view ToHex(std::uint64_t n, MemoryContext& cx);

}  // namespace relcache
