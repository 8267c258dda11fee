// boolean, "char", oid, integers and floats: by value, mostly total, so that a batch of them is a
// plain loop that the compiler turns into vector instructions.
#include <cmath>
#include <functional>
#include <numeric>

#include "relcache/executor/functions/function_tables.h"
#include "relcache/executor/functions/kernel.h"
#include "relcache/types/internal/float.h"
#include "relcache/types/internal/int.h"

namespace relcache {
namespace {

using kernel::Compare;
using kernel::Kernel;

/// F computed in T of arguments of narrower types: int24pl is Widened<IntAdd<int32_t>, ...>.
template <class T, Fault (*F)(T, T, T&), class A, class B>
Fault Widened(A a, B b, T& out) {
  return F(a, b, out);
}

/// "char" compares as an unsigned byte.
template <class Op>
bool CompareChar(char a, char b) {
  return Op{}(static_cast<unsigned char>(a), static_cast<unsigned char>(b));
}

// NaN equals NaN and is above everything; written without branches so that batches vectorize.
template <class A, class B>
bool FloatEq(A a, B b) {
  return (a == b) | ((a != a) & (b != b));
}
template <class A, class B>
bool FloatLt(A a, B b) {
  return (a < b) | ((b != b) & (a == a));
}
template <class A, class B>
bool FloatNe(A a, B b) {
  return !FloatEq(a, b);
}
template <class A, class B>
bool FloatGt(A a, B b) {
  return FloatLt(b, a);
}
template <class A, class B>
bool FloatLe(A a, B b) {
  return !FloatLt(b, a);
}
template <class A, class B>
bool FloatGe(A a, B b) {
  return !FloatLt(a, b);
}

template <class T>
T Larger(T a, T b) {
  return a > b ? a : b;
}
template <class T>
T Smaller(T a, T b) {
  return a < b ? a : b;
}
template <class T>
T FloatLarger(T a, T b) {
  return FloatGt(a, b) ? a : b;
}
template <class T>
T FloatSmaller(T a, T b) {
  return FloatLt(a, b) ? a : b;
}
template <class T>
T Same(T a) {
  return a;
}
template <class To, class From>
To Convert(From a) {
  return static_cast<To>(a);
}
template <class T>
T And(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
T Or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
T Xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
T Not(T a) {
  return static_cast<T>(~a);
}
/// As the machine shifts: by the low bits of the count. smallint is shifted as an integer.
template <class T>
T ShiftLeft(T a, std::int32_t by) {
  constexpr unsigned kMask = sizeof(T) == 8 ? 63 : 31;
  return static_cast<T>(static_cast<std::uint64_t>(std::int64_t{a}) << (by & kMask));
}
template <class T>
T ShiftRight(T a, std::int32_t by) {
  constexpr unsigned kMask = sizeof(T) == 8 ? 63 : 31;
  return static_cast<T>(a >> (by & kMask));
}
template <class T>
T FloatNegate(T a) {
  return -a;
}
template <class T>
T FloatAbs(T a) {
  return std::fabs(a);
}
double FloatSign(double a) {
  return a > 0 ? 1.0 : a < 0 ? -1.0 : 0.0;
}
template <class To>
Fault Float4ToInt(float a, To& out) {
  return FloatToInt(double{a}, out);
}
template <class To>
Fault Float8ToInt(double a, To& out) {
  return FloatToInt(a, out);
}
Fault SquareRoot(double a, double& out) {
  if (a < 0) return Fault::kNegativeSquareRoot;
  out = std::sqrt(a);
  return Fault::kNone;
}

#define COMPARISONS(A, B, name, eq, ne, lt, gt, le, ge)          \
  Kernel<Compare<std::equal_to<>, A, B>>(eq, name "eq"),         \
      Kernel<Compare<std::not_equal_to<>, A, B>>(ne, name "ne"), \
      Kernel<Compare<std::less<>, A, B>>(lt, name "lt"),         \
      Kernel<Compare<std::greater<>, A, B>>(gt, name "gt"),      \
      Kernel<Compare<std::less_equal<>, A, B>>(le, name "le"),   \
      Kernel<Compare<std::greater_equal<>, A, B>>(ge, name "ge")
#define ARITHMETIC(T, A, B, name, pl, mi, mul, div)         \
  Kernel<Widened<T, IntAdd<T>, A, B>>(pl, name "pl"),       \
      Kernel<Widened<T, IntSub<T>, A, B>>(mi, name "mi"),   \
      Kernel<Widened<T, IntMul<T>, A, B>>(mul, name "mul"), \
      Kernel<Widened<T, IntDiv<T>, A, B>>(div, name "div")
#define FLOAT_COMPARISONS(A, B, name, eq, ne, lt, gt, le, ge)                     \
  Kernel<FloatEq<A, B>>(eq, name "eq"), Kernel<FloatNe<A, B>>(ne, name "ne"),     \
      Kernel<FloatLt<A, B>>(lt, name "lt"), Kernel<FloatGt<A, B>>(gt, name "gt"), \
      Kernel<FloatLe<A, B>>(le, name "le"), Kernel<FloatGe<A, B>>(ge, name "ge")
#define FLOAT_ARITHMETIC(T, A, B, name, pl, mi, mul, div)     \
  Kernel<Widened<T, FloatAdd<T>, A, B>>(pl, name "pl"),       \
      Kernel<Widened<T, FloatSub<T>, A, B>>(mi, name "mi"),   \
      Kernel<Widened<T, FloatMul<T>, A, B>>(mul, name "mul"), \
      Kernel<Widened<T, FloatDiv<T>, A, B>>(div, name "div")
#define BITS(T, name, and_, or_, xor_, not_, shl, shr)                    \
  Kernel<And<T>>(and_, name "and"), Kernel<Or<T>>(or_, name "or"),        \
      Kernel<Xor<T>>(xor_, name "xor"), Kernel<Not<T>>(not_, name "not"), \
      Kernel<ShiftLeft<T>>(shl, name "shl"), Kernel<ShiftRight<T>>(shr, name "shr")

using I2 = std::int16_t;
using I4 = std::int32_t;
using I8 = std::int64_t;

constexpr Function kFunctions[] = {
    COMPARISONS(I2, I2, "int2", 63, 145, 64, 146, 148, 151),
    COMPARISONS(I2, I4, "int24", 158, 164, 160, 162, 166, 168),
    COMPARISONS(I2, I8, "int28", 1850, 1851, 1852, 1853, 1854, 1855),
    COMPARISONS(I4, I2, "int42", 159, 165, 161, 163, 167, 169),
    COMPARISONS(I4, I4, "int4", 65, 144, 66, 147, 149, 150),
    COMPARISONS(I4, I8, "int48", 852, 853, 854, 855, 856, 857),
    COMPARISONS(I8, I2, "int82", 1856, 1857, 1858, 1859, 1860, 1861),
    COMPARISONS(I8, I4, "int84", 474, 475, 476, 477, 478, 479),
    COMPARISONS(I8, I8, "int8", 467, 468, 469, 470, 471, 472),
    COMPARISONS(bool, bool, "bool", 60, 84, 56, 57, 1691, 1692),
    COMPARISONS(Oid, Oid, "oid", 184, 185, 716, 1638, 717, 1639),
    Kernel<CompareChar<std::equal_to<>>>(61, "chareq"),
    Kernel<CompareChar<std::not_equal_to<>>>(70, "charne"),
    Kernel<CompareChar<std::less<>>>(1246, "charlt"),
    Kernel<CompareChar<std::greater<>>>(73, "chargt"),
    Kernel<CompareChar<std::less_equal<>>>(72, "charle"),
    Kernel<CompareChar<std::greater_equal<>>>(74, "charge"),

    ARITHMETIC(I2, I2, I2, "int2", 176, 180, 152, 153),
    ARITHMETIC(I4, I2, I4, "int24", 178, 182, 170, 172),
    ARITHMETIC(I8, I2, I8, "int28", 841, 942, 943, 948),
    ARITHMETIC(I4, I4, I2, "int42", 179, 183, 171, 173),
    ARITHMETIC(I4, I4, I4, "int4", 177, 181, 141, 154),
    ARITHMETIC(I8, I4, I8, "int48", 1278, 1279, 1280, 1281),
    ARITHMETIC(I8, I8, I2, "int82", 837, 838, 839, 840),
    ARITHMETIC(I8, I8, I4, "int84", 1274, 1275, 1276, 1277),
    ARITHMETIC(I8, I8, I8, "int8", 463, 464, 465, 466),
    Kernel<IntMod<I2>>(155, "int2mod"),
    Kernel<IntMod<I2>>(940, "mod"),
    Kernel<IntMod<I4>>(156, "int4mod"),
    Kernel<IntMod<I4>>(941, "mod"),
    Kernel<IntMod<I8>>(945, "int8mod"),
    Kernel<IntMod<I8>>(947, "mod"),
    Kernel<IntNegate<I2>>(213, "int2um"),
    Kernel<IntNegate<I4>>(212, "int4um"),
    Kernel<IntNegate<I8>>(462, "int8um"),
    Kernel<IntAbs<I2>>(1253, "int2abs"),
    Kernel<IntAbs<I2>>(1398, "abs"),
    Kernel<IntAbs<I4>>(1251, "int4abs"),
    Kernel<IntAbs<I4>>(1397, "abs"),
    Kernel<IntAbs<I8>>(1230, "int8abs"),
    Kernel<IntAbs<I8>>(1396, "abs"),
    Kernel<Same<I2>>(1911, "int2up"),
    Kernel<Same<I4>>(1912, "int4up"),
    Kernel<Same<I8>>(1910, "int8up"),
    Kernel<Larger<I2>>(770, "int2larger"),
    Kernel<Smaller<I2>>(771, "int2smaller"),
    Kernel<Larger<I4>>(768, "int4larger"),
    Kernel<Smaller<I4>>(769, "int4smaller"),
    Kernel<Larger<I8>>(1236, "int8larger"),
    Kernel<Smaller<I8>>(1237, "int8smaller"),
    Kernel<Larger<Oid>>(1965, "oidlarger"),
    Kernel<Smaller<Oid>>(1966, "oidsmaller"),
    BITS(I2, "int2", 1892, 1893, 1894, 1895, 1896, 1897),
    BITS(I4, "int4", 1898, 1899, 1900, 1901, 1902, 1903),
    BITS(I8, "int8", 1904, 1905, 1906, 1907, 1908, 1909),

    // Casts.
    Kernel<Convert<I4, I2>>(313, "int4"),
    Kernel<Convert<I8, I2>>(754, "int8"),
    Kernel<Convert<I8, I4>>(481, "int8"),
    Kernel<Convert<I4, char>>(77, "int4"),
    Kernel<Convert<I4, bool>>(2558, "int4"),
    Kernel<Convert<bool, I4>>(2557, "bool"),
    Kernel<Convert<I8, Oid>>(1288, "int8"),
    Kernel<Int8ToOid>(1287, "oid"),
    Kernel<IntCast<I2, I4>>(314, "int2"),
    Kernel<IntCast<I2, I8>>(714, "int2"),
    Kernel<IntCast<I4, I8>>(480, "int4"),
    Kernel<Convert<float, I2>>(236, "float4"),
    Kernel<Convert<float, I4>>(318, "float4"),
    Kernel<Convert<float, I8>>(652, "float4"),
    Kernel<Convert<double, I2>>(235, "float8"),
    Kernel<Convert<double, I4>>(316, "float8"),
    Kernel<Convert<double, I8>>(482, "float8"),
    Kernel<Convert<double, float>>(311, "float8"),
    Kernel<Float8ToFloat4>(312, "float4"),
    Kernel<Float4ToInt<I2>>(238, "int2"),
    Kernel<Float4ToInt<I4>>(319, "int4"),
    Kernel<Float4ToInt<I8>>(653, "int8"),
    Kernel<Float8ToInt<I2>>(237, "int2"),
    Kernel<Float8ToInt<I4>>(317, "int4"),
    Kernel<Float8ToInt<I8>>(483, "int8"),

    FLOAT_COMPARISONS(float, float, "float4", 287, 288, 289, 291, 290, 292),
    FLOAT_COMPARISONS(float, double, "float48", 299, 300, 301, 303, 302, 304),
    FLOAT_COMPARISONS(double, float, "float84", 305, 306, 307, 309, 308, 310),
    FLOAT_COMPARISONS(double, double, "float8", 293, 294, 295, 297, 296, 298),
    FLOAT_ARITHMETIC(float, float, float, "float4", 204, 205, 202, 203),
    FLOAT_ARITHMETIC(double, float, double, "float48", 281, 282, 279, 280),
    FLOAT_ARITHMETIC(double, double, float, "float84", 285, 286, 283, 284),
    FLOAT_ARITHMETIC(double, double, double, "float8", 218, 219, 216, 217),
    Kernel<FloatNegate<float>>(206, "float4um"),
    Kernel<FloatNegate<double>>(220, "float8um"),
    Kernel<FloatAbs<float>>(207, "float4abs"),
    Kernel<FloatAbs<float>>(1394, "abs"),
    Kernel<FloatAbs<double>>(221, "float8abs"),
    Kernel<FloatAbs<double>>(1395, "abs"),
    Kernel<Same<float>>(1913, "float4up"),
    Kernel<Same<double>>(1914, "float8up"),
    Kernel<FloatLarger<float>>(209, "float4larger"),
    Kernel<FloatSmaller<float>>(211, "float4smaller"),
    Kernel<FloatLarger<double>>(223, "float8larger"),
    Kernel<FloatSmaller<double>>(224, "float8smaller"),
    Kernel<+[](double a) { return std::rint(a); }>(228, "dround"),
    Kernel<+[](double a) { return std::rint(a); }>(1342, "round"),
    Kernel<+[](double a) { return std::trunc(a); }>(229, "dtrunc"),
    Kernel<+[](double a) { return std::trunc(a); }>(1343, "trunc"),
    Kernel<+[](double a) { return std::ceil(a); }>(2308, "ceil"),
    Kernel<+[](double a) { return std::ceil(a); }>(2320, "ceiling"),
    Kernel<+[](double a) { return std::floor(a); }>(2309, "floor"),
    Kernel<FloatSign>(2310, "sign"),
    Kernel<SquareRoot>(230, "dsqrt"),
    Kernel<SquareRoot>(1344, "sqrt"),
};

}  // namespace

std::span<const Function> NumberFunctions() {
  return kFunctions;
}

}  // namespace relcache
