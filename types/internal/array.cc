#include "relcache/types/internal/array.h"

#include <algorithm>

#include "relcache/base/internal/format.h"
#include "relcache/memory/align.h"

namespace relcache {
namespace {

constexpr std::size_t kFixedHead = 16;  // length, ndim, dataoffset, elemtype
constexpr std::size_t kMaxAllocSize = 0x3fffffff;

std::size_t Alignment(char typalign) {
  switch (typalign) {
    case 'c':
      return 1;
    case 's':
      return 2;
    case 'd':
      return 8;
    default:
      return 4;
  }
}
tl::unexpected<Error> Malformed() {
  return Fail(ErrorCode::kInvalidInput, "22P02", "malformed array value");
}

Datum FetchByValue(const char* at, std::int16_t typlen) {
  switch (typlen) {
    case 1:
      return CharGetDatum(*at);
    case 2: {
      std::int16_t v;
      std::memcpy(&v, at, sizeof v);
      return Int16GetDatum(v);
    }
    case 4: {
      std::int32_t v;
      std::memcpy(&v, at, sizeof v);
      return Int32GetDatum(v);
    }
    default: {
      std::int64_t v;
      std::memcpy(&v, at, sizeof v);
      return Int64GetDatum(v);
    }
  }
}

}  // namespace

std::int32_t ArrayHead::Word(int index) const {
  std::int32_t v;
  std::memcpy(&v, bytes_ + std::ptrdiff_t{4} * index, sizeof v);
  return v;
}

// Values can come from the constants of a tree, which is untrusted input; so nothing is read before
// its place was compared with the length of the value, and the number of elements is bounded before
// it is multiplied.
Result<ArrayHead> ArrayHead::Of(Datum array) {
  ArrayHead head;
  head.bytes_ = DatumGetPointer<char>(array);
  head.size_ = VarData(array).size() + kVarHdrSz;
  if (head.size_ < kFixedHead) return Malformed();
  head.ndim_ = head.Word(1);
  const std::int32_t offset = head.Word(2);
  head.element_type_ = static_cast<Oid>(head.Word(3));
  if (head.ndim_ < 0 || head.ndim_ > kMaxDimensions) return Malformed();
  const std::size_t dimensions_end = kFixedHead + 8 * static_cast<std::size_t>(head.ndim_);
  if (dimensions_end > head.size_) return Malformed();
  head.count_ = head.ndim_ == 0 ? 0 : 1;
  for (int i = 0; i < head.ndim_; ++i) {
    const std::int32_t n = head.length(i);
    if (n < 0 || (n > 0 && head.count_ > kMaxAllocSize / static_cast<std::size_t>(n)))
      return Malformed();
    head.count_ *= static_cast<std::size_t>(n);
  }
  head.has_nulls_ = offset != 0;
  const std::size_t bitmap = head.has_nulls_ ? (head.count_ + 7) / 8 : 0;
  head.data_offset_ = AlignUp(dimensions_end + bitmap, 8);
  if (head.has_nulls_ && static_cast<std::size_t>(offset) != head.data_offset_) return Malformed();
  if (head.count_ > 0 && head.data_offset_ > head.size_) return Malformed();
  return head;
}

Result<std::span<const NullableDatum>> ArrayHead::Elements(const ElementType& type,
                                                           MemoryContext& cx) const {
  // Each element takes at least a bit of the bitmap, so the number of elements that is allocated
  // here is bounded by the size of the value.
  if (count_ > 8 * size_) return Malformed();
  std::span<NullableDatum> out = cx.NewArray<NullableDatum>(count_);
  const char* bitmap = bytes_ + kFixedHead + std::ptrdiff_t{8} * ndim_;
  const std::size_t align = Alignment(type.typalign);
  std::size_t at = data_offset_;
  for (std::size_t i = 0; i < count_; ++i) {
    if (has_nulls_ && (static_cast<unsigned char>(bitmap[i / 8]) >> (i % 8) & 1) == 0) continue;
    at = AlignUp(at, align);
    std::size_t width = static_cast<std::size_t>(type.typlen);
    if (type.typlen < 0) {
      if (at + kVarHdrSz > size_) return Malformed();
      std::uint32_t header;
      std::memcpy(&header, bytes_ + at, sizeof header);
      width = header >> 2;
      if ((header & 3) != 0 || width < kVarHdrSz) return Malformed();
    }
    if (width > size_ - at) return Malformed();
    out[i].isnull = false;
    out[i].value =
        type.typbyval ? FetchByValue(bytes_ + at, type.typlen) : PointerGetDatum(bytes_ + at);
    at += width;
  }
  return std::span<const NullableDatum>(out);
}

Error TooManyElements() {
  return Error(ErrorCode::kInvalidInput, "54000",
               Format("array size exceeds the maximum allowed ({})", kMaxArrayElements));
}

Result<Datum> MakeArray(std::span<const NullableDatum> elements, const ElementType& type,
                        MemoryContext& cx) {
  const ArrayDimension dimension{static_cast<std::int32_t>(elements.size()), 1};
  return MakeArray(elements, {&dimension, elements.empty() ? std::size_t{0} : std::size_t{1}}, type,
                   cx);
}

Result<Datum> MakeArray(std::span<const NullableDatum> elements,
                        std::span<const ArrayDimension> dimensions, const ElementType& type,
                        MemoryContext& cx) {
  const std::size_t align = Alignment(type.typalign);
  bool has_nulls = false;
  std::size_t data = 0;
  for (const NullableDatum& e : elements) {
    if (e.isnull) {
      has_nulls = true;
      continue;
    }
    data = AlignUp(data, align) + (type.typbyval ? static_cast<std::size_t>(type.typlen)
                                                 : DatumSize(e.value, type.typlen));
    if (data > kMaxAllocSize)
      return Fail(ErrorCode::kLimit, "54000",
                  "array size exceeds the maximum allowed (1073741823)");
  }
  // PostgreSQL has only one empty array, with no dimensions.
  if (elements.empty()) dimensions = {};
  const std::size_t ndim = dimensions.size();
  const std::size_t dimensions_end = kFixedHead + 8 * ndim;
  const std::size_t start =
      AlignUp(dimensions_end + (has_nulls ? (elements.size() + 7) / 8 : 0), 8);
  const std::size_t size = elements.empty() ? kFixedHead : start + data;
  if (size > kMaxAllocSize)
    return Fail(ErrorCode::kLimit, "XX000", Format("invalid memory alloc request size {}", size));
  char* bytes = static_cast<char*>(cx.Allocate(size));
  // PostgreSQL zeroes the padding too (palloc0), so that equal arrays have equal bytes.
  std::memset(bytes, 0, size);
  const std::int32_t words[] = {
      static_cast<std::int32_t>(size << 2), static_cast<std::int32_t>(ndim),
      has_nulls ? static_cast<std::int32_t>(start) : 0, static_cast<std::int32_t>(type.oid)};
  std::memcpy(bytes, words, sizeof words);
  for (std::size_t i = 0; i < ndim; ++i) {
    char* place = bytes + kFixedHead + 4 * i;
    std::memcpy(place, &dimensions[i].length, 4);
    std::memcpy(place + 4 * ndim, &dimensions[i].lower_bound, 4);
  }
  std::size_t at = start;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].isnull) continue;
    if (has_nulls) bytes[dimensions_end + i / 8] |= static_cast<char>(1 << (i % 8));
    at = AlignUp(at, align);
    if (type.typbyval) {
      const std::int64_t word = DatumGetInt64(elements[i].value);
      std::memcpy(bytes + at, &word, static_cast<std::size_t>(type.typlen));
      at += static_cast<std::size_t>(type.typlen);
    } else {
      const std::size_t width = DatumSize(elements[i].value, type.typlen);
      std::memcpy(bytes + at, DatumGetPointer(elements[i].value), width);
      at += width;
    }
  }
  return PointerGetDatum(bytes);
}

Result<int> ArrayCompare(Datum a, Datum b, const ElementType& type, CompareFunction compare,
                         MemoryContext& cx) {
  RELCACHE_ASSIGN(const ArrayHead x, ArrayHead::Of(a));
  RELCACHE_ASSIGN(const ArrayHead y, ArrayHead::Of(b));
  RELCACHE_ASSIGN(const auto left, x.Elements(type, cx));
  RELCACHE_ASSIGN(const auto right, y.Elements(type, cx));
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    if (left[i].isnull != right[i].isnull) return left[i].isnull ? 1 : -1;
    if (left[i].isnull) continue;
    const int order = compare(left[i].value, right[i].value);
    if (order != 0) return order < 0 ? -1 : 1;
  }
  const auto sign = [](auto p, auto q) { return int{p > q} - int{p < q}; };
  if (left.size() != right.size()) return sign(left.size(), right.size());
  if (x.ndim() != y.ndim()) return sign(x.ndim(), y.ndim());
  for (int i = 0; i < x.ndim(); ++i)
    if (x.length(i) != y.length(i)) return sign(x.length(i), y.length(i));
  for (int i = 0; i < x.ndim(); ++i)
    if (x.lower_bound(i) != y.lower_bound(i)) return sign(x.lower_bound(i), y.lower_bound(i));
  return 0;
}

}  // namespace relcache
