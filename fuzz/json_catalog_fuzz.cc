// Any bytes are a snapshot or an error. What is read is served, exported, written and read again:
// the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "relcache/catalog/internal/catalog_rows.h"
#include "relcache/catalog/internal/json_rows.h"
#include "relcache/catalog/json_catalog.h"
#include "relcache/catalog/names.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace relcache;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto catalog = JsonCatalog::Parse(text, "fuzz");
  if (!catalog) {
    if (catalog.error().offset.value_or(0) > size) std::abort();
    return 0;
  }
  const ContextPtr cx = Bump::CreateRoot("fuzz");
  const auto rows = ExportCatalog(**catalog, *cx);
  if (!rows) std::abort();
  const auto once = CatalogToJson(*rows);
  if (!once) std::abort();
  const auto again = JsonCatalog::Parse(*once, "again");
  if (!again) std::abort();
  const auto twice = CatalogToJson(ExportCatalog(**again, *cx).value());
  if (!twice || *twice != *once) std::abort();
  for (const RelationRows& relation : rows->relations) {
    for (const AttributeRow& column : relation.attributes) {
      if (!FormatTypeOf(column.atttypid, column.atttypmod, **catalog)) std::abort();
    }
  }
  return 0;
}
