// Any text is a value of any type or an error; what is printed under plain settings reads back to
// the same text. An input is a digit that chooses settings, a type's name, a line feed, the text.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "relcache/types/builtin_types.h"
#include "relcache/types/type_io.h"
#include "relcache/types/type_ops.h"

namespace {

using namespace relcache;

SessionSettings Settings(char choice) {
  SessionSettings settings = AssumeUtcAndMdy(0);
  const auto set = [&settings](const char* name, const char* value) {
    if (!SetSetting(settings, name, value)) std::abort();
  };
  if (choice == '1') {
    set("TimeZone", "America/New_York");
    set("DateStyle", "Postgres, DMY");
    set("IntervalStyle", "sql_standard");
    set("bytea_output", "escape");
    set("extra_float_digits", "0");
  } else if (choice == '2') {
    set("TimeZone", "Australia/Lord_Howe");
    set("DateStyle", "German");
    set("IntervalStyle", "iso_8601");
  } else if (choice == '3') {
    set("DateStyle", "SQL, YMD");
    set("IntervalStyle", "postgres_verbose");
  }
  return settings;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = input.find('\n');
  if (line == std::string_view::npos || line < 2) return 0;
  const TypeInfo* type = FindTypeInfo(input.substr(1, line - 1));
  if (type == nullptr) return 0;
  const char choice = input.front();
  const SessionSettings settings = Settings(choice);
  const ContextPtr cx = Bump::CreateRoot("fuzz");
  const auto value = TypeInput(type->oid, -1, input.substr(line + 1), settings, *cx);
  if (!value) return 0;
  const auto text = TypeOutput(type->oid, *value, settings, *cx);
  if (!text) std::abort();
  const TypeOps* ops = FindTypeOps(type->oid);
  if (ops != nullptr && (!ops->equal(*value, *value) || ops->compare(*value, *value) != 0))
    std::abort();
  // An interval at the end of its range prints hours that overflow when read.
  if (choice != '0' || type->oid == kIntervalOid || type->typelem == kIntervalOid) return 0;
  const auto again = TypeInput(type->oid, -1, *text, settings, *cx);
  if (!again) std::abort();
  const auto twice = TypeOutput(type->oid, *again, settings, *cx);
  if (!twice || *twice != *text) std::abort();
  if (ops != nullptr && (!ops->equal(*value, *again) || ops->hash(*value) != ops->hash(*again)))
    std::abort();
  return 0;
}
