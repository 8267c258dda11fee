// numeric.
#include <functional>

#include "relcache/executor/functions/function_tables.h"
#include "relcache/executor/functions/kernel.h"
#include "relcache/types/internal/numeric.h"

namespace relcache {
namespace {

using kernel::Kernel;

template <class Op>
bool Compare(Datum a, Datum b) {
  return Op{}(NumericCompare(a, b), 0);
}
// Of equal numbers the second one, as in numeric_larger and numeric_smaller: their scales may
// differ.
Datum Larger(Datum a, Datum b) {
  return NumericCompare(a, b) > 0 ? a : b;
}
Datum Smaller(Datum a, Datum b) {
  return NumericCompare(a, b) < 0 ? a : b;
}
template <class T>
Datum FromInt(T value, MemoryContext& cx) {
  return IntToNumeric(value, cx);
}
Datum Same(Datum a) {
  return a;
}

constexpr Function kFunctions[] = {
    Kernel<Compare<std::equal_to<>>>(1718, "numeric_eq"),
    Kernel<Compare<std::not_equal_to<>>>(1719, "numeric_ne"),
    Kernel<Compare<std::less<>>>(1722, "numeric_lt"),
    Kernel<Compare<std::greater<>>>(1720, "numeric_gt"),
    Kernel<Compare<std::less_equal<>>>(1723, "numeric_le"),
    Kernel<Compare<std::greater_equal<>>>(1721, "numeric_ge"),
    Kernel<Larger>(1767, "numeric_larger"),
    Kernel<Smaller>(1766, "numeric_smaller"),

    Kernel<NumericAdd>(1724, "numeric_add"),
    Kernel<NumericSub>(1725, "numeric_sub"),
    Kernel<NumericMul>(1726, "numeric_mul"),
    Kernel<NumericDiv>(1727, "numeric_div"),
    Kernel<NumericMod>(1729, "numeric_mod"),
    Kernel<NumericMod>(1728, "mod"),
    Kernel<NumericNegate>(1771, "numeric_uminus"),
    Kernel<Same>(1915, "numeric_uplus"),
    Kernel<NumericAbs>(1704, "numeric_abs"),
    Kernel<NumericAbs>(1705, "abs"),
    Kernel<NumericSignum>(1706, "sign"),
    Kernel<NumericRound>(1707, "round"),
    Kernel<NumericTrunc>(1709, "trunc"),
    Kernel<NumericCeil>(1711, "ceil"),
    Kernel<NumericCeil>(2167, "ceiling"),
    Kernel<NumericFloor>(1712, "floor"),
    Kernel<NumericCoerce>(1703, "numeric"),

    Kernel<FromInt<std::int16_t>>(1782, "numeric"),
    Kernel<FromInt<std::int32_t>>(1740, "numeric"),
    Kernel<FromInt<std::int64_t>>(1781, "numeric"),
    Kernel<Float4ToNumeric>(1742, "numeric"),
    Kernel<Float8ToNumeric>(1743, "numeric"),
    Kernel<NumericToInt2>(1783, "int2"),
    Kernel<NumericToInt4>(1744, "int4"),
    Kernel<NumericToInt8>(1779, "int8"),
    Kernel<NumericToFloat4>(1745, "float4"),
    Kernel<NumericToFloat8>(1746, "float8"),
};

}  // namespace

std::span<const Function> NumericFunctions() {
  return kFunctions;
}

}  // namespace relcache
