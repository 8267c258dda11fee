#include "relcache/executor/aggregate/internal/aggregate_function.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/internal/array.h"
#include "relcache/types/internal/numeric.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

// The states. All bytes zero means "no value yet". They lie at multiples of eight, so a wide
// integer is stored as two words.
struct CountState {
  std::int64_t count;
};
struct IntegerState {
  std::int64_t count;
  std::uint64_t low;
  std::int64_t high;
};
struct FloatState {
  double count;
  double sum;
  double squares;  ///< of the distances from the mean: avg fails where variance would
};
struct PointerState {
  std::int64_t count;
  std::byte* bytes;  ///< of the numeric sum
};
struct ExtremeState {
  std::int64_t count;
  Datum value;
};
// A list of pieces, so that adding a value does not copy the earlier ones.
struct ArrayState {
  std::int64_t count;
  std::uint64_t bytes;  ///< pieces and values
  ArrayChunk* first;
  ArrayChunk* last;
};
// The capacity of pieces grows from kSmallestPiece to kLargestPiece elements. With its head, a
// piece of either size fills a chunk of an AllocSet exactly.
constexpr std::uint32_t kSmallestPiece = 3;
constexpr std::uint32_t kLargestPiece = 15;
constexpr std::size_t PieceBytes(std::uint32_t capacity) {
  return sizeof(ArrayChunk) + capacity * sizeof(NullableDatum);
}

template <class State>
State& StateAt(StoredRow* group, std::size_t at) {
  return *reinterpret_cast<State*>(reinterpret_cast<char*>(group) + at);
}
template <class State>
const State& StateAt(const StoredRow* group, std::size_t at) {
  return *reinterpret_cast<const State*>(reinterpret_cast<const char*>(group) + at);
}

// For int2 and int4 the low word alone is the signed sum, as in PostgreSQL.
void Add(IntegerState& state, std::int32_t value) {
  state.low += static_cast<std::uint64_t>(std::int64_t{value});
  ++state.count;
}
void Add(IntegerState& state, std::int64_t value) {
  const std::uint64_t low = state.low + static_cast<std::uint64_t>(value);
  state.high += (value < 0 ? -1 : 0) + (low < state.low ? 1 : 0);
  state.low = low;
  ++state.count;
}

template <class T>
void AddIntegers(const BatchColumn& column, std::span<const std::uint32_t> selection,
                 StoredRow* const* groups, std::size_t at) {
  const T* values = static_cast<const T*>(column.values);
  if (column.nulls == nullptr) {
    for (std::size_t i = 0; i < selection.size(); ++i)
      Add(StateAt<IntegerState>(groups[i], at), values[selection[i]]);
    return;
  }
  for (std::size_t i = 0; i < selection.size(); ++i)
    if (column.nulls[selection[i]] == 0)
      Add(StateAt<IntegerState>(groups[i], at), values[selection[i]]);
}

void UpdateIntegers(const BatchColumn& column, std::span<const std::uint32_t> selection,
                    StoredRow* const* groups, std::size_t at) {
  switch (column.form) {
    case ColumnForm::kInt2:
      return AddIntegers<std::int16_t>(column, selection, groups, at);
    case ColumnForm::kInt4:
      return AddIntegers<std::int32_t>(column, selection, groups, at);
    default:
      return AddIntegers<std::int64_t>(column, selection, groups, at);
  }
}

Result<Datum> WideToNumeric(const IntegerState& state, MemoryContext& cx) {
  __int128 value = (static_cast<__int128>(state.high) << 64) | state.low;
  if (value >= INT64_MIN && value <= INT64_MAX)
    return IntToNumeric(static_cast<std::int64_t>(value), cx);
  const bool negative = value < 0;
  unsigned __int128 rest =
      negative ? -static_cast<unsigned __int128>(value) : static_cast<unsigned __int128>(value);
  char digits[48];
  char* at = std::end(digits);
  for (; rest != 0; rest /= 10) *--at = static_cast<char>('0' + static_cast<int>(rest % 10));
  if (negative) *--at = '-';
  return NumericIn({at, static_cast<std::size_t>(std::end(digits) - at)}, -1, cx);
}

Error FloatOverflow() {
  return Error(ErrorCode::kEvaluation, "22003", "value out of range: overflow");
}

// The types for which PostgreSQL's catalog has sum and avg.
bool IsInteger(Oid type) {
  return type == kInt2Oid || type == kInt4Oid || type == kInt8Oid;
}
bool HasExtremes(Oid type) {
  switch (type) {
    case kInt2Oid:
    case kInt4Oid:
    case kInt8Oid:
    case kOidOid:
    case kFloat4Oid:
    case kFloat8Oid:
    case kDateOid:
    case kTimeOid:
    case kTimetzOid:
    case kTimestampOid:
    case kTimestamptzOid:
    case kIntervalOid:
    case kNumericOid:
    case kTextOid:
    case kVarcharOid:
    case kBpcharOid:
      return true;
    default:
      return false;
  }
}

}  // namespace

const char* NameOf(AggregateFunction function) {
  switch (function) {
    case AggregateFunction::kCount:
      return "count";
    case AggregateFunction::kSum:
      return "sum";
    case AggregateFunction::kMin:
      return "min";
    case AggregateFunction::kMax:
      return "max";
    case AggregateFunction::kAvg:
      return "avg";
    case AggregateFunction::kArrayAgg:
      return "array_agg";
  }
  return "";
}

Aggregate Aggregate::CountRows() {
  Aggregate aggregate;
  aggregate.kind_ = Kind::kCountRows;
  aggregate.state_bytes_ = sizeof(CountState);
  aggregate.result_ = ColumnTypeOf(kInt8Oid).value();
  return aggregate;
}

Result<Aggregate> Aggregate::Make(AggregateFunction function, const ColumnType& argument) {
  Aggregate made;
  made.argument_ = argument;
  const Oid type = argument.type;
  const auto set = [&](Kind kind, Oid result, std::size_t state_bytes) {
    made.kind_ = kind;
    made.result_ = ColumnTypeOf(result, argument.collation).value();
    made.state_bytes_ = state_bytes;
    const bool extreme = kind == Kind::kMin || kind == Kind::kMax;
    made.outside_ = kind == Kind::kSumNumeric || kind == Kind::kAvgNumeric ||
                    kind == Kind::kArrayAgg || (extreme && !argument.typbyval);
    return made;
  };
  const Error unknown = NotSupported(std::string(NameOf(function)) + "(" + FormatType(type) + ")");
  switch (function) {
    case AggregateFunction::kCount:
      return set(Kind::kCount, kInt8Oid, sizeof(CountState));
    case AggregateFunction::kSum:
      if (type == kInt8Oid) return set(Kind::kSumWide, kNumericOid, sizeof(IntegerState));
      if (IsInteger(type)) return set(Kind::kSumInteger, kInt8Oid, sizeof(IntegerState));
      if (type == kFloat4Oid) return set(Kind::kSumFloat4, kFloat4Oid, sizeof(FloatState));
      if (type == kFloat8Oid) return set(Kind::kSumFloat8, kFloat8Oid, sizeof(FloatState));
      if (type == kNumericOid) return set(Kind::kSumNumeric, kNumericOid, sizeof(PointerState));
      return Fail(unknown);
    case AggregateFunction::kAvg:
      if (IsInteger(type)) return set(Kind::kAvgInteger, kNumericOid, sizeof(IntegerState));
      if (type == kFloat4Oid || type == kFloat8Oid)
        return set(Kind::kAvgFloat, kFloat8Oid, sizeof(FloatState));
      if (type == kNumericOid) return set(Kind::kAvgNumeric, kNumericOid, sizeof(PointerState));
      return Fail(unknown);
    case AggregateFunction::kMin:
    case AggregateFunction::kMax:
      made.ops_ = FindTypeOps(type);
      if (!HasExtremes(type) || made.ops_ == nullptr) return Fail(unknown);
      if (!IsBytewise(argument.collation))
        return Fail(
            NotSupported(Format("{} under COLLATION {}", NameOf(function), argument.collation)));
      return set(function == AggregateFunction::kMin ? Kind::kMin : Kind::kMax,
                 type == kVarcharOid ? kTextOid : type, sizeof(ExtremeState));
    case AggregateFunction::kArrayAgg: {
      const TypeInfo* info = FindTypeInfo(type);
      if (info == nullptr || info->typarray == kInvalidOid || IsArrayType(*info))
        return Fail(unknown);
      return set(Kind::kArrayAgg, info->typarray, sizeof(ArrayState));
    }
  }
  return Fail(unknown);
}

Status Aggregate::Update(const BatchColumn& column, std::span<const std::uint32_t> selection,
                         StoredRow* const* groups, std::size_t at, MemoryContext& states) {
  const std::size_t n = selection.size();
  switch (kind_) {
    case Kind::kCountRows:
      for (std::size_t i = 0; i < n; ++i) ++StateAt<CountState>(groups[i], at).count;
      return {};
    case Kind::kCount:
      for (std::size_t i = 0; i < n; ++i)
        StateAt<CountState>(groups[i], at).count += column.isnull(selection[i]) ? 0 : 1;
      return {};
    case Kind::kSumInteger:
    case Kind::kSumWide:
    case Kind::kAvgInteger:
      UpdateIntegers(column, selection, groups, at);
      return {};
    case Kind::kSumFloat4:
    case Kind::kSumFloat8:
    case Kind::kAvgFloat:
      return UpdateFloats(column, selection, groups, at);
    case Kind::kSumNumeric:
    case Kind::kAvgNumeric:
      return UpdateNumerics(column, selection, groups, at, states);
    case Kind::kMin:
    case Kind::kMax:
      UpdateExtremes(column, selection, groups, at, states);
      return {};
    case Kind::kArrayAgg:
      UpdateArrays(column, selection, groups, at, states);
      return {};
  }
  return {};
}

// In the order of the rows and with the addition of the type itself, so that even the last digit is
// the server's.
Status Aggregate::UpdateFloats(const BatchColumn& column, std::span<const std::uint32_t> selection,
                               StoredRow* const* groups, std::size_t at) const {
  for (std::size_t i = 0; i < selection.size(); ++i) {
    const std::uint32_t r = selection[i];
    if (column.isnull(r)) continue;
    FloatState& state = StateAt<FloatState>(groups[i], at);
    const double value = column.form == ColumnForm::kFloat4
                             ? static_cast<double>(column.data<float>()[r])
                             : column.data<double>()[r];
    const bool first = state.count == 0;
    double sum = state.sum + value;
    // The sum of float4 values is rounded to float4 after every step.
    if (kind_ == Kind::kSumFloat4)
      sum = static_cast<double>(static_cast<float>(state.sum) + static_cast<float>(value));
    // The first value itself is the sum, not 0 + value, which would lose the sign of -0.
    if (first) sum = value;
    const bool finite = !std::isinf(value) && !std::isinf(state.sum);
    state.count += 1;
    if (kind_ == Kind::kAvgFloat && !first) {
      // PostgreSQL's float8_accum also sums the squares, and raises an error when they overflow.
      const double distance = value * state.count - sum;
      state.squares += distance * distance / (state.count * (state.count - 1));
      if (std::isinf(sum) || std::isinf(state.squares)) {
        if (finite) return Fail(FloatOverflow());
        state.squares = std::numeric_limits<double>::quiet_NaN();
      }
    } else if (std::isinf(sum) && finite) {
      return Fail(FloatOverflow());
    }
    state.sum = sum;
  }
  return {};
}

Status Aggregate::UpdateNumerics(const BatchColumn& column,
                                 std::span<const std::uint32_t> selection, StoredRow* const* groups,
                                 std::size_t at, MemoryContext& states) const {
  const ContextPtr scratch = AllocSet::CreateRoot("numeric sum", kSmallBlocks);
  for (std::size_t i = 0; i < selection.size(); ++i) {
    if (column.isnull(selection[i])) continue;
    PointerState& state = StateAt<PointerState>(groups[i], at);
    Datum sum = column.data<Datum>()[selection[i]];
    if (state.count > 0) {
      RELCACHE_ASSIGN(sum, NumericAdd(PointerGetDatum(state.bytes), sum, *scratch));
    }
    const std::size_t size = DatumSize(sum, -1);
    if (state.bytes == nullptr) {
      // With some room, because sums grow.
      state.bytes = static_cast<std::byte*>(states.Allocate(size + 8));
    } else if (MemoryContext::Capacity(state.bytes) < size) {
      states.Free(state.bytes);
      state.bytes = nullptr;
      state.bytes = static_cast<std::byte*>(states.Allocate(size + 8));
    }
    std::memcpy(state.bytes, DatumGetPointer(sum), size);
    ++state.count;
    scratch->Reset();
  }
  return {};
}

void Aggregate::UpdateExtremes(const BatchColumn& column, std::span<const std::uint32_t> selection,
                               StoredRow* const* groups, std::size_t at,
                               MemoryContext& states) const {
  for (std::size_t i = 0; i < selection.size(); ++i) {
    const NullableDatum value = column.Get(selection[i]);
    if (value.isnull) continue;
    ExtremeState& state = StateAt<ExtremeState>(groups[i], at);
    if (state.count > 0) {
      const int order = ops_->compare(value.value, state.value);
      if (kind_ == Kind::kMin ? order > 0 : order < 0) continue;
      // Values can be equal but look different (1.0 and 1.00). PostgreSQL keeps the last of them,
      // but for bpchar the first.
      if (order == 0 && argument_.type == kBpcharOid) continue;
    }
    if (argument_.typbyval) {
      state.value = value.value;
    } else {
      const std::size_t size = DatumSize(value.value, argument_.typlen);
      void* old = state.count == 0
                      ? nullptr
                      : reinterpret_cast<void*>(static_cast<std::uintptr_t>(state.value));
      if (old == nullptr || MemoryContext::Capacity(old) < size) {
        void* place = states.Allocate(size);
        if (old != nullptr) states.Free(old);
        old = place;
      }
      std::memcpy(old, DatumGetPointer(value.value), size);
      state.value = PointerGetDatum(old);
    }
    ++state.count;
  }
}

void Aggregate::UpdateArrays(const BatchColumn& column, std::span<const std::uint32_t> selection,
                             StoredRow* const* groups, std::size_t at,
                             MemoryContext& states) const {
  for (std::size_t i = 0; i < selection.size(); ++i) {
    ArrayState& state = StateAt<ArrayState>(groups[i], at);
    NullableDatum value = column.Get(selection[i]);
    if (!value.isnull) {
      value.value = CopyDatum(value.value, argument_.typbyval, argument_.typlen, states);
      if (!argument_.typbyval) state.bytes += DatumSize(value.value, argument_.typlen);
    }
    if (state.last == nullptr || state.last->count == state.last->capacity) {
      const std::uint32_t capacity = state.last == nullptr
                                         ? kSmallestPiece
                                         : std::min(2 * state.last->capacity + 1, kLargestPiece);
      auto* piece = static_cast<ArrayChunk*>(states.Allocate(PieceBytes(capacity)));
      *piece = {nullptr, 0, capacity};
      (state.last == nullptr ? state.first : state.last->next) = piece;
      state.last = piece;
      state.bytes += PieceBytes(capacity);
    }
    state.last->elements()[state.last->count++] = value;
    ++state.count;
  }
}

Result<NullableDatum> Aggregate::FinishOne(char* state, MemoryContext& cx) const {
  switch (kind_) {
    case Kind::kCountRows:
    case Kind::kCount:
      return NullableDatum{Int64GetDatum(reinterpret_cast<CountState*>(state)->count), false};
    case Kind::kSumInteger:
    case Kind::kSumWide:
    case Kind::kAvgInteger: {
      const IntegerState& integer = *reinterpret_cast<IntegerState*>(state);
      if (integer.count == 0) return NullableDatum{};
      if (kind_ == Kind::kSumInteger)
        return NullableDatum{Int64GetDatum(static_cast<std::int64_t>(integer.low)), false};
      const bool wide = argument_.type == kInt8Oid;
      RELCACHE_ASSIGN(const Datum sum, wide ? WideToNumeric(integer, cx)
                                            : Result<Datum>(IntToNumeric(
                                                  static_cast<std::int64_t>(integer.low), cx)));
      if (kind_ == Kind::kSumWide) return NullableDatum{sum, false};
      RELCACHE_ASSIGN(const Datum avg, NumericDiv(sum, IntToNumeric(integer.count, cx), cx));
      return NullableDatum{avg, false};
    }
    case Kind::kSumFloat4:
    case Kind::kSumFloat8:
    case Kind::kAvgFloat: {
      const FloatState& floats = *reinterpret_cast<FloatState*>(state);
      if (floats.count == 0) return NullableDatum{};
      if (kind_ == Kind::kSumFloat4)
        return NullableDatum{Float4GetDatum(static_cast<float>(floats.sum)), false};
      return NullableDatum{
          Float8GetDatum(kind_ == Kind::kSumFloat8 ? floats.sum : floats.sum / floats.count),
          false};
    }
    case Kind::kSumNumeric:
    case Kind::kAvgNumeric: {
      const PointerState& numeric = *reinterpret_cast<PointerState*>(state);
      if (numeric.count == 0) return NullableDatum{};
      const Datum sum = PointerGetDatum(numeric.bytes);
      if (kind_ == Kind::kSumNumeric) return NullableDatum{sum, false};
      RELCACHE_ASSIGN(const Datum avg, NumericDiv(sum, IntToNumeric(numeric.count, cx), cx));
      return NullableDatum{avg, false};
    }
    case Kind::kMin:
    case Kind::kMax: {
      const ExtremeState& extreme = *reinterpret_cast<ExtremeState*>(state);
      if (extreme.count == 0) return NullableDatum{};
      return NullableDatum{extreme.value, false};
    }
    case Kind::kArrayAgg:
      break;
  }
  if (reinterpret_cast<ArrayState*>(state)->count == 0) return NullableDatum{};
  RELCACHE_ASSIGN(
      const Datum value,
      MakeArray(CollectElements(reinterpret_cast<StoredRow*>(state), 0, cx),
                {argument_.type, argument_.typlen, argument_.typbyval, argument_.typalign}, cx));
  return NullableDatum{value, false};
}

Result<BatchColumn> Aggregate::Finish(std::span<StoredRow* const> groups, std::size_t at,
                                      MemoryContext& cx) const {
  void* values = cx.AllocateZeroed(groups.size() * WidthOf(result_.form));
  const auto nulls = cx.NewArray<std::uint8_t>(groups.size());
  bool any_null = false;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    RELCACHE_ASSIGN(const NullableDatum value,
                    FinishOne(reinterpret_cast<char*>(groups[i]) + at, cx));
    nulls[i] = value.isnull ? 1 : 0;
    any_null |= value.isnull;
    StoreDatum(result_.form, values, i, value.value);
  }
  return BatchColumn{result_.type, result_.form, values, any_null ? nulls.data() : nullptr};
}

std::size_t Aggregate::Growth(const NullableDatum& value) const {
  if (!outside_) return 0;
  const std::size_t piece =
      kind_ == Kind::kArrayAgg ? AllocSet::BytesFor(PieceBytes(kLargestPiece)) : 0;
  if (value.isnull || argument_.typbyval) return piece;
  // A sum may be somewhat longer than the value that is added.
  constexpr std::size_t kMore = 16;
  return piece + AllocSet::BytesFor(DatumSize(value.value, argument_.typlen) + kMore);
}

std::size_t Aggregate::OutsideBytes(const StoredRow* group, std::size_t at) const {
  if (kind_ == Kind::kArrayAgg) return StateAt<ArrayState>(group, at).bytes;
  return SaveOutside(group, at).size();
}

ArrayChunk* Aggregate::Elements(const StoredRow* group, std::size_t at) {
  return StateAt<ArrayState>(group, at).first;
}

std::span<NullableDatum> Aggregate::CollectElements(const StoredRow* group, std::size_t at,
                                                    MemoryContext& cx) {
  const auto n = static_cast<std::size_t>(StateAt<ArrayState>(group, at).count);
  auto* all = static_cast<NullableDatum*>(cx.AllocateHuge(n * sizeof(NullableDatum)));
  NullableDatum* end = all;
  for (ArrayChunk* piece = Elements(group, at); piece != nullptr; piece = piece->next)
    end = std::copy_n(piece->elements(), piece->count, end);
  return {all, n};
}

std::string_view Aggregate::SaveOutside(const StoredRow* group, std::size_t at) const {
  const auto bytes_of = [](Datum value, std::int16_t typlen) {
    return std::string_view(DatumGetPointer<char>(value), DatumSize(value, typlen));
  };
  if (kind_ == Kind::kSumNumeric || kind_ == Kind::kAvgNumeric) {
    const auto& state = StateAt<PointerState>(group, at);
    if (state.count > 0) return bytes_of(PointerGetDatum(state.bytes), -1);
  } else if ((kind_ == Kind::kMin || kind_ == Kind::kMax) && outside_) {
    const auto& state = StateAt<ExtremeState>(group, at);
    if (state.count > 0) return bytes_of(state.value, argument_.typlen);
  }
  return {};
}

void Aggregate::RestoreOutside(StoredRow* group, std::size_t at, std::string_view saved,
                               MemoryContext& states) const {
  if (kind_ == Kind::kArrayAgg) {
    StateAt<ArrayState>(group, at) = {};
  } else if (!saved.empty()) {
    auto* bytes = static_cast<std::byte*>(states.Allocate(saved.size()));
    std::memcpy(bytes, saved.data(), saved.size());
    if (kind_ == Kind::kSumNumeric || kind_ == Kind::kAvgNumeric) {
      StateAt<PointerState>(group, at).bytes = bytes;
    } else {
      StateAt<ExtremeState>(group, at).value = PointerGetDatum(bytes);
    }
  }
}

}  // namespace relcache
