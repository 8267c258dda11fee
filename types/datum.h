// Datum is PostgreSQL's universal representation of a value in one machine word, with PostgreSQL's
// layout (postgres.h, varatt.h). This header has the conversions between Datums and C++ values,
// under PostgreSQL's names.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "relcache/base/oid.h"
#include "relcache/memory/memory_context.h"

namespace relcache {

/// A value of any type. A type that is passed *by value* (typbyval, such as an integer, a boolean
/// or a floating-point number) lies in the low bytes of the word, sign-extended. A value of any
/// other type lies in memory, and the Datum is its address. A Datum does not record its type; the
/// code that reads it must know it.
/// Lifetime: a Datum that is an address is valid as long as the memory it refers to, usually a
/// memory context.
enum class Datum : std::uint64_t {};

/// A Datum, or SQL's NULL if `isnull` is set; `value` is meaningless then.
struct NullableDatum {
  Datum value{};
  bool isnull = true;
};

// XGetDatum makes a Datum from a C++ value.
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

// DatumGetX reads a Datum that holds an X.
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

/// The size in bytes of the header of a varlena, PostgreSQL's layout of values of variable length
/// (text, bytea, numeric, arrays, jsonb ...). The header holds the total length in bytes, including
/// the header, shifted left by two bits. PostgreSQL also stores compressed values, values outside
/// of the row and values with a header of one byte; those do not occur in relcache.
inline constexpr std::size_t kVarHdrSz = 4;

/// The content of a varlena without its header.
inline std::string_view VarData(Datum d) {
  std::uint32_t header;
  std::memcpy(&header, DatumGetPointer(d), sizeof header);
  return {DatumGetPointer<char>(d) + kVarHdrSz, (header >> 2) - kVarHdrSz};
}

/// A varlena with the content `payload`, allocated in cx (PostgreSQL's cstring_to_text_with_len).
inline Datum MakeVarlena(std::string_view payload, MemoryContext& cx) {
  char* bytes = static_cast<char*>(cx.Allocate(kVarHdrSz + payload.size()));
  const auto header = static_cast<std::uint32_t>((payload.size() + kVarHdrSz) << 2);
  std::memcpy(bytes, &header, sizeof header);
  if (!payload.empty()) std::memcpy(bytes + kVarHdrSz, payload.data(), payload.size());
  return PointerGetDatum(bytes);
}

/// A copy of a value, allocated in cx if it is passed by reference (PostgreSQL's datumCopy).
/// `typbyval` and `typlen` are those of its type's row in pg_type.
Datum CopyDatum(Datum value, bool typbyval, std::int16_t typlen, MemoryContext& cx);

/// The size in bytes of a value that is passed by reference, including its header. `typlen` is that
/// of its type: -1 for a varlena, -2 for a NUL-terminated string.
std::size_t DatumSize(Datum value, std::int16_t typlen);

}  // namespace relcache
