// Arrays in the layout that PostgreSQL stores (utils/adt/arrayfuncs.c): reading them in place,
// making them, their text form and their order.
//
// The layout is: length, number of dimensions, offset of the data (0 if there are no NULLs) and
// element type, four bytes each; the lengths of the dimensions, then their lower bounds; a bitmap
// with a bit for each element that is not NULL, if there are NULLs; and the elements from the next
// multiple of 8 on, each aligned as its type demands.
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

/// The maximal number of elements (PostgreSQL's MaxArraySize), and the error for more.
inline constexpr std::size_t kMaxArrayElements = 134217727;
Error TooManyElements();

/// The layout of an array's elements: typlen, typbyval and typalign of pg_type.
struct ElementType {
  Oid oid = kInvalidOid;
  std::int16_t typlen = -1;
  bool typbyval = false;
  char typalign = 'i';
};

/// The head of an array.
/// Lifetime: refers to the value, which must live as long.
class ArrayHead {
 public:
  static constexpr int kMaxDimensions = 6;

  /// Reads the head and checks its sizes against the length of the value.
  /// Errors: SQLSTATE 22P02 if the bytes are not an array.
  static Result<ArrayHead> Of(Datum array);

  int ndim() const { return ndim_; }
  Oid element_type() const { return element_type_; }
  /// The length and the lower bound of dimension i, counted from 0.
  std::int32_t length(int i) const { return Word(4 + i); }
  std::int32_t lower_bound(int i) const { return Word(4 + ndim_ + i); }
  /// The number of elements in all dimensions together.
  std::size_t count() const { return count_; }

  /// All elements in storage order, as a span in cx. Elements that are passed by reference point
  /// into the array.
  /// Errors: SQLSTATE 22P02 if they do not fit into the bytes of the value.
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

/// Makes an array of elements in storage order (construct_md_array). The product of the dimensions'
/// lengths is the number of elements.
/// Errors: SQLSTATE 54000 if the array would be too large.
Result<Datum> MakeArray(std::span<const NullableDatum> elements,
                        std::span<const ArrayDimension> dimensions, const ElementType& type,
                        MemoryContext& cx);
/// The same for one dimension with the lower bound 1.
Result<Datum> MakeArray(std::span<const NullableDatum> elements, const ElementType& type,
                        MemoryContext& cx);

/// Text to array and array to text (array_in, array_out): "{1,2}", "{{a,\"b c\"},{NULL,d}}",
/// "[2:3]={1,2}". The functions convert single elements.
/// Errors: SQLSTATE 22P02 `malformed array literal: "{"` with PostgreSQL's detail; 2202E; 54000;
/// those of the elements.
using ElementInput = std::function<Result<Datum>(std::string_view text)>;
using ElementOutput = std::function<Result<std::string_view>(Datum value)>;
Result<Datum> ArrayIn(std::string_view text, const ElementType& type, char typdelim,
                      const ElementInput& element_in, MemoryContext& cx);
Result<std::string_view> ArrayOut(Datum array, const ElementType& type, char typdelim,
                                  const ElementOutput& element_out, MemoryContext& cx);

/// The btree order (btarraycmp): first by the elements, where NULL is greater than any value and
/// equal to NULL; then by their number; then by the dimensions.
/// Errors: SQLSTATE 22P02 if one of them is not an array.
Result<int> ArrayCompare(Datum a, Datum b, const ElementType& type, CompareFunction compare,
                         MemoryContext& cx);

}  // namespace relcache
