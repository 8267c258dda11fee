// SOURCE on the command line.
#pragma once

#include <memory>
#include <string>

#include "relcache/catalog/catalog_source.h"

namespace relcache::tools {

/// The help text for SOURCE, the same in every command.
inline constexpr const char* kSourceHelp =
    "A catalog snapshot, file.json (scripts/snapshot makes one), or sample, the snapshot that this "
    "command contains";

/// Opens the catalog that a SOURCE names: file.json, or "sample". Errors: those of
/// JsonCatalog::Open; kNotSupported for file.sql and connection strings.
Result<std::unique_ptr<CatalogSource>> OpenSource(const std::string& source);

}  // namespace relcache::tools
