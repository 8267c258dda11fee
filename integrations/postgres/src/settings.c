/*
 * The settings. All of them may be changed at any time by anyone: they decide how much work is
 * saved and never what a statement does. Turning something off is felt by the next statement.
 */
#include "relcache_checks.h"

#include "utils/guc.h"

bool rc_enabled = true;
bool rc_check_constraints = true;
bool rc_trigger_conditions = true;
bool rc_partition_routing = true;
bool rc_planned_trees = true;
bool rc_state_pool = true;
int rc_cache_limit = 8192;

static const struct {
  const char* name;
  bool* variable;
  const char* summary;
  const char* detail;
} switches[] = {
    {"relcache_checks.enabled", &rc_enabled, "Serves expressions from the cache at all.",
     "When off, every statement runs as without the extension."},
    {"relcache_checks.check_constraints", &rc_check_constraints,
     "Serves the CHECK constraints of the tables that a statement writes.", NULL},
    {"relcache_checks.trigger_conditions", &rc_trigger_conditions,
     "Serves the WHEN conditions of triggers.", NULL},
    {"relcache_checks.partition_routing", &rc_partition_routing,
     "Serves the partitions that rows are routed to.",
     "The partition of a row is looked up one step early, for a bounded number of rows of a "
     "statement."},
    {"relcache_checks.planned_trees", &rc_planned_trees,
     "Keeps planned expressions where that cannot change their meaning.",
     "When off, only parsed expressions are kept."},
    {"relcache_checks.state_pool", &rc_state_pool,
     "Keeps compiled expressions ready for the next statement.", NULL},
};

static void (*cache_limit_changed)(void);

/* A smaller limit is felt at once, not when the next entry comes. */
static void AssignCacheLimit(int newval, void* extra) {
  rc_cache_limit = newval;
  cache_limit_changed();
}

void RcDefineSettings(void (*limit_changed)(void)) {
  cache_limit_changed = limit_changed;
  for (int i = 0; i < lengthof(switches); i++)
    DefineCustomBoolVariable(switches[i].name, switches[i].summary, switches[i].detail,
                             switches[i].variable, true, PGC_USERSET, 0, NULL, NULL, NULL);
  DefineCustomIntVariable(
      "relcache_checks.cache_limit", "Bytes that the cache of a session may hold.",
      "Beyond it, what no statement uses goes, least recently used first. 0 keeps nothing.",
      &rc_cache_limit, rc_cache_limit, 0, MAX_KILOBYTES, PGC_USERSET, GUC_UNIT_KB, NULL,
      AssignCacheLimit, NULL);
  MarkGUCPrefixReserved("relcache_checks");
}
