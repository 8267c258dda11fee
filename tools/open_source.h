// The argument SOURCE of the command, which says where the catalog comes from.
#pragma once

#include <memory>
#include <string>

#include "relcache/catalog/catalog_source.h"

namespace relcache::tools {

/// The help text for SOURCE, which is the same in every subcommand.
inline constexpr const char* kSourceHelp =
    "A catalog snapshot, file.json (scripts/snapshot makes one), or sample, the snapshot that this "
    "command contains";

/// Opens the catalog that a SOURCE refers to: file.json, or "sample".
/// Errors: those of JsonCatalog::Open; kNotSupported for file.sql and connection strings.
Result<std::unique_ptr<CatalogSource>> OpenSource(const std::string& source);

}  // namespace relcache::tools
