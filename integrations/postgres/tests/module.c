/*
 * Test module: makes bad moments happen. Loaded beside the extension, whose places it hears of by a
 * rendezvous variable.
 *
 * relcache_checks_test.discard = on accepts every invalidation, as debug_discard_caches does where
 * a server was built with it: at each ExecutorStart (before and after the extension's own work),
 * amid the extension's loads, and after each row that a plan hands to INSERT, UPDATE, DELETE or
 * MERGE.
 *
 * relcache_checks_test.fail_at = 'PLACE:N' makes the Nth malloc after each such place, and before
 * the statement ends, fail (with failmalloc.c preloaded). PLACE is one of the extension's, or
 * "statement": before ExecutorStart of a statement that writes. 'error:N' raises an error at the
 * Nth place that is passed from now on.
 *
 * relcache_checks_test.hear_calls = on sets a hook on the execution of functions, as pgaudit does,
 * and warns of each.
 */
#include "postgres.h"

#include <dlfcn.h>

#include "access/transam.h"
#include "access/xact.h"
#include "catalog/objectaccess.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "nodes/execnodes.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/memutils.h"

PG_MODULE_MAGIC;

void _PG_init(void);

typedef void (*TestHook)(const char* place);

static bool discard = false;
static int64 discarded = 0;
static char* fail_at = NULL;
static long* fail_malloc_at = NULL; /* in failmalloc.c; NULL if it is not preloaded */
static long* failed_mallocs = NULL;
static bool hear_calls = false;
static object_access_hook_type previous_access = NULL;
static long places_to_error = 0; /* 0: never */
static ExecutorStart_hook_type previous_start = NULL;
static ExecutorEnd_hook_type previous_end = NULL;

static void DisarmMalloc(void) {
  if (fail_malloc_at != NULL) *fail_malloc_at = 0;
}

static void AtPlace(const char* place) {
  if (discard) {
    discarded++;
    InvalidateSystemCaches();
  }
  if (places_to_error > 0 && --places_to_error == 0)
    ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("test error at \"%s\"", place)));
  if (fail_malloc_at != NULL && fail_at != NULL && fail_at[0] != '\0') {
    size_t length = strlen(place);

    if (strncmp(fail_at, place, length) == 0 && fail_at[length] == ':')
      *fail_malloc_at = atol(fail_at + length + 1);
  }
}

static void FailAtChanged(const char* newval, void* extra) {
  DisarmMalloc();
  places_to_error = strncmp(newval, "error:", 6) == 0 ? atol(newval + 6) : 0;
}

static void AtTransactionEnd(XactEvent event, void* arg) {
  DisarmMalloc();
}

static void AtSubtransactionEnd(SubXactEvent event, SubTransactionId subid,
                                SubTransactionId parentid, void* arg) {
  DisarmMalloc();
}

/* ---- calls of functions ---- */

/* As pgaudit or sepgsql would: hear of every function before it is executed. */
static void HearOfCall(ObjectAccessType access, Oid class_id, Oid object_id, int sub_id,
                       void* arg) {
  if (previous_access) previous_access(access, class_id, object_id, sub_id, arg);
  if (hear_calls && access == OAT_FUNCTION_EXECUTE)
    ereport(WARNING, (errmsg("call of %u", object_id < FirstNormalObjectId ? object_id : 0)));
}

static void HearCallsChanged(bool newval, void* extra) {
  if (newval && object_access_hook != HearOfCall) {
    previous_access = object_access_hook;
    object_access_hook = HearOfCall;
  }
}

/* ---- between rows ---- */

typedef struct Wrapped {
  struct Wrapped* next;
  PlanState* source;
  ExecProcNodeMtd original;
  MemoryContextCallback callback;
} Wrapped;

static Wrapped* all_wrapped;

static void Forget(void* arg) {
  Wrapped** link = &all_wrapped;

  while (*link != arg) link = &(*link)->next;
  *link = (*link)->next;
}

static TupleTableSlot* CallWrapped(PlanState* source) {
  Wrapped* wrapped = all_wrapped;
  TupleTableSlot* slot;

  while (wrapped->source != source) wrapped = wrapped->next;
  source->ExecProcNode = wrapped->original;
  slot = source->ExecProcNode(source);
  wrapped->original = source->ExecProcNode;
  source->ExecProcNode = CallWrapped;
  AtPlace("row");
  return slot;
}

static void WrapSource(ModifyTableState* mtstate, EState* estate) {
  Wrapped* wrapped = MemoryContextAllocZero(estate->es_query_cxt, sizeof(Wrapped));

  wrapped->source = outerPlanState(mtstate);
  wrapped->original = wrapped->source->ExecProcNode;
  wrapped->callback.func = Forget;
  wrapped->callback.arg = wrapped;
  wrapped->next = all_wrapped;
  all_wrapped = wrapped;
  MemoryContextRegisterResetCallback(estate->es_query_cxt, &wrapped->callback);
  wrapped->source->ExecProcNode = CallWrapped;
}

static void TestExecutorStart(QueryDesc* query, int eflags) {
  ListCell* cell;

  if (discard || query->operation != CMD_SELECT) AtPlace("statement");
  if (previous_start)
    previous_start(query, eflags);
  else
    standard_ExecutorStart(query, eflags);
  if (!discard) return;
  AtPlace("after ExecutorStart");
  if (eflags & EXEC_FLAG_EXPLAIN_ONLY) return;
  if (query->planstate && IsA(query->planstate, ModifyTableState))
    WrapSource((ModifyTableState*)query->planstate, query->estate);
  foreach (cell, query->estate->es_auxmodifytables)
    if (lfirst(cell) != query->planstate) WrapSource(lfirst(cell), query->estate);
}

static void TestExecutorEnd(QueryDesc* query) {
  DisarmMalloc();
  if (previous_end)
    previous_end(query);
  else
    standard_ExecutorEnd(query);
}

/* ---- functions ---- */

PG_FUNCTION_INFO_V1(relcache_checks_test_discarded);
PG_FUNCTION_INFO_V1(relcache_checks_test_failed_mallocs);
PG_FUNCTION_INFO_V1(relcache_checks_test_hoard);
PG_FUNCTION_INFO_V1(relcache_checks_test_entry_bytes);

/* How often everything was invalidated, to show that the test tests something. */
Datum relcache_checks_test_discarded(PG_FUNCTION_ARGS) {
  PG_RETURN_INT64(discarded);
}

/* How many mallocs were made to fail; NULL if failmalloc.c is not preloaded. */
Datum relcache_checks_test_failed_mallocs(PG_FUNCTION_ARGS) {
  if (failed_mallocs == NULL) PG_RETURN_NULL();
  PG_RETURN_INT64(*failed_mallocs);
}

/*
 * Take every memory context that the server keeps for reuse, so that making one takes a malloc
 * again. What the previous call took is given back first.
 */
Datum relcache_checks_test_hoard(PG_FUNCTION_ARGS) {
  static MemoryContext hoard = NULL;
  MemoryContext fresh =
      AllocSetContextCreate(TopMemoryContext, "hoard", ALLOCSET_START_SMALL_SIZES);

  for (int i = 0; i < 250; i++) {
    AllocSetContextCreate(fresh, "hoarded", ALLOCSET_SMALL_SIZES);
    AllocSetContextCreate(fresh, "hoarded", ALLOCSET_DEFAULT_SIZES);
  }
  if (hoard != NULL) MemoryContextDelete(hoard);
  hoard = AllocSetContextCreate(TopMemoryContext, "hoard", ALLOCSET_START_SMALL_SIZES);
  for (int i = 0; i < 120; i++) {
    AllocSetContextCreate(hoard, "hoarded", ALLOCSET_SMALL_SIZES);
    AllocSetContextCreate(hoard, "hoarded", ALLOCSET_DEFAULT_SIZES);
  }
  MemoryContextSetParent(fresh, hoard);
  PG_RETURN_VOID();
}

/* Bytes of all the extension's entries that there are, findable or not, counted from the contexts
 * themselves. */
Datum relcache_checks_test_entry_bytes(PG_FUNCTION_ARGS) {
  int64 bytes = 0;

  for (MemoryContext cxt = CacheMemoryContext->firstchild; cxt != NULL; cxt = cxt->nextchild)
    if (strcmp(cxt->name, "relcache_checks entry") == 0)
      bytes += MemoryContextMemAllocated(cxt, true);
  PG_RETURN_INT64(bytes);
}

void _PG_init(void) {
  TestHook* hook = (TestHook*)find_rendezvous_variable("relcache_checks_test_hook");

  *hook = AtPlace;
  fail_malloc_at = dlsym(RTLD_DEFAULT, "relcache_fail_malloc_at");
  failed_mallocs = dlsym(RTLD_DEFAULT, "relcache_failed_mallocs");
  DefineCustomBoolVariable("relcache_checks_test.discard",
                           "Accepts every invalidation all the time.", NULL, &discard, false,
                           PGC_USERSET, 0, NULL, NULL, NULL);
  DefineCustomStringVariable("relcache_checks_test.fail_at", "Makes a malloc fail.", NULL, &fail_at,
                             "", PGC_USERSET, 0, NULL, FailAtChanged, NULL);
  DefineCustomBoolVariable("relcache_checks_test.hear_calls", "Warns of every function call.", NULL,
                           &hear_calls, false, PGC_USERSET, 0, NULL, HearCallsChanged, NULL);
  RegisterXactCallback(AtTransactionEnd, NULL);
  RegisterSubXactCallback(AtSubtransactionEnd, NULL);
  previous_start = ExecutorStart_hook;
  ExecutorStart_hook = TestExecutorStart;
  previous_end = ExecutorEnd_hook;
  ExecutorEnd_hook = TestExecutorEnd;
}
