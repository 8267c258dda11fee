// Which requests for memory does a trigger-routed insert make, and how many of them are freed
// singly? Runs the sample catalog's job, each mode of reaching the constraint, with every context
// watched. Prints a table a mode.
//   routed_insert_requests examples/job.json [ROWS]
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <vector>

#include "relcache/cache/relation_cache.h"
#include "relcache/catalog/json_catalog.h"
#include "relcache/memory/internal/request_profile.h"
#include "relcache/simulate/insert_session.h"
#include "relcache/types/datum.h"
#include "relcache/types/internal/numeric.h"

namespace relcache {
namespace {

Status Measure(const char* name, CheckMode mode, CatalogSource& catalog, Oid parent, Oid child,
               int rows) {
  const ContextPtr values = AllocSet::CreateRoot("values");
  RELCACHE_ASSIGN(const Datum reading, NumericIn("21.500", -1, *values));
  const Datum note = MakeVarlena("a reading", *values);
  RequestProfile profile;
  WatchNewContexts(&profile);
  {
    RelationCache cache(catalog);
    const SessionSettings settings = AssumeUtcAndMdy(CurrentTimestamp());
    InsertSession session(cache, settings);
    session.set_check_mode(mode);
    session.AddTrigger(parent, "route", [&](TriggerContext& t) -> Result<TriggerAction> {
      RELCACHE_TRY(t.session.Insert(child, t.row));
      return TriggerAction::kSkip;
    });
    for (int n = 0; n < rows; ++n) {
      NullableDatum row[] = {{Int64GetDatum(n), false},
                             {Int64GetDatum(n), false},
                             {Int32GetDatum(n + 1), false},
                             {reading, false},
                             {note, false}};
      RELCACHE_TRY(session.Insert(parent, row));
    }
  }
  WatchNewContexts(nullptr);
  std::cout << name << ": " << rows << " rows, "
            << static_cast<double>(profile.Total().requests) / rows
            << " requests a row; at most 32 bytes: " << 100 * profile.ShareUpTo(32)
            << " %; freed singly: " << 100 * profile.ShareFreedSingly() << " %\n"
            << profile.ToText() << "\n";
  return {};
}

Status Run(const char* file, int rows) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  RELCACHE_ASSIGN(const auto catalog, JsonCatalog::Parse(text.str(), file));
  RELCACHE_ASSIGN(const Oid parent, catalog->LookupName("public", "measurement"));
  RELCACHE_ASSIGN(const Oid child, catalog->LookupName("public", "measurement_1"));
  RELCACHE_TRY(Measure("reparse", CheckMode::kReparse, *catalog, parent, child, rows));
  RELCACHE_TRY(Measure("copy", CheckMode::kCopy, *catalog, parent, child, rows));
  RELCACHE_TRY(Measure("cached", CheckMode::kCached, *catalog, parent, child, rows));
  RELCACHE_TRY(Measure("compiled", CheckMode::kCompiled, *catalog, parent, child, rows));
  return {};
}

}  // namespace
}  // namespace relcache

// NOLINTNEXTLINE(bugprone-exception-escape): without memory it ends
int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: %s CATALOG.json [ROWS]\n", argv[0]), 2;
  const auto done = relcache::Run(argv[1], argc > 2 ? std::atoi(argv[2]) : 10'000);
  if (!done) std::cerr << done.error().ToString() << "\n";
  return done ? 0 : 1;
}
