// Makes TimeZones from TZif files and POSIX specifications. Internal to types/; other code uses
// find_time_zone.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/date_time/time_zone.h"

namespace relcache {

/// Reads untrusted bytes: any file yields a zone or an error.
class TimeZoneReader {
 public:
  /// Makes the zone that a TZif file describes (version 2 or later, with 64-bit times and a POSIX
  /// rule at the end).
  /// Errors: kInvalidInput; kNotSupported for leap seconds.
  static Result<std::unique_ptr<TimeZone>> FromFile(std::string name, std::string_view bytes);

  /// Makes the zone that a POSIX specification describes, with PostgreSQL's leniency. Daylight
  /// saving time without a rule changes the clock as the United States do now, in every year.
  /// Errors: kInvalidInput.
  static Result<std::unique_ptr<TimeZone>> FromPosix(std::string name, std::string_view text);

 private:
  static Result<std::uint8_t> AddType(TimeZone& zone, std::int32_t utc_offset, bool is_dst,
                                      std::string_view abbreviation);
  static Status ReadBody(std::string_view bytes, TimeZone& zone, std::string_view& footer);
  static Status ParsePosix(TimeZone& zone, std::string_view text, bool extends_file);
  static std::uint8_t DefaultType(const TimeZone& zone);
};

}  // namespace relcache
