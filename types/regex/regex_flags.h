// How a regular expression is to be read.
#pragma once

namespace relcache {

/// How a pattern is to be read and matched; the options of the regexp_ functions change it.
struct RegexFlags {
  bool advanced = true;
  bool extended = true;
  bool quote = false;
  bool ignore_case = false;
  bool expanded = false;
  bool newline_stops = false;    ///< `.` and [^..] do not match a newline
  bool newline_anchors = false;  ///< ^ and $ match at newlines
  friend bool operator==(const RegexFlags&, const RegexFlags&) = default;
};

}  // namespace relcache
