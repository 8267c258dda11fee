#include "relcache/types/datum.h"

namespace relcache {

std::size_t DatumSize(Datum value, std::int16_t typlen) {
  if (typlen > 0) return static_cast<std::size_t>(typlen);
  if (typlen == -1) return VarData(value).size() + kVarHdrSz;
  return std::strlen(DatumGetPointer<char>(value)) + 1;
}

Datum CopyDatum(Datum value, bool typbyval, std::int16_t typlen, MemoryContext& cx) {
  if (typbyval) return value;
  const std::size_t size = DatumSize(value, typlen);
  void* copy = cx.Allocate(size);
  std::memcpy(copy, DatumGetPointer(value), size);
  return PointerGetDatum(copy);
}

}  // namespace relcache
