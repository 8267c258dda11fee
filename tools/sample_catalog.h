// The sample catalog that the command carries with it, so that it needs no file beside it.
#pragma once

#include <string_view>

namespace relcache::tools {

/// examples/job.json: tables measurement and measurement_1 (its child with CHECK (c > 0 AND c <=
/// 100000000)) in schema public, as PostgreSQL 15 printed them. For JsonCatalog::Parse.
std::string_view SampleCatalogJson();

}  // namespace relcache::tools
