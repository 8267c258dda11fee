// jsonb.
#include <optional>

#include "relcache/executor/functions/function_tables.h"
#include "relcache/executor/functions/kernel.h"
#include "relcache/types/internal/jsonb.h"

namespace relcache {
namespace {

using kernel::Kernel;

// Keys are compared bytewise whatever the collation.
constexpr Function kFunctions[] = {
    Kernel<JsonbTypeof>(3210, "jsonb_typeof"),
    Kernel<JsonbArrayLength>(3207, "jsonb_array_length"),
    Kernel<JsonbExists>(4047, "jsonb_exists"),
    Kernel<JsonbObjectField>(3478, "jsonb_object_field"),
    Kernel<JsonbObjectFieldText>(3214, "jsonb_object_field_text"),
};

}  // namespace

std::span<const Function> JsonFunctions() {
  return kFunctions;
}

}  // namespace relcache
