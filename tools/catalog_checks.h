// relcache catalog checks: which expressions of a catalog relcache can evaluate.
#pragma once

#include <string>

namespace relcache::tools {

struct CatalogChecksOptions {
  std::string source;
  std::string relation;  ///< as in SQL; empty for all
  bool json = false;
};

/// Compiles every expression that a row of the relations meets, and reports each with its outcome.
int CatalogChecks(const CatalogChecksOptions& options);

}  // namespace relcache::tools
