#include "relcache/types/session_settings.h"

#include <chrono>
#include <cmath>
#include <vector>

#include "relcache/base/internal/format.h"
#include "relcache/types/date_time/calendar.h"
#include "relcache/types/date_time/find_time_zone.h"
#include "relcache/types/internal/c_locale.h"
#include "relcache/types/internal/input_error.h"

namespace relcache {
namespace {

Error InvalidValue(std::string_view parameter, std::string_view value, std::string detail = {}) {
  Error error(ErrorCode::kInvalidInput, "22023",
              "invalid value for parameter \"" + std::string(parameter) + "\": \"" +
                  std::string(value) + "\"");
  error.detail = std::move(detail);
  return error;
}

Status SetTimeZone(SessionSettings& settings, std::string_view value) {
  // The value that SET TIME ZONE INTERVAL '...' produces; check_timezone recognizes it by the same
  // prefix.
  if (StartsWithNoCase(value, "interval"))
    return Fail(NotSupported("parameter TimeZone with an interval"));
  const std::string text(value);
  char* end = nullptr;
  const double hours = strtod_l(text.c_str(), &end, CLocale());
  const TimeZone* zone = nullptr;
  if (end != text.c_str() && *end == '\0') {
    // The zone is made of a POSIX text, in which a number of hours has an upper limit of 167.
    if (std::fabs(hours) < 168) {
      RELCACHE_ASSIGN(zone, FixedTimeZone(static_cast<std::int64_t>(hours * 3600)));
    }
  } else {
    RELCACHE_ASSIGN(zone, FindTimeZone(value));
  }
  if (zone == nullptr) return Fail(InvalidValue("TimeZone", value));
  settings.time_zone = zone;
  return {};
}

std::vector<std::string_view> SplitList(std::string_view value) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t comma = value.find(',');
    out.push_back(TrimSpace(value.substr(0, comma)));
    if (comma == std::string_view::npos) return out;
    value.remove_prefix(comma + 1);
  }
}

Status SetDateStyle(SessionSettings& settings, std::string_view value) {
  struct StyleWord {
    std::string_view text;
    bool prefix;  // anything that begins so, because check_datestyle compares only the first bytes
    DateStyle style;
  };
  static constexpr StyleWord kStyles[] = {{"iso", false, DateStyle::kIso},
                                          {"sql", false, DateStyle::kSql},
                                          {"postgres", true, DateStyle::kPostgres},
                                          {"german", false, DateStyle::kGerman}};
  struct OrderWord {
    std::string_view text;
    bool prefix;
    DateOrder order;
  };
  static constexpr OrderWord kOrders[] = {
      {"ymd", false, DateOrder::kYmd}, {"dmy", false, DateOrder::kDmy},
      {"euro", true, DateOrder::kDmy}, {"mdy", false, DateOrder::kMdy},
      {"us", false, DateOrder::kMdy},  {"noneuro", true, DateOrder::kMdy}};
  const auto matches = [](std::string_view word, const auto& known) {
    return known.prefix ? StartsWithNoCase(word, known.text) : EqualNoCase(word, known.text);
  };
  SessionSettings next = settings;
  bool have_style = false;
  bool have_order = false;
  bool conflict = false;
  for (const std::string_view word : SplitList(value)) {
    bool known = false;
    for (const StyleWord& style : kStyles) {
      if (!matches(word, style)) continue;
      known = true;
      conflict |= have_style && next.date_style != style.style;
      next.date_style = style.style;
      have_style = true;
      // German dates have the day first unless an order is given.
      if (style.style == DateStyle::kGerman && !have_order) next.date_order = DateOrder::kDmy;
    }
    for (const OrderWord& order : kOrders) {
      if (known || !matches(word, order)) continue;
      known = true;
      conflict |= have_order && next.date_order != order.order;
      next.date_order = order.order;
      have_order = true;
    }
    if (!known)
      return Fail(InvalidValue("DateStyle", value,
                               "Unrecognized key word: \"" + std::string(word) + "\"."));
  }
  // Reported last: an unknown word anywhere in the list comes first, as in check_datestyle.
  if (conflict)
    return Fail(InvalidValue("DateStyle", value, "Conflicting \"datestyle\" specifications."));
  settings = next;
  return {};
}

template <class E>
struct Named {
  std::string_view text;
  E value;
};
constexpr Named<IntervalStyle> kIntervalStyles[] = {
    {"postgres", IntervalStyle::kPostgres},
    {"postgres_verbose", IntervalStyle::kPostgresVerbose},
    {"sql_standard", IntervalStyle::kSqlStandard},
    {"iso_8601", IntervalStyle::kIso8601}};
constexpr Named<ByteaOutput> kByteaOutputs[] = {{"hex", ByteaOutput::kHex},
                                                {"escape", ByteaOutput::kEscape}};

template <class E, std::size_t N>
Status SetNamed(E& setting, const Named<E> (&names)[N], std::string_view parameter,
                std::string_view value) {
  for (const auto& name : names) {
    if (EqualNoCase(value, name.text)) {
      setting = name.value;
      return {};
    }
  }
  return Fail(InvalidValue(parameter, value));
}
template <class E, std::size_t N>
std::string NameOf(E setting, const Named<E> (&names)[N]) {
  for (const auto& name : names)
    if (name.value == setting) return std::string(name.text);
  return {};
}

Status SetExtraFloatDigits(SessionSettings& settings, std::string_view value) {
  constexpr int kMin = -15;
  constexpr int kMax = 3;
  const std::string text(TrimSpace(value));
  char* end = nullptr;
  const long digits = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0') return Fail(InvalidValue("extra_float_digits", value));
  if (digits < kMin || digits > kMax) {
    return Fail(
        ErrorCode::kInvalidInput, "22023",
        Format("{} is outside the valid range for parameter \"extra_float_digits\" (-15 .. 3)",
               digits));
  }
  settings.extra_float_digits = static_cast<int>(digits);
  return {};
}

Error UnknownParameter(std::string_view name) {
  return NotSupported("parameter " + std::string(name));
}

}  // namespace

Status SetSetting(SessionSettings& settings, std::string_view name, std::string_view value) {
  if (EqualNoCase(name, "TimeZone")) return SetTimeZone(settings, value);
  if (EqualNoCase(name, "DateStyle")) return SetDateStyle(settings, value);
  if (EqualNoCase(name, "IntervalStyle"))
    return SetNamed(settings.interval_style, kIntervalStyles, "IntervalStyle", value);
  if (EqualNoCase(name, "bytea_output"))
    return SetNamed(settings.bytea_output, kByteaOutputs, "bytea_output", value);
  if (EqualNoCase(name, "extra_float_digits")) return SetExtraFloatDigits(settings, value);
  if (EqualNoCase(name, "search_path")) {
    settings.search_path = value;
    return {};
  }
  return Fail(UnknownParameter(name));
}

Result<std::string> ShowSetting(const SessionSettings& settings, std::string_view name) {
  if (EqualNoCase(name, "TimeZone")) {
    if (settings.time_zone == nullptr) return Fail(SettingNotGiven("TimeZone"));
    return settings.time_zone->name();
  }
  if (EqualNoCase(name, "DateStyle")) {
    if (!settings.date_order) return Fail(SettingNotGiven("DateStyle"));
    // Both in the order of their enums.
    static constexpr const char* kStyles[] = {"ISO", "Postgres", "SQL", "German"};
    static constexpr const char* kOrders[] = {"YMD", "DMY", "MDY"};
    return std::string(kStyles[static_cast<int>(settings.date_style)]) + ", " +
           kOrders[static_cast<int>(*settings.date_order)];
  }
  if (EqualNoCase(name, "IntervalStyle")) return NameOf(settings.interval_style, kIntervalStyles);
  if (EqualNoCase(name, "bytea_output")) return NameOf(settings.bytea_output, kByteaOutputs);
  if (EqualNoCase(name, "extra_float_digits")) return std::to_string(settings.extra_float_digits);
  if (EqualNoCase(name, "search_path")) return settings.search_path;
  return Fail(UnknownParameter(name));
}

SessionSettings AssumeUtcAndMdy(std::int64_t now) {
  SessionSettings settings;
  settings.time_zone = &UtcZone();
  settings.date_order = DateOrder::kMdy;
  settings.now = settings.statement_now = now;
  return settings;
}

Error SettingNotGiven(std::string_view setting) {
  return NotSupported("a value that depends on the session's " + std::string(setting) +
                      ", which is not given (SessionSettings)");
}

std::int64_t CurrentTimestamp() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(since_epoch).count() -
         kUnixToPostgresSeconds * kUsecsPerSec;
}

}  // namespace relcache
