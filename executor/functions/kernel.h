// Makes both kernels of a Function from a typed C++ function: `Kernel<Int4Pl>(177, "int4pl")`.
//
// The signature of the function contains everything. The parameters are, in this order:
//  - values: bool, char, std::int16_t ... double and Oid (by value, in their natural width),
//    std::string_view (the content of a varlena), Interval, Datum (by reference, as it is);
//  - one non-const reference to a value, if the function returns a Fault: the result;
//  - const SessionSettings&, MemoryContext&: supplied from the FunctionContext.
// The function returns a value, a Fault, Result<value>, std::optional<value> (nullopt is NULL), or
// Result<std::optional<value>>.
#pragma once

#include <concepts>
#include <cstring>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "relcache/executor/functions/function.h"
#include "relcache/types/date_time/interval.h"

namespace relcache::kernel {

template <class T>
struct Form;
// The C++ type of a value, its form in a column, and the way between array element and Datum.
#define RELCACHE_BY_VALUE(T, Stored, form, From, To)                     \
  template <>                                                            \
  struct Form<T> {                                                       \
    using Element = Stored;                                              \
    static constexpr ColumnForm kForm = ColumnForm::form;                \
    static constexpr bool kByValue = true;                               \
    static T FromDatum(Datum d) { return From(d); }                      \
    static Datum ToDatum(T v, FunctionContext&) { return To(v); }        \
    static T FromElement(Stored v) { return static_cast<T>(v); }         \
    static Stored ToElement(T v, FunctionContext&) { return Stored(v); } \
  }
RELCACHE_BY_VALUE(bool, std::uint8_t, kBool, DatumGetBool, BoolGetDatum);
RELCACHE_BY_VALUE(char, char, kInt1, DatumGetChar, CharGetDatum);
RELCACHE_BY_VALUE(std::int16_t, std::int16_t, kInt2, DatumGetInt16, Int16GetDatum);
RELCACHE_BY_VALUE(std::int32_t, std::int32_t, kInt4, DatumGetInt32, Int32GetDatum);
RELCACHE_BY_VALUE(Oid, Oid, kOid, DatumGetObjectId, ObjectIdGetDatum);
RELCACHE_BY_VALUE(std::int64_t, std::int64_t, kInt8, DatumGetInt64, Int64GetDatum);
RELCACHE_BY_VALUE(float, float, kFloat4, DatumGetFloat4, Float4GetDatum);
RELCACHE_BY_VALUE(double, double, kFloat8, DatumGetFloat8, Float8GetDatum);
#undef RELCACHE_BY_VALUE

template <class T>
struct ByReference {
  using Element = Datum;
  static constexpr ColumnForm kForm = ColumnForm::kDatum;
  static constexpr bool kByValue = false;
  static T FromElement(Datum d) { return Form<T>::FromDatum(d); }
  static Datum ToElement(T v, FunctionContext& fx) { return Form<T>::ToDatum(v, fx); }
};
template <>
struct Form<Datum> : ByReference<Datum> {
  static Datum FromDatum(Datum d) { return d; }
  static Datum ToDatum(Datum v, FunctionContext&) { return v; }
};
template <>
struct Form<std::string_view> : ByReference<std::string_view> {
  static std::string_view FromDatum(Datum d) { return VarData(d); }
  static Datum ToDatum(std::string_view v, FunctionContext& fx) { return MakeVarlena(v, *fx.cx); }
};
template <>
struct Form<Interval> : ByReference<Interval> {
  static Interval FromDatum(Datum d) { return DatumGetInterval(d); }
  static Datum ToDatum(const Interval& v, FunctionContext& fx) {
    return PointerGetDatum(fx.cx->New<Interval>(v));
  }
};

template <class P>
inline constexpr bool kIsSettings = std::is_same_v<P, const SessionSettings&>;
template <class P>
inline constexpr bool kIsContext = std::is_same_v<P, MemoryContext&>;
template <class P>
inline constexpr bool kIsOut =
    std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>> && !kIsContext<P>;
template <class P>
inline constexpr bool kIsValue = !kIsSettings<P> && !kIsContext<P> && !kIsOut<P>;

template <class... P>
struct OutOf {
  using type = void;
};
template <class P, class... Rest>
struct OutOf<P, Rest...> {
  using type =
      typename std::conditional_t<kIsOut<P>, std::type_identity<std::remove_reference_t<P>>,
                                  OutOf<Rest...>>::type;
};

template <class R>
struct Returned {
  using type = R;
  static constexpr bool kTotal = true;
  static constexpr bool kYieldsNull = false;
};
template <class T>
struct Returned<Result<T>> {
  using type = T;
  static constexpr bool kTotal = false;
  static constexpr bool kYieldsNull = false;
};
template <class T>
struct Returned<std::optional<T>> {
  using type = T;
  static constexpr bool kTotal = false;
  static constexpr bool kYieldsNull = true;
};

template <class T>
struct Returned<Result<std::optional<T>>> {
  using type = T;
  static constexpr bool kTotal = false;
  static constexpr bool kYieldsNull = true;
};

template <class R>
inline constexpr bool kIsResult = false;
template <class T>
inline constexpr bool kIsResult<Result<T>> = true;

template <class F>
struct Signature;
template <class R, class... P>
struct Signature<R (*)(P...)> {
  static constexpr std::size_t kNumArgs = (std::size_t{kIsValue<P>} + ... + 0);
  static constexpr bool kFaults = std::is_same_v<R, Fault>;
  using Value = typename std::conditional_t<kFaults, OutOf<P...>, Returned<R>>::type;
  using Params = std::tuple<P...>;
  template <std::size_t I>
  using Param = std::remove_cvref_t<std::tuple_element_t<I, Params>>;
  template <class Q>
  static constexpr bool IsPure() {
    if constexpr (kIsValue<Q>) return Form<std::remove_cvref_t<Q>>::kByValue;
    return kIsSettings<Q>;
  }
  static constexpr bool kYieldsNull = Returned<R>::kYieldsNull;
  static constexpr bool kFails = kFaults || kIsResult<R>;
  static constexpr bool kTotal =
      !kFaults && Returned<R>::kTotal && Form<Value>::kByValue && (IsPure<P>() && ...);
};
template <class R, class... P>
struct Signature<R (*)(P...) noexcept> : Signature<R (*)(P...)> {};

/// Calls F with values from `fetch(index)` and the other arguments from fx. Sets fx.outcome if
/// there is no value.
template <auto F, class Fetch>
[[gnu::always_inline]] inline auto Call(FunctionContext& fx, const Fetch& fetch) {
  using S = Signature<decltype(F)>;
  using Value = typename S::Value;
  Value out{};
  auto argument = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) -> decltype(auto) {
    using P = std::tuple_element_t<I, typename S::Params>;
    if constexpr (kIsSettings<P>) {
      return static_cast<const SessionSettings&>(*fx.settings);
    } else if constexpr (kIsContext<P>) {
      return static_cast<MemoryContext&>(*fx.cx);
    } else if constexpr (kIsOut<P>) {
      return static_cast<Value&>(out);
    } else {
      return fetch(std::integral_constant<std::size_t, I>{});
    }
  };
  auto call = [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) {
    return F(argument(std::integral_constant<std::size_t, I>{})...);
  };
  auto result = call(std::make_index_sequence<std::tuple_size_v<typename S::Params>>{});
  using R = decltype(result);
  if constexpr (S::kFaults) {
    if (result != Fault::kNone) [[unlikely]]
      fx.Fail(result);
    return out;
  } else if constexpr (std::is_same_v<R, Result<Value>>) {
    if (!result) [[unlikely]] {
      fx.Fail(std::move(result).error());
      return out;
    }
    return *result;
  } else if constexpr (std::is_same_v<R, Result<std::optional<Value>>>) {
    if (!result) [[unlikely]] {
      fx.Fail(std::move(result).error());
      return out;
    }
    if (!*result) {
      fx.outcome = FunctionContext::Outcome::kNull;
      return out;
    }
    return **result;
  } else if constexpr (std::is_same_v<R, std::optional<Value>>) {
    if (!result) {
      fx.outcome = FunctionContext::Outcome::kNull;
      return out;
    }
    return *result;
  } else {
    return result;
  }
}

template <auto F>
Datum Row([[maybe_unused]] Datum a, [[maybe_unused]] Datum b, [[maybe_unused]] Datum c,
          FunctionContext& fx) {
  using S = Signature<decltype(F)>;
  auto value = Call<F>(fx, [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    using T = typename S::template Param<I>;
    return Form<T>::FromDatum(I == 0 ? a : I == 1 ? b : c);
  });
  if constexpr (!S::kTotal) {
    if (fx.outcome != FunctionContext::Outcome::kValue) [[unlikely]]
      return Datum{};
  }
  return Form<typename S::Value>::ToDatum(value, fx);
}

template <auto F>
void Batch(BatchCall& call, FunctionContext& fx) {
  using S = Signature<decltype(F)>;
  using Out = Form<typename S::Value>;
  auto* __restrict result = static_cast<typename Out::Element*>(call.result);
  const void* const a = call.args[0];
  const void* const b = call.args[1];
  const void* const c = call.args[2];
  auto value_at = [&](std::size_t row) __attribute__((always_inline)) {
    return Call<F>(fx, [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
      using In = Form<typename S::template Param<I>>;
      const void* values = I == 0 ? a : I == 1 ? b : c;
      return In::FromElement(static_cast<const typename In::Element*>(values)[row]);
    });
  };
  auto run = [&](std::size_t row) __attribute__((always_inline)) {
    auto value = value_at(row);
    if constexpr (!S::kTotal) {
      if (fx.outcome != FunctionContext::Outcome::kValue) [[unlikely]] {
        if (fx.outcome == FunctionContext::Outcome::kNull) {
          call.result_nulls[row] = 1;
        } else {
          call.failed[call.failed_count++] = static_cast<std::uint16_t>(row);
        }
        fx.outcome = FunctionContext::Outcome::kValue;
        return;
      }
    }
    result[row] = Out::ToElement(value, fx);
  };
  const std::size_t rows = call.rows;
  if (call.selection == nullptr) {
    for (std::size_t row = 0; row < rows; ++row) run(row);
  } else {
    const std::uint16_t* const selection = call.selection;
    for (std::size_t i = 0; i < rows; ++i) run(selection[i]);
  }
}

template <auto F>
constexpr Function Kernel(Oid oid, const char* name, CollationUse collation = CollationUse::kNone,
                          char provolatile = 'i') {
  using S = Signature<decltype(F)>;
  static_assert(S::kNumArgs <= Function::kMaxArgs);
  Function f;
  f.oid = oid;
  f.name = name;
  f.nargs = S::kNumArgs;
  f.total = S::kTotal;
  f.yields_null = S::kYieldsNull;
  f.fails = S::kFails;
  f.provolatile = provolatile;
  f.collation = collation;
  f.result = Form<typename S::Value>::kForm;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((f.args[I] = Form<typename S::template Param<I>>::kForm), ...);
  }
  (std::make_index_sequence<S::kNumArgs>{});
  f.row = Row<F>;
  f.batch = Batch<F>;
  return f;
}

/// `Compare<std::less<>, A, B>`: a comparison in the type that both widen to.
template <class Op, class A, class B = A>
constexpr bool Compare(A a, B b) {
  using T = std::common_type_t<A, B>;
  return Op{}(static_cast<T>(a), static_cast<T>(b));
}

}  // namespace relcache::kernel
