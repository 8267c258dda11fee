#include "relcache/types/date_time/decode.h"

#include <utility>

#include "relcache/types/date_time/decoder.h"
#include "relcache/types/date_time/fields.h"

namespace relcache {
namespace {

Result<DecodedDateTime> Decode(std::string_view text, std::string_view type,
                               std::size_t buffer_size, const SessionSettings& settings,
                               DateTimeDecoder::Goal goal) {
  DateTimeFields fields;
  DecodedDateTime out;
  DateTimeFault fault = fields.Split(text, buffer_size);
  if (fault == DateTimeFault::kNone) {
    DateTimeDecoder decoder(fields, settings, goal);
    fault = decoder.Decode(out);
    if (fault != DateTimeFault::kNone && decoder.error()) return Fail(*std::move(decoder.error()));
  }
  if (fault != DateTimeFault::kNone) return Fail(DateTimeError(fault, type, text));
  return out;
}

}  // namespace

Result<DecodedDateTime> DecodeDateTime(std::string_view text, std::string_view type,
                                       std::size_t buffer_size, const SessionSettings& settings) {
  return Decode(text, type, buffer_size, settings, DateTimeDecoder::Goal::kDateAndTime);
}

Result<DecodedDateTime> DecodeTimeOnly(std::string_view text, std::string_view type,
                                       const SessionSettings& settings) {
  return Decode(text, type, DateTimeFields::kDateBuffer, settings,
                DateTimeDecoder::Goal::kTimeOfDay);
}

}  // namespace relcache
