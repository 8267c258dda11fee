/*
 * What has changed in the catalogs, told by the server's invalidation messages: two counts that the
 * cache compares, and a call for each changed relation.
 *
 * It knows none of those who ask: whoever has to hear of relations says so when the library is
 * loaded. (One callback for all of the extension: the server has room for ten.)
 */
#include "relcache_checks.h"

#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/syscache.h"

uint64 rc_generation = 1;
uint64 rc_relation_changes = 1;

/* Hash values (of the server's own catalog cache) of the functions that verdicts were based on. */
static HTAB* watched;

static RcRelationChanged listeners[2];
static int nlisteners;

/*
 * An invalidation message for a function or an operator, or for everything (hashvalue 0). Functions
 * of users come and go without touching a plan that is kept, for no such plan names one; only those
 * looked at before count.
 */
static void ProcChanged(Datum arg, int cacheid, uint32 hashvalue) {
  if (hashvalue == 0 || hash_search(watched, &hashvalue, HASH_FIND, NULL) != NULL) rc_generation++;
}

static void OperatorChanged(Datum arg, int cacheid, uint32 hashvalue) {
  rc_generation++;
}

static void RelationChanged(Datum arg, Oid relid) {
  rc_relation_changes++;
  for (int i = 0; i < nlisteners; i++) listeners[i](relid);
}

void RcWatchInit(void) {
  HASHCTL ctl = {0};

  ctl.keysize = sizeof(uint32);
  ctl.entrysize = sizeof(uint32);
  ctl.hcxt = TopMemoryContext;
  watched =
      hash_create("relcache_checks functions", 64, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
  CacheRegisterSyscacheCallback(PROCOID, ProcChanged, (Datum)0);
  CacheRegisterSyscacheCallback(OPEROID, OperatorChanged, (Datum)0);
  CacheRegisterRelcacheCallback(RelationChanged, (Datum)0);
}

void RcWatchFunction(Oid funcid) {
  uint32 hashvalue = GetSysCacheHashValue1(PROCOID, ObjectIdGetDatum(funcid));

  (void)hash_search(watched, &hashvalue, HASH_ENTER, NULL);
}

void RcWatchRelations(RcRelationChanged listener) {
  Assert(nlisteners < lengthof(listeners));
  listeners[nlisteners++] = listener;
}
