#include "relcache/types/date_time/time_zone_reader.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "relcache/types/internal/input_error.h"

namespace relcache {
namespace {

Error Malformed(const std::string& what) {
  return Error(ErrorCode::kInvalidInput, "22023", "time zone data: " + what);
}

// Big-endian numbers from a file, with a bound.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  bool Has(std::size_t n) const { return bytes_.size() - at_ >= n; }
  std::uint64_t Take(std::size_t n) {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < n; ++i)
      out = out << 8 | static_cast<unsigned char>(bytes_[at_ + i]);
    at_ += n;
    return out;
  }
  std::string_view TakeText(std::size_t n) {
    at_ += n;
    return bytes_.substr(at_ - n, n);
  }
  void Skip(std::size_t n) { at_ += n; }
  std::string_view Rest() const { return bytes_.substr(at_); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

struct Header {
  char version;
  std::size_t isutc, isstd, leap, time, type, chars;
  std::size_t BodySize(std::size_t time_size) const {
    return time * time_size + time + type * 6 + chars + leap * (time_size + 4) + isstd + isutc;
  }
};

constexpr std::size_t kHeaderSize = 44;

Result<Header> TakeHeader(Bytes& in) {
  if (!in.Has(kHeaderSize) || in.TakeText(4) != "TZif") return Fail(Malformed("no TZif header"));
  Header h{};
  h.version = static_cast<char>(in.Take(1));
  in.Skip(15);
  for (std::size_t* count : {&h.isutc, &h.isstd, &h.leap, &h.time, &h.type, &h.chars}) {
    *count = in.Take(4);
    if (*count > 100000) return Fail(Malformed("too many entries"));
  }
  return h;
}

// POSIX: digits up to a maximum.
bool TakeNumber(std::string_view& text, std::int64_t min, std::int64_t max, std::int64_t* out) {
  if (text.empty() || !IsDigit(text.front())) return false;
  *out = 0;
  while (!text.empty() && IsDigit(text.front())) {
    *out = *out * 10 + (text.front() - '0');
    if (*out > max) return false;
    text.remove_prefix(1);
  }
  return *out >= min;
}

bool TakeChar(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// [+-]hh[:mm[:ss]]; hours to 167, as later POSIX allows.
bool TakeTime(std::string_view& text, std::int64_t* seconds) {
  const bool negative = TakeChar(text, '-');
  if (!negative) TakeChar(text, '+');
  std::int64_t part;
  if (!TakeNumber(text, 0, 24 * 7 - 1, &part)) return false;
  *seconds = part * 3600;
  if (TakeChar(text, ':')) {
    if (!TakeNumber(text, 0, 59, &part)) return false;
    *seconds += part * 60;
    if (TakeChar(text, ':')) {
      if (!TakeNumber(text, 0, 60, &part)) return false;
      *seconds += part;
    }
  }
  if (negative) *seconds = -*seconds;
  return true;
}

// <quoted> or anything up to a digit, comma or sign.
bool TakeName(std::string_view& text, std::string_view* name) {
  if (TakeChar(text, '<')) {
    const std::size_t end = text.find('>');
    if (end == std::string_view::npos) return false;
    *name = text.substr(0, end);
    text.remove_prefix(end + 1);
    return true;
  }
  std::size_t end = 0;
  while (end < text.size() && !IsDigit(text[end]) && text[end] != ',' && text[end] != '-' &&
         text[end] != '+')
    ++end;
  *name = text.substr(0, end);
  text.remove_prefix(end);
  return true;
}

}  // namespace

Result<std::uint8_t> TimeZoneReader::AddType(TimeZone& zone, std::int32_t utc_offset, bool is_dst,
                                             std::string_view abbreviation) {
  if (zone.types_.size() >= 255) return Fail(Malformed("too many types"));
  const std::string terminated = std::string(abbreviation) + '\0';
  std::size_t at = 0;
  while (at < zone.abbreviations_.size() &&
         zone.abbreviations_.compare(at, terminated.size(), terminated) != 0)
    at += std::strlen(zone.abbreviations_.c_str() + at) + 1;
  if (at >= zone.abbreviations_.size()) {
    at = zone.abbreviations_.size();
    zone.abbreviations_ += terminated;
  }
  zone.types_.push_back({utc_offset, is_dst, static_cast<std::uint32_t>(at)});
  return static_cast<std::uint8_t>(zone.types_.size() - 1);
}

Status TimeZoneReader::ParsePosix(TimeZone& zone, std::string_view text, bool extends_file) {
  const auto malformed = [] { return Fail(Malformed("no POSIX time zone")); };
  std::string_view standard_name;
  std::int64_t west;
  if (!TakeName(text, &standard_name) || !TakeTime(text, &west)) return malformed();
  // Without daylight saving the last transition of a file stays in force.
  if (text.empty() && extends_file) return {};
  RELCACHE_ASSIGN(const std::uint8_t standard,
                  AddType(zone, static_cast<std::int32_t>(-west), false, standard_name));
  if (text.empty()) return {};
  std::string_view dst_name;
  if (!TakeName(text, &dst_name) || dst_name.empty()) return malformed();
  std::int64_t dst_west = west - 3600;  // one hour ahead, unless the text says otherwise
  if (!text.empty() && text.front() != ',' && text.front() != ';' && !TakeTime(text, &dst_west))
    return malformed();
  RELCACHE_ASSIGN(const std::uint8_t dst,
                  AddType(zone, static_cast<std::int32_t>(-dst_west), true, dst_name));
  // Without rules, those of the United States (TZDEFRULESTRING). Since version 13 PostgreSQL does
  // not look at a file "posixrules".
  if (text.empty()) text = ",M3.2.0,M11.1.0";
  TimeZone::Rule rule{standard, dst, {}, {}};
  const auto take_day = [&text](TimeZone::YearDay& day) {
    std::int64_t number = 0;
    std::int64_t week = 0;
    std::int64_t month = 0;
    using Kind = TimeZone::YearDay::Kind;
    if (TakeChar(text, 'J')) {
      day.kind = Kind::kJulian;
      if (!TakeNumber(text, 1, 365, &number)) return false;
    } else if (TakeChar(text, 'M')) {
      day.kind = Kind::kMonthWeekDay;
      if (!TakeNumber(text, 1, 12, &month) || !TakeChar(text, '.') ||
          !TakeNumber(text, 1, 5, &week) || !TakeChar(text, '.') ||
          !TakeNumber(text, 0, 6, &number))
        return false;
    } else {
      day.kind = Kind::kZeroBased;
      if (!TakeNumber(text, 0, 365, &number)) return false;
    }
    day.day = static_cast<std::int32_t>(number);
    day.week = static_cast<std::int32_t>(week);
    day.month = static_cast<std::int32_t>(month);
    day.seconds = 7200;  // two o'clock is the default of POSIX
    return !TakeChar(text, '/') || TakeTime(text, &day.seconds);
  };
  if (!TakeChar(text, ',') && !TakeChar(text, ';')) return malformed();
  if (!take_day(rule.dst_begins) || !TakeChar(text, ',') || !take_day(rule.dst_ends) ||
      !text.empty())
    return malformed();
  zone.rule_ = rule;
  return {};
}

std::uint8_t TimeZoneReader::DefaultType(const TimeZone& zone) {
  // What was in force before the first transition: type 0, unless a transition leads to it.
  const bool zero_used =
      std::ranges::any_of(zone.transitions_, [](const auto& t) { return t.type == 0; });
  if (!zero_used) return 0;
  const std::uint8_t first = zone.transitions_.front().type;
  if (zone.types_[first].is_dst) {
    for (int i = first - 1; i >= 0; --i)
      if (!zone.types_[static_cast<std::size_t>(i)].is_dst) return static_cast<std::uint8_t>(i);
  }
  return zone.FirstStandardType();
}

Status TimeZoneReader::ReadBody(std::string_view bytes, TimeZone& zone, std::string_view& footer) {
  Bytes in(bytes);
  RELCACHE_ASSIGN(Header h, TakeHeader(in));
  if (h.version < '2') return Fail(Malformed("a file without 64-bit times"));
  // The first body has 32-bit times, for readers that know no others.
  if (!in.Has(h.BodySize(4))) return Fail(Malformed("cut short"));
  in.Skip(h.BodySize(4));
  RELCACHE_ASSIGN(h, TakeHeader(in));
  if (!in.Has(h.BodySize(8)) || h.type == 0 || h.type > 255 || h.chars == 0)
    return Fail(Malformed("cut short"));
  if (h.leap != 0) return Fail(NotSupported("time zone \"" + zone.name_ + "\" with leap seconds"));

  zone.transitions_.resize(h.time);
  for (auto& transition : zone.transitions_) transition.at = static_cast<std::int64_t>(in.Take(8));
  for (auto& transition : zone.transitions_) {
    transition.type = static_cast<std::uint8_t>(in.Take(1));
    if (transition.type >= h.type) return Fail(Malformed("a type out of range"));
  }
  if (!std::ranges::is_sorted(zone.transitions_, {}, &TimeZone::Transition::at))
    return Fail(Malformed("transitions out of order"));
  for (std::size_t i = 0; i < h.type; ++i) {
    TimeZone::Type type{};
    type.utc_offset = static_cast<std::int32_t>(static_cast<std::uint32_t>(in.Take(4)));
    type.is_dst = in.Take(1) != 0;
    type.abbreviation = static_cast<std::uint32_t>(in.Take(1));
    if (type.abbreviation >= h.chars || std::abs(std::int64_t{type.utc_offset}) > 172800)
      return Fail(Malformed("a type out of range"));
    zone.types_.push_back(type);
  }
  zone.abbreviations_ = in.TakeText(h.chars);
  zone.abbreviations_ += '\0';
  in.Skip(h.isstd + h.isutc);
  const std::string_view rest = in.Rest();
  if (rest.size() > 2 && rest.front() == '\n') footer = rest.substr(1, rest.find('\n', 1) - 1);
  return {};
}

Result<std::unique_ptr<TimeZone>> TimeZoneReader::FromFile(std::string name,
                                                           std::string_view bytes) {
  std::unique_ptr<TimeZone> zone(new TimeZone);
  zone->name_ = std::move(name);
  std::string_view footer;  // the POSIX text at the end
  RELCACHE_TRY(ReadBody(bytes, *zone, footer));
  zone->default_type_ = zone->transitions_.empty() ? zone->FirstStandardType() : DefaultType(*zone);
  if (!footer.empty()) RELCACHE_TRY(ParsePosix(*zone, footer, true));
  return zone;
}

Result<std::unique_ptr<TimeZone>> TimeZoneReader::FromPosix(std::string name,
                                                            std::string_view text) {
  std::unique_ptr<TimeZone> zone(new TimeZone);
  zone->name_ = std::move(name);
  RELCACHE_TRY(ParsePosix(*zone, text, false));
  return zone;
}

}  // namespace relcache
