#include "relcache/tools/open_source.h"

#include "relcache/catalog/json_catalog.h"
#include "relcache/tools/sample_catalog.h"

namespace relcache::tools {

Result<std::unique_ptr<CatalogSource>> OpenSource(const std::string& source) {
  if (source == "sample") return JsonCatalog::Parse(SampleCatalogJson(), "sample");
  if (source.ends_with(".json")) return JsonCatalog::Open(source);
  if (source.ends_with(".sql")) {
    return Fail(NotSupported("SQL statements as a source; load \"" + source +
                             "\" into a server and take a snapshot of it"));
  }
  if (source.starts_with("postgres://") || source.starts_with("postgresql://") ||
      source.find('=') != std::string::npos) {
    return Fail(NotSupported("a server as a source; take a snapshot of it: scripts/snapshot \"" +
                             source + "\""));
  }
  return Fail(ErrorCode::kInvalidInput, "22023",
              "\"" + source + "\" is not a source: expected file.json or sample");
}

}  // namespace relcache::tools
