#include "relcache/types/date_time/interval.h"

#include <climits>
#include <cstdlib>
#include <string>

#include "relcache/base/internal/format.h"
#include "relcache/types/date_time/calendar.h"
#include "relcache/types/date_time/interval_decode.h"
#include "relcache/types/date_time/print.h"
#include "relcache/types/internal/hash.h"

namespace relcache {
namespace {

constexpr std::int32_t kMonthsPerYear = 12;

// The value as people read it; all parts of the time have its sign.
struct Shown {
  std::int64_t year, month, day, hour;
  std::int32_t minute, second, usec;

  explicit Shown(const Interval& v)
      : year(v.month / kMonthsPerYear),
        month(v.month % kMonthsPerYear),
        day(v.day),
        hour(v.time / kUsecsPerHour),
        minute(static_cast<std::int32_t>(v.time / kUsecsPerMinute % 60)),
        second(static_cast<std::int32_t>(v.time / kUsecsPerSec % 60)),
        usec(static_cast<std::int32_t>(v.time % kUsecsPerSec)) {}
};

void AppendNumber(std::string& out, std::int64_t number) {
  out += std::to_string(number);
}

// hh:mm:ss.ffffff without sign.
void AppendTime(std::string& out, const Shown& v, std::size_t hour_width) {
  AppendPadded(out, std::abs(v.hour), hour_width);
  out += ':';
  AppendPadded(out, std::abs(v.minute), 2);
  out += ':';
  AppendSeconds(out, v.second, v.usec, true);
}

void AppendPostgresStyle(std::string& out, const Interval& value) {
  const Shown v(value);
  bool after_negative = false;  // what follows a negative field needs its sign
  const auto part = [&](std::int64_t number, const char* unit) {
    if (number == 0) return;
    if (!out.empty()) out += ' ';
    if (after_negative && number > 0) out += '+';
    AppendNumber(out, number);
    out += ' ';
    out += unit;
    if (number != 1) out += 's';
    after_negative = number < 0;
  };
  part(v.year, "year");
  part(v.month, "mon");
  part(v.day, "day");
  // The time is left out if it is zero, except that nothing at all is shown as 00:00:00.
  if (!out.empty() && value.time == 0) return;
  if (!out.empty()) out += ' ';
  if (value.time < 0)
    out += '-';
  else if (after_negative)
    out += '+';
  AppendTime(out, v, 2);
}

void AppendVerboseStyle(std::string& out, const Interval& value) {
  const Shown v(value);
  bool first = true;
  bool ago = false;  // the first field is negative: signs turn around
  out = "@";
  const auto part = [&](std::int64_t number, const char* unit) {
    if (number == 0) return;
    if (first) ago = number < 0;
    if (ago) number = -number;
    first = false;
    out += ' ';
    AppendNumber(out, number);
    out += ' ';
    out += unit;
    if (number != 1) out += 's';
  };
  part(v.year, "year");
  part(v.month, "mon");
  part(v.day, "day");
  part(v.hour, "hour");
  part(v.minute, "min");
  if (v.second != 0 || v.usec != 0) {
    const bool negative = v.second < 0 || v.usec < 0;
    if (first) ago = negative;
    first = false;
    out += ' ';
    if (negative != ago) out += '-';
    AppendSeconds(out, v.second, v.usec, false);
    out += std::abs(v.second) != 1 || v.usec != 0 ? " secs" : " sec";
  }
  if (first) out += " 0";
  if (ago) out += " ago";
}

void AppendSqlStyle(std::string& out, const Interval& value) {
  Shown v(value);
  const bool negative = value.month < 0 || value.day < 0 || value.time < 0;
  const bool positive = value.month > 0 || value.day > 0 || value.time > 0;
  const bool year_month = value.month != 0;
  const bool day_time = value.day != 0 || value.time != 0;
  if (!negative && !positive) {
    out = "0";
  } else if ((negative && positive) || (year_month && day_time)) {
    // SQL has no such value: every part shows its sign.
    const auto sign = [&out](bool minus) { out += minus ? '-' : '+'; };
    sign(value.month < 0);
    AppendNumber(out, std::abs(v.year));
    out += '-';
    AppendNumber(out, std::abs(v.month));
    out += ' ';
    sign(value.day < 0);
    AppendNumber(out, std::abs(v.day));
    out += ' ';
    sign(value.time < 0);
    AppendTime(out, v, 1);
  } else {
    if (negative) out += '-';
    if (year_month) {
      AppendNumber(out, std::abs(v.year));
      out += '-';
      AppendNumber(out, std::abs(v.month));
      return;
    }
    if (v.day != 0) {
      AppendNumber(out, std::abs(v.day));
      out += ' ';
    }
    AppendTime(out, v, 1);
  }
}

void AppendIso8601Style(std::string& out, const Interval& value) {
  const Shown v(value);
  if (value.month == 0 && value.day == 0 && value.time == 0) {
    out = "PT0S";
    return;
  }
  const auto part = [&out](std::int64_t number, char unit) {
    if (number == 0) return;
    AppendNumber(out, number);
    out += unit;
  };
  out = "P";
  part(v.year, 'Y');
  part(v.month, 'M');
  part(v.day, 'D');
  if (value.time != 0) out += 'T';
  part(v.hour, 'H');
  part(v.minute, 'M');
  if (v.second != 0 || v.usec != 0) {
    if (v.second < 0 || v.usec < 0) out += '-';
    AppendSeconds(out, v.second, v.usec, false);
    out += 'S';
  }
}

// The fields of a typmod are neighbours, of SQL's year-month or of its day-time intervals.
bool IsIntervalRange(std::int32_t range) {
  if (range == kIntervalFullRange) return true;
  // What a row lacks is initialized to zero, which is Token::kReserved.
  constexpr Token kFields[][4] = {{Token::kYear, Token::kMonth},
                                  {Token::kDay, Token::kHour, Token::kMinute, Token::kSecond}};
  for (const auto& fields : kFields) {
    for (const Token* first = fields; first != std::end(fields); ++first) {
      FieldMask mask = 0;
      for (const Token* last = first; last != std::end(fields) && *last != Token::kReserved; ++last)
        if (mask |= Mask(*last); mask == static_cast<FieldMask>(range)) return true;
    }
  }
  return false;
}

Status CheckTypmod(std::int32_t typmod) {
  if (!IsIntervalRange(IntervalRange(typmod))) {
    return Fail(ErrorCode::kEvaluation, "XX000",
                Format("unrecognized interval typmod: {}", typmod));
  }
  const std::int32_t precision = IntervalPrecision(typmod);
  if (precision > 6 && precision != kIntervalFullPrecision) {
    return Fail(ErrorCode::kEvaluation, "22023",
                Format("interval({}) precision must be between 0 and 6", precision));
  }
  return {};
}

// interval_cmp_value: in microseconds, a month being 30 days and a day 24 hours. The months alone
// may need more than 64 bits.
__int128 Span(const Interval& v) {
  return static_cast<__int128>(v.month) * 30 * kUsecsPerDay +
         static_cast<__int128>(v.day) * kUsecsPerDay + v.time;
}

}  // namespace

Result<Interval> IntervalIn(std::string_view text, std::int32_t typmod,
                            const SessionSettings& settings) {
  IntervalSums sums;
  DateTimeFields fields;
  DateTimeFault fault = fields.Split(text, DateTimeFields::kIntervalBuffer);
  if (fault == DateTimeFault::kNone)
    fault = DecodeInterval(fields, IntervalRange(typmod), settings.interval_style, sums);
  if (fault == DateTimeFault::kBadFormat) {
    sums = {};
    fault = DecodeIso8601Interval(text, sums);
  }
  if (fault == DateTimeFault::kFieldOverflow) fault = DateTimeFault::kIntervalOverflow;
  if (fault != DateTimeFault::kNone) return Fail(DateTimeError(fault, "interval", text));
  const std::int64_t months = std::int64_t{sums.year} * kMonthsPerYear + sums.month;
  if (months < INT_MIN || months > INT_MAX) return Fail(FaultError(Fault::kIntervalOutOfRange));
  return IntervalCoerce({sums.usec, sums.day, static_cast<std::int32_t>(months)}, typmod);
}

std::string_view IntervalOut(const Interval& value, IntervalStyle style, MemoryContext& cx) {
  std::string out;
  switch (style) {
    case IntervalStyle::kPostgres:
      AppendPostgresStyle(out, value);
      break;
    case IntervalStyle::kPostgresVerbose:
      AppendVerboseStyle(out, value);
      break;
    case IntervalStyle::kSqlStandard:
      AppendSqlStyle(out, value);
      break;
    case IntervalStyle::kIso8601:
      AppendIso8601Style(out, value);
      break;
  }
  return cx.CopyString(out);
}

Result<Interval> IntervalCoerce(const Interval& value, std::int32_t typmod) {
  if (typmod < 0) return value;
  RELCACHE_TRY(CheckTypmod(typmod));
  Interval out = value;
  const std::int32_t range = IntervalRange(typmod);
  const auto has = [range](Token token) {
    return (static_cast<FieldMask>(range) & Mask(token)) != 0;
  };
  if (range != kIntervalFullRange && !has(Token::kSecond)) {
    // Fields below the smallest one that is kept go; those above stay.
    if (has(Token::kMinute)) {
      out.time = out.time / kUsecsPerMinute * kUsecsPerMinute;
    } else if (has(Token::kHour)) {
      out.time = out.time / kUsecsPerHour * kUsecsPerHour;
    } else {
      out.time = 0;
      if (!has(Token::kDay)) out.day = 0;
      if (!has(Token::kDay) && !has(Token::kMonth))
        out.month = out.month / kMonthsPerYear * kMonthsPerYear;
    }
  }
  const std::int32_t precision = IntervalPrecision(typmod);
  if (precision < 6) {
    constexpr std::int64_t kUnits[] = {1000000, 100000, 10000, 1000, 100, 10};
    // Unsigned, so that it wraps around near the limits as it does in PostgreSQL 15, which is
    // compiled with -fwrapv.
    const auto unit = kUnits[precision];
    const bool negative = out.time < 0;
    const auto time = static_cast<std::uint64_t>(out.time);
    const auto magnitude = static_cast<std::int64_t>(negative ? 0 - time : time);
    const auto moved = static_cast<std::int64_t>(static_cast<std::uint64_t>(magnitude) +
                                                 static_cast<std::uint64_t>(unit / 2));
    const std::int64_t rounded = moved / unit * unit;
    out.time = negative ? -rounded : rounded;
  }
  return out;
}

int IntervalCompare(const Interval& a, const Interval& b) {
  const __int128 x = Span(a);
  const __int128 y = Span(b);
  return int{x > y} - int{x < y};
}

// hashint8 of the span's low 64 bits. With the seed 0, the low half of an extended hash is the
// plain hash; PostgreSQL requires this of every type.
std::uint32_t IntervalHash(const Interval& value) {
  return static_cast<std::uint32_t>(IntervalHashExtended(value, 0));
}

std::uint64_t IntervalHashExtended(const Interval& value, std::uint64_t seed) {
  const auto span = static_cast<std::int64_t>(Span(value));
  // hashint8 folds the halves so that a number which fits into 32 bits hashes as an int4.
  const auto low = static_cast<std::uint32_t>(span);
  const auto high = static_cast<std::uint32_t>(span >> 32);
  return HashUint32Extended(low ^ (span >= 0 ? high : ~high), seed);
}

}  // namespace relcache
