// The sample catalog that is compiled into the command, so that it does not need a file.
#pragma once

#include <string_view>

namespace relcache::tools {

/// The content of examples/job.json: the table measurement and its child measurement_1 with CHECK
/// (c > 0 AND c <= 100000000), in the schema public, as PostgreSQL 15 printed them. It is input for
/// JsonCatalog::Parse.
std::string_view SampleCatalogJson();

}  // namespace relcache::tools
