// A value of any PostgreSQL type in one machine word, laid out as PostgreSQL lays it out
// (postgres.h).
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "relcache/base/oid.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// A by-value type in the low bytes, sign-extended; any other type as the address of its bytes. It
/// does not know its type. Lifetime: of a pointer, that of the context it was made in.
enum class Datum : std::uint64_t {};

/// A Datum or SQL's NULL.
struct NullableDatum {
  Datum value{};
  bool isnull = true;
};

constexpr Datum Int64GetDatum(std::int64_t v) {
  return static_cast<Datum>(v);
}
constexpr Datum Int32GetDatum(std::int32_t v) {
  return static_cast<Datum>(std::int64_t{v});
}
constexpr Datum Int16GetDatum(std::int16_t v) {
  return static_cast<Datum>(std::int64_t{v});
}
constexpr Datum CharGetDatum(char v) {
  return static_cast<Datum>(std::int64_t{static_cast<signed char>(v)});
}
constexpr Datum BoolGetDatum(bool v) {
  return static_cast<Datum>(v ? 1 : 0);
}
constexpr Datum ObjectIdGetDatum(Oid v) {
  return static_cast<Datum>(v);
}
constexpr Datum Float8GetDatum(double v) {
  return std::bit_cast<Datum>(v);
}
constexpr Datum Float4GetDatum(float v) {
  return Int32GetDatum(std::bit_cast<std::int32_t>(v));
}
inline Datum PointerGetDatum(const void* v) {
  return static_cast<Datum>(reinterpret_cast<std::uintptr_t>(v));
}

constexpr std::int64_t DatumGetInt64(Datum d) {
  return static_cast<std::int64_t>(d);
}
constexpr std::int32_t DatumGetInt32(Datum d) {
  return static_cast<std::int32_t>(d);
}
constexpr std::int16_t DatumGetInt16(Datum d) {
  return static_cast<std::int16_t>(d);
}
constexpr char DatumGetChar(Datum d) {
  return static_cast<char>(d);
}
constexpr bool DatumGetBool(Datum d) {
  return (static_cast<std::uint64_t>(d) & 0xff) != 0;
}
constexpr Oid DatumGetObjectId(Datum d) {
  return static_cast<Oid>(d);
}
constexpr double DatumGetFloat8(Datum d) {
  return std::bit_cast<double>(d);
}
constexpr float DatumGetFloat4(Datum d) {
  return std::bit_cast<float>(DatumGetInt32(d));
}
template <class T = std::byte>
const T* DatumGetPointer(Datum d) {
  return reinterpret_cast<const T*>(static_cast<std::uintptr_t>(d));
}

/// The 4-byte header of a value of variable length: total length, itself included, shifted left by
/// two (little-endian, never compressed, short or external here).
inline constexpr std::size_t kVarHdrSz = 4;

/// The payload of a text, bytea, numeric ... without its header.
inline std::string_view VarData(Datum d) {
  std::uint32_t header;
  std::memcpy(&header, DatumGetPointer(d), sizeof header);
  return {DatumGetPointer<char>(d) + kVarHdrSz, (header >> 2) - kVarHdrSz};
}

/// A value of variable length with this payload, made in cx (PostgreSQL's
/// cstring_to_text_with_len).
inline Datum MakeVarlena(std::string_view payload, MemoryContext& cx) {
  char* bytes = static_cast<char*>(cx.Allocate(kVarHdrSz + payload.size()));
  const auto header = static_cast<std::uint32_t>((payload.size() + kVarHdrSz) << 2);
  std::memcpy(bytes, &header, sizeof header);
  if (!payload.empty()) std::memcpy(bytes + kVarHdrSz, payload.data(), payload.size());
  return PointerGetDatum(bytes);
}

}  // namespace relcache
