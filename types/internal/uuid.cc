#include "relcache/types/internal/uuid.h"

#include "relcache/types/internal/hex.h"
#include "relcache/types/internal/input_error.h"

namespace relcache {
namespace {

// A hyphen may follow every second byte but the last; braces may go around.
bool Parse(std::string_view text, unsigned char (&bytes)[kUuidSize]) {
  const bool braces = !text.empty() && text.front() == '{';
  std::size_t at = braces ? 1 : 0;
  for (std::size_t i = 0; i < kUuidSize; ++i) {
    if (at + 2 > text.size()) return false;
    const int high = HexValue(text[at]);
    const int low = HexValue(text[at + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<unsigned char>(high << 4 | low);
    at += 2;
    if (i % 2 == 1 && i < kUuidSize - 1 && at < text.size() && text[at] == '-') ++at;
  }
  if (braces) {
    if (at >= text.size() || text[at] != '}') return false;
    ++at;
  }
  return at == text.size();
}

}  // namespace

Result<Datum> UuidIn(std::string_view text, MemoryContext& cx) {
  unsigned char bytes[kUuidSize];
  if (!Parse(text, bytes)) return Fail(InvalidSyntax("uuid", text));
  void* value = cx.Allocate(kUuidSize);
  std::memcpy(value, bytes, kUuidSize);
  return PointerGetDatum(value);
}

std::string_view UuidOut(Datum value, MemoryContext& cx) {
  const auto* bytes = DatumGetPointer<unsigned char>(value);
  char out[36];
  char* p = out;
  for (std::size_t i = 0; i < kUuidSize; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) *p++ = '-';
    *p++ = kHexDigits[bytes[i] >> 4];
    *p++ = kHexDigits[bytes[i] & 15];
  }
  return cx.CopyString({out, sizeof out});
}

}  // namespace relcache
