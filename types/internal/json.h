// json: checked text; and the parser that jsonb is read with (common/jsonapi.c, utils/adt/json.c).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "relcache/base/result.h"
#include "relcache/types/datum.h"

namespace relcache {

/// The text itself when it is JSON. Errors: 22P02 "invalid input syntax for type json" with
/// PostgreSQL's detail. Cost: one pass, no recursion.
Result<Datum> JsonIn(std::string_view text, MemoryContext& cx);

/// What a text consists of, in order.
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
  /// As it stands in the text.
  virtual Status Number(std::string_view text) = 0;
  virtual Status Bool(bool value) = 0;
  virtual Status Null() = 0;
};

/// Hands the parts of a text to `handler`, nullptr to check it only (which allows what has no
/// meaning as text: \u0000 and halves of surrogate pairs). Errors: as JsonIn, and 22P05; the
/// handler's.
Status ParseJson(std::string_view text, JsonHandler* handler);

/// A string as JSON has it, in quotes (escape_json).
void AppendJsonString(std::string& out, std::string_view text);

}  // namespace relcache
