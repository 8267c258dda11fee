// The type json, whose values are texts that were checked, and the parser that jsonb uses too
// (common/jsonapi.c, utils/adt/json.c).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"

namespace relcache {

/// The text itself if it is JSON.
/// Cost: one pass, without recursion.
/// Errors: SQLSTATE 22P02 "invalid input syntax for type json" with PostgreSQL's detail.
Result<Datum> JsonIn(std::string_view text, MemoryContext& cx);

/// Receives the parts of a text in their order.
class JsonHandler {
 public:
  virtual ~JsonHandler() = default;
  virtual Status ObjectStart() = 0;
  virtual Status ObjectEnd() = 0;
  virtual Status ArrayStart() = 0;
  virtual Status ArrayEnd() = 0;
  /// A key of the innermost object, without its escapes.
  virtual Status Key(std::string_view key) = 0;
  virtual Status String(std::string_view text) = 0;
  /// The number as it is written in the text.
  virtual Status Number(std::string_view text) = 0;
  virtual Status Bool(bool value) = 0;
  virtual Status Null() = 0;
};

/// Passes the parts of a text to `handler`. With nullptr the text is only checked, and what cannot
/// be represented as text is allowed: \u0000 and halves of surrogate pairs.
/// Errors: as JsonIn, SQLSTATE 22P05, and those of the handler.
Status ParseJson(std::string_view text, JsonHandler* handler);

/// Appends a string in JSON's notation, with quotes (escape_json).
void AppendJsonString(std::string& out, std::string_view text);

}  // namespace relcache
