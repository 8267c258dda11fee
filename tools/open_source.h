// SOURCE on the command line.
#pragma once

#include <memory>
#include <string>

#include "relcache/catalog/catalog_source.h"

namespace relcache::tools {

/// What the help of every command with a SOURCE says of it.
inline constexpr const char* kSourceHelp =
    "file.json (a catalog snapshot, scripts/snapshot makes one), or sample (the one that comes "
    "with this command)";

/// Opens the catalog that a SOURCE names: file.json, or "sample". Errors: those of
/// JsonCatalog::Open; kNotSupported for file.sql and connection strings.
Result<std::unique_ptr<CatalogSource>> OpenSource(const std::string& source);

}  // namespace relcache::tools
