// Functions that work on arrays of any element type, and on enums as far as an enum's oid answers.
#include <functional>
#include <optional>

#include "relcache/executor/functions/function_tables.h"
#include "relcache/executor/functions/kernel.h"
#include "relcache/types/internal/array.h"

namespace relcache {
namespace {

using kernel::Kernel;
using I4 = std::int32_t;

Result<I4> Cardinality(Datum array) {
  RELCACHE_ASSIGN(const ArrayHead head, ArrayHead::Of(array));
  return static_cast<I4>(head.count());
}

template <class F>
std::optional<I4> OfDimension(Datum array, I4 dimension, F value) {
  const Result<ArrayHead> head = ArrayHead::Of(array);
  if (!head || dimension < 1 || dimension > head->ndim()) return std::nullopt;
  return value(*head, dimension - 1);
}
std::optional<I4> ArrayLength(Datum array, I4 dimension) {
  return OfDimension(array, dimension, [](const ArrayHead& h, int i) { return h.length(i); });
}
std::optional<I4> ArrayLower(Datum array, I4 dimension) {
  return OfDimension(array, dimension, [](const ArrayHead& h, int i) { return h.lower_bound(i); });
}
std::optional<I4> ArrayUpper(Datum array, I4 dimension) {
  return OfDimension(array, dimension, [](const ArrayHead& h, int i) {
    return static_cast<I4>(h.lower_bound(i) + h.length(i) - 1);
  });
}
std::optional<I4> ArrayNdims(Datum array) {
  const Result<ArrayHead> head = ArrayHead::Of(array);
  if (!head || head->ndim() == 0) return std::nullopt;
  return head->ndim();
}

constexpr Function kFunctions[] = {
    Kernel<Cardinality>(3179, "cardinality"),
    Kernel<ArrayLength>(2176, "array_length"),
    Kernel<ArrayLower>(2091, "array_lower"),
    Kernel<ArrayUpper>(2092, "array_upper"),
    Kernel<ArrayNdims>(748, "array_ndims"),
    Kernel<kernel::Compare<std::equal_to<>, Oid>>(3508, "enum_eq"),
    Kernel<kernel::Compare<std::not_equal_to<>, Oid>>(3509, "enum_ne"),
};

}  // namespace

std::span<const Function> ArrayFunctions() {
  return kFunctions;
}

}  // namespace relcache
