#include "relcache/types/type_io.h"

#include <algorithm>
#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/date_time/date.h"
#include "relcache/types/date_time/interval.h"
#include "relcache/types/date_time/time.h"
#include "relcache/types/date_time/timestamp.h"
#include "relcache/types/internal/array.h"
#include "relcache/types/internal/bool.h"
#include "relcache/types/internal/bytea.h"
#include "relcache/types/internal/float.h"
#include "relcache/types/internal/inet.h"
#include "relcache/types/internal/input_versions.h"
#include "relcache/types/internal/int.h"
#include "relcache/types/internal/json.h"
#include "relcache/types/internal/jsonb.h"
#include "relcache/types/internal/numeric.h"
#include "relcache/types/internal/text.h"
#include "relcache/types/internal/uuid.h"

namespace relcache {
namespace {

struct InputContext {
  std::int32_t typmod;
  const SessionSettings& settings;
  MemoryContext& cx;
};
struct OutputContext {
  const SessionSettings& settings;
  MemoryContext& cx;
};

using InputFunction = Result<Datum> (*)(std::string_view text, const InputContext& in);
using OutputFunction = Result<std::string_view> (*)(Datum value, const OutputContext& out);
using CoerceFunction = Result<Datum> (*)(Datum value, std::int32_t typmod, bool is_explicit,
                                         MemoryContext& cx);

// For all three integer types: the Datum of a narrow one is extended with its sign.
Result<std::string_view> IntegerOut(Datum value, const OutputContext& out) {
  return IntOut(DatumGetInt64(value), out.cx);
}

Result<Datum> TextIn(std::string_view text, const InputContext& in) {
  return MakeVarlena(text, in.cx);
}

Result<std::string_view> VarlenaOut(Datum value, const OutputContext&) {
  return VarData(value);
}

Result<Datum> CoerceTimestamp(Datum value, std::int32_t typmod, bool, MemoryContext&) {
  return TimestampCoerceChecked(DatumGetInt64(value), typmod).map(Int64GetDatum);
}

Result<Datum> CoerceTime(Datum value, std::int32_t typmod, bool, MemoryContext&) {
  return Int64GetDatum(TimeCoerce(DatumGetInt64(value), typmod));
}

struct TypeIo {
  Oid type;
  InputFunction input;
  OutputFunction output;
  CoerceFunction coerce;
};

// In the order of the oids, because FindTypeIo searches by halves.
constexpr TypeIo kTypeIo[] = {
    {kBoolOid, [](std::string_view text, const InputContext&) { return BoolIn(text); },
     [](Datum value, const OutputContext&) -> Result<std::string_view> {
       return BoolOut(DatumGetBool(value));
     },
     nullptr},
    {kByteaOid, [](std::string_view text, const InputContext& in) { return ByteaIn(text, in.cx); },
     [](Datum value, const OutputContext& out) -> Result<std::string_view> {
       return ByteaOut(VarData(value), out.settings.bytea_output, out.cx);
     },
     nullptr},
    {kCharOid,
     [](std::string_view text, const InputContext&) -> Result<Datum> {
       return CharGetDatum(CharIn(text));
     },
     [](Datum value, const OutputContext& out) -> Result<std::string_view> {
       return CharOut(DatumGetChar(value), out.cx);
     },
     nullptr},
    {kNameOid,
     [](std::string_view text, const InputContext& in) -> Result<Datum> {
       return NameIn(text, in.cx);
     },
     [](Datum value, const OutputContext&) -> Result<std::string_view> { return NameData(value); },
     nullptr},
    {kInt8Oid,
     [](std::string_view text, const InputContext&) { return Int8In(text).map(Int64GetDatum); },
     IntegerOut, nullptr},
    {kInt2Oid,
     [](std::string_view text, const InputContext&) { return Int2In(text).map(Int16GetDatum); },
     IntegerOut, nullptr},
    {kInt4Oid,
     [](std::string_view text, const InputContext&) { return Int4In(text).map(Int32GetDatum); },
     IntegerOut, nullptr},
    {kTextOid, TextIn, VarlenaOut, nullptr},
    {kOidOid,
     [](std::string_view text, const InputContext&) { return OidIn(text).map(ObjectIdGetDatum); },
     [](Datum value, const OutputContext& out) -> Result<std::string_view> {
       return IntOut(DatumGetObjectId(value), out.cx);
     },
     nullptr},
    {kJsonOid, [](std::string_view text, const InputContext& in) { return JsonIn(text, in.cx); },
     VarlenaOut, nullptr},
    {kCidrOid, [](std::string_view text, const InputContext& in) { return CidrIn(text, in.cx); },
     [](Datum value, const OutputContext& out) { return CidrOut(value, out.cx); }, nullptr},
    {kFloat4Oid,
     [](std::string_view text, const InputContext&) { return Float4In(text).map(Float4GetDatum); },
     [](Datum value, const OutputContext& out) -> Result<std::string_view> {
       return Float4Out(DatumGetFloat4(value), out.settings.extra_float_digits, out.cx);
     },
     nullptr},
    {kFloat8Oid,
     [](std::string_view text, const InputContext&) { return Float8In(text).map(Float8GetDatum); },
     [](Datum value, const OutputContext& out) -> Result<std::string_view> {
       return Float8Out(DatumGetFloat8(value), out.settings.extra_float_digits, out.cx);
     },
     nullptr},
    {kInetOid, [](std::string_view text, const InputContext& in) { return InetIn(text, in.cx); },
     [](Datum value, const OutputContext& out) { return InetOut(value, out.cx); }, nullptr},
    {kBpcharOid,
     [](std::string_view text, const InputContext& in) { return BpcharIn(text, in.typmod, in.cx); },
     VarlenaOut, BpcharCoerce},
    {kVarcharOid,
     [](std::string_view text, const InputContext& in) {
       return VarcharIn(text, in.typmod, in.cx);
     },
     VarlenaOut, VarcharCoerce},
    {kDateOid,
     [](std::string_view text, const InputContext& in) {
       return DateIn(text, in.settings).map(Int32GetDatum);
     },
     [](Datum value, const OutputContext& out) {
       return DateOut(DatumGetInt32(value), out.settings, out.cx);
     },
     nullptr},
    {kTimeOid,
     [](std::string_view text, const InputContext& in) {
       return TimeIn(text, in.typmod, in.settings).map(Int64GetDatum);
     },
     [](Datum value, const OutputContext& out) -> Result<std::string_view> {
       return TimeOut(DatumGetInt64(value), out.cx);
     },
     CoerceTime},
    {kTimestampOid,
     [](std::string_view text, const InputContext& in) {
       return TimestampIn(text, in.typmod, in.settings).map(Int64GetDatum);
     },
     [](Datum value, const OutputContext& out) {
       return TimestampOut(DatumGetInt64(value), out.settings, out.cx);
     },
     CoerceTimestamp},
    {kTimestamptzOid,
     [](std::string_view text, const InputContext& in) {
       return TimestamptzIn(text, in.typmod, in.settings).map(Int64GetDatum);
     },
     [](Datum value, const OutputContext& out) {
       return TimestamptzOut(DatumGetInt64(value), out.settings, out.cx);
     },
     CoerceTimestamp},
    {kIntervalOid,
     [](std::string_view text, const InputContext& in) -> Result<Datum> {
       RELCACHE_ASSIGN(const Interval value, IntervalIn(text, in.typmod, in.settings));
       return IntervalGetDatum(value, in.cx);
     },
     [](Datum value, const OutputContext& out) -> Result<std::string_view> {
       return IntervalOut(DatumGetInterval(value), out.settings.interval_style, out.cx);
     },
     [](Datum value, std::int32_t typmod, bool, MemoryContext& cx) -> Result<Datum> {
       RELCACHE_ASSIGN(const Interval coerced, IntervalCoerce(DatumGetInterval(value), typmod));
       return IntervalGetDatum(coerced, cx);
     }},
    {kNumericOid,
     [](std::string_view text, const InputContext& in) {
       return NumericIn(text, in.typmod, in.cx);
     },
     [](Datum value, const OutputContext& out) -> Result<std::string_view> {
       return NumericOut(value, out.cx);
     },
     [](Datum value, std::int32_t typmod, bool, MemoryContext& cx) {
       return NumericCoerce(value, typmod, cx);
     }},
    {kUuidOid, [](std::string_view text, const InputContext& in) { return UuidIn(text, in.cx); },
     [](Datum value, const OutputContext& out) -> Result<std::string_view> {
       return UuidOut(value, out.cx);
     },
     nullptr},
    {kJsonbOid, [](std::string_view text, const InputContext& in) { return JsonbIn(text, in.cx); },
     [](Datum value, const OutputContext& out) { return JsonbOut(value, out.cx); }, nullptr},
};
static_assert(std::ranges::is_sorted(kTypeIo, {}, &TypeIo::type));

const TypeIo* FindTypeIo(Oid type) {
  const auto* found = std::ranges::lower_bound(kTypeIo, type, {}, &TypeIo::type);
  return found != std::end(kTypeIo) && found->type == type ? found : nullptr;
}

std::string Named(Oid type) {
  return FindTypeInfo(type) != nullptr ? FormatTypeName(type) : Format("oid {}", type);
}

// An array of a type that this room knows.
struct ArrayIo {
  const TypeIo* io = nullptr;
  ElementType element;
  char typdelim = ',';
};
ArrayIo FindArrayIo(Oid type) {
  ArrayIo out;
  const TypeInfo* array = FindTypeInfo(type);
  if (array == nullptr || !IsArrayType(*array)) return out;
  const TypeInfo* element = FindTypeInfo(array->typelem);
  out.io = FindTypeIo(array->typelem);
  if (out.io == nullptr || element == nullptr) return {};
  out.element = {element->oid, element->typlen, element->typbyval, element->typalign};
  out.typdelim = element->typdelim;
  return out;
}

}  // namespace

Result<Datum> TypeInput(Oid type, std::int32_t typmod, std::string_view text,
                        const SessionSettings& settings, MemoryContext& cx, ServerVersion version) {
  // A server verifies the encoding of a text before any input function sees it, so this error comes
  // before all others.
  if (text.find('\0') != std::string_view::npos)
    return Fail(ErrorCode::kInvalidInput, "22021",
                "invalid byte sequence for encoding \"UTF8\": 0x00");
  const InputContext in{typmod, settings, cx};
  const auto scalar = [&in, version](const TypeIo& io, std::string_view value) -> Result<Datum> {
    if (auto other = InputOfVersion(io.type, in.typmod, value, in.settings, version, in.cx))
      return *std::move(other);
    return io.input(value, in);
  };
  if (const TypeIo* io = FindTypeIo(type)) return scalar(*io, text);
  const ArrayIo array = FindArrayIo(type);
  if (array.io == nullptr) return Fail(NotSupported("input of type " + Named(type)));
  // An error of an element is the same in every release. Errors of the array's own text are not, so
  // the two must be told apart.
  bool element_failed = false;
  const auto element = [&](std::string_view value) {
    Result<Datum> item = scalar(*array.io, value);
    element_failed = element_failed || !item;
    return item;
  };
  Result<Datum> value = ArrayIn(text, array.element, array.typdelim, element, cx);
  if (auto refused = ArrayInputOfVersion(text, value, element_failed, version))
    return Fail(*std::move(refused));
  return value;
}

namespace {

Result<std::string_view> OutputWithinLimit(Oid type, Datum value, const SessionSettings& settings,
                                           MemoryContext& cx, ServerVersion version) {
  const OutputContext out{settings, cx};
  const auto scalar = [&out, version](const TypeIo& io, Datum v) -> Result<std::string_view> {
    if (auto other = OutputOfVersion(io.type, v, version)) return *std::move(other);
    return io.output(v, out);
  };
  if (const TypeIo* io = FindTypeIo(type)) return scalar(*io, value);
  const ArrayIo array = FindArrayIo(type);
  if (array.io == nullptr) return Fail(NotSupported("output of type " + Named(type)));
  const auto element = [&](Datum item) { return scalar(*array.io, item); };
  return ArrayOut(value, array.element, array.typdelim, element, cx);
}

}  // namespace

Result<std::string_view> TypeOutput(Oid type, Datum value, const SessionSettings& settings,
                                    MemoryContext& cx, ServerVersion version) {
  // A value within the limit of 1 GB may have a text beyond it. That is an error of the value, as
  // in PostgreSQL, and not a lack of memory.
  try {
    return OutputWithinLimit(type, value, settings, cx, version);
  } catch (const InvalidRequestSize& invalid) {
    return Fail(ErrorCode::kLimit, "XX000", invalid.what());
  }
}

Result<Datum> ApplyTypmod(Oid type, std::int32_t typmod, Datum value, bool is_explicit,
                          MemoryContext& cx) {
  if (typmod < 0) return value;
  const TypeIo* io = FindTypeIo(type);
  if (io == nullptr) return Fail(NotSupported("length coercion of type " + Named(type)));
  return io->coerce == nullptr ? value : io->coerce(value, typmod, is_explicit, cx);
}

bool HasInput(Oid type) {
  return FindTypeIo(type) != nullptr || FindArrayIo(type).io != nullptr;
}

}  // namespace relcache
