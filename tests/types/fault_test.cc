#include "relcache/types/internal/fault.h"

#include <gtest/gtest.h>

namespace relcache {
namespace {

TEST(FaultError, SaysWhatPostgresSays) {
  struct Case {
    Fault fault;
    const char *sqlstate, *message;
  };
  constexpr Case kCases[] = {
      {Fault::kSmallintOutOfRange, "22003", "smallint out of range"},
      {Fault::kDivisionByZero, "22012", "division by zero"},
      {Fault::kFloatUnderflow, "22003", "value out of range: underflow"},
      {Fault::kDateOutOfRangeForTimestamp, "22008", "date out of range for timestamp"},
      {Fault::kInfiniteDates, "22008", "cannot subtract infinite dates"},
      {Fault::kNegativeSquareRoot, "2201F", "cannot take square root of a negative number"},
  };
  for (const Case& c : kCases) {
    EXPECT_STREQ(FaultError(c.fault).sqlstate, c.sqlstate) << c.message;
    EXPECT_EQ(FaultError(c.fault).message, c.message);
    EXPECT_EQ(FaultError(c.fault).code, ErrorCode::kEvaluation) << c.message;
  }
}

TEST(FaultError, WhatTheSettingsDoNotSayIsARefusal) {
  for (const Fault fault :
       {Fault::kMomentNotGiven, Fault::kStatementMomentNotGiven, Fault::kTimeZoneNotGiven})
    EXPECT_EQ(FaultError(fault).code, ErrorCode::kNotSupported);
  EXPECT_NE(FaultError(Fault::kTimeZoneNotGiven).message.find("TimeZone"), std::string::npos);
}

}  // namespace
}  // namespace relcache
