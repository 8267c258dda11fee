// Arrays in PostgreSQL's memory form (utils/array.h): read in place, and made.
#pragma once

#include <cstdint>
#include <span>

#include "relcache/base/oid.h"
#include "relcache/base/result.h"
#include "relcache/types/datum.h"

namespace relcache {

/// How the elements of an array lie: pg_type's typlen, typbyval, typalign.
struct ElementType {
  Oid oid = kInvalidOid;
  std::int16_t typlen = -1;
  bool typbyval = false;
  char typalign = 'i';
};

/// The head of an array. Lifetime: views the value.
class ArrayHead {
 public:
  static constexpr int kMaxDimensions = 6;

  /// Errors: 22P02 when the bytes are no array; sizes are checked against the value's length.
  static Result<ArrayHead> Of(Datum array);

  int ndim() const { return ndim_; }
  Oid element_type() const { return element_type_; }
  /// Of dimension i from 0.
  std::int32_t length(int i) const { return Word(4 + i); }
  std::int32_t lower_bound(int i) const { return Word(4 + ndim_ + i); }
  /// Elements in all dimensions.
  std::size_t count() const { return count_; }

  /// All elements in storage order, in cx; by-reference ones point into the array.
  /// Errors: 22P02 when they do not fit in the value's bytes.
  Result<std::span<const NullableDatum>> Elements(const ElementType& type, MemoryContext& cx) const;

 private:
  std::int32_t Word(int index) const;
  const char* bytes_ = nullptr;
  std::size_t size_ = 0;
  int ndim_ = 0;
  Oid element_type_ = kInvalidOid;
  std::size_t count_ = 0;
  std::size_t data_offset_ = 0;
  bool has_nulls_ = false;
};

/// A one-dimensional array of these elements, lower bound 1 (construct_md_array). Errors: 54000
/// when it would be larger than a value can be.
Result<Datum> MakeArray(std::span<const NullableDatum> elements, const ElementType& type,
                        MemoryContext& cx);

}  // namespace relcache
