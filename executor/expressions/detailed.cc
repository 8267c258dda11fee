// The instructions that have Details. They are computed one value at a time, for rows and batches
// alike, because they are rare or expensive.
#include <string>
#include <utility>

#include "relcache/catalog/internal/builtin.h"
#include "relcache/catalog/names.h"
#include "relcache/executor/expressions/internal/row_run.h"
#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"

namespace relcache {
namespace {

using Outcome = FunctionContext::Outcome;
using List = std::span<const NullableDatum>;

constexpr NullableDatum Bool(bool value) {
  return {BoolGetDatum(value), false};
}

bool Call(const Function& function, Datum a, Datum b, NullableDatum& out, FunctionContext& fx,
          Datum third = {}) {
  const Datum value = function.row(a, b, third, fx);
  switch (std::exchange(fx.outcome, Outcome::kValue)) {
    case Outcome::kFailed:
      return false;
    case Outcome::kNull:
      out = {};
      return true;
    default:
      out = {value, false};
      return true;
  }
}

bool FailWith(FunctionContext& fx, Error&& error) {
  fx.Fail(std::move(error));
  fx.outcome = Outcome::kValue;
  return false;
}

/// Does what ExecEvalScalarArrayOp does with its arguments: compares elements in order, up to the
/// one that decides.
bool AnyOrAll(bool any, const Details& details, const NullableDatum& scalar, List elements,
              NullableDatum& out, FunctionContext& fx) {
  out = Bool(!any);
  if (elements.empty()) return true;
  if (scalar.isnull) {
    out = {};
    return true;
  }
  for (const NullableDatum& element : elements) {
    NullableDatum one;
    if (!element.isnull &&
        !Call(*details.function, scalar.value, element.value, one, fx, details.third))
      return false;
    if (one.isnull) {
      out.isnull = true;
    } else if (DatumGetBool(one.value) == any) {
      out = Bool(any);
      return true;
    }
  }
  return true;
}

bool AnyOrAllOfArray(bool any, const Details& details, List list, NullableDatum& out,
                     FunctionContext& fx) {
  out = {};
  if (list[1].isnull) return true;
  const Result<ArrayHead> array = ArrayHead::Of(list[1].value);
  if (!array) return FailWith(fx, Error(array.error()));
  // The compiler knows the type of the expression, but only the value tells the type of its
  // elements.
  if (array->element_type() != details.element.oid && details.element.oid != kInvalidOid) {
    const TypeInfo* info = FindTypeInfo(array->element_type());
    if (info == nullptr || info->typlen != details.element.typlen ||
        info->typbyval != details.element.typbyval)
      return FailWith(fx, Error(ErrorCode::kInvalidInput, "42804", "array of another type"));
  }
  Result<List> elements = array->Elements(details.element, *fx.cx);
  if (!elements) return FailWith(fx, std::move(elements).error());
  return AnyOrAll(any, details, list[0], *elements, out, fx);
}

bool Order(const Comparison& comparison, Datum a, Datum b, int& order, FunctionContext& fx) {
  if (comparison.locale == nullptr) {
    order = comparison.compare(a, b);
    return true;
  }
  Result<int> compared = comparison.in_locale(a, b, *comparison.locale);
  if (!compared) return FailWith(fx, std::move(compared).error());
  order = *compared;
  return true;
}

bool Extreme(bool greatest, const Comparison& comparison, List list, NullableDatum& out,
             FunctionContext& fx) {
  out = {};
  for (const NullableDatum& v : list) {
    if (v.isnull) continue;
    if (out.isnull) {
      out = v;
      continue;
    }
    int order = 0;
    if (!Order(comparison, v.value, out.value, order, fx)) return false;
    if (greatest ? order > 0 : order < 0) out = v;
  }
  return true;
}

bool CoerceViaIO(const Details& details, const NullableDatum& value, NullableDatum& out,
                 FunctionContext& fx) {
  out = {};
  if (value.isnull) return true;
  Result<std::string_view> text =
      TypeOutput(details.from_type, value.value, *fx.settings, *fx.cx, details.version);
  if (!text) return FailWith(fx, std::move(text).error());
  Result<Datum> result =
      TypeInput(details.to_type, details.to_typmod, *text, *fx.settings, *fx.cx, details.version);
  if (!result) return FailWith(fx, std::move(result).error());
  out = {*result, false};
  return true;
}

/// Whether the session's settings print values in the same way as the defaults, under which
/// constants were folded.
bool PrintsAsDefaults(const Details& details, FunctionContext& fx) {
  static const SessionSettings kDefaults;
  const SessionSettings& now = *fx.settings;
  const OutputSettings& by = details.printed_by;
  std::string_view setting;
  // All values above 0 have the same effect.
  if (by.extra_float_digits && (now.extra_float_digits > 0) != (kDefaults.extra_float_digits > 0))
    setting = "extra_float_digits";
  if (by.bytea_output && now.bytea_output != kDefaults.bytea_output) setting = "bytea_output";
  if (by.interval_style && now.interval_style != kDefaults.interval_style)
    setting = "IntervalStyle";
  if (setting.empty()) return true;
  return FailWith(
      fx, NotSupported("NODE CoerceViaIO of a constant whose text " + std::string(setting) + " = " +
                       *ShowSetting(now, setting) + " decides"));
}

bool DomainViolated(const Details& details, bool not_null, FunctionContext& fx) {
  // The name that format_type_be prints.
  const bool visible =
      IsNameVisible(fx.settings->search_path, details.type_schema, details.namesakes);
  const std::string domain = QuoteQualifiedIdentifier(
      visible ? std::string_view() : details.type_schema, details.type_name);
  if (not_null)
    return FailWith(fx, Error(ErrorCode::kViolation, "23502",
                              "domain " + domain + " does not allow null values"));
  return FailWith(fx, Error(ErrorCode::kViolation, "23514",
                            "value for domain " + domain + " violates check constraint \"" +
                                std::string(details.constraint_name) + "\""));
}

}  // namespace

bool RunDetailed(const Instruction& in, List list, NullableDatum& out, FunctionContext& fx) {
  const Details& details = *in.details;
  switch (in.op) {
    case Opcode::kIsDistinct:
      if (list[0].isnull || list[1].isnull) {
        out = Bool(list[0].isnull != list[1].isnull);
        return true;
      }
      if (!Call(*details.function, list[0].value, list[1].value, out, fx)) return false;
      out.value = BoolGetDatum(!DatumGetBool(out.value));
      return true;
    case Opcode::kNullIf:
      out = list[0];
      if (list[0].isnull || list[1].isnull) return true;
      if (NullableDatum equal; !Call(*details.function, list[0].value, list[1].value, equal, fx)) {
        return false;
      } else if (!equal.isnull && DatumGetBool(equal.value)) {
        out = {};
      }
      return true;
    case Opcode::kGreatest:
    case Opcode::kLeast:
      return Extreme(in.op == Opcode::kGreatest, details.compare, list, out, fx);
    case Opcode::kAny:
    case Opcode::kAll:
      if (!details.elements.empty())
        return AnyOrAll(in.op == Opcode::kAny, details, list[0], details.elements, out, fx);
      return AnyOrAll(in.op == Opcode::kAny, details, list[0], list.subspan(1), out, fx);
    case Opcode::kAnyOfArray:
    case Opcode::kAllOfArray:
      return AnyOrAllOfArray(in.op == Opcode::kAnyOfArray, details, list, out, fx);
    case Opcode::kMakeArray: {
      Result<Datum> array = MakeArray(list, details.element, *fx.cx);
      if (!array) return FailWith(fx, std::move(array).error());
      out = {*array, false};
      return true;
    }
    case Opcode::kCoerceViaIO:
      return CoerceViaIO(details, list[0], out, fx);
    case Opcode::kNumNulls:
    case Opcode::kNumNonnulls: {
      std::int32_t nulls = 0;
      for (const NullableDatum& v : list) nulls += v.isnull ? 1 : 0;
      const auto all = static_cast<std::int32_t>(list.size());
      out = {Int32GetDatum(in.op == Opcode::kNumNulls ? nulls : all - nulls), false};
      return true;
    }
    case Opcode::kCompare:
      out = {};
      if (list[0].isnull || list[1].isnull) return true;
      if (int order = 0; Order(details.compare, list[0].value, list[1].value, order, fx)) {
        out = {Int32GetDatum(order), false};
        return true;
      }
      return false;
    case Opcode::kRegex: {
      Result<NullableDatum> value = RunRegex(*details.regex, list, fx);
      if (!value) return FailWith(fx, std::move(value).error());
      out = *value;
      return true;
    }
    case Opcode::kDefaultOutput:
      return PrintsAsDefaults(details, fx);
    case Opcode::kDomainNotNull:
      return !list[0].isnull || DomainViolated(details, true, fx);
    case Opcode::kDomainCheck:
      return list[0].isnull || DatumGetBool(list[0].value) || DomainViolated(details, false, fx);
    default:
      RELCACHE_CHECK(false);
      return false;
  }
}

}  // namespace relcache
