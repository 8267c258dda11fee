// Arrays in PostgreSQL's memory form (utils/adt/arrayfuncs.c): read in place, made, text, order.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "relcache/base/oid.h"
#include "relcache/base/result.h"
#include "relcache/types/datum.h"
#include "relcache/types/type_ops.h"

namespace relcache {

/// The most elements that an array may have (PostgreSQL's MaxArraySize), and the error of one that
/// would have more.
inline constexpr std::size_t kMaxArrayElements = 134217727;
Error TooManyElements();

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

/// The length and lower bound of one dimension.
struct ArrayDimension {
  std::int32_t length = 0;
  std::int32_t lower_bound = 1;
};

/// An array of these elements, in storage order (construct_md_array). The lengths multiply to the
/// number of elements. Errors: 54000 when it would be larger than a value can be.
Result<Datum> MakeArray(std::span<const NullableDatum> elements,
                        std::span<const ArrayDimension> dimensions, const ElementType& type,
                        MemoryContext& cx);
/// The same with one dimension and lower bound 1.
Result<Datum> MakeArray(std::span<const NullableDatum> elements, const ElementType& type,
                        MemoryContext& cx);

/// array_in and array_out: "{1,2}", "{{a,\"b c\"},{NULL,d}}", "[2:3]={1,2}". The functions are
/// those of the elements. Errors: 22P02 `malformed array literal: "{"` with PostgreSQL's detail;
/// 2202E; 54000; those of the elements.
using ElementInput = std::function<Result<Datum>(std::string_view text)>;
using ElementOutput = std::function<Result<std::string_view>(Datum value)>;
Result<Datum> ArrayIn(std::string_view text, const ElementType& type, char typdelim,
                      const ElementInput& element_in, MemoryContext& cx);
Result<std::string_view> ArrayOut(Datum array, const ElementType& type, char typdelim,
                                  const ElementOutput& element_out, MemoryContext& cx);

/// btree order (btarraycmp): by elements, NULL above all and equal to NULL, then by how many, then
/// by dimensions. Neither array may be malformed (Errors: 22P02).
Result<int> ArrayCompare(Datum a, Datum b, const ElementType& type, CompareFunction compare,
                         MemoryContext& cx);

}  // namespace relcache
